"""The derivative of a single number as SymPy writes it, where that is short enough to be read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import sympy
from sympy.printing.latex import LatexPrinter

from engine.differentiation.symbolic import expression_of, sympy_size, to_sympy
from engine.errors import GradlensError
from engine.graph import Tensor
from engine.graph.reachability import ancestors
from engine.ops.base.tensors import Array

MOST_WRITTEN = 120  # nodes of the expression that is differentiated
MOST_SHOWN = 60  # of the derivative
MOST_PARTS = 12  # of a number that is written as a fraction
DIGITS = 4
UNREAD = (sympy.Derivative, sympy.Subs, sympy.Heaviside, sympy.DiracDelta, sympy.Piecewise, sympy.nan)


class FunctionPrinter(LatexPrinter):  # type: ignore[misc]
    """LaTeX in which the exponential is a function."""

    def _print_ExpBase(self, expression: Any, exp: Any = None) -> str:
        (power,) = expression.args
        inner = self._print(power)
        return rf"\exp {inner}" if power.is_Symbol else rf"\exp\left({inner}\right)"


class Symbols:
    """A target as one formula of its variables, each a single number."""

    def __init__(self, y: Tensor, xs: Mapping[str, Tensor], values: Mapping[Tensor, Array]) -> None:
        self._formula = _formula(y, xs, values)
        self._point = {sympy.Symbol(name, real=True): x for name, x in xs.items()}
        self._values = values
        self._has_function = any(node.op.name == "Exp" for node in ancestors([y]))

    def derivative(self, by: str, order: int = 1, value: float | None = None) -> str | None:
        """LaTeX; None where there is no formula, a long one, or one that has not this value."""
        if self._formula is None:
            return None
        try:
            slope = sympy.diff(self._formula, sympy.Symbol(by, real=True), order)
            shortest = min((form(slope) for form in FORMS), key=sympy_size)
        except (ValueError, TypeError, RecursionError, NotImplementedError, sympy.PolynomialError):
            return None
        if sympy_size(shortest) > MOST_SHOWN or shortest.has(*UNREAD) or not self._is(shortest, value):
            return None
        return self._written(shortest)

    def _written(self, slope: Any) -> str:
        """LaTeX in the program's own spelling: `exp x` where it has the function, else `e^x`."""
        rounded = slope.xreplace({one: _rounded(one) for one in slope.atoms(sympy.Float)})
        printer = FunctionPrinter if self._has_function else LatexPrinter
        text: str = printer({"fold_func_brackets": True, "ln_notation": True}).doprint(rounded)
        return text

    def _is(self, slope: Any, value: float | None) -> bool:
        """Whether a derivative has this value where the lesson stands."""
        if value is None:
            return True
        point = {symbol: float(self._values[x].reshape(())) for symbol, x in self._point.items()}
        try:
            return math.isclose(float(slope.evalf(subs=point)), value, rel_tol=1e-4, abs_tol=1e-6)
        except (TypeError, ValueError):
            return False


def _as_it_is(slope: Any) -> Any:
    return slope


def _over_one_line(slope: Any) -> Any:
    return sympy.factor_terms(sympy.together(slope))


def _multiplied_out(slope: Any) -> Any:
    is_polynomial = slope.is_polynomial(*slope.free_symbols) if slope.free_symbols else True
    return sympy.expand(slope) if is_polynomial and sympy_size(slope) <= MOST_SHOWN else slope


def _as_one_fraction(slope: Any) -> Any:
    return sympy.cancel(slope) if slope.is_rational_function() and slope.free_symbols else slope


# What a derivative may be written as; the shortest is shown. SymPy's simplify takes seconds for some.
FORMS = (_as_it_is, sympy.factor_terms, _over_one_line, _multiplied_out, _as_one_fraction)


def _formula(y: Tensor, xs: Mapping[str, Tensor], values: Mapping[Tensor, Array]) -> Any:
    if any(x not in values or values[x].size != 1 for x in xs.values()) or y.node.graph.out_of_order:
        return None
    try:
        expression, _ = expression_of(y, xs, values)
        formula = None if expression.size > MOST_WRITTEN else to_sympy(expression)
    except (GradlensError, ValueError, TypeError, KeyError, RecursionError):
        return None  # not every program is a formula
    return formula and formula.xreplace({one: _exact(one) for one in formula.atoms(sympy.Float)})


def _exact(value: Any) -> Any:
    """A number under its name, or as a short fraction, where it is one."""
    number = float(value)
    for name in (sympy.E, sympy.pi):
        for named in (name, -name, 1 / name):
            if math.isclose(number, float(named), rel_tol=1e-7):
                return named
    fraction = sympy.Rational(number).limit_denominator(MOST_PARTS)
    return fraction if math.isclose(number, float(fraction), rel_tol=1e-7) else value


def _rounded(value: Any) -> Any:
    return sympy.Float(f"{float(value):.{DIGITS}g}", 15)
