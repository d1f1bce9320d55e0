"""The steps of a loop of numbers as a function: what waits for the step before, and what is recorded.

There are two texts of the same instructions. Python ends at the first number that `math` raises on, and
that step is left to the interpreter. Machine code raises nothing; it ends before a step in which such a
function gave an infinity or NaN, and Python takes the steps again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from engine.execution.backends.numpy_calls.text import OF_BOOLS, OF_FLOATS
from engine.execution.backends.numpy_calls.writing import WORD, Line, Writer, Written, deeper
from engine.execution.tracing.distribute import Unit, is_exact
from engine.execution.tracing.memory import Buffers
from engine.execution.tracing.operands import type_of
from engine.execution.tracing.tracer import BOOL, FLOAT64, Instruction, NotLowered, Tracer
from engine.execution.tracing.walk import Lowered

CALM = frozenset(
    {
        *(np.add, np.subtract, np.multiply, np.negative, np.absolute, np.square, np.sign),
        *(np.maximum, np.minimum, np.arctan, np.arctan2, np.arcsinh, np.tanh),
    }
)  # whose Python text never raises
REWRITTEN_POWERS = (-1.0, 0.5, 2.0)  # compilers make quotients, roots and products of these, an ulp off


@dataclass(frozen=True, slots=True)
class Steps:
    """What a step does, apart from how it is written.

    written:   values that are put into a column, and its name; read: those that are taken from one.
    fixed:     numbers that stay the same.
    variables: those that wait for the step before, each before and after.
    """

    instructions: Sequence[Instruction]
    written: Sequence[tuple[Tracer, str]]
    read: Sequence[tuple[Tracer, str]]
    fixed: Sequence[Tracer]
    variables: Sequence[tuple[Tracer, Tracer]]

    def arguments(self, writer: Writer) -> list[str]:
        """The names of what the function takes, in order."""
        columns = [name for _, name in [*self.written, *self.read]]
        numbers = [*self.fixed, *(before for before, _ in self.variables)]
        return ["steps", *columns, *map(writer.name, numbers)]

    def change(self, writer: Writer) -> tuple[list[str], list[str]]:
        """The names of the variables, and of their new values."""
        pairs = [(writer.name(before), writer.name(after)) for before, after in self.variables]
        return [old for old, _ in pairs], [new for _, new in pairs]

    def results(self, writer: Writer) -> str:
        """The variables, after how many steps were taken."""
        return "".join(f", {writer.name(before)}" for before, _ in self.variables)

    @property
    def examples(self) -> tuple[Any, ...]:
        """Arguments of the right types."""
        columns = [np.empty(0, value.dtype) for value, _ in [*self.written, *self.read]]
        numbers = [*self.fixed, *(before for before, _ in self.variables)]
        return (0, *columns, *(np.zeros((), value.dtype).item() for value in numbers))


def steps_of(
    loop: Collection[Unit],
    instructions: Sequence[Instruction],
    written: Sequence[tuple[Tracer, str]],
    columns: Mapping[int, str],
) -> Steps:
    """What the units of a loop do. columns: those that are there before it."""
    inside = {value.number for unit in loop for value in unit.gives}
    taken = {unit.step for unit in loop}
    own = [step for step in instructions if step in taken]
    given = {item.number: item for step in own for item in step.arguments if isinstance(item, Tracer)}
    outside = [value for number, value in given.items() if number not in inside]
    return Steps(
        own,
        written,
        [(value, columns[value.number]) for value in outside if value.number in columns],
        [value for value in outside if value.number not in columns],
        [(unit.before, unit.after) for unit in loop if unit.before is not None],
    )


def write_scan(steps: Steps, lowered: Lowered) -> Written:
    """The steps in Python."""
    writer = _writer(steps, lowered, "all")
    quick = [name for value, name in [*steps.written, *steps.read] if value.dtype == FLOAT64]
    views = ", ".join(f"{name}.data" for name in quick)  # Python's own floats go in and out
    lines = [
        *([Line(f"{', '.join(quick)} = {views}")] if quick else []),
        Line("k = 0"),
        Line("try:"),
        Line("for k in range(steps):", depth=2),
        *deeper(_in_place(_body(steps, writer), steps, writer), 2),
        Line("except domain_errors:"),
        Line(f"return k{steps.results(writer)}", depth=2),
        Line(f"return steps{steps.results(writer)}"),
    ]
    return writer.finish(f"def scan({', '.join(steps.arguments(writer))}):", lines)


def write_machine_scan(steps: Steps, lowered: Lowered) -> Written:
    """The steps as numba compiles them. Raises: NotLowered where the bits might not be Python's."""
    if not _can_be_machine_code(steps):
        raise NotLowered("numbers or functions that machine code may round otherwise")
    writer = _writer(steps, lowered, "none")
    ended = steps.results(writer)
    finite = [f"isfinite({writer.name(step.outputs[0])})" for step in steps.instructions if _may_raise(step)]
    guard = [Line(f"if not ({' and '.join(finite)}):"), Line(f"return k{ended}", depth=2)] if finite else []
    old, new = steps.change(writer)
    body = [*_body(steps, writer), *guard, Line(f"{', '.join(old)} = {', '.join(new)}")]
    lines = [Line("for k in range(steps):"), *deeper(body, 1), Line(f"return steps{ended}")]
    return writer.finish(f"def scan({', '.join(steps.arguments(writer))}):", lines)


