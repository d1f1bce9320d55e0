"""What the units of a network apply to their sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.arrays import joining
from engine.ops.base.building import control_dependencies, convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import cases
from engine.ops.base.kinks import Kink, at_zero
from engine.ops.base.shapes import real_number, same
from engine.ops.base.tensors import INTEGERS, Array, Node, Shape, Tensor
from engine.ops.common import casting, constants, measuring
from engine.ops.common.fused import rounded_once
from engine.ops.elementwise import comparison, signs


def _first(y: Shape, dy: Shape) -> Shape:
    return y


@op(
    "Tanh",
    inputs="x",
    shape=same,
    latex=r"\tanh {x}",
    adjoints=[r"\bar{y}\, (1 - y^2)"],
    derivative=["1 - {out}^2"],
    partials=lambda x, y: [1 - y * y],
    accepts="floats",
    symbolic="tanh",
    names={"tf": "tanh", "numpy": "tanh", "math": "tanh"},
)
@in_chinese("双曲正切，值域为 (-1, 1)。")
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
    derivative=[r"-2\, {dy}\, {y}", "1 - {y}^2"],
    accepts="floats",
    symbolic=lambda y, dy: dy * (1.0 - y * y),
    own=("is_fused",),
)
@in_chinese("tanh 的梯度，由它的输出 y 和上游梯度 dy 算出。")
def tanh_grad(y: Array, dy: Array, is_fused: bool = False) -> Any:
    """The gradient of tanh, of its output y and the upstream gradient dy. Shapes: y, dy (*S) -> (*S).

    is_fused: whether 1 - y² is rounded once, as by PyTorch's fused multiply-add.
    """
    one = np.asarray(1.0, y.dtype)
    return dy * (rounded_once(-y, y, one) if is_fused else one - y * y)


@tanh_grad.gradient
def tanh_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    y, dy = node.inputs
    with control_dependencies(dz):
        return [dz * -2.0 * dy * y, tanh_grad(y, dz)]


@op(
    "Sigmoid",
    inputs="x",
    shape=same,
    latex=r"\sigma({x})",
    adjoints=[r"\bar{y}\, y (1 - y)"],
    derivative=[r"{out}\, (1 - {out})"],
    partials=lambda x, y: [y * (1 - y)],
    accepts="floats",
    symbolic=lambda x: 1.0 / (1.0 + np.exp(-x)),
    analytic="symbolic",
    names={"tf": "nn.sigmoid", "torch": "sigmoid", "jax": "jax.nn.sigmoid", "math": "sigmoid"},
)
@in_chinese("1 / (1 + exp(-x))，值域为 (0, 1)。稳定写法：只对负数求 exp。")
def sigmoid(x: Array) -> Any:
    """1 / (1 + exp(-x)). Shapes: x (*S) -> y (*S). Range: (0, 1). Stable form: exp of negatives only."""
    one = np.asarray(1.0, x.dtype)
    if x.dtype.kind == "c":
        return one / (one + np.exp(-x))
    decay = np.exp(-np.abs(x))
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
    derivative=[r"{dy}\, (1 - 2 {y})", r"{y}\, (1 - {y})"],
    accepts="floats",
    symbolic=lambda y, dy: dy * y * (1.0 - y),
)
@in_chinese("sigmoid 的梯度，由它的输出 y 和上游梯度 dy 算出。")
def sigmoid_grad(y: Array, dy: Array) -> Any:
    """The gradient of sigmoid, of its output y and the upstream gradient dy. Shapes: y, dy (*S) -> (*S)."""
    return dy * y * (np.asarray(1.0, y.dtype) - y)


@sigmoid_grad.gradient
def sigmoid_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    y, dy = node.inputs
    with control_dependencies(dz):
        gb = dz * dy
        return [gb - 2.0 * gb * y, sigmoid_grad(y, dz)]


@op(
    "Relu",
    inputs="features",
    shape=same,
    latex=r"\max(0, {features})",
    adjoints=[r"\bar{y}\, [y > 0]"],
    derivative=[cases("{features} > 0")],
    partials=lambda x, y: [x > 0],
    kink=Kink(
        at_zero,
        "relu has a corner at 0; TensorFlow takes the slope 0 there.",
        "relu 在 0 处有拐角；TensorFlow 在那里取斜率 0。",
    ),
    accepts="numbers",
    symbolic="relu",
    analytic="",
    names={
        "tf": "nn.relu",
        "numpy": "maximum(0, {0})",
        "torch": "relu",
        "jax": "jax.nn.relu",
        "math": "relu",
    },
)
@in_chinese("x 为正时是 x，否则是 0。在 0 处梯度是 0。")
def relu(x: Array) -> Any:
    """x where it is positive, else 0. Shapes: x (*S) -> y (*S). At 0 the gradient is 0."""
    return np.maximum(x, np.asarray(0, x.dtype))


@relu.gradient
def relu_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [relu_grad(dy, node.outputs[0])]


def _share(passed: Array, gradients: Array) -> Any:
    """1 where a gradient is passed on, else 0."""
    return np.where(passed, np.asarray(1, gradients.dtype), np.asarray(0, gradients.dtype))


@op(
    "ReluGrad",
    inputs="gradients features",
    shape=_first,
    latex=r"{gradients}\, [{features} > 0]",
    adjoints=[r"\bar{z}\, [features > 0]", "0"],
    derivative=[cases("{features} > 0"), "0"],
    accepts="numbers",
)
@in_chinese("特征为正时是上游梯度，否则是 0（上游为无穷大时是 NaN）。")
def relu_grad(gradients: Array, features: Array) -> Any:
    """The upstream gradient where the feature is positive, else 0 (NaN for an infinite one).

    Shapes: both (*S) -> (*S).
    """
    return gradients * _share(features > 0, gradients)


@relu_grad.gradient
def relu_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    features = node.inputs[1]
    return [relu_grad(dz, features), constants.zeros(measuring.shape_of(features), features.dtype)]


@op(
    "Relu6",
    inputs="features",
    shape=same,
    latex=r"\min(\max(0, {features}), 6)",
    adjoints=[r"\bar{y}\, [0 < y < 6]"],
    derivative=[cases("0 < {features} < 6")],
    partials=lambda x, y: [(x > 0) & (x < 6)],
    accepts="numbers",
    names={
        "tf": "nn.relu6",
        "numpy": "clip({0}, 0, 6)",
        "torch": "nn.functional.relu6",
        "jax": "jax.nn.relu6",
        "math": "relu6",
    },
)
@in_chinese("把 x 限制在 0 与 6 之间。在 0 和 6 处梯度是 0。")
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
    derivative=[cases("0 < {features} < 6"), "0"],
    accepts="numbers",
)
@in_chinese("特征在 (0, 6) 之内时是上游梯度，否则是 0（上游为无穷大时是 NaN）。")
def relu6_grad(gradients: Array, features: Array) -> Any:
    """The upstream gradient where the feature is inside (0, 6), else 0 (NaN for an infinite one).

    Shapes: both (*S) -> (*S).
    """
    return gradients * _share((features > 0) & (features < 6), gradients)


@relu6_grad.gradient
def relu6_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    features = node.inputs[1]
    return [relu6_grad(dz, features), constants.zeros(measuring.shape_of(features), features.dtype)]


def _where_negative(node: Node, dz: Tensor) -> Tensor:
    """Second order of elu and selu: only their negative side is curved."""
    dy, y = node.inputs
    negative = comparison.less(y, 0.0)
    return comparison.select(negative, dz * dy, constants.zeros_like(y))


@op(
    "Elu",
    inputs="features",
    shape=same,
    latex=r"\mathrm{elu}({features})",
    adjoints=[r"\bar{y}\, [x > 0 \,?\, 1 : y + 1]"],
    derivative=[cases("{features} < 0", "{out} + 1", "1")],
    accepts="floats",
    names={"tf": "nn.elu", "torch": "nn.functional.elu", "jax": "jax.nn.elu", "math": "elu"},
)
@in_chinese("x 为正时是 x，否则是 e^x - 1。")
def elu(x: Array) -> Any:
    """x where it is positive, else e^x - 1. Shapes: x (*S) -> y (*S). Source: Clevert et al., 2015."""
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


@elu.gradient
def elu_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [elu_grad(dy, node.outputs[0])]


@op(
    "EluGrad",
    inputs="gradients outputs",
    shape=_first,
    latex=r"{gradients}\, [{outputs} > 0 \,?\, 1 : {outputs} + 1]",
    adjoints=[r"\bar{z}\, [y > 0 \,?\, 1 : y + 1]", r"\bar{z}\, dy\, [y < 0]"],
    derivative=[cases("{outputs} < 0", "{outputs} + 1", "1"), cases("{outputs} < 0", "{gradients}")],
    accepts="floats",
)
@in_chinese("elu 的梯度，由上游梯度和它的输出算出。")
def elu_grad(gradients: Array, outputs: Array) -> Any:
    """The gradient of elu, of the upstream gradient and its output. Shapes: both (*S) -> (*S)."""
    return np.where(outputs < 0, gradients * (outputs + 1), gradients)


@elu_grad.gradient
def elu_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    return [elu_grad(dz, node.inputs[1]), _where_negative(node, dz)]


SELU_SCALE = 1.0507009873554805  # these two keep mean 0 and variance 1 from layer to layer
SELU_ALPHA = 1.6732632423543772


@op(
    "Selu",
    inputs="features",
    shape=same,
    latex=r"\mathrm{selu}({features})",
    adjoints=[r"\bar{y}\, \mathrm{selu}'(x)"],
    derivative=[cases("{features} < 0", r"{out} + \lambda \alpha", r"\lambda")],
    accepts="floats",
    names={"tf": "nn.selu", "torch": "selu", "jax": "jax.nn.selu", "math": "selu"},
)
@in_chinese("x 为正时是 λ x，否则是 λ α (e^x - 1)，其中 λ = 1.0507，α = 1.6733。")
def selu(x: Array) -> Any:
    """λ x where x is positive, else λ α (e^x - 1), λ = 1.0507, α = 1.6733.

    Shapes: x (*S) -> y (*S).
    Source: Klambauer et al., Self-Normalizing Neural Networks, 2017.
    """
    scale, bend = np.asarray(SELU_SCALE, x.dtype), np.asarray(SELU_SCALE * SELU_ALPHA, x.dtype)
    return np.where(x < 0, bend * np.expm1(np.minimum(x, 0)), scale * x)


@selu.gradient
def selu_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [selu_grad(dy, node.outputs[0])]


@op(
    "SeluGrad",
    inputs="gradients outputs",
    shape=_first,
    latex=r"{gradients}\, \mathrm{selu}'",
    adjoints=[r"\bar{z}\, \mathrm{selu}'", r"\bar{z}\, dy\, [y < 0]"],
    derivative=[
        cases("{outputs} < 0", r"{outputs} + \lambda \alpha", r"\lambda"),
        cases("{outputs} < 0", "{gradients}"),
    ],
    accepts="floats",
)
@in_chinese("selu 的梯度，由上游梯度和它的输出算出。")
def selu_grad(gradients: Array, outputs: Array) -> Any:
    """The gradient of selu, of the upstream gradient and its output. Shapes: both (*S) -> (*S)."""
    scale, bend = np.asarray(SELU_SCALE, outputs.dtype), np.asarray(SELU_SCALE * SELU_ALPHA, outputs.dtype)
    return np.where(outputs < 0, gradients * (outputs + bend), gradients * scale)


@selu_grad.gradient
def selu_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    return [selu_grad(dz, node.inputs[1]), _where_negative(node, dz)]


@op(
    "LeakyRelu",
    inputs="features",
    shape=same,
    latex=r"\max({features}, \alpha {features})",
    adjoints=[r"\bar{y}\, [x > 0 \,?\, 1 : \alpha]"],
    derivative=[cases("{features} > 0", "1", r"\alpha")],
    accepts="floats",
)
@in_chinese("x 为正时是 x，否则是 α x。在 0 处梯度是 α。")
def leaky_relu_op(features: Array, alpha: float = 0.2) -> Any:
    """x where it is positive, else α x. Shapes: features (*S) -> y (*S). At 0 the gradient is α."""
    return np.where(features > 0, features, features * np.asarray(alpha, features.dtype))


@leaky_relu_op.gradient
def leaky_relu_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [leaky_relu_grad(dy, node.inputs[0], alpha=node.attrs["alpha"])]


@op(
    "LeakyReluGrad",
    inputs="gradients features",
    shape=_first,
    latex=r"{gradients}\, [{features} > 0 \,?\, 1 : \alpha]",
    adjoints=[r"\bar{z}\, [x > 0 \,?\, 1 : \alpha]", "0"],
    derivative=[cases("{features} > 0", "1", r"\alpha"), "0"],
    accepts="floats",
)
@in_chinese("特征为正时是上游梯度，否则是它的 α 倍。")
def leaky_relu_grad(gradients: Array, features: Array, alpha: float = 0.2) -> Any:
    """The upstream gradient where the feature is positive, else α times it. Shapes: both (*S) -> (*S)."""
    return np.where(features > 0, gradients, gradients * np.asarray(alpha, gradients.dtype))


@leaky_relu_grad.gradient
def leaky_relu_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    features = node.inputs[1]
    passed = leaky_relu_grad(dz, features, alpha=node.attrs["alpha"])
    return [passed, constants.zeros(measuring.shape_of(features), features.dtype)]


def leaky_relu(features: Any, alpha: Any = 0.2, name: str | None = None) -> Tensor:
    """`tf.nn.leaky_relu`; alpha is the slope below 0."""
    with name_scope(name, "LeakyRelu") as scope:
        features = convert_to_tensor(features, name="features")
        if features.dtype in INTEGERS:
            features = casting.cast(features, "float32")
        return leaky_relu_op(features, alpha=float(np.float32(real_number(alpha, "alpha"))), name=scope)


@op(
    "Softplus",
    inputs="features",
    shape=same,
    latex=r"\ln(1 + e^{{features}})",
    adjoints=[r"\bar{y}\, \sigma(x)"],
    derivative=[r"\frac{1}{1 + e^{-{features}}}"],
    accepts="floats",
    symbolic=lambda x: np.log(1 + np.exp(x)),
    analytic="symbolic",
    names={
        "tf": "nn.softplus",
        "numpy": "logaddexp(0, {0})",
        "torch": "nn.functional.softplus",
        "jax": "jax.nn.softplus",
        "math": "softplus",
    },
)
@in_chinese("ln(1 + e^x)，光滑的 relu。稳定写法：max(x, 0) + ln(1 + e^-|x|)。")
def softplus(x: Array) -> Any:
    """ln(1 + e^x), a smooth relu. Shapes: x (*S) -> y (*S). Stable form: max(x, 0) + ln(1 + e^-|x|)."""
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


@softplus.gradient
def softplus_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [dy * sigmoid(node.inputs[0])]


@op(
    "Softsign",
    inputs="features",
    shape=same,
    latex=r"\frac{{features}}{1 + |{features}|}",
    adjoints=[r"\bar{y} / (1 + |x|)^2"],
    derivative=[r"\frac{1}{(1 + |{features}|)^2}"],
    partials=lambda x, y: [1 / (1 + np.abs(x)) ** 2],
    accepts="floats",
    names={
        "tf": "nn.softsign",
        "torch": "nn.functional.softsign",
        "jax": "jax.nn.soft_sign",
        "math": "softsign",
    },
)
@in_chinese("x / (1 + |x|)，值域为 (-1, 1)。")
def softsign(x: Array) -> Any:
    """x / (1 + |x|). Shapes: x (*S) -> y (*S). Range: (-1, 1)."""
    return x / (np.abs(x) + np.asarray(1, x.dtype))


@softsign.gradient
def softsign_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [softsign_grad(dy, node.inputs[0])]


@op(
    "SoftsignGrad",
    inputs="gradients features",
    shape=_first,
    latex=r"\frac{{gradients}}{(1 + |{features}|)^2}",
    no_gradient=(
        "TensorFlow 1.15 has no second derivative of softsign; write x / (1 + tf.abs(x))",
        "TensorFlow 1.15 没有 softsign 的二阶导数；请写 x / (1 + tf.abs(x))",
    ),
    partials=lambda dy, x, y: [1 / (1 + np.abs(x)) ** 2, -2 * y * np.sign(x) / (1 + np.abs(x))],
    accepts="floats",
)
@in_chinese("softsign 的梯度，由上游梯度和它的输入算出。")
def softsign_grad(gradients: Array, features: Array) -> Any:
    """The gradient of softsign, of the upstream gradient and its input. Shapes: both (*S) -> (*S)."""
    return gradients / np.square(np.abs(features) + np.asarray(1, features.dtype))


def log_sigmoid(x: Any, name: str | None = None) -> Tensor:
    """`tf.log_sigmoid`: ln σ(x), as -softplus(-x)."""
    with name_scope(name, "LogSigmoid") as scope:
        x = convert_to_tensor(x, name="x")
        return signs.neg(softplus(-x), name=scope)


def crelu(features: Any, name: str | None = None, axis: int = -1) -> Tensor:
    """`tf.nn.crelu`: relu of x and of -x, side by side."""
    with name_scope(name, "CRelu") as scope:
        features = convert_to_tensor(features, name="features")
        return relu(joining.concat([features, -features], axis, name=scope))
