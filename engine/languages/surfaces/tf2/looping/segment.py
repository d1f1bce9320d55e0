"""Statements of a loop's body that do the same in every turn: run as one function, while nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.differentiation.tape import Tape
from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.turns.arguments import NotRecorded
from engine.execution.eager.turns.recorded import RecordedTurn
from engine.execution.eager.turns.replay import Replay
from engine.execution.eager.turns.straight import StraightTurn
from engine.graph import Tensor
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import Scope
from engine.languages.surfaces.keras.optimizers.optimizer import KerasOptimizer
from engine.languages.surfaces.tf2.looping.watching import CONSTANT, Watch, looked_up
from engine.languages.surfaces.tf2.tape import OpenTape, ProgramTape, stand_at

Made = Callable[[Replay, list[ProgramTape]], Any]  # what a name is bound to, in a turn with these tapes


@dataclass(frozen=True, slots=True)
class Before:
    """The state in which statements begin: the turn under way, how far it is, and the counts so far."""

    recorded: RecordedTurn
    position: int
    counts: tuple[int, int, int]


class Segment:
    """Statements that have been watched, from the opening of a turn's first tape on."""

    def __init__(self, interpreter: Interpreter, graph: EagerGraph, before: Before, watch: Watch) -> None:
        """Raises: NotRecorded where they cannot be run as one function."""
        turn: Any = graph.turn
        self._interpreter = interpreter
        self._graph = graph
        self._before = before
        if not watch.tapes or [one.tape for one in watch.tapes] != turn.opened:
            raise NotRecorded
        self._straight = StraightTurn(turn.recorded, turn.position, graph.noting or {})
        if self._straight.tapes != len(watch.tapes):
            raise NotRecorded
        known = [value for value in watch.reads.values() if isinstance(value, np.ndarray)]
        if not all(_is_decided(array, known) for array in self._straight.arrays):
            raise NotRecorded
        self._tapes = [replace(one, tape=_like(one.tape)) for one in watch.tapes]
        self._counts = [
            now - then for now, then in zip(interpreter.budget.counts, before.counts, strict=True)
        ]
        self._path = graph.place
        self._parent = watch.scope.parent
        self._reads = [
            (None if scope is watch.scope else scope, name, value)
            for (scope, name), value in watch.reads.items()
        ]
        self._listed: list[tuple[Any, tuple[Any, ...]]] = []
        self._rules: list[tuple[KerasOptimizer, Any]] = []
        for value in watch.reads.values():
            self._look_into(value)
        self._made = [(name, self._making(watch.scope.names[name], watch, turn)) for name in watch.written]
        self._statement = interpreter._statement
        self._naming, self._assigned = interpreter.naming, interpreter.assigned_name

    def _look_into(self, value: Any) -> None:
        """What of an object from outside has to be as it was."""
        if type(value) in (list, tuple):
            self._listed.append((value, tuple(value)))
            for one in value:
                self._look_into(one)
        elif isinstance(value, KerasOptimizer):
            self._rules.append((value, value.rule))

    def _making(self, value: Any, watch: Watch, turn: Replay) -> Made:
        """What makes the value of a name again. Raises: NotRecorded."""
        if type(value) in (list, tuple):
            kind, parts = type(value), [self._making(one, watch, turn) for one in value]
            return lambda turn, tapes: kind(part(turn, tapes) for part in parts)
        if isinstance(value, Tensor):
            place = next((place for place, one in enumerate(turn.tensors) if one is value), None)
            if place is not None:
                return lambda turn, tapes: turn.tensor(place)
        if isinstance(value, ProgramTape):
            which = next(place for place, one in enumerate(watch.tapes) if one is value)
            return lambda turn, tapes: tapes[which]
        if type(value) not in CONSTANT:
            raise NotRecorded
        return lambda turn, tapes: value

    # -- running ---------------------------------------------------------------------------------

    def run(self) -> bool:
        """Do what the statements do. False, with nothing done, where they have to be run one by one."""
        interpreter, graph, scope = self._interpreter, self._graph, self._interpreter.scope
        straight, budget = self._straight, self._interpreter.budget
        if not self._begins_alike(scope) or not self._finds_the_same(scope):
            return False
        steps, operations, listed = self._counts
        if not budget.takes(steps, operations, listed):
            return False
        values = straight.values()
        if values is None:
            budget.takes(-steps, -operations, -listed)
            return False
        tapes = [replace(one, tape=_like(one.tape)) for one in self._tapes]
        outer = graph.go_along(straight.recorded.calls[0].path)
        OpenTape(interpreter, tapes[0]).__enter__()
        graph.go_back(outer)
        turn: Any = graph.turn
        straight.make(turn, values, [one.tape for one in tapes[1:]])
        stand_at(interpreter, tapes[-1])
        for name, make in self._made:
            scope.names[name] = make(turn, tapes)
        interpreter._statement = self._statement
        interpreter.naming, interpreter.assigned_name = self._naming, self._assigned
        return True

    def _begins_alike(self, scope: Scope) -> bool:
        """Whether the turn that is under way is where it was."""
        turn, before = self._graph.turn, self._before
        return (
            type(turn) is Replay
            and turn.recorded is before.recorded
            and turn.position == before.position
            and scope.parent is self._parent
            and not scope.redirected
            and not self._interpreter.names_in_modules
            and self._graph.place == self._path
            and self._graph.goes_on(self._tapes[0].place, self._straight.recorded)
        )

    def _finds_the_same(self, scope: Scope) -> bool:
        """Whether every name means what it meant, and lists and rules are what they were."""
        for start, name, value in self._reads:
            if looked_up(scope if start is None else start, name)[0] is not value:
                return False
        for items, known in self._listed:
            if len(items) != len(known) or any(a is not b for a, b in zip(items, known, strict=True)):
                return False
        return all(optimizer.rule is rule for optimizer, rule in self._rules)


def _is_decided(array: Any, known: list[Any]) -> bool:
    """Whether these arrays decide what an array holds: it is one of them, or made of a number."""
    return any(array is one for one in known) or (not array.ndim and all(one.ndim for one in known))


def _like(tape: Tape) -> Tape:
    """A new tape made as this one was."""
    return Tape(persistent=tape.persistent, watch_accessed_variables=tape.watch_accessed_variables)


def segment_of(interpreter: Interpreter, graph: EagerGraph, before: Before, watch: Watch) -> Segment | None:
    """The segment that was just watched; None where it cannot be run as one."""
    try:
        return Segment(interpreter, graph, before, watch)
    except NotRecorded:
        return None
