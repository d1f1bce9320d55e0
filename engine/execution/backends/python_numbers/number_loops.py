"""A training loop of numbers as text: columns, then what waits for the step before, then columns again.

Two functions. `scan` takes the steps, as plain Python or as machine code; `loop` is what is around it and
computes everything else for all steps at once. Columns are called s0, s1, … A loop that is run a few times
only needs no text of that (`column_by_column.py`), so it is written when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from engine.execution.backends.numpy_calls.text import Texts
from engine.execution.backends.numpy_calls.writing import Line, Writer, Written, quietly, tuple_of
from engine.execution.backends.python_numbers.scans import (
    Steps,
    fits_machine_code,
    steps_of,
    write_machine_scan,
    write_scan,
)
from engine.execution.tracing.distribute import (
    Distributed,
    Unit,
    distribute,
    rebalanced,
    recomputed_or_recorded,
)
from engine.execution.tracing.tracer import FLOAT64, Instruction, NotLowered, Tracer
from engine.execution.tracing.walk import Lowered

Arrangement = Callable[[Distributed], Distributed]
ScanWriter = Callable[[Steps, Lowered], Written]
Division = Callable[[Sequence[Unit], Collection[int]], tuple[set[int], list[Instruction]]]
KINDS = ("ufunc", "where", "cast")  # of instructions on numbers that a column can go through


def is_of_numbers(lowered: Lowered) -> bool:
    """Whether a loop combines numbers alone, one by one. Known arrays may be recorded beside them."""
    ends = [item for pair in lowered.state.values() for item in pair]
    recorded = [item for item in lowered.fetches if isinstance(item, Tracer)]
    computed = [output for step in lowered.instructions for output in step.outputs]
    return all(step.kind in KINDS for step in lowered.instructions) and all(
        item.is_number if isinstance(item, Tracer) else np.ndim(item) == 0
        for item in [*ends, *recorded, *computed]
    )


def write_number_loop(lowered: Lowered) -> NumberLoopText:
    """The text for Python, with as little in the loop as can be."""
    return NumberLoopText(lowered, lambda parts: parts, write_scan, recomputed_or_recorded)


def write_machine_loop(lowered: Lowered) -> NumberLoopText | None:
    """The text for machine code, with as much in the loop as can be; None where its bits might differ."""
    try:
        text = NumberLoopText(
            lowered, lambda parts: rebalanced(parts, fits_machine_code), write_machine_scan, _all_written
        )
        return text if text.scan else None
    except NotLowered:
        return None


def _all_written(loop: Sequence[Unit], wanted: Collection[int]) -> tuple[set[int], list[Instruction]]:
    return set(wanted), []


class NumberLoopText:
    """A loop of numbers as text.

    parts:     what waits for the step before, and what does not.
    steps:     what does, with the columns that it reads and writes; None where no step waits for another.
    again:     instructions that are taken once more, on columns that the steps have written.
    may_raise: whether numbers are computed that are the same at every step: those may be domain errors; in a
               column, an infinity is a value.
    """

    def __init__(self, lowered: Lowered, arranged: Arrangement, write: ScanWriter, divided: Division) -> None:
        self.lowered = lowered
        self.may_raise = False
        self._writer = Writer(lowered, "x")
        self._columns: dict[int, str] = {}  # names of the numbers that are held for every step, so far
        self._ends = {before.number: self._writer.name(before) for before, _ in lowered.state.values()}
        self._texts = Texts(self._name, self._writer.texts)
        self._provided: dict[str, np.dtype[Any]] = {}
        self._same: dict[str, tuple[str, Line]] = {}
        self.parts = arranged(distribute(self._writer.steps, list(lowered.state.values())))
        self._before = [line for unit in self.parts.first for line in self._unit(unit)]
        self.steps: Steps | None = None
        self.again: Sequence[Instruction] = ()
        self._write = write
        if self.parts.loop:
            written, self.again = divided(self.parts.loop, self._wanted())
            self.steps = self._steps(written)

    @cached_property
    def scan(self) -> Written | None:
        """The steps as a function, which `loop` calls by that name; None where there are none."""
        return None if self.steps is None else self._write(self.steps, self.lowered)

    @cached_property
    def loop(self) -> Written:
        """A function of how many steps to take and of the variables.

        It gives back how many it took and, where that is all of them, the recorded columns and the variables.
        """
        lines = list(self._before)
        if self.steps is not None:
            lines += [*self._called(self.steps), *map(self._step, self.again)]
        lines += [line for unit in self.parts.last for line in self._unit(unit)]
        fetches = [self._fetched(item) for item in self.lowered.fetches]
        lines = [*self._made(), *lines, *(line for _, line in self._same.values())]
        lines.append(Line(f"return steps, {tuple_of(fetches)}, {tuple_of(self._ends.values())}"))
        state = [self._writer.name(value) for value in self.lowered.arguments]
        return self._writer.finish(f"def loop({', '.join(['steps', *state])}):", self._framed(lines))

    @property
    def work(self) -> int:
        """How many operations of Python a step takes."""
        return 0 if self.steps is None else len(self.steps.instructions)

    @property
    def shown(self) -> str:
        """Both functions as people read them."""
        return "\n\n".join(part.shown for part in (self.scan, self.loop) if part is not None)

    def _framed(self, lines: Sequence[Line]) -> list[Line]:
        if not self.may_raise:
            return quietly(lines, 1, self._texts.uses_numpy)
        lines = quietly(lines, 2, self._texts.uses_numpy)
        return [Line("try:"), *lines, Line("except domain_errors:"), Line("return 0, (), ()", depth=2)]

    # -- for all steps at once --------------------------------------------------------------------------

    def _unit(self, unit: Unit) -> Iterator[Line]:
        if unit.before is None:
            if unit.step is not None:
                yield self._step(unit.step)
        elif not unit.is_fixed:
            yield from self._variable(unit, unit.before)

    def _step(self, step: Instruction) -> Line:
        """A number that is the same at every step, or a column."""
        arguments = tuple(self._as_column(item) for item in step.arguments)
        output, about = step.outputs[0], step.node.name if step.node else ""
        if not any(isinstance(item, Tracer) and item.column for item in arguments):
            self.may_raise = True
            return Line(f"{self._writer.name(output)} = {self._writer.texts.expression(step)}", about)
        name = self._column(output)
        whole = Instruction(
            step.kind, step.function, arguments, (self._as_column(output),), step.node, step.options
        )
        if step.kind != "ufunc":
            return Line(f"{name} = {self._texts.expression(whole)}", about)
        self._provided[name] = output.dtype
        return Line(self._texts.expression(whole, name), about)

    def _variable(self, unit: Unit, variable: Tracer) -> Iterator[Line]:
        """A variable at the start and after each step: one value more than there are steps."""
        whole, start = f"p{len(self._columns)}", self._writer.name(variable)
        following = self._texts.argument(self._as_column(unit.after if unit.step is None else unit.rest))
        count = "steps + 1" if variable.dtype == FLOAT64 else f"steps + 1, {self._type(variable.dtype)}"
        yield Line(f"{whole} = np.empty({count})")
        yield Line(f"{whole}[0], {whole}[1:] = {start}, {following}")
        if unit.step is not None:
            about = unit.step.node.name if unit.step.node else ""
            self._texts.uses_numpy = True
            yield Line(f"np.{unit.step.function.__name__}.accumulate({whole}, out={whole})", about)
            yield Line(f"{self._column(unit.step.outputs[0])} = {whole}[1:]")
        yield Line(f"{self._column(variable)} = {whole}[:-1]")
        last = f"{whole}[-1]"
        self._ends[variable.number] = f"float({last})" if variable.dtype == FLOAT64 else last

    # -- step by step -----------------------------------------------------------------------------------

    def _wanted(self) -> set[int]:
        """The numbers that are recorded, or that columns after the loop come from."""
        wanted = [*self.lowered.fetches, *(value for unit in self.parts.last for value in unit.needs)]
        return {item.number for item in wanted if isinstance(item, Tracer)}

    def _steps(self, written: Collection[int]) -> Steps:
        """What is done in the loop, with a column for each number that it writes."""
        before = dict(self._columns)
        values = [value for unit in self.parts.loop for value in unit.gives if value.number in written]
        self._provided |= {self._column(value): value.dtype for value in values}
        named = [(value, self._columns[value.number]) for value in values]
        return steps_of(self.parts.loop, self._writer.steps, named, before)

    def _called(self, steps: Steps) -> list[Line]:
        call = f"scan({', '.join(steps.arguments(self._writer))})"
        return [
            Line(f"k{steps.results(self._writer)} = {call}"),
            Line("if k < steps:"),
            Line("return k, (), ()", depth=2),
        ]

    def _fetched(self, item: Any) -> str:
        """The column of a fetch; of what is the same at every step, made last of all."""
        if isinstance(item, Tracer) and item.number in self._columns:
            return self._columns[item.number]
        number = self._writer.name(item)
        if number not in self._same:
            name = f"s{len(self._columns) + len(self._same)}"
            shape = f"(steps, {', '.join(map(str, item.shape))})" if item.shape else "steps"
            self._same[number] = name, Line(f"{name} = np.full({shape}, {number}, {self._type(item.dtype)})")
        return self._same[number][0]

    def _made(self) -> Iterator[Line]:
        """The memory of the columns: those of one type as the rows of one array."""
        for place, dtype in enumerate(dict.fromkeys(self._provided.values())):
            names = [name for name, kind in self._provided.items() if kind == dtype]
            whole, rest = f"a{place}", "" if dtype == FLOAT64 else f", {self._type(dtype)}"
            yield Line(f"{whole} = np.empty(({len(names)}, steps){rest})")
            yield Line(f"{', '.join(names)} = {', '.join(f'{whole}[{row}]' for row in range(len(names)))}")

    # -- names ------------------------------------------------------------------------------------------

    def _name(self, value: Tracer) -> str:
        return self._columns[value.number] if value.column else self._writer.name(value)

    def _column(self, value: Tracer) -> str:
        """The name of a new column."""
        return self._columns.setdefault(value.number, f"s{len(self._columns)}")

    def _as_column(self, item: Any) -> Any:
        if not isinstance(item, Tracer) or item.number not in self._columns:
            return item
        return Tracer(item.recorder, item.number, (), (), item.dtype, column=True)

    def _type(self, dtype: np.dtype[Any]) -> str:
        return self._texts.constant(dtype, "t")
