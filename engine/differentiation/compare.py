"""One derivative, three ways: automatic, symbolic, numeric (the body of `POST /comparisons`).

It answers, on the learner's own formula: is what TensorFlow does numeric, symbolic or automatic, what
does a δ of 0.001 have to do with it, and why do expressions swell?
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.differentiation.expression import Expression, evaluate
from engine.differentiation.forward import dense
from engine.differentiation.gradients import gradients
from engine.differentiation.numeric import GraphFunction, sweep
from engine.differentiation.symbolic import (
    expression_of,
    latex,
    naive_derivative,
    sympy_derivative,
    sympy_size,
)
from engine.differentiation.walk import in_type, kernel_in, moving, values_beside, walk
from engine.errors import NoGradientError, ProgramError
from engine.graph import Tensor
from engine.ops.base.tensors import Array

MAX_MOVED = 16  # every element costs two runs for each δ, so of many only the first are moved
MAX_LETTERS = 64  # formulas by more letters are counted, not evaluated
MAX_LATEX_SIZE = 400  # a longer formula is not for reading
ARTICLE_DELTA = 1e-3  # the δ that articles name


def compare(
    y: Tensor,
    xs: Mapping[str, Tensor],
    known: Mapping[Tensor, Array],
    by: str | None = None,
    framework: str = "TensorFlow",
) -> dict[str, Any]:
    """The derivative of (the sum of) y by the xs, three ways. Adds the gradient's nodes to the graph.

    xs:      by the names that a person knows them by.
    by:      the x whose partial formulas and columns show, and their errors then alone.
    framework: whose way the verdict names.
    known:   values of the xs and of the variables and placeholders that y needs beside them.
    Returns: the answer of `POST /comparisons` without its id. Where there is one number to differentiate
             by, `value` is a number, else values by name; the numeric columns then show `component`,
             while their errors are the largest over the first 16 components.
    Raises:  NoGradientError where no path joins any x to y; ProgramError where y is no formula (a loop).
    """
    xs = xs if by is None else {by: xs[by], **xs}
    automatic, slopes = _automatic(y, xs, known)
    symbolic, why = _symbolic(y, xs, known)
    numeric = _numeric(y, xs, known, slopes, MAX_MOVED if by is None else 1)
    body = {
        "target": y.name,
        "at": {name: _json(known[x]) for name, x in xs.items()},
        "component": _component(xs, known),
        "automatic": automatic,
        "symbolic": symbolic,
        "numeric": numeric,
    }
    return {**body, "verdict": verdict(automatic, symbolic, numeric, why, framework)}


# -- automatic -----------------------------------------------------------------------------------------


def _automatic(
    y: Tensor, xs: Mapping[str, Tensor], known: Mapping[Tensor, Array]
) -> tuple[dict[str, Any], Array]:
    """The graph's own derivative: its value, its cost, and all partials in one float64 vector."""
    with y.graph.as_default():
        found = [dense(slope) for slope in gradients(y, list(xs.values()))]
    present = [slope for slope in found if slope is not None]
    if not present:
        raise _unconnected(y, xs)
    own, double = (_slopes(found, xs, known, dtype) for dtype in (y.dtype, "float64"))
    summary = {"value": _value(own), "evaluations": 2, "nodes": len(moving([y, *present], xs.values()))}
    return summary, np.concatenate([np.ravel(slope) for slope in double.values()])


def _slopes(
    found: Sequence[Tensor | None], xs: Mapping[str, Tensor], known: Mapping[Tensor, Array], dtype: str
) -> dict[str, Array]:
    """The values of the gradient's tensors by name, every float computed in `dtype`; unconnected is zero."""
    compute = kernel_in(dtype)
    present = [slope for slope in found if slope is not None]
    given = {tensor: in_type(tensor, value, dtype) for tensor, value in known.items()}
    beside = values_beside(present, list(xs.values()), given, compute)
    values = walk(present, beside | {x: given[x] for x in xs.values()}, compute)
    return {
        name: np.zeros_like(given[x]) if slope is None else values[slope]
        for (name, x), slope in zip(xs.items(), found, strict=True)
    }


def _unconnected(y: Tensor, xs: Mapping[str, Tensor]) -> NoGradientError:
    names = ", ".join(xs)
    return NoGradientError(
        f"No path joins {names} to {y.name}, so there is no derivative to compare.",
        hint="Compute the target from the variable itself.",
        message_zh=f"没有路径连接 {names} 与 {y.name}，因此没有可比较的导数。",
        hint_zh="请用变量本身来计算目标。",
        code="no_gradients",
    )


# -- symbolic ------------------------------------------------------------------------------------------


def _symbolic(
    y: Tensor, xs: Mapping[str, Tensor], known: Mapping[Tensor, Array]
) -> tuple[dict[str, Any], ProgramError | None]:
    """The derivative as a formula (of the first component), or blanks and the reason."""
    try:
        expression, letters = expression_of(y, xs, known)
    except ProgramError as error:
        return {"value": None, "latex": None, "size": None, "size_naive": None}, error
    first = naive_derivative(expression, letters[0])
    tidy = sympy_derivative(expression, letters[0])
    size = None if tidy is None else sympy_size(tidy)
    return {
        "value": _symbolic_value(expression, letters, xs, known),
        "latex": latex(tidy) if size is not None and size <= MAX_LATEX_SIZE else None,
        "size": size,
        "size_naive": first.size,
    }, None