def _writer(steps: Steps, lowered: Lowered, inlines: Literal["all", "none"]) -> Writer:
    """A writer that knows of nothing but the steps."""
    own = {before.number for before, _ in steps.variables}
    state = {node: pair for node, pair in lowered.state.items() if pair[0].number in own}
    written = [value for value, _ in steps.written]
    return Writer(Lowered(list(steps.instructions), lowered.arguments, written, state), "x", inlines)


def _body(steps: Steps, writer: Writer) -> list[Line]:
    """What a step reads, computes and writes."""
    computed = {step.outputs[0].number for step in steps.instructions}
    writes = {value.number: f"{name}[k] = {writer.name(value)}" for value, name in steps.written}
    after = {number: [text] for number, text in writes.items() if number in computed}
    first = [Line(text) for number, text in writes.items() if number not in computed]
    read = [Line(f"{writer.name(value)} = {name}[k]") for value, name in steps.read]
    return [*first, *read, *writer.lines(Buffers(), after, steps.instructions)]


def _in_place(lines: Sequence[Line], steps: Steps, writer: Writer) -> list[Line]:
    """The lines, with each variable's new value put where it is computed, if none needs the old one later."""
    lines = list(lines)
    old, new = steps.change(writer)
    places = {line.text.split(" = ")[0]: place for place, line in enumerate(lines)}
    left = dict(zip(old, new, strict=True))
    for name, value in zip(old, new, strict=True):
        later = [line.text for line in lines[places.get(value, -1) + 1 :]]
        if value not in places or name in left.values() or any(_mentions(text, name) for text in later):
            continue
        del left[name]
        lines = [replace(line, text=_renamed(line.text, value, name)) for line in lines]
        left = {variable: name if other == value else other for variable, other in left.items()}
    return [*lines, *([Line(f"{', '.join(left)} = {', '.join(left.values())}")] if left else [])]


def _mentions(text: str, name: str) -> bool:
    return name in WORD.findall(text)


def _renamed(text: str, old: str, new: str) -> str:
    return WORD.sub(lambda word: new if word[0] == old else word[0], text)


def _may_raise(step: Instruction) -> bool:
    return step.kind == "ufunc" and step.function not in CALM and step.outputs[0].dtype == FLOAT64


def _can_be_machine_code(steps: Steps) -> bool:
    """Whether machine code gives the same bits: numbers in float64, by functions of the C library."""
    columns = [value for value, _ in [*steps.written, *steps.read]]
    numbers = [*steps.fixed, *(value for pair in steps.variables for value in pair)]
    fitting = [value.dtype in (FLOAT64, BOOL) for value in columns]
    fitting += [value.dtype == FLOAT64 for value in numbers]
    return all(fitting) and all(map(_is_the_same_in_c, steps.instructions))


def fits_machine_code(unit: Unit) -> bool:
    """Whether what need not be in the loop may be there all the same, as columns have the same bits."""
    if unit.is_fixed or any(value.dtype not in (FLOAT64, BOOL) for value in unit.gives):
        return False
    if unit.before is not None and not (isinstance(unit.after, Tracer) and unit.after.dtype == FLOAT64):
        return False
    return unit.step is None or (is_exact(unit.step) and _is_the_same_in_c(unit.step))


def _is_the_same_in_c(step: Instruction) -> bool:
    kinds = {type_of(item) for item in step.arguments} - {float, int}
    if step.kind != "ufunc":
        return kinds <= {FLOAT64, BOOL} and step.outputs[0].dtype == FLOAT64
    if step.function is np.power:
        base, exponent = step.arguments
        rewritten = not isinstance(exponent, Tracer) and float(exponent) in REWRITTEN_POWERS
        return kinds == {FLOAT64} and isinstance(base, Tracer) and not rewritten
    return (kinds == {FLOAT64} and step.function in OF_FLOATS) or (
        kinds == {BOOL} and step.function in OF_BOOLS
    )
