"""Trying out a part of a training loop's body: its statements run one by one; what they leave is noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import is_
from typing import Any

from engine.execution.eager.turns.arguments import NotRecorded
from engine.execution.eager.turns.recorded import RecordedTurn
from engine.execution.eager.turns.replay import Replay
from engine.execution.eager.turns.stretch import Stretch
from engine.languages.interpreter.dispatch import Ended, Execution
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import Scope
from engine.languages.surfaces.tf2.looping.watching import CONSTANT, looked_up
from engine.languages.surfaces.torch.autograd.nodes import PACKING, Node
from engine.languages.surfaces.torch.looping.examples import (
    NodeExample,
    PartBegun,
    examples_behind,
    leaves_behind,
    place_of,
    places_of_kept,
    received_by,
)
from engine.languages.surfaces.torch.looping.leaves import Leaf, Left, is_fresh
from engine.languages.surfaces.torch.looping.objects import Held
from engine.languages.surfaces.torch.optim.stepping import numbers_shown
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, held_by

Name = tuple[Scope, str]


@dataclass(slots=True)
class TurnSoFar:
    """What the parts of one turn have made in a trial.

    parts: when each began and ended. bound: the tensors that they bound to names.
    """

    parts: dict[int, PartBegun] = field(default_factory=dict)
    bound: list[Tensor] = field(default_factory=list)


@dataclass(slots=True)
class Begun:
    """The state in which a trial of a part has begun."""

    turn: Any
    number: int
    position: int
    counts: tuple[int, int, int]
    sequence: int
    passes: int
    passed: Any
    phase: str
    looks: int
    calls: Sequence[Any]
    updates: Sequence[Any]
    values: Mapping[Name, Any]
    fresh: frozenset[Name]
    own: frozenset[Name]
    held: Held
    leaves: list[Leaf]


class TriedPart:
    """Statements in a row, from one position of a recorded turn to another.

    index: which part of its turn it is. reads: the names from outside that it reads; written: those it binds.
    begins_at: the place at which its turn begins, where it is the first one.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        graph: Any,
        index: int,
        run: Execution,
        names: tuple[Mapping[Name, Any], Sequence[str]],
        begins_at: int | None,
    ) -> None:
        self._interpreter = interpreter
        self._graph = graph
        self.index = index
        self.plain = run
        self._scope = interpreter.scope
        self._reads, self.written = names
        self.begins_at = begins_at
        self.is_ready = False
        self._described: Any = None
        self.misses = 0

    @property
    def opens(self) -> bool:
        """Whether its turn begins in it."""
        return self.begins_at is not None

    # -- trying out --------------------------------------------------------------------------------

    def try_out(self, so_far: TurnSoFar) -> Ended:
        """Run the statements one by one. Raises: NotRecorded, after them, where they cannot be run as one."""
        begun: Begun | None
        try:
            begun = self._begin()
        except NotRecorded:
            begun = None
        ended = self.plain()
        if begun is None or ended is not None:
            raise NotTakenUp(ended)
        try:
            self._learn(begun, so_far)
        except NotRecorded:
            raise NotTakenUp(ended) from None
        return ended

    def _begin(self) -> Begun:
        graph, now = self._graph, state()
        turn = graph.turn
        if type(turn) is not Replay:
            raise NotRecorded
        values = {key: looked_up(*key)[0] for key in self._reads}
        tensors = {key: one for key, one in values.items() if isinstance(one, Tensor)}
        fresh = frozenset(key for key, one in tensors.items() if is_fresh(one))
        known = set() if self.opens else {id(one) for one in turn.tensors if one is not None}
        own = frozenset(key for key, one in tensors.items() if key not in fresh and id(held_by(one)) in known)
        held = Held([one for key, one in values.items() if key not in fresh and key not in own])
        behind = leaves_behind([tensors[key] for key in own], turn)
        workspace = self._interpreter.workspace
        return Begun(
            turn,
            graph.turn_number,
            turn.position,
            self._interpreter.budget.counts,
            now.sequence,
            graph.passes,
            graph.passed,
            graph.phase,
            graph.looks,
            list(workspace.gradient_calls),
            list(workspace.updates),
            values,
            fresh,
            own,
            held,
            [Leaf(one) for one in dict.fromkeys([*held.tensors, *behind])],
        )

    def _learn(self, begun: Begun, so_far: TurnSoFar) -> None:
        """Take note of what the statements did, or find that they did the same again. Raises: NotRecorded."""
        turn, graph = self._same_turn(begun), self._graph
        versions = {id(leaf.tensor.version): leaf.version for leaf in begun.leaves}
        so_far.parts[self.index] = PartBegun(begun.sequence, state().sequence, versions)
        left = [leaf.left(turn) for leaf in begun.leaves]
        others: set[int] = set()
        for one in left:
            one.leaves_once(others)
        bound = {name: self._binding(name, begun, turn) for name in self.written}
        so_far.bound += [value for value, place in bound.values() if place is not None]
        examples = examples_behind(so_far.bound, turn, so_far.parts)
        received = {
            leaf.tensor.accumulator: received_by(leaf.tensor.accumulator, turn)
            for leaf in begun.leaves
            if graph.passes > begun.passes and leaf.tensor.accumulator is not None
        }
        counts = [b - a for a, b in zip(begun.counts, self._interpreter.budget.counts, strict=True)]
        described = (
            (turn.recorded, begun.position if self.begins_at is None else 0, turn.position),
            (counts, state().sequence - begun.sequence, graph.passes - begun.passes),
            (begun.passed, graph.passed, begun.phase, graph.phase),
            (begun.fresh, begun.own, [one.described for one in left]),
            [
                (name, place, place is None or value.node is not None)
                for name, (value, place) in bound.items()
            ],
            [one.described for one in examples.values()],
            list(received.values()),
        )
        if self._described is None:
            self._described = described
            self._take(begun, turn, left, bound, examples, received, counts)
        elif self._described == described and self._held.is_same() and self._stretch.fits(graph.noting):
            self._stretch.compile()
            self.is_ready = True
        else:
            raise NotRecorded

    def _same_turn(self, begun: Begun) -> Replay:
        """The turn in which the statements ran. Raises: NotRecorded where it is another than it should be."""
        graph, workspace = self._graph, self._interpreter.workspace
        turn: Any = graph.turn
        expected = begun.number + (self.begins_at is not None)
        is_steady = type(turn) is Replay and graph.turn_number == expected and graph.looks == begun.looks
        if not is_steady or turn.recorded.went_on or turn.recorded.has_large or not begun.held.is_same():
            raise NotRecorded
        if not has_same_calls(workspace, begun.calls, begun.updates):
            raise NotRecorded
        if turn.position == (begun.position if self.begins_at is None else 0):
            raise NotRecorded
        for key, value in begun.values.items():
            if looked_up(*key)[0] is not value and not (key[0] is self._scope and key[1] in self.written):
                raise NotRecorded
        found: Replay = turn
        return found

    def _binding(self, name: str, begun: Begun, turn: Replay) -> tuple[Any, int | None]:
        """What a name is bound to: a tensor at a place of the turn, or what is the same each time."""
        value = self._scope.names.get(name)
        if type(value) in CONSTANT:
            return value, None
        if type(value) is not Tensor or value.steps or value.hooks or value.retains or value.version.number:
            raise NotRecorded
        storage = value.storage
        if value.requires or storage.variable is not None or storage.shared is not None or storage.later:
            raise NotRecorded
        if storage.value is None or any(value is one for one in begun.values.values()):
            raise NotRecorded
        return value, place_of(storage.value, turn)

    def _take(
        self,
        begun: Begun,
        turn: Replay,
        left: list[Left],
        bound: Mapping[str, tuple[Any, int | None]],
        examples: Mapping[Node, NodeExample],
        received: Mapping[Any, Any],
        counts: list[int],
    ) -> None:
        """Keep what a run as one function needs."""
        graph, interpreter, now = self._graph, self._interpreter, state()
        self._held, self._left, self._bound = begun.held, left, bound
        self._begin_at = begun.position if self.begins_at is None else 0
        self._fresh = {number: key for number, key in enumerate(self._reads) if key in begun.fresh}
        self._own = {key: begun.values[key] for key in self._reads if key in begun.own}
        self._own_places = {key: place_of(held_by(one), turn) for key, one in self._own.items()}
        self._same = [
            (*key, one)
            for key, one in begun.values.items()
            if key not in begun.fresh and key not in begun.own
        ]
        self._fresh_like = {key: begun.values[key] for key in self._fresh.values()}
        arrays = {number: self._fresh_like[key].storage.array for number, key in self._fresh.items()}
        self._recorded: RecordedTurn = turn.recorded
        self._stretch = Stretch(turn.recorded, self._begin_at, turn.position, graph.noting or {}, arrays)
        if set(self._stretch.changing) != set(arrays):
            raise NotRecorded
        named = [value for value, place in bound.values() if place is not None]
        self._heads = {id(value): (value.node, value.output) for value in named}
        self._examples, self._received = examples, received
        own = [one for one in examples.values() if one.part == self.index]
        watched = {key for one in own for key in one.since}
        self._versions = [leaf.tensor.version for leaf in begun.leaves if id(leaf.tensor.version) in watched]
        self._places = places_of_kept(examples.values(), turn)
        self._counts = counts
        self._sequence = now.sequence - begun.sequence
        self._passes = graph.passes - begun.passes
        self._passed = begun.passed, graph.passed
        self._phase = begun.phase
        self._calls, self._updates = begun.calls, begun.updates
        self._modes = modes()
        self._numbers = [one for optimizer in begun.held.optimizers for one in numbers_shown(optimizer)]
        self._path = graph.place
        self._statement = interpreter._statement
        self._naming, self._assigned = interpreter.naming, interpreter.assigned_name


class NotTakenUp(Exception):  # not a mistake: statements that have run, and go on to be run one by one
    """Statements that cannot be run as one function; how they have ended."""

    def __init__(self, ended: Ended) -> None:
        super().__init__()
        self.ended = ended


def modes() -> Any:
    """What holds for all functions of PyTorch now."""
    now = state()
    plain = [item for item in now.parts.items() if type(item[1]) in (bool, int, float, str)]
    return now.records, now.inference, now.default_float, bool(now.parts.get(PACKING)), plain


def has_same_calls(workspace: Any, calls: Sequence[Any], updates: Sequence[Any]) -> bool:
    """Whether the calls that are kept for the answer are these."""
    pairs = (workspace.gradient_calls, calls), (workspace.updates, updates)
    return all(len(a) == len(b) and all(map(is_, a, b)) for a, b in pairs)