def _symbolic_value(
    expression: Expression, letters: Sequence[str], xs: Mapping[str, Tensor], known: Mapping[Tensor, Array]
) -> Any:
    if len(letters) > MAX_LETTERS:
        return None
    point = dict(zip(letters, _point(xs, known), strict=True))
    slopes = iter(float(evaluate(naive_derivative(expression, letter), point)) for letter in letters)
    return _value(
        {
            name: np.array([next(slopes) for _ in range(np.size(known[x]))]).reshape(np.shape(known[x]))
            for name, x in xs.items()
        }
    )


def _point(xs: Mapping[str, Tensor], known: Mapping[Tensor, Array]) -> list[float]:
    return [float(value) for x in xs.values() for value in np.ravel(known[x])]


# -- numeric -------------------------------------------------------------------------------------------


def _numeric(
    y: Tensor, xs: Mapping[str, Tensor], known: Mapping[Tensor, Array], slopes: Array, first: int
) -> dict[str, Any]:
    """The sweeps over δ in both float types, with their errors against the automatic derivative."""
    function = GraphFunction(y, tuple(xs.values()), known)
    return {
        dtype: _sweep_json(sweep(function, dtype, first=first), slopes[:first], slopes.size)
        for dtype in ("float32", "float64")
    }


def _sweep_json(columns: Mapping[str, Any], exact: Array, count: int) -> dict[str, Any]:
    methods = ("forward", "central", "complex_step")
    return {
        "delta": columns["delta"],
        **{method: [_number(gradient[0]) for gradient in columns[method]] for method in methods},
        "errors": {method: [_error(gradient, exact) for gradient in columns[method]] for method in methods},
        "evaluations": {"forward": count + 1, "central": 2 * count, "complex_step": count},
    }


def _error(gradient: Array, exact: Array) -> Any:
    return _number(np.max(np.abs(gradient.astype(np.float64) - exact)))


# -- in words ------------------------------------------------------------------------------------------


def verdict(
    automatic: Mapping[str, Any],
    symbolic: Mapping[str, Any],
    numeric: Mapping[str, Any],
    why: ProgramError | None = None,
    framework: str = "TensorFlow",
) -> dict[str, str]:
    """One sentence that says which of the three a framework does, and what the figures show."""
    double = numeric["float64"]
    at_article = double["errors"]["central"][double["delta"].index(ARTICLE_DELTA)]
    error, delta = _best(double["delta"], double["errors"]["central"])
    nodes, size = automatic["nodes"], symbolic["size_naive"]
    formula_en = (
        f"as exact as the symbolic derivative (an expression of {size} nodes), without writing it out"
        if size is not None
        else f"and no formula was written out ({_reason(why)[0]})"
    )
    formula_zh = (
        f"与符号微分（展开的表达式有 {size} 个节点）一样精确，却不必写出它"
        if size is not None
        else f"也没有写出公式（{_reason(why)[1]}）"
    )
    return {
        "en": f"{framework} differentiates automatically: {nodes} graph nodes give the derivative in one"
        f" forward and one backward pass, {formula_en}; numerical differentiation only comes near, off by"
        f" {_short(at_article)} at δ = 0.001 and by {_short(error)} at its best δ = {delta:.0e}, and that δ"
        " is a distance between two points, not the learning rate.",
        "zh": f"{framework} 做的是自动微分：图中 {nodes} 个节点经一次前向和一次反向就给出导数，{formula_zh}；"
        f"数值微分只能接近它，δ = 0.001 时误差为 {_short(at_article)}，最好的 δ = {delta:.0e} 时误差为"
        f" {_short(error)}，而 δ 是两点之间的距离，不是学习率。",
    }


def _reason(why: ProgramError | None) -> tuple[str, str]:
    if why is None:
        return "", ""
    return why.message.rstrip("."), why.message_zh.rstrip("。")


def _best(deltas: Sequence[float], errors: Sequence[Any]) -> tuple[Any, float]:
    """The smallest error and its δ; a text among the errors is not a number."""
    finite = [(error, delta) for error, delta in zip(errors, deltas, strict=True) if error not in NOT_FINITE]
    return min(finite) if finite else (errors[0], deltas[0])


NOT_FINITE = ("nan", "inf", "-inf")


def _short(error: Any) -> str:
    return error if isinstance(error, str) else f"{error:.1e}"


# -- as JSON -------------------------------------------------------------------------------------------


def _component(xs: Mapping[str, Tensor], known: Mapping[Tensor, Array]) -> dict[str, Any]:
    """Which partial derivative the columns and the formula show: the first element of the first x."""
    name, x = next(iter(xs.items()))
    return {"name": name, "index": [0] * np.ndim(known[x])}


def _value(slopes: Mapping[str, Array]) -> Any:
    """One number where there is one, else values by name."""
    numbers = {name: _json(slope) for name, slope in slopes.items()}
    only = next(iter(numbers.values()))
    return only if len(numbers) == 1 and not isinstance(only, list) else numbers


def _json(value: Any) -> Any:
    array = np.asarray(value)
    if array.ndim == 0:
        return _number(array)
    return [_json(row) for row in array]


def _number(value: Any) -> Any:
    """A float as JSON can hold it."""
    plain = float(value)
    if math.isnan(plain):
        return "nan"
    if math.isinf(plain):
        return "inf" if plain > 0 else "-inf"
    return plain
