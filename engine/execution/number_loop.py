"""A training loop of numbers as a function: in Python and, once that pays, in machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.execution import machine_code
from engine.execution.lowering import Lowered, Written, write_machine_loop, write_number_loop
from engine.execution.machine_code import MachineCode
from engine.execution.plan import function_of

WORTH_COMPILING = 50_000_000  # operations: as long as Python takes for them, numba takes to compile

Taken = tuple[int, Sequence[Any], Sequence[Any]]  # how many steps, the recorded columns, the variables


class NumberLoop:
    """Steps on numbers, up to the first that goes wrong."""

    def __init__(self, lowered: Lowered) -> None:
        text = write_number_loop(lowered)
        self._text = text
        self._lowered = lowered
        self._work = text.work
        self._work_left = WORTH_COMPILING
        self._in_python = _function(
            text.loop, function_of(text.scan.code, text.scan.names) if text.scan else None
        )
        self._quickest = self._in_python
        self._may_compile = text.scan is not None
        self._compiled: tuple[MachineCode, Written] | None = None

    @property
    def source(self) -> str:
        """The text of its functions."""
        return self._text.shown

    def run(self, values: Sequence[Any], steps: int, careful: bool) -> Taken:
        """The steps before the first mishap, or all of them.

        values:  of the variables.
        careful: a column that holds an infinity or NaN is a mishap, too.
        """
        if self._may_compile:
            self._speed_up(steps)
        done, columns, after = self._quickest(steps, *values)
        if done < steps:
            if self._quickest is not self._in_python:
                done, columns, after = self._in_python(steps, *values)
            if done < steps:
                columns, after = self._again(values, done)
        if careful and (good := _finite_rows(columns, done)) < done:
            done, (columns, after) = good, self._again(values, good)
        return done, columns, after

    def _again(self, values: Sequence[Any], steps: int) -> tuple[Sequence[Any], Sequence[Any]]:
        """So many steps that go well."""
        if not steps:
            return (), values
        _, columns, after = self._in_python(steps, *values)
        return columns, after

    def compile(self) -> bool:
        """Wait for the machine code; whether there is any."""
        if self._may_compile and (machine := self._begun()) is not None:
            machine.wait()
            self._speed_up(0)
        return self._quickest is not self._in_python

    def _speed_up(self, steps: int) -> None:
        """Take the machine code if it is there, begin it when the work done would have paid for it."""
        if self._compiled is not None and (scan := self._compiled[0].ready) is not None:
            self._quickest, self._may_compile = _function(self._compiled[1], scan), False
            return
        self._work_left -= steps * self._work
        if self._work_left < 0:
            self._begun()

    def _begun(self) -> MachineCode | None:
        """The machine code, on its way; None where it cannot be made, or has other bits."""
        if self._compiled is None:
            text = write_machine_loop(self._lowered) if machine_code.available() else None
            if text is None or text.scan is None:
                self._may_compile = False
                return None
            scan = function_of(text.scan.code, text.scan.names)
            self._compiled = MachineCode(scan, *text.examples), text.loop
        self._compiled[0].begin()
        return self._compiled[0]


def _function(loop: Written, scan: Callable[..., Any] | None) -> Callable[..., Taken]:
    """The whole loop, with the steps taken by that function."""
    return function_of(loop.code, {**loop.names, "scan": scan})


def _finite_rows(columns: Sequence[Any], rows: int) -> int:
    """How many rows come before the first number that is not finite."""
    for column in columns:
        broken = np.flatnonzero(~np.isfinite(column[:rows]))
        rows = int(broken[0]) if len(broken) else rows
    return rows
