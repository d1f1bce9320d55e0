"""Comparing, and choosing by the result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.derivatives import cases
from engine.ops.base.shapes import broadcast, merge, same, written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import constants, measuring
from engine.ops.elementwise.logical import BOOLEAN

PYTHON_SIGNS = {"=": "==", r"\ne": "!=", r"\ge": ">=", r"\le": "<="}


def _comparison(name: str, sign: str, compute: Any, doc: str, doc_zh: str) -> OpDef:
    """One comparison of two tensors, element by element."""

    def kernel(x: Array, y: Array) -> Any:
        return compute(x, y)

    kernel.__doc__ = f"{doc} Shapes: x, y broadcast to z (bool)."
    of_all_types = name in ("Equal", "NotEqual")
    fixed = {"incompatible_shape_error": True} if of_all_types else None
    return op(
        name,
        inputs="x y",
        outputs=("bool",),
        shape=broadcast,
        latex=f"{{x}} {sign} {{y}}",
        no_gradient=BOOLEAN,
        ends_path=True,
        fixed=fixed,
        accepts="any" if of_all_types else "numbers",
        operator=PYTHON_SIGNS.get(sign, sign),
        names={"tf": "equal" if name == "Equal" else "not_equal"} if of_all_types else {},
    )(in_chinese(doc_zh)(kernel))


greater = _comparison("Greater", ">", np.greater, "Whether x is larger than y.", "x 是否大于 y。")
greater_equal = _comparison(
    "GreaterEqual", r"\ge", np.greater_equal, "Whether x is at least y.", "x 是否不小于 y。"
)
less = _comparison("Less", "<", np.less, "Whether x is smaller than y.", "x 是否小于 y。")
less_equal = _comparison("LessEqual", r"\le", np.less_equal, "Whether x is at most y.", "x 是否不大于 y。")
equal = _comparison("Equal", "=", np.equal, "Whether x equals y exactly.", "x 与 y 是否完全相等。")
not_equal = _comparison("NotEqual", r"\ne", np.not_equal, "Whether x differs from y.", "x 与 y 是否不同。")


@op(
    "IsFinite",
    inputs="x",
    outputs=("bool",),
    shape=same,
    latex=r"|{x}| < \infty",
    no_gradient=BOOLEAN,
    accepts="floats",
    names={"tf": "math.is_finite", "numpy": "isfinite"},
)
@in_chinese("x 是否既不是无穷大也不是 NaN。")
def is_finite(x: Array) -> Any:
    """Whether x is neither infinite nor NaN. Shapes: x (*S) -> y (*S) (bool)."""
    return np.isfinite(x)


def _selected(condition: Shape, x: Shape, y: Shape) -> Shape:
    shape = merge(x, y)
    if condition is None or shape is None or condition in ((), shape):
        return shape
    if len(condition) == 1 and shape and (None in (condition[0], shape[0]) or condition[0] == shape[0]):
        return shape
    if len(condition) == len(shape):
        return merge(condition, shape)
    raise ShapeError(
        f"Select needs a condition shaped like its branches {written(shape)}, but got {written(condition)}.",
        hint="Give the condition the same shape, or one number for all.",
        message_zh=f"Select 的条件形状应与两个分支 {written(shape)} 相同，但得到 {written(condition)}。",
        hint_zh="请让条件的形状相同，或只用一个布尔值。",
    )


@op(
    "Select",
    inputs="condition t e",
    types="bool T T",
    accepts="any",
    shape=_selected,
    latex=r"\text{{t} where {condition}, else {e}}",
    adjoints=["0", r"\bar{z}\, [c]", r"\bar{z}\, [\lnot c]"],
    derivative=["0", cases("{condition}"), cases("{condition}", "0", "1")],
    names={"tf": "where", "numpy": "where"},
    written=r"({condition} \,?\, {t} : {e})",
)
@in_chinese("条件成立处取 t，否则取 e；条件是向量时按整行选取。")
def select_op(condition: Array, t: Array, e: Array) -> Any:
    """t where the condition holds, e elsewhere; a vector condition chooses whole rows.

    Shapes: condition () or (n,) or (*S), t and e (*S) -> z (*S).
    """
    if condition.ndim == 1 and t.ndim > 1:
        condition = condition.reshape((-1,) + (1,) * (t.ndim - 1))
    return np.where(condition, t, e)


@select_op.degree
def select_degree(node: Node, degrees: Sequence[float]) -> float:
    """A choice that does not depend on the variables is a polynomial where both branches are."""
    return max(degrees) if degrees[0] == 0 else math.inf


@select_op.gradient
def select_gradient(node: Node, dz: Tensor) -> Sequence[Tensor | None]:
    condition, x, _ = node.inputs
    zeros = constants.zeros_like(x)
    return [None, select(condition, dz, zeros), select(condition, zeros, dz)]


def select(condition: Any, x: Any, y: Any, name: str | None = None) -> Tensor:
    """`tf.where` with two branches: of x where the condition holds, else of y. Shapes: x, y (*S) -> (*S)."""
    return select_op(condition, x, y, name=name or "Select")


def ones_like(x: Any, dtype: str | None = None, name: str | None = None) -> Tensor:
    """A tensor of ones shaped like x: a Fill in the scope `ones_like`. Shapes: x (*S) -> (*S)."""
    with name_scope(name, "ones_like") as scope:
        x = convert_to_tensor(x, name="tensor")
        return constants.ones(measuring.shape_of(x), dtype or x.dtype, name=scope)
