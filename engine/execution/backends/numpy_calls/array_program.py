"""A program for arguments of known shapes: a function of numbers, of numpy's calls, or of machine code."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from engine.execution.backends.numba_loops.array_code import MachineWay
from engine.execution.backends.numba_loops.array_machine import machine_program
from engine.execution.backends.numpy_calls.writing import write_program
from engine.execution.backends.templates import function_of
from engine.execution.tracing.walk import Lowered

Function = Callable[..., tuple[Any, ...]]


class Evaluation:
    """One call evaluates all fetches. Each call is for itself, so one may be machine code and the next not.

    function: the quickest that is there; it takes float64 numbers as Python floats.
    """

    def __init__(self, lowered: Lowered, interpret: Function) -> None:
        written = write_program(lowered)
        written.names["interpret"] = interpret
        self.function: Function = function_of(written.code, written.names)
        self._shown = written.shown
        self._machine = None
        if _has_arrays(lowered):
            self._machine = MachineWay(lambda: machine_program(lowered))

    @property
    def source(self) -> str:
        """The text of the function."""
        machine = self._machine
        return machine.source if machine is not None and machine.ready is self.function else self._shown

    def compile(self) -> bool:
        """Wait for machine code; whether there is any."""
        return self._machine is not None and self._machine.wait() and self._take(self._machine)

    def __call__(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        machine = self._machine
        if machine is None or machine.ready is self.function or self._take(machine):
            return self.function(*arguments)
        started = time.process_time()
        found = self.function(*arguments)
        machine.spend(time.process_time() - started)
        return found

    def _take(self, machine: MachineWay) -> bool:
        """Whether the machine code is there; from then on it is the function."""
        if machine.look() and machine.ready is not None:
            self.function = machine.ready
        return machine.ready is not None


def _has_arrays(lowered: Lowered) -> bool:
    outputs = (output for step in lowered.instructions for output in step.outputs)
    return any(not output.is_number for output in outputs)
