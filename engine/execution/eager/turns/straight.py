"""The calls of a recorded turn in a row, from the opening of its tape on, as one function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.differentiation.tape import Tape
from engine.execution.eager.turns.arguments import (
    ARRAY,
    BYTES,
    LISTED,
    NUMBER,
    PLACE,
    TAPE,
    NotRecorded,
    Pattern,
    fits,
)
from engine.execution.eager.turns.compiled import compiled
from engine.execution.eager.turns.recorded import Call, RecordedTurn
from engine.execution.eager.turns.recorder import ELEMENT, OPENING
from engine.execution.eager.turns.replay import REFUSED, Replay


class StraightTurn:
    """The first calls of a recorded turn, as often as they are made on the same objects from outside.

    recorded: the turn; until: how many of its calls.
    arrays:   those that the program gives, which may hold other numbers each time.
    work:     the element operations that the calls cost. tapes: how many they open.
    """

    def __init__(self, recorded: RecordedTurn, until: int, given: Mapping[int, tuple[Any, ...]]) -> None:
        """given: what the calls were given, by position. Raises: NotRecorded where one function cannot be."""
        self.recorded = recorded
        self.until = until
        calls = recorded.calls[:until]
        self.arrays: list[Any] = []
        self._patterns: list[Pattern] = []
        self._constants: list[tuple[Any, Any]] = []
        self._again: list[tuple[Call, tuple[Pattern, ...]]] = []
        for position, call in enumerate(calls):
            self._take(call, given.get(position, ()))
        active = [step for call in calls for step in call.active if step.given is None]
        compute = compiled(active, recorded)
        if compute is None or any(source in range(len(recorded.carried)) for source in compute.places):
            raise NotRecorded
        self._compute = compute
        self._nodes = [step for call in calls if call.node is not None for step in call.steps]
        self.work = sum(call.work for call in calls)
        self.tapes = sum(call.function == OPENING for call in calls)
        self._names = {name: count for call in calls for name, count in call.names.items()}
        self._phase = calls[-1].phase
        self._open = next((call.tapes for call in reversed(calls) if call.tapes is not None), ())

    def _take(self, call: Call, given: tuple[Any, ...]) -> None:
        """One of the calls, and what it was given."""
        if call.function == ELEMENT or any(not _is_known(pattern) for pattern in call.arguments):
            raise NotRecorded
        for pattern, value in zip(call.arguments, given, strict=False):
            if pattern[0] in (ARRAY, BYTES):
                self.arrays.append(value)
                self._patterns.append(pattern)
        for step in call.active:
            if step.node.op.draws:
                raise NotRecorded
            if step.given is not None:
                self._constants.append((step, given[step.given]))
        if call.again is not None:
            if any(kind in (ARRAY, BYTES, NUMBER) for kind, _ in call.arguments):
                raise NotRecorded
            self._again.append((call, call.arguments))

    def values(self) -> list[Any] | None:
        """Compute the calls, and write their variables. None, with nothing done, where it is another case."""
        for pattern, array in zip(self._patterns, self.arrays, strict=True):
            if not fits(pattern, array, self):
                return None
        values = self.recorded.template.copy()
        for step, value in self._constants:
            values[step.first] = value if step.passes else np.array(np.asarray(value), step.kinds[0][0])
        try:
            return values if self._compute.run(values) else None
        except REFUSED:  # which is for the kernel, at its line
            return None

    def make(self, turn: Replay, values: list[Any], tapes: Sequence[Tape]) -> None:
        """Take note in a replay whose first tape has opened of all that its calls have computed.

        tapes: the others that open.
        """
        carried = len(self.recorded.carried)
        values[:carried] = turn.values[:carried]
        turn.values, turn.position = values, self.until
        for tape in tapes:
            turn.take(tape)
        graph = turn.graph
        graph.have_gone(self._names, self._phase)
        graph.tapes = [turn.opened[which] for which in self._open]
        for step in self._nodes:
            turn.write_node(step)
        for call, arguments in self._again:
            found = turn.result(call.result)
            call.again(found, *[_argument(pattern, turn) for pattern in arguments])  # type: ignore[misc]


def _is_known(pattern: Pattern) -> bool:
    """Whether an argument is the same in every turn that gives the same objects, or an array of its own."""
    kind, what = pattern
    if kind is LISTED:
        return all(one[0] not in (ARRAY, BYTES) and _is_known(one) for one in what[1])
    return True


def _argument(pattern: Pattern, turn: Replay) -> Any:
    """An argument as a turn has it."""
    kind, what = pattern
    if kind is PLACE:
        return turn.tensor(what)
    if kind is TAPE:
        return turn.opened[what]
    if kind is LISTED:
        return what[0](_argument(one, turn) for one in what[1])
    return what
