"""Quotients and remainders: element by element, with broadcasting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import DtypeError, ValueRefused
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.degrees import of_quotient
from engine.ops.base.domains import division
from engine.ops.base.shapes import broadcast
from engine.ops.base.tensors import COMPLEX, FLOATS, Array, Node, Tensor
from engine.ops.common import casting
from engine.ops.elementwise.broadcasting import axes_to_sum, sum_to
from engine.ops.elementwise.signs import neg


@op(
    "RealDiv",
    inputs="x y",
    shape=broadcast,
    latex=r"\frac{{x}}{{y}}",
    adjoints=[r"\bar{z} / y", r"-\bar{z}\, x / y^2"],
    derivative=[r"\frac{1}{{y}}", r"-\frac{{x}}{{y}^2}"],
    partials=lambda x, y, z: [1 / y, -z / y],
    degree=of_quotient,
    domain=division,
    accepts="numbers",
    operator="/",
    analytic="kernel",
)
@in_chinese("浮点数的商。除以 0 得无穷大或 NaN。")
def real_div(x: Array, y: Array) -> Any:
    """Quotient of floats. Shapes: x, y broadcast to z. Division by 0 gives an infinity or NaN."""
    return np.true_divide(x, y)


@real_div.gradient
def real_div_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    (sx, rx), (sy, ry) = axes_to_sum(x, y)
    dx = sum_to(real_div(dz, y), rx, sx)
    return [dx, sum_to(dz * real_div(real_div(-x, y), y), ry, sy)]


def true_divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Python's `/`: floats divide, integers become floats first. Shapes: as two operands broadcast.

    int32 and int64 become float64, other whole numbers float32.
    Raises: DtypeError for truth values.
    """
    with name_scope(name, "truediv") as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, dtype=x.dtype, name="y")
        if x.dtype == "bool":
            raise DtypeError(
                "Truth values cannot be divided.",
                hint="Make numbers of True and False first: tf.cast(…, tf.float32).",
                message_zh="真假值不能相除。",
                hint_zh="请先用 tf.cast(…, tf.float32) 把 True 和 False 变成数字。",
            )
        if x.dtype not in FLOATS | COMPLEX:
            wide = "float64" if x.dtype in ("int32", "int64") else "float32"
            x, y = casting.cast(x, wide), casting.cast(y, wide)
        return real_div(x, y, name=scope)


def check_divisor(x: Array, y: Array) -> None:
    """Raises: ValueRefused where a whole number is divided by 0; floats give an infinity or NaN."""
    if y.dtype.kind != "f" and x.size and not np.all(y != 0):
        raise ValueRefused(
            "Integer division by zero",
            hint="Whole numbers have no infinity; make them floats first, with tf.cast(…, tf.float32).",
            message_zh="整数除以零。",
            hint_zh="整数没有无穷大；请先用 tf.cast(…, tf.float32) 转换成浮点数。",
            code="division_by_zero",
        )


@op(
    "FloorDiv",
    inputs="x y",
    shape=broadcast,
    latex=r"\lfloor {x} / {y} \rfloor",
    adjoints=["0", "0"],
    derivative=["0", "0"],
    domain=division,
    accepts="numbers",
    names={"numpy": "floor_divide"},
)
@in_chinese("向下取整的商。整数不能除以 0。")
def floor_div(x: Array, y: Array) -> Any:
    """Quotient rounded down. Shapes: x, y broadcast to z. An integer divided by 0 is an error."""
    if x.dtype.kind == "f":
        return np.floor(np.true_divide(x, y))  # of the rounded quotient, as TensorFlow computes it
    check_divisor(x, y)
    return np.floor_divide(x, y)


@floor_div.gradient
def floor_div_gradient(node: Node, dz: Tensor) -> Sequence[None]:
    return [None, None]


@op(
    "FloorMod",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} \bmod {y}",
    adjoints=[r"\bar{z}", r"-\bar{z} \lfloor x / y \rfloor"],
    derivative=["1", r"-\lfloor {x} / {y} \rfloor"],
    partials=lambda x, y, z: [1, -np.floor(x / y)],
    domain=division,
    accepts="numbers",
    names={"numpy": "mod", "torch": "remainder", "math": "mod"},
)
@in_chinese("余数，符号与 y 相同。整数不能除以 0。")
def floor_mod(x: Array, y: Array) -> Any:
    """Remainder with the sign of y. Shapes: x, y broadcast to z. Of an integer by 0 it is an error."""
    check_divisor(x, y)
    return np.mod(x, y)


@floor_mod.gradient
def floor_mod_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    (sx, rx), (sy, ry) = axes_to_sum(x, y)
    quotient = floor_div(x, y)
    dx = sum_to(dz, rx, sx)
    return [dx, sum_to(dz * neg(quotient), ry, sy)]
