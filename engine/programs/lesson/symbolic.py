"""The derivative of a single number as SymPy writes it, where that is short enough to be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

from engine.differentiation.symbolic import expression_of, sympy_size, to_sympy
from engine.errors import GradlensError
from engine.graph import Tensor
from engine.ops.base.tensors import Array

MOST_WRITTEN = 120  # nodes of the expression that is differentiated
MOST_SIMPLIFIED = 40  # of a derivative that SymPy looks for a shorter form of
MOST_SHOWN = 60
DIGITS = 4


class Symbols:
    """A target as one formula of its variables, each a single number."""

    def __init__(self, y: Tensor, xs: Mapping[str, Tensor], values: Mapping[Tensor, Array]) -> None:
        self._formula = _formula(y, xs, values)

    def derivative(self, by: str, order: int = 1) -> str | None:
        """LaTeX; None where there is no formula, or a long one."""
        if self._formula is None:
            return None
        try:
            slope = sympy.diff(self._formula, sympy.Symbol(by, real=True), order)
        except (ValueError, TypeError, RecursionError, NotImplementedError):
            return None
        if sympy_size(slope) <= MOST_SIMPLIFIED:
            shorter = sympy.simplify(slope)
            slope = shorter if sympy_size(shorter) < sympy_size(slope) else slope
        if sympy_size(slope) > MOST_SHOWN or slope.has(sympy.Derivative, sympy.Subs, sympy.nan):
            return None
        return _written(slope.xreplace({one: _rounded(one) for one in slope.atoms(sympy.Float)}))


def _formula(y: Tensor, xs: Mapping[str, Tensor], values: Mapping[Tensor, Array]) -> Any:
    if any(x not in values or values[x].size != 1 for x in xs.values()) or y.node.graph.out_of_order:
        return None
    try:
        expression, _ = expression_of(y, xs, values)
        return None if expression.size > MOST_WRITTEN else to_sympy(expression)
    except (GradlensError, ValueError, TypeError, KeyError, RecursionError):
        return None  # not every program is a formula


def _written(slope: Any) -> str:
    text: str = sympy.latex(slope, fold_func_brackets=True, ln_notation=True)
    return text


def _rounded(value: Any) -> Any:
    return sympy.Float(f"{float(value):.{DIGITS}g}", 15)
