"""Trigonometric and hyperbolic functions, in radians, and their inverses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops import arithmetic, exponentials
from engine.ops.building import control_dependencies, convert_to_tensor
from engine.ops.definition import op
from engine.ops.shapes import same
from engine.ops.tensors import Array, Node, Tensor


@op("Sin", inputs="x", shape=same, latex=r"\sin {x}", adjoints=[r"\bar{y} \cos x"])
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


@op("Cos", inputs="x", shape=same, latex=r"\cos {x}", adjoints=[r"-\bar{y} \sin x"])
def cos(x: Array) -> Any:
    """Cosine of each element, x in radians. Shapes: x (*S) -> y (*S). Range: [-1, 1]."""
    return np.cos(x)


@cos.gradient
def cos_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [-dy * sin(x)]


@op("Tan", inputs="x", shape=same, latex=r"\tan {x}", adjoints=[r"\bar{y} / \cos^2 x"])
def tan(x: Array) -> Any:
    """Tangent, x in radians. Shapes: x (*S) -> y (*S). Poles at odd multiples of π/2."""
    return np.tan(x)


@tan.gradient
def tan_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        secant = arithmetic.reciprocal(cos(x))
        return [arithmetic.square(secant) * dy]


@op("Asin", inputs="x", shape=same, latex=r"\arcsin {x}", adjoints=[r"\bar{y} / \sqrt{1 - x^2}"])
def asin(x: Array) -> Any:
    """The angle whose sine is x. Shapes: x (*S) -> y (*S). Domain: [-1, 1]."""
    return np.arcsin(x)


@asin.gradient
def asin_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        inverse = arithmetic.reciprocal(_root_of_one_minus_square(x))
        return [dy * inverse]


@op("Acos", inputs="x", shape=same, latex=r"\arccos {x}", adjoints=[r"-\bar{y} / \sqrt{1 - x^2}"])
def acos(x: Array) -> Any:
    """The angle whose cosine is x. Shapes: x (*S) -> y (*S). Domain: [-1, 1]."""
    return np.arccos(x)


@acos.gradient
def acos_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        inverse = arithmetic.reciprocal(_root_of_one_minus_square(x))
        return [-dy * inverse]


def _root_of_one_minus_square(x: Tensor) -> Tensor:
    x2 = arithmetic.square(x)
    one = convert_to_tensor(np.asarray(1.0, x.dtype))
    return exponentials.sqrt(arithmetic.sub(one, x2))


@op("Atan", inputs="x", shape=same, latex=r"\arctan {x}", adjoints=[r"\bar{y} / (1 + x^2)"])
def atan(x: Array) -> Any:
    """The angle whose tangent is x. Shapes: x (*S) -> y (*S). Range: (-π/2, π/2)."""
    return np.arctan(x)


@atan.gradient
def atan_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        x2 = arithmetic.square(x)
        one = convert_to_tensor(np.asarray(1.0, x.dtype))
        return [dy * arithmetic.reciprocal(arithmetic.add(one, x2))]


@op("Sinh", inputs="x", shape=same, latex=r"\sinh {x}", adjoints=[r"\bar{y} \cosh x"])
def sinh(x: Array) -> Any:
    """Hyperbolic sine. Shapes: x (*S) -> y (*S)."""
    return np.sinh(x)


@sinh.gradient
def sinh_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [dy * cosh(x)]


@op("Cosh", inputs="x", shape=same, latex=r"\cosh {x}", adjoints=[r"\bar{y} \sinh x"])
def cosh(x: Array) -> Any:
    """Hyperbolic cosine. Shapes: x (*S) -> y (*S). Never below 1."""
    return np.cosh(x)


@cosh.gradient
def cosh_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    with control_dependencies(dy):
        return [dy * sinh(x)]
