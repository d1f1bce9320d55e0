"""Many optimizations of one target side by side: one gradient for all runs, updates group by group.

Runs of a group share a train op; what differs among them (rates, other hyper-parameters, the state)
stands along a batch axis. Variables of one shape lie together along a further one, so that an optimizer
updates them in one go. All groups share the loss and its gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.execution.batching.group import Common, Group, record_group
from engine.execution.batching.machine import GroupParts, QuickRace
from engine.execution.batching.nodes import Variables, plan_for, record
from engine.execution.batching.numpy_calls import Unbatchable
from engine.execution.batching.run_loop import Part
from engine.execution.batching.stacks import Key, Recording, Stacks, columns_of
from engine.execution.batching.trace import Trace
from engine.execution.columns import Columns
from engine.execution.tracing.tracer import Tracer
from engine.execution.tracing.walk import Held
from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array

Call = Callable[[], Any]  # a call of numpy with its operands and its place for the result
CALL_S = 0.6e-6  # one call of numpy
NUMBER_S = 1e-9  # one number in it


class RaceLoop:
    """Steps of all runs at once.

    Example: loop = RaceLoop([loss], {x.node: slope}, [Group(train_op, 3, {rate: rates})], {x.node: starts})
             columns = loop.run(steps=100)          # before each update, and at last without one
             columns[loss]                          # (101, runs)
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
        state:     the trained variables and those that differ from run to run, (runs, *S).
        shared:    variables that no train op of the race writes, one value for all runs.
        keep:      which columns to record; all unless some are named.
        limit:     how many numbers a step may keep at once.
        Raises:    Unbatchable where runs have to be taken one by one, also later.
        """
        self.runs = sum(group.runs for group in groups)
        self.elements = 0
        self._common = Common(dict(shared or {}), dict(feeds or {}), seed, limit)
        self._state = Stacks({node: np.array(value) for node, value in state.items()})
        self._before: list[Recording] = [(array, keys, self.runs) for keys, array in self._state.parts]
        self._after: list[Recording] = []
        self._memory = [array for _, array in self._state.parts]
        self._shared_calls, self._calls, self._put_back = (
            list[Call](),
            list[Call](),
            list[Call](),
        )
        self._groups: list[GroupParts] = []
        self._slopes, loose = self._share(fetches, gradients)
        start = 0
        for group in groups:
            self._add(group, slice(start, start + group.runs), gradients, loose)
            start += group.runs
        self._start = [(array, array.copy()) for array in self._memory]
        if keep is not None:
            self._before, self._after = _only(self._before, keep), _only(self._after, keep)
        self._quick = QuickRace(self._groups, [*self._before, *self._after])

    @property
    def state(self) -> list[Node]:
        """The variables that all groups have."""
        return self._state.keys

    @property
    def row_numbers(self) -> int:
        """How many numbers a row of all columns holds."""
        return sum(array.size for array, _, _ in (*self._before, *self._after))

    @property
    def calls(self) -> int:
        """Calls of numpy in one step."""
        return len(self._shared_calls) + len(self._calls)

    def restart(self) -> None:
        """Put every run back to its start; random numbers go on."""
        for array, start in self._start:
            np.copyto(array, start)

    def expect(self, rows: int) -> None:
        """Have the race made machine code beside it, where so many rows ahead are worth that."""
        self._quick.expect(rows * (CALL_S * self.calls + NUMBER_S * self.elements))

    def compile(self) -> bool:
        """Have the race made machine code now; whether it can be. It gives the same numbers, bit for bit."""
        return self._quick.wait()

    @property
    def machine_code(self) -> bool:
        """Whether the next steps are taken by machine code."""
        return self._quick.ready

    def run(self, steps: int, last: bool = True) -> Mapping[Any, Array]:
        """Take steps from where the runs stand, with a row of every column before each.

        last:    add a row after the last step; the race cannot go on from there.
        Returns: for each fetch and variable an array (rows, runs, *S).
        """
        columns = self.columns(steps + last)
        self.fill(columns, slice(0, columns.steps))
        return columns.values

    def columns(self, rows: int) -> Columns:
        """Room for so many rows of all that is recorded."""
        return columns_of(rows, [*self._before, *self._after])

    def fill(self, columns: Columns, rows: slice) -> None:
        """Take a step for each of these rows, and put there what was before it."""
        arrays = [column[rows] for column in columns.stacks]
        if self.machine_code:
            self._quick.run(rows.stop - rows.start, arrays)
            for call in self._put_back:
                call()
        else:
            self._fill_in_numpy(rows.stop - rows.start, arrays)

    def _fill_in_numpy(self, rows: int, columns: Sequence[Array]) -> None:
        sources = [array for array, _, _ in (*self._before, *self._after)]
        pairs = list(zip(columns, sources, strict=True))
        first, last = pairs[: len(self._before)], pairs[len(self._before) :]
        shared_calls, calls = self._shared_calls, self._calls
        with np.errstate(all="ignore"):
            for k in range(rows):
                for call in shared_calls:
                    call()
                for column, array in first:
                    column[k] = array
                for call in calls:
                    call()
                for column, array in last:
                    column[k] = array

    def _share(
        self, fetches: Sequence[Tensor], gradients: Mapping[Node, Tensor]
    ) -> tuple[Stacks, dict[Tensor, Held]]:
        """Record the loss and the gradients of all runs; the gradients beside those of their shape."""
        trace, common = Trace(), self._common
        states = {node: trace.changing(self._state.one(node)[0]) for node in self._state.keys}
        wanted = [*fetches, *gradients.values()]
        plan = plan_for(wanted, common.feeds)
        found = record(trace, plan, wanted, common.feeds, Variables({**common.shared, **states}), common.seed)
        if found.written:
            raise Unbatchable("a loss that writes variables")
        slopes = Stacks({node: self._room(node, found.values[slope]) for node, slope in gradients.items()})
        homes = [
            (value, slopes.one(node)[0])
            for node, slope in gradients.items()
            if isinstance(value := found.values[slope], Tracer)
        ]
        loose = {tensor: found.values[tensor] for tensor in fetches}
        fetched = [value for value in loose.values() if isinstance(value, Tracer)]
        execution = trace.plan(fetched, homes=homes, limit=common.limit)
        self._shared_calls = execution.calls
        self._shared_part = Part(
            execution,
            [(leaf, [node]) for node, leaf in states.items()],
            [([tensor], found.values[tensor]) for tensor in wanted],
        )
        self.elements += execution.elements
        arrays = {
            tensor: execution[value] if isinstance(value, Tracer) else value[None]
            for tensor, value in loose.items()
        }
        self._before += [(array[None], [tensor], self.runs) for tensor, array in arrays.items()]
        self._before += [
            (array, [gradients[node] for node in nodes], self.runs) for nodes, array in slopes.parts
        ]
        return slopes, arrays

    def _room(self, node: Node, value: Held) -> Array:
        """A place for a gradient; one that is the same at every step stands in it from the beginning."""
        fixed = value if not isinstance(value, Tracer) else np.zeros(value.shape, value.dtype)
        return np.array(np.broadcast_to(fixed, (self.runs, *fixed.shape)))

    def _add(
        self,
        group: Group,
        runs: slice,
        gradients: Mapping[Node, Tensor],
        loose: Mapping[Tensor, Array],
    ) -> None:
        """Record the update of one group, from the gradients that all share."""
        alone = group.runs < self.runs
        mine = self._state.of_runs(runs) if alone else self._state
        slopes = self._slopes.of_runs(runs) if alone else self._slopes
        given = [
            *((_of_runs(array[None], runs), [tensor]) for tensor, array in loose.items()),
            *((array, [gradients[node] for node in nodes]) for nodes, array in slopes.parts),
        ]
        step = record_group(group, mine, given, self._common)
        put_back = _copies(mine, self._state, runs, back=True) if alone else []
        self._calls += _copies(slopes, self._slopes, runs, back=False) if alone else []
        self._calls += [*step.execution.calls, *put_back]
        self._put_back += put_back
        self.elements += step.execution.elements
        memory = [*mine.parts, *step.own]
        self._groups.append(GroupParts((self._shared_part, step.part), memory, runs.start, group.runs))
        self._memory += [array for _, array in (*step.own, *(mine.parts if alone else ()))]
        self._before += [(array, nodes, group.runs) for nodes, array in step.own]
        self._after += [(array, [tensor], group.runs) for tensor, array in step.fetched.items()]


def _of_runs(array: Array, runs: slice) -> Array:
    """A group's part of an array (1, runs or 1, *S)."""
    return array if array.shape[1] == 1 else array[:, runs]


def _copies(part: Stacks, whole: Stacks, runs: slice, back: bool) -> list[Call]:
    """Calls that fetch some runs out of all, or put them back: numpy is quicker on one piece."""
    pairs = [(mine, array[:, runs]) for (_, mine), (_, array) in zip(part.parts, whole.parts, strict=True)]
    return [
        partial(np.copyto, theirs, mine) if back else partial(np.copyto, mine, theirs)
        for mine, theirs in pairs
    ]


def _only(recordings: Sequence[Recording], keep: Sequence[Key]) -> list[Recording]:
    return [recording for recording in recordings if not set(recording[1]).isdisjoint(keep)]
