"""Exponentials, logarithms and roots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.base.building import control_dependencies
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.domains import logarithm, root, slope_of_root
from engine.ops.base.kinks import Kink, at_zero
from engine.ops.base.shapes import same
from engine.ops.base.tensors import Array, Node, Tensor
from engine.ops.elementwise import powers


@op(
    "Exp",
    inputs="x",
    shape=same,
    latex=r"e^{{x}}",
    adjoints=[r"\bar{y}\, y"],
    derivative=["{out}"],
    partials=lambda x, y: [y],
    accepts="floats",
    symbolic="exp",
    names={"tf": "exp", "numpy": "exp", "math": "exp"},
)
@in_chinese("自然常数 e 的 x 次方。float32 在 88.7 以上溢出。")
def exp(x: Array) -> Any:
    """Euler's number to the power of x. Shapes: x (*S) -> y (*S). float32 overflows above 88.7."""
    return np.exp(x)


@exp.gradient
def exp_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    y = node.outputs[0]
    with control_dependencies(dy):
        return [dy * y]


@op(
    "Expm1",
    inputs="x",
    shape=same,
    latex=r"e^{{x}} - 1",
    adjoints=[r"\bar{y}\, e^x"],
    derivative=["e^{{x}}"],
    partials=lambda x, y: [np.exp(x)],
    accepts="floats",
    symbolic=lambda x: np.exp(x) - 1,
    names={"tf": "math.expm1", "numpy": "expm1", "math": "expm1"},
)
@in_chinese("exp(x) - 1，在 x 接近 0 时也精确。")
def expm1(x: Array) -> Any:
    """exp(x) - 1, exact also for x near 0. Shapes: x (*S) -> y (*S)."""
    return np.expm1(x)


@expm1.gradient
def expm1_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [dy * exp(x)]


@op(
    "Log",
    inputs="x",
    shape=same,
    latex=r"\ln {x}",
    adjoints=[r"\bar{y} / x"],
    derivative=[r"\frac{1}{{x}}"],
    partials=lambda x, y: [1 / x],
    domain=logarithm,
    accepts="floats",
    symbolic="log",
    names={"tf": "math.log", "numpy": "log", "math": "ln"},
)
@in_chinese("自然对数。在 0 处是负无穷大，负数得 NaN。")
def log(x: Array) -> Any:
    """Natural logarithm. Shapes: x (*S) -> y (*S). At 0 it is minus infinity, below NaN."""
    return np.log(x)


@log.gradient
def log_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [dy * powers.reciprocal(x)]


@op(
    "Log1p",
    inputs="x",
    shape=same,
    latex=r"\ln(1 + {x})",
    adjoints=[r"\bar{y} / (1 + x)"],
    derivative=[r"\frac{1}{1 + {x}}"],
    partials=lambda x, y: [1 / (1 + x)],
    domain=lambda x: logarithm(x + 1),
    accepts="floats",
    symbolic=lambda x: np.log(1 + x),
    names={"tf": "math.log1p", "numpy": "log1p", "math": "log1p"},
)
@in_chinese("ln(1 + x)，在 x 接近 0 时也精确。")
def log1p(x: Array) -> Any:
    """ln(1 + x), exact also for x near 0. Shapes: x (*S) -> y (*S)."""
    return np.log1p(x)


@log1p.gradient
def log1p_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [dy * powers.reciprocal(1 + x)]


@op(
    "Sqrt",
    inputs="x",
    shape=same,
    latex=r"\sqrt{{x}}",
    adjoints=[r"\bar{y} / (2y)"],
    derivative=[r"\frac{1}{2 {out}}"],
    partials=lambda x, y: [0.5 / y],
    kink=Kink(
        at_zero,
        "sqrt has no finite slope at 0; TensorFlow gives inf there.",
        "sqrt 在 0 处没有有限的斜率；TensorFlow 在那里给出 inf。",
    ),
    domain=root,
    accepts="floats",
    symbolic="sqrt",
    names={"tf": "sqrt", "numpy": "sqrt", "math": "sqrt"},
)
@in_chinese("平方根。在 0 处梯度是无穷大，负数时值和梯度都是 NaN。")
def sqrt(x: Array) -> Any:
    """Square root. Shapes: x (*S) -> y (*S). At 0 the gradient is infinite, below 0 both are NaN."""
    return np.sqrt(x)


