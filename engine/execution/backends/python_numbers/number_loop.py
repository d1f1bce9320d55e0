"""A training loop of numbers as a function: what costs least at first, then what runs quickest.

The first runs go column by column, with a text of the steps alone; a loop that is run again and again gets
one text of it all; a long one becomes machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops import machine_code
from engine.execution.backends.numba_loops.machine_code import MachineCode
from engine.execution.backends.numpy_calls.writing import Written
from engine.execution.backends.python_numbers.column_by_column import ColumnByColumn, Taken
from engine.execution.backends.python_numbers.number_loops import write_machine_loop, write_number_loop
from engine.execution.backends.templates import function_of
from engine.execution.tracing.tracer import FLOAT64
from engine.execution.tracing.walk import Lowered

WORTH_COMPILING = 50_000_000  # operations: as long as Python takes for them, numba takes to compile
KEPT_BYTES = 16 * 2**20  # the largest block of memory that is used again, not given back and asked for anew
WORTH_WRITING = 20  # runs: so many lose by single calls what the text takes to write and compile


def keep_memory() -> None:
    """Let the columns of one run be the memory of the next: fresh pages cost a third of 10,000 steps of Adam.

    The C library keeps blocks that are no larger than one which it has once given back: this one.
    """
    np.empty(KEPT_BYTES // FLOAT64.itemsize)


keep_memory()


class NumberLoop:
    """Steps on numbers, up to the first that goes wrong."""

    def __init__(self, lowered: Lowered) -> None:
        text = write_number_loop(lowered)
        self._text = text
        self._lowered = lowered
        self._work = text.work
        self._work_left = WORTH_COMPILING
        self._scanning: Callable[..., Any] | None = None
        self._runs_left = 0 if text.may_raise else WORTH_WRITING
        self._in_python = ColumnByColumn(text, self._scan) if self._runs_left else self._written()
        self._quickest = self._in_python
        self._may_compile = text.steps is not None
        self._compiled: tuple[MachineCode, Written] | None = None

    @property
    def source(self) -> str:
        """The text of its functions."""
        return self._text.shown

    def run(self, values: Sequence[Any], steps: int, careful: bool) -> Taken:
        """The steps before the first domain error, or all of them.

        values:  of the variables.
        careful: a column that holds an infinity or NaN is a domain error, too.
        """
        if self._may_compile:
            self._speed_up(steps)
        if self._runs_left:
            self._count_down()
        done, columns, after = self._quickest(steps, *values)
        if done < steps:
            if self._quickest is not self._in_python:
                done, columns, after = self._in_python(steps, *values)
            if done < steps:
                columns, after = self._again(values, done)
        if careful and (good := _finite_rows(columns, done)) < done:
            done, (columns, after) = good, self._again(values, good)
        return done, columns, after

    def _scan(self) -> Callable[..., Any]:
        """The text of the steps as a function."""
        if self._scanning is None:
            assert self._text.scan is not None
            self._scanning = function_of(self._text.scan.code, self._text.scan.names)
        return self._scanning

    def _written(self) -> Callable[..., Taken]:
        return _function(self._text.loop, None if self._text.steps is None else self._scan())

    def _count_down(self) -> None:
        """One more run column by column; the last of them is followed by the text."""
        self._runs_left -= 1
        if not self._runs_left:
            was, self._in_python = self._in_python, self._written()
            self._quickest = self._in_python if self._quickest is was else self._quickest

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
            if text is None or text.scan is None or text.steps is None:
                self._may_compile = False
                return None
            scan = function_of(text.scan.code, text.scan.names)
            self._compiled = MachineCode(scan, *text.steps.examples), text.loop
        self._compiled[0].begin()
        return self._compiled[0]


def _function(loop: Written, scan: Callable[..., Any] | None) -> Callable[..., Taken]:
    """The whole loop, with the steps taken by that function."""
    return function_of(loop.code, {**loop.names, "scan": scan})


def _finite_rows(columns: Sequence[Any], rows: int) -> int:
    """How many rows come before the first number that is not finite; where a sum is, all its numbers are."""
    with np.errstate(all="ignore"):
        for column in columns:
            if not np.isfinite(np.add.reduce(column[:rows])):
                broken = np.flatnonzero(~np.isfinite(column[:rows]))
                rows = int(broken[0]) if len(broken) else rows
    return rows
