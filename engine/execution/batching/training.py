"""Many optimizations of one target side by side: one gradient for all members, updates group by group.

Members of a group share a train op; what differs among them (rates, other hyper-parameters, the state)
stands along a batch axis. Variables of one shape lie together along a further one, so that an optimizer
updates them in one go. All groups share the loss and its gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from engine.execution.batching.many import Many, Unbatchable
from engine.execution.batching.nodes import Recorded, Value, Variables, record
from engine.execution.batching.stacks import Columns, Stacks
from engine.execution.batching.tape import Tape
from engine.graph import Node, Tensor
from engine.ops.tensors import Array

Key = Tensor | Node  # what a column is of: a tensor, or a variable
Call = Callable[[], Any]
Recording = tuple[Array, Sequence[Key], int]  # what to record, (keys, members or 1, *S), and how many members


@dataclass(frozen=True, slots=True)
class Group:
    """Members that are updated by one train op.

    members:  how many; groups stand one after the other along the batch axis.
    settings: hyper-parameter tensors with a value for each member, (members, *S).
    state:    the slots and other variables of this train op alone at the start, (members, *S), or (1, *S)
              where all members begin alike.
    fetches:  what to record beside the shared fetches, such as processed gradients.
    """

    train_op: Node
    members: int
    settings: Mapping[Tensor, Array] = field(default_factory=dict)
    state: Mapping[Node, Array] = field(default_factory=dict)
    fetches: Sequence[Tensor] = ()


class RaceLoop:
    """Steps of all members at once.

    Example: loop = RaceLoop([loss], {x.node: slope}, [Group(train_op, 3, {rate: rates})], {x.node: starts})
             columns = loop.run(steps=100)          # before each update, and at last without one
             columns[loss]                          # (101, members)
    """

    def __init__(
        self,
        fetches: Sequence[Tensor],
        gradients: Mapping[Node, Tensor],
        groups: Sequence[Group],
        state: Mapping[Node, Array],
        *,
        feeds: Mapping[Tensor, Any] | None = None,
        shared: Mapping[Node, Any] | None = None,
        keep: Sequence[Key] | None = None,
        seed: int = 0,
        limit: int | None = None,
    ) -> None:
        """Record one step and make room for it.

        fetches:   what all groups share and what is recorded, beside the gradients: the loss.
        gradients: of each trained variable.
        state:     the trained variables and those that differ from member to member, (members, *S).
        shared:    variables that no train op of the race writes, one value for all members.
        keep:      which columns to record; all unless some are named.
        limit:     how many numbers a step may keep at once.
        Raises:    Unbatchable where members have to be taken one by one, also while they run.
        """
        self.members = sum(group.members for group in groups)
        self.elements = 0
        self._rest = _Rest(dict(shared or {}), dict(feeds or {}), seed, limit)
        self._state = Stacks({node: np.array(value) for node, value in state.items()})
        self._before: list[Recording] = [(array, keys, self.members) for keys, array in self._state.parts]
        self._after: list[Recording] = []
        self._memory = [array for _, array in self._state.parts]
        self._shared_calls, self._calls = list[Call](), list[Call]()
        self._slopes, loose = self._share(fetches, gradients)
        start = 0
        for group in groups:
            self._add(group, slice(start, start + group.members), gradients, loose)
            start += group.members
        self._start = [(array, array.copy()) for array in self._memory]
        if keep is not None:
            self._before, self._after = _only(self._before, keep), _only(self._after, keep)

    @property
    def state(self) -> list[Node]:
        """The variables that all groups have."""
        return _keys(self._state)

    @property
    def row_numbers(self) -> int:
        """How many numbers a row of all columns holds."""
        return sum(array.size for array, _, _ in (*self._before, *self._after))

    @property
    def calls(self) -> int:
        """Calls of numpy in one step."""
        return len(self._shared_calls) + len(self._calls)

    def restart(self) -> None:
        """Put every member back to its start; random numbers go on."""
        for array, start in self._start:
            np.copyto(array, start)

    def run(self, steps: int, last: bool = True) -> Mapping[Any, Array]:
        """Take steps from where the members stand, with a row of every column before each.

        last:    add a row after the last step; the race cannot go on from there.
        Returns: for each fetch and variable an array (rows, members, *S).
        """
        columns = Columns(steps + last)
        before = [(columns.make(*recording), recording[0]) for recording in self._before]
        after = [(columns.make(*recording), recording[0]) for recording in self._after]
        shared_calls, calls = self._shared_calls, self._calls
        with np.errstate(all="ignore"):
            for k in range(columns.rows):
                for call in shared_calls:
                    call()
                for column, array in before:
                    column[k] = array
                for call in calls:
                    call()
                for column, array in after:
                    column[k] = array
        return columns.by_key

    def _share(
        self, fetches: Sequence[Tensor], gradients: Mapping[Node, Tensor]
    ) -> tuple[Stacks, dict[Tensor, Value]]:
        """Record the loss and the gradients of all members; the gradients beside those of their shape."""
        tape, rest = Tape(), self._rest
        states = {node: tape.changing(self._state.one(node)[0]) for node in _keys(self._state)}
        found = record(
            tape, [*fetches, *gradients.values()], rest.feeds, Variables({**rest.shared, **states}), rest.seed
        )
        if found.written:
            raise Unbatchable("a loss that writes variables")
        slopes = Stacks({node: self._room(node, found.values[slope]) for node, slope in gradients.items()})
        homes = [
            (value, slopes.one(node)[0])
            for node, slope in gradients.items()
            if isinstance(value := found.values[slope], Many)
        ]
        loose = {tensor: found.values[tensor] for tensor in fetches}
        bound = tape.bind([v for v in loose.values() if isinstance(v, Many)], homes=homes, limit=rest.limit)
        self._shared_calls = bound.calls
        self.elements += bound.elements
        arrays = {
            tensor: bound[value] if isinstance(value, Many) else value[None]
            for tensor, value in loose.items()
        }
        self._before += [(array[None], [tensor], self.members) for tensor, array in arrays.items()]
        self._before += [
            (array, [gradients[node] for node in nodes], self.members) for nodes, array in slopes.parts
        ]
        return slopes, arrays

    def _room(self, node: Node, value: Value) -> Array:
        """A place for a gradient; one that is the same at every step stands in it from the beginning."""
        fixed = value if not isinstance(value, Many) else np.zeros(value.shape, value.dtype)
        return np.array(np.broadcast_to(fixed, (self.members, *fixed.shape)))

    def _add(
        self,
        group: Group,
        members: slice,
        gradients: Mapping[Node, Tensor],
        loose: Mapping[Tensor, Array],
    ) -> None:
        """Record the update of one group, from the gradients that all share."""
        alone = group.members < self.members
        mine = self._state.of_members(members) if alone else self._state
        slopes = self._slopes.of_members(members) if alone else self._slopes
        state = dict(group.state)
        while True:
            tape = Tape(axes=2)
            variables = _GroupVariables(tape, self._rest.shared, mine, state, group.members)
            given: dict[Tensor, Value] = dict(self._rest.feeds)
            given |= {t: tape.changing(_members(array[None], members)) for t, array in loose.items()}
            for nodes, array in slopes.parts:
                stack = tape.changing(array)
                given |= {gradients[node]: tape.row(stack, place) for place, node in enumerate(nodes)}
            given |= {t: tape.fixed(np.asarray(value)[None]) for t, value in group.settings.items()}
            found = record(tape, [*group.fetches, group.train_op], given, variables, self._rest.seed)
            grown = variables.outgrown(found)
            if not grown:
                break
            state |= {node: np.repeat(state[node], group.members, axis=0) for node in grown}
        own = {tensor: found.values[tensor] for tensor in group.fetches if tensor not in given}
        bound = tape.bind(
            [value for value in own.values() if isinstance(value, Many)],
            moves=variables.moves(found),
            limit=self._rest.limit,
        )
        self._calls += _copies(slopes, self._slopes, members, back=False) if alone else []
        self._calls += bound.calls
        self._calls += _copies(mine, self._state, members, back=True) if alone else []
        self.elements += bound.elements
        self._before += [(array, nodes, group.members) for nodes, array in variables.own]
        self._memory += [array for _, array in (*variables.own, *(mine.parts if alone else ()))]
        for tensor, value in own.items():
            array = bound[value] if isinstance(value, Many) else value[None, None]
            self._after.append((array, [tensor], group.members))


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is the same for all members."""

    shared: Mapping[Node, Any]
    feeds: Mapping[Tensor, Any]
    seed: int
    limit: int | None


