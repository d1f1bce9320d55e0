"""The derivatives that come of a known misconception about the chain rule or the product rule.

Each rule below takes the place of the right one, at one operation of the formula or at all of them. The ids
are those of the lessons: M1 the later path overwrites the earlier; M2 what comes back is passed on, the inner
derivative left out; M3 the inner derivative alone; M4 the two added; M5 paths multiplied; M6 the derivative
taken at the output; M7 the factors of a product swapped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.differentiation.expression import OPERATORS, Expression, in_order, is_number, number
from engine.differentiation.symbolic import derived, outer_derivative

MOST_PLACES = 24  # operations at which a rule is replaced one at a time

Rule = Callable[[Expression, Sequence[Expression]], Expression | None]


def wrong_derivatives(y: Expression, by: str) -> Iterator[tuple[str, Expression]]:
    """Each misconception's id with a derivative that it leads to: at all operations, then at one of them."""
    places = [part for part in in_order(y) if part.parts]
    for name, rule in RULES:
        yield name, _derivative(y, by, rule, None)
        for place in places[::-1][:MOST_PLACES]:
            yield name, _derivative(y, by, rule, place)


def _derivative(y: Expression, by: str, rule: Rule, only: Expression | None) -> Expression:
    found: dict[Expression, Expression] = {}
    for part in in_order(y):
        slopes = [found[inner] for inner in part.parts]
        wrong = rule(part, slopes) if only is None or part is only else None
        found[part] = derived(part, slopes, by) if wrong is None else wrong
    return found[y]


# -- the chain rule ------------------------------------------------------------------------------------


def _link(u: Expression, slopes: Sequence[Expression]) -> tuple[Expression, Expression] | None:
    """The outer and the inner derivative of u = f(a), where the inner one is neither 0 nor 1."""
    if not u.parts or is_number(slopes[0], 0) or is_number(slopes[0], 1):
        return None
    a = u.parts[0]
    if u.head == "**" and is_number(slopes[1], 0):
        b = u.parts[1]
        return b * a ** number(b.value - 1) if b.head == "number" else b * a ** (b - 1), slopes[0]
    if u.head in OPERATORS or u.head == "neg":
        return None
    return outer_derivative(u.head)(a, u), slopes[0]


def _passed_on(u: Expression, slopes: Sequence[Expression]) -> Expression | None:
    link = _link(u, slopes)
    return link and link[0]


def _inner_alone(u: Expression, slopes: Sequence[Expression]) -> Expression | None:
    link = _link(u, slopes)
    return link and link[1]


def _added(u: Expression, slopes: Sequence[Expression]) -> Expression | None:
    link = _link(u, slopes)
    return link and link[0] + link[1]


def _at_output(u: Expression, slopes: Sequence[Expression]) -> Expression | None:
    if not u.parts or u.head in OPERATORS or u.head == "neg" or is_number(slopes[0], 0):
        return None
    return outer_derivative(u.head)(u, u) * slopes[0]


# -- several paths -------------------------------------------------------------------------------------


def _paths(u: Expression, slopes: Sequence[Expression]) -> tuple[Expression, Expression] | None:
    """What comes along each of the two paths of a sum or a product, where both lead to the letter."""
    if u.head not in ("+", "-", "*") or any(is_number(slope, 0) for slope in slopes):
        return None
    (a, b), (da, db) = u.parts, slopes
    if u.head == "*":
        return da * b, a * db
    return da, -db if u.head == "-" else db


def _later_path(u: Expression, slopes: Sequence[Expression]) -> Expression | None:
    paths = _paths(u, slopes)
    return paths and paths[1]


def _earlier_path(u: Expression, slopes: Sequence[Expression]) -> Expression | None:
    paths = _paths(u, slopes)
    return paths and paths[0]


def _multiplied_paths(u: Expression, slopes: Sequence[Expression]) -> Expression | None:
    paths = _paths(u, slopes)
    return paths and paths[0] * paths[1]


def _swapped(u: Expression, slopes: Sequence[Expression]) -> Expression | None:
    if u.head != "*" or all(is_number(slope, 0) for slope in slopes):
        return None
    (a, b), (da, db) = u.parts, slopes
    return da * a + b * db


RULES: Sequence[tuple[str, Rule]] = (
    ("M2", _passed_on),
    ("M3", _inner_alone),
    ("M6", _at_output),
    ("M4", _added),
    ("M1", _later_path),
    ("M1", _earlier_path),
    ("M5", _multiplied_paths),
    ("M7", _swapped),
)
