"""A training loop of numbers as text: columns, then what waits for the step before, then columns again.

Two functions. `scan` takes the steps, as plain Python or as machine code; `loop` is what is around it and
computes everything else for all steps at once. Columns are called s0, s1, …
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution.lowering.peeling import Unit, again_or_told, peeled
from engine.execution.lowering.scans import Scan, steps_of, write_scan
from engine.execution.lowering.text import Texts
from engine.execution.lowering.values import FLOAT64, Instruction, Lengths, Value
from engine.execution.lowering.walk import Lowered
from engine.execution.lowering.writing import Line, Writer, Written, quietly

COLUMN: Lengths = (-1,)  # the batch of a number that is held for every step; how many is not known yet
KINDS = ("ufunc", "where", "cast")  # of instructions on numbers that a column can go through


@dataclass(frozen=True, slots=True)
class NumberLoopTexts:
    """The texts of a loop of numbers.

    loop: a function of how many steps to take and of the variables; it gives back how many it took, and where
          that is all of them, the recorded columns and the variables.
    scan: the steps themselves, which `loop` calls by that name; None where no step waits for another.
    """

    loop: Written
    scan: Scan | None

    @property
    def shown(self) -> str:
        """Both functions as people read them."""
        parts = [self.scan.python] if self.scan else []
        return "\n\n".join(part.shown for part in [*parts, self.loop])


def is_of_numbers(lowered: Lowered) -> bool:
    """Whether nothing but numbers, combined one by one, occurs in a loop."""
    ends = [item for pair in lowered.state.values() for item in pair]
    held = [*lowered.fetches, *ends, *(output for step in lowered.instructions for output in step.outputs)]
    return all(step.kind in KINDS for step in lowered.instructions) and all(
        item.is_number if isinstance(item, Value) else np.ndim(item) == 0 for item in held
    )


def write_number_loop(lowered: Lowered) -> NumberLoopTexts:
    """The texts, with as little as can be in the loop."""
    return _Around(lowered).texts()


class _Around:
    """What is around the steps, line by line.

    columns: names of the numbers that are held for every step, so far.
    ends:    what each variable is after the last step.
    """

    def __init__(self, lowered: Lowered) -> None:
        self.lowered = lowered
        self.writer = Writer(lowered, "x")
        self.columns: dict[int, str] = {}
        self.ends = {before.number: self.writer.name(before) for before, _ in lowered.state.values()}
        self._texts = Texts(self._name, self.writer.texts)
        self._provided: dict[str, np.dtype[Any]] = {}
        self._same: dict[str, tuple[str, Line]] = {}
        self._may_raise = False

    def texts(self) -> NumberLoopTexts:
        """The lines before the steps, the call of these, and the lines after."""
        parts = peeled(self.writer.steps, list(self.lowered.state.values()))
        lines = [line for unit in parts.first for line in self._unit(unit)]
        scan = None
        if parts.loop:
            scan, called = self._steps(parts.loop, parts.last)
            lines += called
        lines += [line for unit in parts.last for line in self._unit(unit)]
        fetches = [self._fetched(item) for item in self.lowered.fetches]
        lines = [*self._made(), *lines, *(line for _, line in self._same.values())]
        lines.append(Line(f"return steps, {_tuple(fetches)}, {_tuple(self.ends.values())}"))
        state = [self.writer.name(value) for value in self.lowered.arguments]
        loop = self.writer.finish(f"def loop({', '.join(['steps', *state])}):", self._framed(lines))
        return NumberLoopTexts(loop, scan)

    def _framed(self, lines: Sequence[Line]) -> list[Line]:
        """Numbers that are the same at every step may be mishaps; in a column, an infinity is a value."""
        if not self._may_raise:
            return quietly(lines, 2, self._texts.uses_numpy)
        lines = quietly(lines, 3, self._texts.uses_numpy)
        return [Line("try:"), *lines, Line("except mishaps:"), Line("return 0, (), ()", depth=3)]

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
        if not any(isinstance(item, Value) and item.batch for item in arguments):
            self._may_raise = True
            return Line(f"{self.writer.name(output)} = {self.writer.texts.expression(step)}", about)
        name = self._column(output)
        whole = Instruction(
            step.kind, step.function, arguments, (self._as_column(output),), step.node, step.options
        )
        if step.kind != "ufunc":
            return Line(f"{name} = {self._texts.expression(whole)}", about)
        self._provided[name] = output.dtype
        return Line(self._texts.expression(whole, name), about)

    def _variable(self, unit: Unit, variable: Value) -> Iterator[Line]:
        """A variable at the start and after each step: one value more than there are steps."""
        whole, start = f"p{len(self.columns)}", self.writer.name(variable)
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
        self.ends[variable.number] = f"float({last})" if variable.dtype == FLOAT64 else last

    # -- step by step -----------------------------------------------------------------------------------

    def _steps(self, loop: Sequence[Unit], last: Sequence[Unit]) -> tuple[Scan, list[Line]]:
        """The steps; the call of them, and the columns that come of what they tell."""
        wanted = [item for item in self.lowered.fetches if isinstance(item, Value)]
        wanted += [value for unit in last for value in unit.needs]
        numbers, again = again_or_told(loop, {value.number for value in wanted})
        before = dict(self.columns)
        told = [(v, self._column(v)) for unit in loop for v in unit.gives if v.number in numbers]
        steps = steps_of(loop, self.writer.steps, told, before)
        scan = write_scan(steps, self.lowered, self.writer)
        self._provided |= {name: value.dtype for value, name in told}
        call = f"scan({', '.join(steps.arguments(self.writer))})"
        return scan, [
            Line(f"k{steps.results(self.writer)} = {call}"),
            Line("if k < steps:"),
            Line("return k, (), ()", depth=3),
            *map(self._step, again),
        ]

    def _fetched(self, item: Any) -> str:
        """The column of a fetch; of a number that is the same at every step, made last of all."""
        if isinstance(item, Value) and item.number in self.columns:
            return self.columns[item.number]
        number = self.writer.name(item)
        if number not in self._same:
            name = f"s{len(self.columns) + len(self._same)}"
            self._same[number] = name, Line(f"{name} = np.full(steps, {number}, {self._type(item.dtype)})")
        return self._same[number][0]

    def _made(self) -> Iterator[Line]:
        """The memory of the columns: those of one type as the rows of one array."""
        for dtype in dict.fromkeys(self._provided.values()):
            names = [name for name, kind in self._provided.items() if kind == dtype]
            rest = "" if dtype == FLOAT64 else f", {self._type(dtype)}"
            yield Line(
                f"{''.join(f'{name}, ' for name in names).rstrip()} = np.empty(({len(names)}, steps){rest})"
            )

    # -- names ------------------------------------------------------------------------------------------

    def _name(self, value: Value) -> str:
        return self.columns[value.number] if value.batch else self.writer.name(value)

    def _column(self, value: Value) -> str:
        """The name of a new column."""
        return self.columns.setdefault(value.number, f"s{len(self.columns)}")

    def _as_column(self, item: Any) -> Any:
        if not isinstance(item, Value) or item.number not in self.columns:
            return item
        return Value(item.recorder, item.number, (), (), item.dtype, COLUMN)

    def _type(self, dtype: np.dtype[Any]) -> str:
        return self._texts.constant(dtype, "t")


def _tuple(items: Iterable[str]) -> str:
    return f"({''.join(f'{item}, ' for item in items).rstrip()})"
