"""Some calls of a recorded turn in a row, wherever they stand in it, as one function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.execution.eager.turns.arguments import NotRecorded
from engine.execution.eager.turns.compiled import CompiledCall, compiled
from engine.execution.eager.turns.recorded import RecordedTurn, Step
from engine.execution.eager.turns.recorder import ELEMENT
from engine.execution.eager.turns.replay import REFUSED, Replay


class Stretch:
    """The calls from one position of a recorded turn to another, given the same numbers each time.

    changing: the constants among their steps that hold another array each time, by its place.
    """

    def __init__(
        self,
        recorded: RecordedTurn,
        begin: int,
        until: int,
        given: Mapping[int, tuple[Any, ...]],
        changing: Mapping[int, Any],
    ) -> None:
        """given: what the calls were given, by position. changing: arrays, by a number of their own.

        Raises: NotRecorded where one function cannot be made of them.
        """
        self._recorded = recorded
        self.until = until
        self._fixed: list[tuple[int, Any]] = []
        self._given: list[tuple[int, Step, Any]] = []
        self.changing: dict[int, Step] = {}
        calls = recorded.calls[begin:until]
        for position, call in enumerate(calls, begin):
            if call.function == ELEMENT or call.again is not None or call.tapes is not None:
                raise NotRecorded
            for step in call.active:
                if step.node.op.draws:
                    raise NotRecorded
                if step.given is not None:
                    self._take(position, step, given[position][step.given], changing)
        self._active = [step for call in calls for step in call.active if step.given is None]
        self._compute: CompiledCall | None = None
        self._nodes = [step for call in calls if call.node is not None for step in call.steps]
        self._names = {name: count for call in calls for name, count in call.names.items()}
        self._phase = calls[-1].phase

    def _take(self, position: int, step: Step, value: Any, changing: Mapping[int, Any]) -> None:
        """A constant, and what it is made of."""
        for number, array in changing.items():
            if array is value:
                self.changing[number] = step
                return
        self._fixed.append((step.first, constant_of(step, value)))
        self._given.append((position, step, self._fixed[-1][1]))

    def compile(self) -> None:
        """Make the function. Raises: NotRecorded where kernels have to be called one by one."""
        self._compute = compiled(self._active, self._recorded)
        if self._compute is None:
            raise NotRecorded

    def fits(self, given: Mapping[int, tuple[Any, ...]]) -> bool:
        """Whether the constants that do not change are made of the same numbers here, to the bit."""
        return all(
            constant_of(step, given[position][step.given]).tobytes() == array.tobytes()
            for position, step, array in self._given
            if step.given is not None
        )

    def run(self, turn: Replay, arrays: Mapping[int, Any]) -> bool:
        """Make the calls in a turn that stands before them. arrays: what the changing constants are made of.

        False, with nothing done, where it is another case.
        """
        if not self.computes(turn.values, arrays):
            return False
        self.note(turn)
        return True

    def computes(self, values: list[Any], arrays: Mapping[int, Any]) -> bool:
        """Fill in the values of a turn. False, with nothing done, where it is another case."""
        for place, array in self._fixed:
            values[place] = array
        for number, step in self.changing.items():
            values[step.first] = constant_of(step, arrays[number])
        try:
            return self._compute is not None and self._compute.run(values)
        except REFUSED:  # which is for the kernel, at its line
            return False

    def note(self, turn: Replay) -> None:
        """The turn whose values are filled in has made the calls."""
        turn.position = self.until
        turn.graph.have_gone(self._names, self._phase)
        for step in self._nodes:
            turn.write_node(step)


def constant_of(step: Step, value: Any) -> Any:
    """The value of a constant that is made of a number or an array."""
    return value if step.passes else np.array(np.asarray(value), dtype=step.kinds[0][0])
