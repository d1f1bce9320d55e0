"""Squares, powers and reciprocals, element by element."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.base.building import control_dependencies, convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.degrees import doubled
from engine.ops.base.domains import Undefined, division, shown
from engine.ops.base.registry import op_called
from engine.ops.base.shapes import broadcast, same
from engine.ops.base.tensors import Array, Node, Tensor
from engine.ops.common import constants
from engine.ops.elementwise import comparison
from engine.ops.elementwise.arithmetic import mul, scalar_mul
from engine.ops.elementwise.broadcasting import broadcast_axes, equal_shapes, sum_to

log = op_called("Log")


@op(
    "Square",
    inputs="x",
    shape=same,
    latex=r"{x}^2",
    adjoints=[r"\bar{y} \cdot 2x"],
    derivative=["2 {x}"],
    partials=lambda x, y: [2 * x],
    degree=doubled,
    accepts="numbers",
    symbolic=lambda x: x**2,
    names={"tf": "square", "numpy": "square"},
)
@in_chinese("平方。")
def square(x: Array) -> Any:
    """Second power. Shapes: x (*S) -> y (*S)."""
    return np.square(x)


@square.gradient
def square_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):  # 2x is not needed before dy is
        two = convert_to_tensor(np.asarray(2.0, x.dtype))
        return [mul(dy, mul(x, two))]


@op(
    "SquaredDifference",
    inputs="x y",
    shape=broadcast,
    latex=r"({x} - {y})^2",
    adjoints=[r"\bar{z} \cdot 2(x - y)", r"-\bar{z} \cdot 2(x - y)"],
    derivative=["2 ({x} - {y})", "-2 ({x} - {y})"],
    partials=lambda x, y, z: [2 * (x - y), 2 * (y - x)],
    degree=doubled,
    accepts="floats and words",
    symbolic=lambda x, y: (x - y) ** 2,
    names={"tf": "math.squared_difference"},
)
@in_chinese("差的平方。")
def squared_difference(x: Array, y: Array) -> Any:
    """Square of the difference. Shapes: x, y broadcast to z."""
    return np.square(np.subtract(x, y))


@squared_difference.gradient
def squared_difference_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    with control_dependencies(dz):
        dx = scalar_mul(2.0, dz) * (x - y)
    if equal_shapes(x, y, dz):
        return [dx, -dx]
    (sx, rx, reduce_x), (sy, ry, reduce_y) = broadcast_axes(x, y, dz)
    gx = sum_to(dx, rx, sx) if reduce_x else dx
    return [gx, -sum_to(dx, ry, sy) if reduce_y else -dx]


@op(
    "Pow",
    inputs="x y",
    shape=broadcast,
    latex=r"{x}^{{y}}",
    adjoints=[r"\bar{z}\, y\, x^{y-1}", r"\bar{z}\, x^y \ln x"],
    derivative=[r"{y}\, {x}^{{y} - 1}", r"{x}^{{y}} \ln {x}"],
    partials=lambda x, y, z: [y * x ** (y - 1), z * _log_of_base(x)],
    accepts="numbers",
    operator="**",
    analytic="kernel",
)
@in_chinese("x 的 y 次方。x 为负而 y 不是整数时得 NaN。")
def pow_op(x: Array, y: Array) -> Any:
    """x to the power of y. Shapes: x, y broadcast to z. A negative x with a fractional y gives NaN."""
    return np.power(x, y)


@pow_op.gradient
def pow_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    z = node.outputs[0]
    (sx, rx, reduce_x), (sy, ry, reduce_y) = broadcast_axes(x, y, dz)
    dx = dz * y * power(x, y - 1)
    dx = sum_to(dx, rx, sx) if reduce_x else dx
    mask = comparison.greater(x, 0.0)  # ln of 0 and below is cut out, in the value and in its own gradient
    safe_x = comparison.select(mask, x, comparison.ones_like(x))
    log_x = comparison.select(mask, log(safe_x), constants.zeros_like(x))
    dy = dz * z * log_x
    return [dx, sum_to(dy, ry, sy) if reduce_y else dy]


@pow_op.domain
def pow_domain(base: float, exponent: float) -> Undefined | None:
    """0 has no negative powers, and a negative number only whole ones."""
    if base == 0 and exponent < 0:
        return Undefined(
            f"0 to a negative power, {shown(exponent)}, is a division by 0.",
            f"0 的负数次幂（{shown(exponent)}）就是除以 0。",
            "a small number added to the base",
            "给底数加一个小数",
        )
    if base < 0 and not exponent.is_integer():
        return Undefined(
            f"A negative number, {shown(base)}, has no such power: {shown(exponent)} is not whole.",
            f"负数 {shown(base)} 没有这样的幂：{shown(exponent)} 不是整数。",
            "a whole number as the exponent, or a base that stays positive",
            "用整数指数，或使底数保持为正",
        )
    return None


@pow_op.degree
def pow_degree(node: Node, degrees: Sequence[float]) -> float:
    """A constant exponent that is a whole number from 0 on multiplies the degree."""
    exponent = node.inputs[1].node
    value = np.asarray(exponent.attrs["value"] if exponent.op.name == "Const" else math.nan)
    whole = value.ndim == 0 and value >= 0 and value == np.floor(value)
    return int(value) * degrees[0] if whole else math.inf


def _log_of_base(base: Any) -> Any:
    """log of a power's base; 0 where it is not positive, as TensorFlow has it."""
    positive = base > 0
    return np.where(positive, np.log(np.where(positive, base, 1)), 0)


def power(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`tf.pow`: a Pow node whose plain operands become `Pow/x`, `Pow/y`."""
    with name_scope(name, "Pow") as scope:
        return pow_op(x, y, name=scope)


@op(
    "Reciprocal",
    inputs="x",
    shape=same,
    latex=r"1 / {x}",
    adjoints=[r"-\bar{y}\, y^2"],
    derivative=["-{out}^2"],
    partials=lambda x, y: [-y * y],
    domain=lambda x: division(1.0, x),
    accepts="floats",
    symbolic=lambda x: 1.0 / x,
    names={"tf": "math.reciprocal", "numpy": "reciprocal"},
)
@in_chinese("1 除以 x。")
def reciprocal(x: Array) -> Any:
    """One divided by x. Shapes: x (*S) -> y (*S)."""
    return np.true_divide(np.ones((), x.dtype), x)


@reciprocal.gradient
def reciprocal_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [reciprocal_grad(node.outputs[0], dy)]


@op(
    "ReciprocalGrad",
    inputs="y dy",
    shape=lambda y, dy: y,
    latex=r"-{dy}\, {y}^2",
    adjoints=[r"-2 \bar{z}\, dy\, y", r"-\bar{z}\, y^2"],
    derivative=[r"-2\, {dy}\, {y}", "-{y}^2"],
    accepts="floats",
    symbolic=lambda y, dy: -dy * y * y,
)
@in_chinese("1/x 的梯度，由它的输出 y 和上游梯度 dy 算出；dy 为 0 时是 0，在极点处也是。")
def reciprocal_grad(y: Array, dy: Array) -> Any:
    """The gradient of 1/x, of its output y and the upstream gradient dy; 0 where dy is, also at a pole.

    Shapes: y, dy (*S) -> (*S).
    """
    return np.where(dy == 0, np.zeros((), dy.dtype), -dy * y * y)


@reciprocal_grad.gradient
def reciprocal_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    y, dy = node.inputs
    with control_dependencies(dz):
        return [dz * -2.0 * dy * y, reciprocal_grad(y, dz)]
