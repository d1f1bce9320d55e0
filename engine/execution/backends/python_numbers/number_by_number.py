"""A few steps of a loop of numbers without any text: each number is one call.

A call computes by the template that the text of such steps has for it (`lowering/text.py`), and in the same
order, so the bits are the same. To write and compile that text takes as long as some thousand calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.execution.backends.numpy_calls.text import NAMES, OF_FLOATS
from engine.execution.backends.numpy_calls.writing import MISHAPS, WORD
from engine.execution.backends.python_numbers.scans import Steps
from engine.execution.backends.templates import function_of
from engine.execution.tracing.tracer import FLOAT64, Instruction, Value

MOST_CALLS = 1000  # in a run; a longer one is worth its text

Call = tuple[Callable[[float, float], float], int, int, int]  # a function, its operands' places, the result's


def _functions() -> Mapping[Any, Callable[[float, float], float]]:
    """For each ufunc, what computes it for two floats, or for the first of them."""
    texts = [template.format("a", "b") for template in OF_FLOATS.values()]
    names = sorted(NAMES.keys() & set(WORD.findall(" ".join(texts))))
    lines = [f"    lambda a, b: {text}," for text in texts]
    code = "\n".join(["functions = [", *lines, "]", ""])
    made: Any = function_of(code, {name: NAMES[name] for name in names})
    return dict(zip(OF_FLOATS, made, strict=True))


FUNCTIONS = _functions()


class NumberByNumber:
    """The steps of a plan; `of` says whether they can be taken so. It is called as the text of `scan` is."""

    def __init__(self, plan: Steps) -> None:
        self._plan = plan
        self._numbers: list[float] = []
        self._places: dict[Any, int] = {}
        self._calls = [self._call(step) for step in plan.instructions]
        self._told = [self._place(value) for value, _ in plan.told]
        self._read = [self._place(value) for value, _ in plan.read]
        self._fixed = [self._place(value) for value in plan.fixed]
        self._before = [self._place(before) for before, _ in plan.variables]
        self._after = [self._place(after) for _, after in plan.variables]

    @classmethod
    def of(cls, plan: Steps) -> NumberByNumber | None:
        """None for steps in which anything but Python's floats takes part."""
        pairs = [item for pair in plan.variables for item in pair]
        values = [*(value for value, _ in (*plan.told, *plan.read)), *plan.fixed, *pairs]
        fits = all(map(_is_float, values)) and all(map(_is_of_floats, plan.instructions))
        return cls(plan) if fits else None

    def is_short(self, steps: int) -> bool:
        """Whether a run of so many steps takes no longer than the text of them."""
        return steps * (len(self._calls) + 2) <= MOST_CALLS

    def __call__(self, steps: int, *given: Any) -> tuple[Any, ...]:
        """Take so many steps. Returns: how many went well, and the variables after those."""
        told, read = len(self._told), len(self._told) + len(self._read)
        columns = [column.data for column in given[:read]]  # Python's own floats go in and out
        tell = list(zip(columns[:told], self._told, strict=True))
        take = list(zip(columns[told:], self._read, strict=True))
        numbers, before, after = list(self._numbers), self._before, self._after
        for place, number in zip([*self._fixed, *before], given[read:], strict=True):
            numbers[place] = number
        k = 0
        try:
            for k in range(steps):
                for column, place in take:
                    numbers[place] = column[k]
                for function, x, y, place in self._calls:
                    numbers[place] = function(numbers[x], numbers[y])
                for column, place in tell:
                    column[k] = numbers[place]
                for place, number in zip(before, [numbers[place] for place in after], strict=True):
                    numbers[place] = number
        except MISHAPS:
            return k, *(numbers[place] for place in before)
        return steps, *(numbers[place] for place in before)

    def _call(self, step: Instruction) -> Call:
        x, y = self._place(step.arguments[0]), self._place(step.arguments[-1])
        return FUNCTIONS[step.function], x, y, self._place(step.outputs[0])

    def _place(self, item: Any) -> int:
        """Where a number stands among the others; a constant stands there from the start."""
        key = item.number if isinstance(item, Value) else (float, repr(float(item)))
        if key not in self._places:
            self._places[key] = len(self._numbers)
            self._numbers.append(0.0 if isinstance(item, Value) else float(item))
        return self._places[key]


def _is_float(item: Any) -> bool:
    """Whether it is one number of that type, be it known or not."""
    if isinstance(item, Value):
        return item.is_number and item.dtype == FLOAT64
    return isinstance(item, (float, int)) and not isinstance(item, bool)


def _is_of_floats(step: Instruction) -> bool:
    known = step.kind == "ufunc" and step.function in FUNCTIONS
    return known and all(map(_is_float, (*step.arguments, *step.outputs)))