@sqrt.gradient
def sqrt_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [sqrt_grad(node.outputs[0], dy)]


@op(
    "SqrtGrad",
    inputs="y dy",
    shape=lambda y, dy: y,
    latex=r"\frac{{dy}}{2 {y}}",
    adjoints=[r"-\bar{z}\, \frac{dy}{2 y^2}", r"\bar{z} / (2y)"],
    derivative=[r"-\frac{{dy}}{2 {y}^2}", r"\frac{1}{2 {y}}"],
    domain=slope_of_root,
    accepts="floats",
    symbolic=lambda y, dy: 0.5 * dy / y,
)
@in_chinese("平方根的梯度，由它的输出 y 和上游梯度 dy 算出；dy 为 0 时是 0，无论 y 是多少。")
def sqrt_grad(y: Array, dy: Array) -> Any:
    """The gradient of a square root, from its output y and the upstream dy; 0 where dy is 0, whatever y is.

    Shapes: y, dy (*S) -> (*S).
    """
    return np.where(dy == 0, dy, dy * np.asarray(0.5, y.dtype) / y)


@sqrt_grad.gradient
def sqrt_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    y, _ = node.inputs
    z = node.outputs[0]
    with control_dependencies(dz):
        ratio = dz / y
        return [-ratio * z, 0.5 * ratio]


@op(
    "Rsqrt",
    inputs="x",
    shape=same,
    latex=r"1 / \sqrt{{x}}",
    adjoints=[r"-\tfrac12 \bar{y}\, y^3"],
    derivative=[r"-\tfrac12 {out}^3"],
    partials=lambda x, y: [-0.5 * y * y * y],
    domain=root,
    accepts="floats",
    symbolic=lambda x: 1.0 / np.sqrt(x),
    names={"tf": "math.rsqrt", "torch": "rsqrt"},
)
@in_chinese("1 除以平方根。在 0 处是无穷大。")
def rsqrt(x: Array) -> Any:
    """One divided by the square root. Shapes: x (*S) -> y (*S). Infinite at 0."""
    return np.asarray(1.0, x.dtype) / np.sqrt(x)


@rsqrt.gradient
def rsqrt_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [rsqrt_grad(node.outputs[0], dy)]


@op(
    "RsqrtGrad",
    inputs="y dy",
    shape=lambda y, dy: y,
    latex=r"-\tfrac12 {dy}\, {y}^3",
    adjoints=[r"-\tfrac32 \bar{z}\, dy\, y^2", r"-\tfrac12 \bar{z}\, y^3"],
    derivative=[r"-\tfrac32 {dy}\, {y}^2", r"-\tfrac12 {y}^3"],
    domain=slope_of_root,
    accepts="floats",
    symbolic=lambda y, dy: -0.5 * dy * y**3,
)
@in_chinese("1/sqrt 的梯度，由它的输出 y 和上游梯度 dy 算出；dy 为 0 时是 0。")
def rsqrt_grad(y: Array, dy: Array) -> Any:
    """The gradient of 1/sqrt, of its output y and the upstream gradient dy; 0 where dy is 0.

    Shapes: y, dy (*S) -> (*S).
    """
    return np.where(dy == 0, dy, np.asarray(-0.5, y.dtype) * dy * y * y * y)


@rsqrt_grad.gradient
def rsqrt_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    y, dy = node.inputs
    with control_dependencies(dz):
        return [-1.5 * dz * dy * powers.square(y), rsqrt_grad(y, dz)]
