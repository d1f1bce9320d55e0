"""Quotients and products that are 0 where their plain form would be undefined, and old spellings of `/`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.ops.base.building import control_dependencies, convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.degrees import of_quotient
from engine.ops.base.derivatives import cases
from engine.ops.base.domains import division, logarithm
from engine.ops.base.shapes import broadcast
from engine.ops.base.tensors import FLOATS, Array, Node, Operators, Tensor
from engine.ops.common import casting
from engine.ops.elementwise import broadcasting, comparison
from engine.ops.elementwise.division import check_divisor, floor_div, real_div, true_divide


@op(
    "DivNoNan",
    inputs="x y",
    shape=broadcast,
    latex=r"\frac{{x}}{{y}}\,[{y} \ne 0]",
    adjoints=[r"\bar{z} / y\,[y \ne 0]", r"-\bar{z}\, x / y^2\,[y \ne 0]"],
    derivative=[cases(r"{y} \ne 0", r"\frac{1}{{y}}"), cases(r"{y} \ne 0", r"-\frac{{x}}{{y}^2}")],
    degree=of_quotient,
    accepts="floats",
    names={"tf": "math.divide_no_nan"},
)
@in_chinese("浮点数的商，y 为 0 时是 0。")
def div_no_nan_op(x: Array, y: Array) -> Any:
    """Quotient of floats, 0 where y is 0. Shapes: x, y broadcast to z."""
    return np.where(
        y == 0, np.zeros((), x.dtype), np.true_divide(x, np.where(y == 0, np.ones((), y.dtype), y))
    )


@div_no_nan_op.gradient
def div_no_nan_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    (sx, rx), (sy, ry) = broadcasting.axes_to_sum(x, y)
    dx = broadcasting.sum_to(div_no_nan(dz, y), rx, sx)
    slope = div_no_nan(div_no_nan(-x, y), y)
    return [dx, broadcasting.sum_to(dz * slope, ry, sy)]


def div_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`tf.div_no_nan`: 0 wherever the divisor is 0."""
    with name_scope(name, "div_no_nan") as scope:
        x = convert_to_tensor(x, name="x")
        return div_no_nan_op(x, convert_to_tensor(y, dtype=x.dtype, name="y"), name=scope)


def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """`tf.math.reciprocal_no_nan`: 1 / x, and 0 where x is 0."""
    with name_scope(name, "reciprocal_no_nan") as scope:
        x = convert_to_tensor(x, name="x")
        one = convert_to_tensor(1, dtype=x.dtype, name="one")
        return div_no_nan_op(one, x, name=scope)


@op(
    "MulNoNan",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} \cdot {y}\,[{y} \ne 0]",
    adjoints=[r"\bar{z}\, y\,[y \ne 0]", r"\bar{z}\, x\,[\bar{z} \ne 0]"],
    derivative=["{y}", "{x}"],
    accepts="floats",
    names={"tf": "math.multiply_no_nan"},
)
@in_chinese("浮点数的积，y 为 0 时是 0，无论 x 是多少。")
def mul_no_nan(x: Array, y: Array) -> Any:
    """Product of floats, 0 where y is 0 whatever x is. Shapes: x, y broadcast to z."""
    return np.where(y == 0, np.zeros((), x.dtype), np.multiply(x, y))


@mul_no_nan.gradient
def mul_no_nan_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    if broadcasting.equal_shapes(x, y, dz):
        return [mul_no_nan(dz, y), mul_no_nan(x, dz)]
    (sx, rx), (sy, ry) = broadcasting.axes_to_sum(x, y)
    dx = broadcasting.sum_to(mul_no_nan(dz, y), rx, sx)
    return [dx, broadcasting.sum_to(mul_no_nan(x, dz), ry, sy)]


