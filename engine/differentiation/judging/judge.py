"""Whether a derivative that a person wrote is right: by its values at many points, and by SymPy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import sympy

from engine.differentiation.expression import Expression
from engine.differentiation.judging.difference import Difference, first_difference
from engine.differentiation.judging.points import (
    FEWEST,
    are_equal,
    equal_at,
    points_around,
    values_at,
    where_finite,
)
from engine.differentiation.judging.variants import wrong_derivatives
from engine.differentiation.symbolic import naive_derivative, sympy_size, to_sympy
from engine.errors import ProgramError

MOST_JUDGED = 400  # nodes of the target's formula, of its derivative and of what was typed
MOST_SIMPLIFIED = 80  # of a difference that SymPy brings to 0


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found.

    is_identical: whether SymPy brings the difference to 0; None where that was not tried or not found.
    points:       how many points the two were compared at.
    here:         the values of what was typed and of the derivative at the point itself.
    apart:        a point where they differ, with both values there; None where they never do.
    """

    is_right: bool
    is_identical: bool | None
    points: int
    here: tuple[float, float]
    apart: tuple[Mapping[str, float], float, float] | None
    difference: Difference | None
    misconception: str | None


def judge(y: Expression, typed: Expression, by: str, point: Mapping[str, float]) -> Judged:
    """Compare `typed` with the derivative of y by a letter.

    point: a value of every letter that either has; other points are taken around it.
    Raises: ProgramError where a formula is too long, or has a value at too few points.
    """
    right = naive_derivative(y, by)
    if max(y.size, right.size, typed.size) > MOST_JUDGED:
        raise _too_long()
    everywhere = points_around(point)
    points = where_finite(everywhere, values_at(y, everywhere), values_at(right, everywhere))
    ours, theirs = values_at(right, points), values_at(typed, points)
    if len(ours) < FEWEST:
        raise _too_few()
    here = (float(values_at(typed, everywhere)[0]), float(values_at(right, everywhere)[0]))
    if are_equal(ours, theirs):
        return Judged(True, _is_identical(right, typed), len(ours), here, None, None, None)
    row = int(np.argmin(equal_at(ours, theirs)))
    apart = {letter: float(values[row]) for letter, values in points.items()}
    finite = where_finite(points, theirs)
    can_be_set_beside = len(next(iter(finite.values()))) >= FEWEST
    return Judged(
        False,
        None,
        len(ours),
        here,
        (apart, float(theirs[row]), float(ours[row])),
        first_difference(right, typed, finite) if can_be_set_beside else None,
        _misconception(y, typed, by, finite) if can_be_set_beside else None,
    )


def _misconception(y: Expression, typed: Expression, by: str, points: Mapping[str, np.ndarray]) -> str | None:
    """The misconception that leads to just this formula."""
    theirs = values_at(typed, points)
    for name, wrong in wrong_derivatives(y, by):
        if are_equal(values_at(wrong, points), theirs):
            return name
    return None


def _is_identical(right: Expression, typed: Expression) -> bool | None:
    difference = to_sympy(right) - to_sympy(typed)
    if sympy_size(difference) > MOST_SIMPLIFIED:
        return None
    is_zero = sympy.expand(difference) == 0 or sympy.cancel(sympy.together(difference)) == 0
    return True if is_zero else None  # or there is an identity that SymPy was not asked for


def _too_long() -> ProgramError:
    return ProgramError(
        f"A formula of more than {MOST_JUDGED} parts is not judged.",
        message_zh=f"超过 {MOST_JUDGED} 个部分的公式不作判断。",
        hint="Try it on a shorter function.",
        hint_zh="请换一个较短的函数。",
        code="too_long_to_judge",
    )


def _too_few() -> ProgramError:
    return ProgramError(
        "The function has a value and a slope at too few points to judge a derivative.",
        message_zh="这个函数在太少的点上有值和斜率，无法判断导数。",
        code="not_judged",
    )
