"""The first factor or term in which a formula differs from another, as one reads them from left to right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import sympy

from engine.differentiation.expression import Expression, is_number, number
from engine.differentiation.judging.points import Points, are_equal, values_at
from engine.differentiation.symbolic import sympy_size, to_sympy
from engine.ops.base.tensors import Array

MOST_FACTORS = 6  # of a product that is looked for among others
MOST_REPEATED = 6  # an exponent up to which a power is that many factors
MOST_MULTIPLIED = 60  # nodes of a formula that is multiplied out


@dataclass(frozen=True, slots=True)
class Part:
    """A factor or a term: its formula, and its values at the points."""

    formula: Any
    values: Array
    head: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """What should stand at a place and what does, in LaTeX; None where there is nothing."""

    kind: Literal["factor", "term", "sign"]
    right: str | None
    typed: str | None


def first_difference(right: Expression, typed: Expression, points: Points) -> Difference | None:
    """Where `typed` first differs; None where its parts cannot be set beside those of `right`."""
    ours, theirs = _terms(right, points), _terms(typed, points)
    if len(ours) == 1 and len(theirs) == 1:
        return _factors_differ(right, typed, points)
    if 1 in (len(ours), len(theirs)):
        ours, theirs = _multiplied_out(right, points) or ours, _multiplied_out(typed, points) or theirs
    ours, theirs = _without_equals(ours, theirs, add=True)
    if not ours and not theirs:
        return None
    partner = _partner(ours[0], theirs) if ours else theirs[0]
    return _between("term", ours[:1], [] if partner is None else [partner])


def _factors_differ(right: Expression, typed: Expression, points: Points) -> Difference | None:
    ours, theirs = _without_equals(
        [_part(factor, points) for factor in _factors(right)],
        [_part(factor, points) for factor in _factors(typed)],
        add=False,
    )
    if not ours and not theirs:
        return None
    if all(_is_sign(part) for part in [*ours, *theirs]):
        return _between("sign", ours, theirs)
    if not ours:
        return _between("factor", [], theirs[:1])
    partner = _partner(ours[0], theirs)
    return _between("factor", ours[:1], [] if partner is None else [partner])


def _between(
    kind: Literal["factor", "term", "sign"], ours: Sequence[Part], theirs: Sequence[Part]
) -> Difference:
    return Difference(
        kind, written(ours[0].formula) if ours else None, written(theirs[0].formula) if theirs else None
    )


def written(formula: Any) -> str:
    """SymPy's formula in LaTeX with the fewest brackets."""
    text: str = sympy.latex(formula, fold_func_brackets=True, ln_notation=True)
    return text


def _is_sign(part: Part) -> bool:
    return bool(np.all(part.values == -1))


def _partner(part: Part, others: Sequence[Part]) -> Part | None:
    """What stands in a part's place: one made alike, else the first."""
    alike = (other for other in others if other.head == part.head)
    return next(alike, others[0] if others else None)


# -- taking apart --------------------------------------------------------------------------------------


def _part(expression: Expression, points: Points) -> Part:
    return Part(to_sympy(expression), values_at(expression, points), expression.head)


def _terms(expression: Expression, points: Points) -> list[Part]:
    return [_part(term, points) for term in _summands(expression)]


def _summands(expression: Expression, sign: int = 1) -> Iterator[Expression]:
    if expression.head in ("+", "-"):
        left, right = expression.parts
        yield from _summands(left, sign)
        yield from _summands(right, -sign if expression.head == "-" else sign)
    elif expression.head == "neg":
        yield from _summands(expression.parts[0], -sign)
    elif not (expression.head == "number" and expression.value == 0):
        yield expression if sign > 0 else -expression


def _factors(expression: Expression) -> Iterator[Expression]:
    """The factors of a product, a divisor as a power of -1, a sign as -1."""
    if expression.head == "*":
        for part in expression.parts:
            yield from _factors(part)
    elif expression.head == "/":
        above, below = expression.parts
        yield from _factors(above)
        yield from (factor ** number(-1) for factor in _factors(below))
    elif expression.head == "neg" or (expression.head == "-" and is_number(expression.parts[0], 0)):
        yield number(-1)
        yield from _factors(expression.parts[-1])
    elif expression.head == "**" and _repeats(expression.parts[1]):
        for _ in range(int(expression.parts[1].value)):
            yield from _factors(expression.parts[0])
    elif expression.head == "number" and expression.value < 0:
        yield number(-1)
        yield from _factors(number(-expression.value))
    elif not (expression.head == "number" and expression.value == 1):
        yield expression


def _repeats(exponent: Expression) -> bool:
    value = exponent.value
    return exponent.head == "number" and value.is_integer() and 1 < value <= MOST_REPEATED


def _multiplied_out(expression: Expression, points: Points) -> list[Part] | None:
    """The terms after multiplying out; None of a long formula."""
    formula = to_sympy(expression)
    if sympy_size(formula) > MOST_MULTIPLIED:
        return None
    terms = sympy.Add.make_args(sympy.expand(formula))
    count = len(next(iter(points.values())))
    rows = [[_number(term, points, row) for row in range(count)] for term in terms]
    return [Part(term, np.array(row)) for term, row in zip(terms, rows, strict=True)]


def _number(term: Any, points: Points, row: int) -> float:
    at = {symbol: float(points[symbol.name][row]) for symbol in term.free_symbols}
    try:
        return float(term.evalf(subs=at))
    except TypeError:  # no real number
        return float("nan")


# -- leaving out what is equal -------------------------------------------------------------------------


def _without_equals(
    ours: Sequence[Part], theirs: Sequence[Part], *, add: bool
) -> tuple[list[Part], list[Part]]:
    """The parts that have no equal on the other side, nor a few there that make one together."""
    left, other = list(ours), list(theirs)
    for count in (1, 2, 3):
        left, other = _matched(left, other, count, add)
        other, left = _matched(other, left, count, add)
    return left, other


def _matched(many: list[Part], single: list[Part], count: int, add: bool) -> tuple[list[Part], list[Part]]:
    """Both without each single part that so many of the others make together."""
    rest = list(single)
    for part in single:
        some = next(
            (
                chosen
                for chosen in combinations(many[:MOST_FACTORS], count)
                if are_equal(_together(chosen, add), part.values)
            ),
            None,
        )
        if some is not None:
            many = [one for one in many if not any(one is other for other in some)]
            rest = [one for one in rest if one is not part]
    return many, rest


def _together(parts: Sequence[Part], add: bool) -> Array:
    values = np.stack([part.values for part in parts])
    with np.errstate(all="ignore"):
        joined: Array = values.sum(axis=0) if add else values.prod(axis=0)
    return joined