def multiply_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`tf.math.multiply_no_nan`: 0 wherever the second factor is 0."""
    with name_scope(name, "multiply_no_nan") as scope:
        x = convert_to_tensor(x, name="x")
        return mul_no_nan(x, convert_to_tensor(y, dtype=x.dtype, name="y"), name=scope)


@op(
    "TruncateDiv",
    inputs="x y",
    shape=broadcast,
    latex=r"\mathrm{trunc}({x} / {y})",
    adjoints=["0", "0"],
    derivative=["0", "0"],
    domain=division,
    accepts="numbers",
)
@in_chinese("商，向 0 取整。整数不能除以 0。")
def truncate_div(x: Array, y: Array) -> Any:
    """Quotient rounded towards 0. Shapes: x, y broadcast to z. An integer divided by 0 is an error."""
    if x.dtype.kind == "f":
        return np.trunc(np.true_divide(x, y))  # of the rounded quotient, as TensorFlow computes it
    check_divisor(x, y)
    down = np.floor_divide(x, y)
    return down + ((down < 0) & (down * y != x))


@truncate_div.gradient
def truncate_div_gradient(node: Node, dz: Tensor) -> Sequence[None]:
    return [None, None]


def div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`tf.div`, Python 2's `/`: floats divide, integers round down. Shapes: as two operands broadcast."""
    with name_scope(name, "div") as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, dtype=x.dtype, name="y")
        chosen = real_div if x.dtype in FLOATS else floor_div
        return chosen(x, y, name=scope)


def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """`tf.divide`: Python's `/`; under a name its result is an Identity."""
    if name is None:
        return x / y if isinstance(x, Operators) or isinstance(y, Operators) else true_divide(x, y)
    return true_divide(x, y, name=name)


def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`tf.floordiv`."""
    with name_scope(name, "floordiv") as scope:
        return floor_div(x, y, name=scope)


# -- x ln y and x / y, 0 where x is 0 --------------------------------------------------------------


def _not_zero(x: Tensor) -> Tensor:
    """1 where x is not 0, else 0."""
    zero = casting.cast(0.0, x.dtype)
    return casting.cast(comparison.not_equal(x, zero), x.dtype)


Slopes = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def _safe_gradient(node: Node, dz: Tensor, slopes: Slopes) -> Sequence[Tensor]:
    x, y = node.inputs
    (sx, rx), (sy, ry) = broadcasting.axes_to_sum(x, y)
    with control_dependencies(dz):
        by_x, by_y = slopes(x, y)
    return [broadcasting.sum_to(by_x * dz, rx, sx), broadcasting.sum_to(by_y * dz, ry, sy)]


@op(
    "Xlogy",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} \ln {y}",
    adjoints=[r"\bar{z} \ln y\,[x \ne 0]", r"\bar{z}\, x / y"],
    derivative=[cases(r"{x} \ne 0", r"\ln {y}"), r"\frac{{x}}{{y}}"],
    domain=lambda x, y: logarithm(y),
    accepts="floats",
    names={"tf": "math.xlogy"},
)
@in_chinese("x ln y，x 为 0 时是 0，无论 y 是多少。")
def xlogy(x: Array, y: Array) -> Any:
    """x ln y, 0 where x is 0 whatever y is. Shapes: x, y broadcast to z."""
    return np.where(x == 0, np.zeros((), x.dtype), x * np.log(np.where(x == 0, np.ones((), y.dtype), y)))


@xlogy.gradient
def xlogy_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    return _safe_gradient(node, dz, lambda x, y: (xlogy(_not_zero(x), y), xdivy(x, y)))


@op(
    "Xdivy",
    inputs="x y",
    shape=broadcast,
    latex=r"\frac{{x}}{{y}}",
    adjoints=[r"\bar{z} / y\,[x \ne 0]", r"-\bar{z}\, x / y^2"],
    derivative=[cases(r"{x} \ne 0", r"\frac{1}{{y}}"), r"-\frac{{x}}{{y}^2}"],
    domain=division,
    accepts="floats",
    names={"tf": "math.xdivy"},
)
@in_chinese("x / y，x 为 0 时是 0，无论 y 是多少。")
def xdivy(x: Array, y: Array) -> Any:
    """x / y, 0 where x is 0 whatever y is. Shapes: x, y broadcast to z."""
    return np.where(x == 0, np.zeros((), x.dtype), x / np.where(x == 0, np.ones((), y.dtype), y))


@xdivy.gradient
def xdivy_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    return _safe_gradient(node, dz, lambda x, y: (xdivy(_not_zero(x), y), xdivy(-x, y**2)))