class _GroupVariables(Variables):
    """The variables of one group: its part of what all groups have, and what its train op has alone."""

    def __init__(
        self,
        tape: Tape,
        shared: Mapping[Node, Any],
        state: Stacks,
        own: Mapping[Node, Array],
        count: int,
    ) -> None:
        super().__init__(shared)
        self.own: list[tuple[tuple[Node, ...], Array]] = []  # the arrays of what the train op has alone
        self._tape, self._state, self._start, self._count = tape, state, own, count
        self._leaves: dict[tuple[Node, ...], Many] = {}

    def one(self, variable: Node) -> Value:
        if variable not in self._state and variable not in self._start:
            return super().one(variable)
        return self.together((variable,))

    def together(self, variables: Sequence[Node]) -> Many | None:
        key = tuple(variables)
        if key not in self._leaves:
            array = self._memory(key)
            if array is None:
                return None
            self._leaves[key] = self._tape.changing(array)
        return self._leaves[key]

    def _memory(self, key: tuple[Node, ...]) -> Array | None:
        if all(node in self._state for node in key):
            return self._state.together(key)
        for nodes, array in self.own:
            if len(key) == 1 and key[0] in nodes:
                place = nodes.index(key[0])
                return array[place : place + 1]
        if not all(node in self._start for node in key) or any(
            n in nodes for n in key for nodes, _ in self.own
        ):
            return None
        values = [np.asarray(self._start[node]) for node in key]
        array = (
            np.stack(np.broadcast_arrays(*values)) if len({v.shape for v in values}) > 1 else np.stack(values)
        )
        self.own.append((key, array))
        return array

    def outgrown(self, found: Recorded) -> list[Node]:
        """The variables that began the same for all members and come to differ."""
        return [
            node
            for nodes, new in found.written.items()
            for node in nodes
            if isinstance(new, Many)
            and node in self._start
            and len(self._start[node]) < min(new.batch[1], self._count)
        ]

    def _shape(self, node: Node) -> tuple[int, ...]:
        """A member's shape of a variable."""
        return np.shape(self.one(node))

    def moves(self, found: Recorded) -> dict[Many, Value]:
        """What each leaf holds after a step."""
        result: dict[Many, Value] = {}
        for nodes, new in found.written.items():
            if any(node not in self._state and node not in self._start for node in nodes):
                raise Unbatchable(f"a write to {nodes[0].name}")
            if np.shape(new) != self._shape(nodes[0]):
                raise Unbatchable(f"another shape of {nodes[0].name}")
            whole = self.together(nodes)
            if whole is not None:
                result[whole] = new
                continue
            for place, node in enumerate(nodes):
                result[self.one(node)] = self._tape.row(new, place) if isinstance(new, Many) else new
        return result


def _members(array: Array, members: slice) -> Array:
    """A group's part of an array (1, members or 1, *S)."""
    return array if array.shape[1] == 1 else array[:, members]


def _copies(part: Stacks, whole: Stacks, members: slice, back: bool) -> list[Call]:
    """Calls that fetch some members out of all, or put them back: numpy is quicker on one piece."""
    pairs = [(mine, array[:, members]) for (_, mine), (_, array) in zip(part.parts, whole.parts, strict=True)]
    return [
        partial(np.copyto, theirs, mine) if back else partial(np.copyto, mine, theirs)
        for mine, theirs in pairs
    ]


def _keys(stacks: Stacks) -> list[Any]:
    return [key for keys, _ in stacks.parts for key in keys]


def _only(recordings: Sequence[Recording], keep: Sequence[Key]) -> list[Recording]:
    return [recording for recording in recordings if not set(recording[1]).isdisjoint(keep)]
