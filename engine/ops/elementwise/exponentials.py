"""Exponentials, logarithms and roots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.base.building import control_dependencies
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import same
from engine.ops.base.tensors import Array, Node, Tensor
from engine.ops.elementwise import powers


@op("Exp", inputs="x", shape=same, latex=r"e^{{x}}", adjoints=[r"\bar{y}\, y"])
@in_chinese("自然常数 e 的 x 次方。float32 在 88.7 以上溢出。")
def exp(x: Array) -> Any:
    """Euler's number to the power of x. Shapes: x (*S) -> y (*S). float32 overflows above 88.7."""
    return np.exp(x)


@exp.gradient
def exp_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    y = node.outputs[0]
    with control_dependencies(dy):
        return [dy * y]


@op("Expm1", inputs="x", shape=same, latex=r"e^{{x}} - 1", adjoints=[r"\bar{y}\, e^x"])
@in_chinese("exp(x) - 1，在 x 接近 0 时也精确。")
def expm1(x: Array) -> Any:
    """exp(x) - 1, exact also for x near 0. Shapes: x (*S) -> y (*S)."""
    return np.expm1(x)


@expm1.gradient
def expm1_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [dy * exp(x)]


@op("Log", inputs="x", shape=same, latex=r"\ln {x}", adjoints=[r"\bar{y} / x"])
@in_chinese("自然对数。在 0 处是负无穷大，负数得 NaN。")
def log(x: Array) -> Any:
    """Natural logarithm. Shapes: x (*S) -> y (*S). At 0 it is minus infinity, below NaN."""
    return np.log(x)


@log.gradient
def log_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [dy * powers.reciprocal(x)]


@op("Log1p", inputs="x", shape=same, latex=r"\ln(1 + {x})", adjoints=[r"\bar{y} / (1 + x)"])
@in_chinese("ln(1 + x)，在 x 接近 0 时也精确。")
def log1p(x: Array) -> Any:
    """ln(1 + x), exact also for x near 0. Shapes: x (*S) -> y (*S)."""
    return np.log1p(x)


@log1p.gradient
def log1p_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [dy * powers.reciprocal(1 + x)]


@op("Sqrt", inputs="x", shape=same, latex=r"\sqrt{{x}}", adjoints=[r"\bar{y} / (2y)"])
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


@op("Rsqrt", inputs="x", shape=same, latex=r"1 / \sqrt{{x}}", adjoints=[r"-\tfrac12 \bar{y}\, y^3"])
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
