"""A training loop of numbers as a function: in Python and, once that pays, in machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.execution import machine_code
from engine.execution.lowering.number_loops import NumberLoopTexts
from engine.execution.machine_code import MachineCode
from engine.execution.plan import function_of

WORTH_COMPILING = 25_000_000  # operations: as long as Python takes for them, numba takes to compile

Taken = tuple[int, Sequence[Any], Sequence[Any]]  # how many steps, the recorded columns, the variables


class NumberLoop:
    """Steps on numbers, up to the first that goes wrong.

    source: the text of its functions.
    """

    def __init__(self, texts: NumberLoopTexts) -> None:
        self.source = texts.shown
        self._loop = texts.loop
        self._work = texts.scan.work if texts.scan else 0
        self._work_left = WORTH_COMPILING
        self._machine: MachineCode | None = None
        scan = texts.scan
        self._in_python = self._around(function_of(scan.python.code, scan.python.names) if scan else None)
        self._quickest = self._in_python
        if scan and scan.machine and machine_code.available():
            function = function_of(scan.machine.code, scan.machine.names)
            self._machine = MachineCode(function, *scan.examples)

    def run(self, values: Sequence[Any], steps: int, careful: bool) -> Taken:
        """The steps before the first mishap, or all of them.

        values:  of the variables.
        careful: a column that holds an infinity or NaN is a mishap, too.
        """
        if self._machine is not None:
            self._speed_up(self._machine, steps)
        done, columns, after = self._quickest(steps, *values)
        if done < steps and self._quickest is not self._in_python:
            done, columns, after = self._in_python(steps, *values)
        if done < steps:
            columns, after = self._again(values, done)
        good = _finite_rows(columns, done) if careful else done
        if good < done:
            columns, after = self._again(values, good)
        return good, columns, after

    def _again(self, values: Sequence[Any], steps: int) -> tuple[Sequence[Any], Sequence[Any]]:
        """So many steps that go well."""
        if not steps:
            return (), values
        _, columns, after = self._in_python(steps, *values)
        return columns, after

    def compile(self) -> bool:
        """Wait for the machine code; whether there is any."""
        if self._machine is not None and self._machine.wait():
            self._speed_up(self._machine, 0)
        return self._quickest is not self._in_python

    def _speed_up(self, machine: MachineCode, steps: int) -> None:
        """Take the machine code if it is there, ask for it when the work done would have paid for it."""
        if machine.ready is not None:
            self._quickest, self._machine = self._around(machine.ready), None
            return
        self._work_left -= steps * self._work
        if self._work_left < 0:
            machine.begin()

    def _around(self, scan: Callable[..., Any] | None) -> Callable[..., Taken]:
        """The whole loop, with the steps taken by that function."""
        return function_of(self._loop.code, {**self._loop.names, "scan": scan})


def _finite_rows(columns: Sequence[Any], rows: int) -> int:
    """How many rows come before the first number that is not finite."""
    for column in columns:
        broken = np.flatnonzero(~np.isfinite(column[:rows]))
        rows = int(broken[0]) if len(broken) else rows
    return rows
