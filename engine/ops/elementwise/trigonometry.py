"""Trigonometric and hyperbolic functions, in radians, and their inverses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.base.building import control_dependencies, convert_to_tensor
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.domains import within
from engine.ops.base.shapes import broadcast, same
from engine.ops.base.tensors import Array, Node, Tensor
from engine.ops.elementwise import arithmetic, broadcasting, exponentials, powers


@op(
    "Sin",
    inputs="x",
    shape=same,
    latex=r"\sin {x}",
    adjoints=[r"\bar{y} \cos x"],
    derivative=[r"\cos {x}"],
    partials=lambda x, y: [np.cos(x)],
    accepts="floats",
    symbolic="sin",
    names={"tf": "sin", "numpy": "sin", "math": "sin"},
)
@in_chinese("逐元素的正弦，x 以弧度为单位，值域为 [-1, 1]；|x| > 1e8 时 float32 已没有表示角度的有效数字。")
def sin(x: Array) -> Any:
    """Sine of each element, x in radians.

    Shapes: x (*S) -> y (*S).
    Range:  [-1, 1]; for |x| > 1e8 float32 has no digits left for the angle.
    Source: Abramowitz & Stegun, 4.3.
    """
    return np.sin(x)


@sin.gradient
def sin_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):  # cos is not needed before dy is
        return [dy * cos(x)]


@op(
    "Cos",
    inputs="x",
    shape=same,
    latex=r"\cos {x}",
    adjoints=[r"-\bar{y} \sin x"],
    derivative=[r"-\sin {x}"],
    partials=lambda x, y: [-np.sin(x)],
    accepts="floats",
    symbolic="cos",
    names={"tf": "cos", "numpy": "cos", "math": "cos"},
)
@in_chinese("逐元素的余弦，x 以弧度为单位，值域为 [-1, 1]。")
def cos(x: Array) -> Any:
    """Cosine of each element, x in radians. Shapes: x (*S) -> y (*S). Range: [-1, 1]."""
    return np.cos(x)


@cos.gradient
def cos_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [-dy * sin(x)]


@op(
    "Tan",
    inputs="x",
    shape=same,
    latex=r"\tan {x}",
    adjoints=[r"\bar{y} / \cos^2 x"],
    derivative=[r"\frac{1}{\cos^2 {x}}"],
    partials=lambda x, y: [1 / (np.cos(x) * np.cos(x))],
    accepts="floats",
    symbolic="tan",
    names={"tf": "tan", "numpy": "tan", "math": "tan"},
)
@in_chinese("正切，x 以弧度为单位。在 π/2 的奇数倍处是极点。")
def tan(x: Array) -> Any:
    """Tangent, x in radians. Shapes: x (*S) -> y (*S). Poles at odd multiples of π/2."""
    return np.tan(x)


@tan.gradient
def tan_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        secant = powers.reciprocal(cos(x))
        return [powers.square(secant) * dy]


@op(
    "Asin",
    inputs="x",
    shape=same,
    latex=r"\arcsin {x}",
    adjoints=[r"\bar{y} / \sqrt{1 - x^2}"],
    derivative=[r"\frac{1}{\sqrt{1 - {x}^2}}"],
    partials=lambda x, y: [1 / np.sqrt(1 - x * x)],
    domain=within("asin", -1, 1),
    accepts="floats",
    symbolic="arcsin",
    names={"tf": "asin", "numpy": "arcsin", "math": "asin"},
)
@in_chinese("正弦等于 x 的角。定义域为 [-1, 1]。")
def asin(x: Array) -> Any:
    """The angle whose sine is x. Shapes: x (*S) -> y (*S). Domain: [-1, 1]."""
    return np.arcsin(x)


@asin.gradient
def asin_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        inverse = powers.reciprocal(_root_of_one_minus_square(x))
        return [dy * inverse]


@op(
    "Acos",
    inputs="x",
    shape=same,
    latex=r"\arccos {x}",
    adjoints=[r"-\bar{y} / \sqrt{1 - x^2}"],
    derivative=[r"-\frac{1}{\sqrt{1 - {x}^2}}"],
    partials=lambda x, y: [-1 / np.sqrt(1 - x * x)],
    domain=within("acos", -1, 1),
    accepts="floats",
    symbolic="arccos",
    names={"tf": "acos", "numpy": "arccos", "math": "acos"},
)
@in_chinese("余弦等于 x 的角。定义域为 [-1, 1]。")
def acos(x: Array) -> Any:
    """The angle whose cosine is x. Shapes: x (*S) -> y (*S). Domain: [-1, 1]."""
    return np.arccos(x)


@acos.gradient
def acos_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        inverse = powers.reciprocal(_root_of_one_minus_square(x))
        return [-dy * inverse]


def _root_of_one_minus_square(x: Tensor) -> Tensor:
    x2 = powers.square(x)
    one = convert_to_tensor(np.asarray(1.0, x.dtype))
    return exponentials.sqrt(arithmetic.sub(one, x2))


@op(
    "Atan",
    inputs="x",
    shape=same,
    latex=r"\arctan {x}",
    adjoints=[r"\bar{y} / (1 + x^2)"],
    derivative=[r"\frac{1}{1 + {x}^2}"],
    partials=lambda x, y: [1 / (1 + x * x)],
    accepts="floats",
    symbolic="arctan",
    names={"tf": "atan", "numpy": "arctan", "math": "atan"},
)
@in_chinese("正切等于 x 的角，值域为 (-π/2, π/2)。")
def atan(x: Array) -> Any:
    """The angle whose tangent is x. Shapes: x (*S) -> y (*S). Range: (-π/2, π/2)."""
    return np.arctan(x)


@atan.gradient
def atan_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        x2 = powers.square(x)
        one = convert_to_tensor(np.asarray(1.0, x.dtype))
        return [dy * powers.reciprocal(arithmetic.add(one, x2))]


@op(
    "Sinh",
    inputs="x",
    shape=same,
    latex=r"\sinh {x}",
    adjoints=[r"\bar{y} \cosh x"],
    derivative=[r"\cosh {x}"],
    partials=lambda x, y: [np.cosh(x)],
    accepts="floats",
    symbolic="sinh",
    names={"tf": "sinh", "numpy": "sinh", "math": "sinh"},
)
@in_chinese("双曲正弦。")
def sinh(x: Array) -> Any:
    """Hyperbolic sine. Shapes: x (*S) -> y (*S)."""
    return np.sinh(x)


@sinh.gradient
def sinh_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [dy * cosh(x)]


@op(
    "Cosh",
    inputs="x",
    shape=same,
    latex=r"\cosh {x}",
    adjoints=[r"\bar{y} \sinh x"],
    derivative=[r"\sinh {x}"],
    partials=lambda x, y: [np.sinh(x)],
    accepts="floats",
    symbolic="cosh",
    names={"tf": "cosh", "numpy": "cosh", "math": "cosh"},
)
@in_chinese("双曲余弦，不小于 1。")
def cosh(x: Array) -> Any:
    """Hyperbolic cosine. Shapes: x (*S) -> y (*S). Never below 1."""
    return np.cosh(x)


@cosh.gradient
def cosh_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [dy * sinh(x)]


@op(
    "Asinh",
    inputs="x",
    shape=same,
    latex=r"\mathrm{arsinh}\, {x}",
    adjoints=[r"\bar{y} / \cosh y"],
    derivative=[r"\frac{1}{\cosh {out}}"],
    partials=lambda x, y: [1 / np.cosh(y)],
    accepts="floats",
    symbolic="arcsinh",
    names={"tf": "math.asinh", "numpy": "arcsinh", "math": "asinh"},
)
@in_chinese("双曲正弦等于 x 的数。")
def asinh(x: Array) -> Any:
    """The number whose hyperbolic sine is x. Shapes: x (*S) -> y (*S)."""
    return np.arcsinh(x)


@asinh.gradient
def asinh_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    y = node.outputs[0]
    with control_dependencies(dy):
        return [dy / cosh(y)]


@op(
    "Acosh",
    inputs="x",
    shape=same,
    latex=r"\mathrm{arcosh}\, {x}",
    adjoints=[r"\bar{y} / \sinh y"],
    derivative=[r"\frac{1}{\sinh {out}}"],
    partials=lambda x, y: [1 / np.sinh(y)],
    domain=within("acosh", 1, math.inf),
    accepts="floats",
    symbolic="arccosh",
    names={"tf": "math.acosh", "numpy": "arccosh", "math": "acosh"},
)
@in_chinese("双曲余弦等于 x 的非负数。定义域：x 不小于 1。")
def acosh(x: Array) -> Any:
    """The number from 0 up whose hyperbolic cosine is x. Shapes: x (*S) -> y (*S). Domain: x at least 1."""
    return np.arccosh(x)


@acosh.gradient
def acosh_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    y = node.outputs[0]
    with control_dependencies(dy):
        return [dy / sinh(y)]


@op(
    "Atanh",
    inputs="x",
    shape=same,
    latex=r"\mathrm{artanh}\, {x}",
    adjoints=[r"\bar{y} / (1 - x^2)"],
    derivative=[r"\frac{1}{1 - {x}^2}"],
    partials=lambda x, y: [1 / (1 - x * x)],
    domain=within("atanh", -1, 1),
    accepts="floats",
    symbolic="arctanh",
    names={"tf": "math.atanh", "numpy": "arctanh", "math": "atanh"},
)
@in_chinese("双曲正切等于 x 的数。定义域为 (-1, 1)。")
def atanh(x: Array) -> Any:
    """The number whose hyperbolic tangent is x. Shapes: x (*S) -> y (*S). Domain: (-1, 1)."""
    return np.arctanh(x)


@atanh.gradient
def atanh_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        x2 = powers.square(x)
        one = convert_to_tensor(np.asarray(1.0, x.dtype))
        return [dy * powers.reciprocal(arithmetic.sub(one, x2))]


@op(
    "Atan2",
    inputs="y x",
    shape=broadcast,
    latex=r"\mathrm{atan2}({y}, {x})",
    adjoints=[r"\bar{z}\, \frac{x}{x^2 + y^2}", r"-\bar{z}\, \frac{y}{x^2 + y^2}"],
    derivative=[r"\frac{{x}}{{x}^2 + {y}^2}", r"-\frac{{y}}{{x}^2 + {y}^2}"],
    partials=lambda y, x, z: [x / (y * y + x * x), -y / (y * y + x * x)],
    accepts="floats",
    names={"tf": "math.atan2", "numpy": "arctan2", "math": "atan2"},
)
@in_chinese(
    "点 (x, y) 与第一轴的夹角，值域为 (-π, π]。TensorFlow 1.15 只在 y 与 x 形状相同时求它的梯度，"
    "TensorFlow 2 总能求。"
)
def atan2(y: Array, x: Array) -> Any:
    """The angle of the point (x, y) from the first axis, in (-π, π]. Shapes: y, x broadcast to z.

    TensorFlow 1.15 has its gradient where y and x have one shape, TensorFlow 2 always.
    """
    return np.arctan2(y, x)


@atan2.gradient
def atan2_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    y, x = node.inputs
    with control_dependencies(dz):
        ratio = dz / (powers.square(x) + powers.square(y))
        dy, dx = x * ratio, -y * ratio
    if broadcasting.equal_shapes(y, x, dz):
        return [dy, dx]
    (sy, ry, _), (sx, rx, _) = broadcasting.broadcast_axes(y, x, dz)
    return [broadcasting.sum_to(dy, ry, sy), broadcasting.sum_to(dx, rx, sx)]
