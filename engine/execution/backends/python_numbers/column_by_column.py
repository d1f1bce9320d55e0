"""A loop of numbers run without a text of its columns: each is one call of its function.

It makes the calls that the text of `loop` makes, in that order, so the bits are the same. Writing and
compiling that text takes as long as many such runs; only the steps themselves need a text before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.execution.backends.python_numbers.number_loops import NumberLoopText
from engine.execution.backends.python_numbers.scans import Steps
from engine.execution.tracing.distribute import Unit
from engine.execution.tracing.operands import type_of
from engine.execution.tracing.tracer import FLOAT64, Instruction, Tracer

Taken = tuple[int, Sequence[Any], Sequence[Any]]  # how many steps, the recorded columns, the variables
Held = dict[int, Any]  # a column, or the number that all steps share, for each number of a value


class ColumnByColumn:
    """The same function as the text of a loop.

    scan_of: gives the text of the steps as a function, where any waits for another.

    Numbers that are the same at every step are Python's own arithmetic, so a text that computes such is no
    text for this class.
    """

    def __init__(self, text: NumberLoopText, scan_of: Callable[[], Callable[..., Any]]) -> None:
        assert not text.may_raise
        self._text = text
        self._scan_of = scan_of

    def __call__(self, steps: int, *values: Any) -> Taken:
        """Take so many steps from these values of the variables."""
        text, lowered = self._text, self._text.lowered
        held: Held = {value.number: given for value, given in zip(lowered.arguments, values, strict=True)}
        ends = dict(held)
        with np.errstate(all="ignore"):
            for unit in text.parts.first:
                _take(unit, held, ends, steps)
            if text.steps is not None:
                done = self._waiting(text.steps, held, ends, steps)
                if done < steps:
                    return done, (), ()
            for step in text.again:
                held[step.outputs[0].number] = _column(step, held, steps)
            for unit in text.parts.last:
                _take(unit, held, ends, steps)
        columns = tuple(_recorded(item, held, steps) for item in lowered.fetches)
        return steps, columns, tuple(ends[before.number] for before, _ in lowered.state.values())

    def _waiting(self, plan: Steps, held: Held, ends: Held, steps: int) -> int:
        """The steps, each after the one before. Returns: how many went well."""
        written = {value.number: np.empty(steps, value.dtype) for value, _ in plan.written}
        waiting = [before for before, _ in plan.variables]
        given = [held[value.number] for value in [*(value for value, _ in plan.read), *plan.fixed, *waiting]]
        done, *after = self._scan_of()(steps, *written.values(), *given)
        held |= written
        ends |= zip((before.number for before in waiting), after, strict=True)
        return int(done)


def _take(unit: Unit, held: Held, ends: Held, steps: int) -> None:
    """What is computed together, for all steps."""
    variable, step = unit.before, unit.step
    if variable is None:
        if step is not None:
            held[step.outputs[0].number] = _column(step, held, steps)
        return
    if unit.is_fixed:
        return
    following = unit.after if step is None else unit.rest
    whole = np.empty(steps + 1, variable.dtype)  # at the start and after each step
    whole[0], whole[1:] = held[variable.number], _argument(following, held)
    if step is not None:
        step.function.accumulate(whole, out=whole)
        held[step.outputs[0].number] = whole[1:]
    held[variable.number] = whole[:-1]
    ends[variable.number] = float(whole[-1]) if variable.dtype == FLOAT64 else whole[-1]


def _column(step: Instruction, held: Held, steps: int) -> Any:
    """The column of one instruction."""
    dtype = step.outputs[0].dtype
    if step.kind == "cast":
        return _argument(step.arguments[0], held).astype(dtype)
    if step.kind == "where":
        condition, *branches = step.arguments
        return np.where(_argument(condition, held), *_together(branches, held))
    return step.function(*_together(step.arguments, held), out=np.empty(steps, dtype))


def _together(arguments: Sequence[Any], held: Held) -> list[Any]:
    """Arguments that are computed with; beside another type, float64 numbers must count as such."""
    found = [_argument(item, held) for item in arguments]
    kinds = [type_of(item) for item in arguments]
    if any(isinstance(kind, np.dtype) and kind != FLOAT64 for kind in kinds):
        return [
            np.float64(value) if isinstance(item, Tracer) and type(value) is float else value
            for item, value in zip(arguments, found, strict=True)
        ]
    return found


def _argument(item: Any, held: Held) -> Any:
    return held[item.number] if isinstance(item, Tracer) else item


def _recorded(item: Any, held: Held, steps: int) -> Any:
    """The column of a fetch; of what is the same at every step, that many times."""
    value = _argument(item, held)
    if isinstance(item, Tracer) and isinstance(value, np.ndarray):
        return value
    return np.full((steps, *item.shape), value, item.dtype)
