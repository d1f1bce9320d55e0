"""What the units of a network apply to their sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops import arrays
from engine.ops.building import control_dependencies
from engine.ops.definition import op
from engine.ops.shapes import same
from engine.ops.tensors import Array, Node, Shape, Tensor


def _first(y: Shape, dy: Shape) -> Shape:
    return y


@op("Tanh", inputs="x", shape=same, latex=r"\tanh {x}", adjoints=[r"\bar{y}\, (1 - y^2)"])
def tanh(x: Array) -> Any:
    """Hyperbolic tangent. Shapes: x (*S) -> y (*S). Range: (-1, 1)."""
    return np.tanh(x)


@tanh.gradient
def tanh_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    y = node.outputs[0]
    with control_dependencies(dy):
        return [tanh_grad(y, dy)]


@op(
    "TanhGrad",
    inputs="y dy",
    shape=_first,
    latex=r"{dy}\, (1 - {y}^2)",
    adjoints=[r"-2 \bar{z}\, dy\, y", r"\bar{z}\, (1 - y^2)"],
)
def tanh_grad(y: Array, dy: Array) -> Any:
    """The gradient of tanh, of its output y and the upstream gradient dy. Shapes: y, dy (*S) -> (*S)."""
    return dy * (np.asarray(1.0, y.dtype) - y * y)


@tanh_grad.gradient
def tanh_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    y, dy = node.inputs
    with control_dependencies(dz):
        return [dz * -2.0 * dy * y, tanh_grad(y, dz)]


@op("Sigmoid", inputs="x", shape=same, latex=r"\sigma({x})", adjoints=[r"\bar{y}\, y (1 - y)"])
def sigmoid(x: Array) -> Any:
    """1 / (1 + exp(-x)). Shapes: x (*S) -> y (*S). Range: (0, 1). Stable form: exp of negatives only."""
    decay = np.exp(-np.abs(x))
    one = np.asarray(1.0, x.dtype)
    return np.where(x >= 0, one, decay) / (one + decay)


@sigmoid.gradient
def sigmoid_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    y = node.outputs[0]
    with control_dependencies(dy):
        return [sigmoid_grad(y, dy)]


@op(
    "SigmoidGrad",
    inputs="y dy",
    shape=_first,
    latex=r"{dy}\, {y} (1 - {y})",
    adjoints=[r"\bar{z}\, dy\, (1 - 2y)", r"\bar{z}\, y (1 - y)"],
)
def sigmoid_grad(y: Array, dy: Array) -> Any:
    """The gradient of sigmoid, of its output y and the upstream gradient dy. Shapes: y, dy (*S) -> (*S)."""
    return dy * y * (np.asarray(1.0, y.dtype) - y)


@sigmoid_grad.gradient
def sigmoid_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    y, dy = node.inputs
    with control_dependencies(dz):
        gb = dz * dy
        return [gb - 2.0 * gb * y, sigmoid_grad(y, dz)]


@op("Relu", inputs="x", shape=same, latex=r"\max(0, {x})", adjoints=[r"\bar{y}\, [y > 0]"])
def relu(x: Array) -> Any:
    """x where it is positive, else 0. Shapes: x (*S) -> y (*S). At 0 the gradient is 0."""
    return np.maximum(x, np.asarray(0, x.dtype))


@relu.gradient
def relu_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [relu_grad(dy, node.outputs[0])]


@op(
    "ReluGrad",
    inputs="gradients features",
    shape=_first,
    latex=r"{gradients}\, [{features} > 0]",
    adjoints=[r"\bar{z}\, [features > 0]", "0"],
)
def relu_grad(gradients: Array, features: Array) -> Any:
    """The upstream gradient where the feature is positive, else 0. Shapes: both (*S) -> (*S)."""
    return np.where(features > 0, gradients, np.asarray(0, gradients.dtype))


@relu_grad.gradient
def relu_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    features = node.inputs[1]
    return [relu_grad(dz, features), arrays.zeros_like(features)]


@op("Relu6", inputs="x", shape=same, latex=r"\min(\max(0, {x}), 6)", adjoints=[r"\bar{y}\, [0 < y < 6]"])
def relu6(x: Array) -> Any:
    """x between 0 and 6, cut off outside. Shapes: x (*S) -> y (*S). At 0 and 6 the gradient is 0."""
    return np.clip(x, np.asarray(0, x.dtype), np.asarray(6, x.dtype))


@relu6.gradient
def relu6_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [relu6_grad(dy, node.outputs[0])]


@op(
    "Relu6Grad",
    inputs="gradients features",
    shape=_first,
    latex=r"{gradients}\, [0 < {features} < 6]",
    adjoints=[r"\bar{z}\, [0 < features < 6]", "0"],
)
def relu6_grad(gradients: Array, features: Array) -> Any:
    """The upstream gradient where the feature is inside (0, 6), else 0. Shapes: both (*S) -> (*S)."""
    return np.where((features > 0) & (features < 6), gradients, np.asarray(0, gradients.dtype))


@relu6_grad.gradient
def relu6_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    features = node.inputs[1]
    return [relu6_grad(dz, features), arrays.zeros_like(features)]
