"""Smooth activations, and the rest: each forward, with PyTorch's name of its node, and backward."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import kernel
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import not_differentiable, torch_error
from engine.languages.surfaces.torch.functions.activations.rectifiers import activation, straight, zero_of
from engine.languages.surfaces.torch.functions.comparison import where
from engine.languages.surfaces.torch.functions.elementwise.exponentials import exp, log1p
from engine.languages.surfaces.torch.functions.elementwise.trigonometry import sigmoid, tanh
from engine.languages.surfaces.torch.functions.numbers import less_than, more_by
from engine.languages.surfaces.torch.functions.operands import axis_of, plain
from engine.languages.surfaces.torch.functions.shaping import chunk
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS

# -- exponentials ----------------------------------------------------------------------------------------


@differentiable("EluBackward0", saves="self alpha scale input_scale")
def _elu(self: Any, alpha: Any, scale: Any = 1, input_scale: Any = 1) -> Any:
    typed = partial(np.asarray, dtype=self.dtype)
    below = ops.mul(ops.expm1(ops.mul(self, typed(input_scale))), typed(alpha * scale))
    return ops.select(ops.greater(self, typed(0)), ops.mul(self, typed(scale)), below)


@_elu.backward
def _elu_backward(saved: Any, grad: Any) -> Any:
    return elu_slope(grad, saved.self, saved.alpha, saved.scale, saved.input_scale)


@kernel(
    "EluBackwardBackward0",
    "grad_output self",
    "alpha grad_output input_scale is_result scale self_or_result",
)
def elu_slope(grad_output: Any, self: Any, alpha: Any, scale: Any = 1, input_scale: Any = 1) -> Any:
    """The slope is scale above 0 and alpha · scale · input_scale · exp(input_scale · x) below.

    At 0 it is that of below, the second derivative 0; at nan that of above.
    """
    low = where(OPERATORS["lt"](self, 0), self, zero_of(self)) if state().records else self
    below = grad_output * (exp(low * input_scale) * (alpha * scale * input_scale))
    return where(OPERATORS["le"](self, 0), below, grad_output * scale)


@activation("elu")
def elu(input: Any, alpha: Any = 1.0) -> Any:
    """input where it is positive, else alpha * (exp(input) - 1)."""
    return _elu(input, plain(alpha))


@activation("selu", torch=True)
def selu(input: Any) -> Any:
    """The elu that keeps mean 0 and variance 1."""
    return _elu(input, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946)


@differentiable("CeluBackward0", saves="self alpha")
def _celu(self: Any, alpha: Any) -> Any:
    typed = partial(np.asarray, dtype=self.dtype)
    below = ops.mul(ops.expm1(ops.mul(self, typed(1 / alpha))), typed(alpha))
    return ops.select(ops.greater(self, typed(0)), self, below)


@_celu.backward
def _celu_backward(saved: Any, grad: Any) -> Any:
    return elu_slope(grad, saved.self, saved.alpha, 1, 1 / saved.alpha)


@activation("celu", torch=True)
def celu(input: Any, alpha: Any = 1.0) -> Any:
    """input where it is positive, else alpha * (exp(input / alpha) - 1)."""
    return _celu(input, plain(alpha))


@differentiable("GeluBackward0", saves="self approximate")
def _gelu(self: Any, approximate: Any) -> Any:
    half = ops.mul(self, 0.5)
    if approximate == "tanh":
        inner = ops.mul(
            ops.add(self, ops.mul(ops.mul(ops.square(self), self), 0.044715)), math.sqrt(2 / math.pi)
        )
        return ops.mul(half, ops.add(ops.tanh(inner), 1.0))
    return ops.mul(half, ops.add(ops.erf(ops.mul(self, math.sqrt(0.5))), 1.0))


@_gelu.backward
def _gelu_backward(saved: Any, grad: Any) -> Any:
    return gelu_slope(grad, saved.self, saved.approximate)


@kernel("GeluBackwardBackward0", "grad_output self", "approximate grad_output self")
def gelu_slope(grad_output: Any, self: Any, approximate: Any) -> Any:
    """grad_output (Φ(x) + x φ(x)), or of the formula with tanh."""
    x = self
    if approximate == "tanh":
        beta = math.sqrt(2 / math.pi)
        t = tanh((x + x * x * x * 0.044715) * beta)
        return grad_output * ((t + 1) * 0.5 + x * 0.5 * (1 - t * t) * (beta * (x * x * (3 * 0.044715) + 1)))
    cdf = (OPERATORS["erf"](x * math.sqrt(0.5)) + 1) * 0.5
    pdf = exp(x * x * -0.5) / math.sqrt(2 * math.pi)
    return grad_output * (cdf + x * pdf)


@torch_function("gelu", f=True)
def gelu(input: Any, approximate: Any = "none") -> Any:
    """input times the normal distribution at input."""
    if approximate not in ("none", "tanh"):
        raise torch_error(
            "approximate argument must be either none or tanh.", "approximate 只能是 'none' 或 'tanh'。"
        )
    return _gelu(input, approximate)


@differentiable("SiluBackward0", saves="self")
def _silu(self: Any) -> Any:
    return ops.mul(self, ops.sigmoid(self))


@_silu.backward
def _silu_backward(saved: Any, grad: Any) -> Any:
    s = sigmoid(saved.self)
    if state().records:
        return grad * s * more_by(saved.self * less_than(1, s), 1)
    return grad * (s * (saved.self * (1 - s) + 1))


@activation("silu")
def silu(input: Any) -> Any:
    """input * sigmoid(input)."""
    return _silu(input)


@differentiable("MishBackward0", saves="self")
def _mish(self: Any) -> Any:
    return ops.mul(self, ops.tanh(ops.softplus(self)))


@_mish.backward
def _mish_backward(saved: Any, grad: Any) -> Any:
    x = saved.self
    t = tanh(log1p(exp(x)) if state().records else softplus(x))
    return grad * (t + x * sigmoid(x) * less_than(1, t * t))


@activation("mish")
def mish(input: Any) -> Any:
    """input * tanh(softplus(input))."""
    return _mish(input)


@differentiable("SoftplusBackward0", saves="self beta threshold")
def _softplus(self: Any, beta: Any, threshold: Any) -> Any:
    scaled = ops.mul(self, np.asarray(beta, dtype=self.dtype))
    soft = ops.divide(ops.softplus(scaled), np.asarray(beta, dtype=self.dtype))
    return ops.select(ops.greater(scaled, np.asarray(threshold, dtype=self.dtype)), self, soft)


@_softplus.backward
def _softplus_backward(saved: Any, grad: Any) -> Any:
    return softplus_slope(grad, saved.self, saved.beta, saved.threshold)


@kernel("SoftplusBackwardBackward0", "grad_output self", "beta grad_output self threshold")
def softplus_slope(grad_output: Any, self: Any, beta: Any, threshold: Any) -> Any:
    """grad_output σ(beta x), or grad_output itself beyond the threshold."""
    scaled = self * beta
    return where(OPERATORS["gt"](scaled, threshold), grad_output, grad_output * sigmoid(scaled))


@torch_function("softplus", f=True)
def softplus(input: Any, beta: Any = 1, threshold: Any = 20) -> Any:
    """log(1 + exp(beta * input)) / beta."""
    return _softplus(input, plain(beta), plain(threshold))


@differentiable("LogSigmoidBackward0", saves="self")
def _logsigmoid(self: Any) -> Any:
    return ops.neg(ops.softplus(ops.neg(self)))


_logsigmoid.shown = ("buffer", "self")


@_logsigmoid.backward
def _logsigmoid_backward(saved: Any, grad: Any) -> Any:
    return logsigmoid_slope(grad, saved.self)


@kernel("LogSigmoidBackwardBackward0", "grad_output self", "buffer grad_output self")
def logsigmoid_slope(grad_output: Any, self: Any) -> Any:
    """grad_output σ(-x)."""
    return grad_output * sigmoid(-self)


@torch_function("logsigmoid", f=True)
def logsigmoid(input: Any) -> Any:
    """log(sigmoid(input))."""
    return _logsigmoid(input)


# -- pieces ----------------------------------------------------------------------------------------------


@differentiable("HardsigmoidBackward0", saves="self")
def _hardsigmoid(self: Any) -> Any:
    typed = partial(np.asarray, dtype=self.dtype)
    return ops.divide(ops.minimum(ops.maximum(ops.add(self, typed(3)), typed(0)), typed(6)), typed(6))


@_hardsigmoid.backward
def _hardsigmoid_backward(saved: Any, grad: Any) -> Any:
    return hardsigmoid_slope(grad, saved.self)


@differentiable("NotImplemented", inputs="grad_output self")
def hardsigmoid_slope(grad_output: Any, self: Any) -> Any:
    """grad_output / 6 between -3 and 3, else 0."""
    inside = ops.logical_and(
        ops.greater(self, np.asarray(-3, self.dtype)), ops.less(self, np.asarray(3, self.dtype))
    )
    sixth = ops.divide(grad_output, np.asarray(6, self.dtype))
    return ops.select(inside, sixth, ops.zeros_like(grad_output))


@hardsigmoid_slope.backward
def _hardsigmoid_slope_backward(saved: Any, grad: Any) -> Any:
    raise not_differentiable("aten::hardsigmoid_backward")


@activation("hardsigmoid")
def hardsigmoid(input: Any) -> Any:
    """A sigmoid of three straight pieces."""
    return _hardsigmoid(input)


@differentiable("HardswishBackward0", saves="self")
def _hardswish(self: Any) -> Any:
    return ops.mul(self, _hardsigmoid.forward(self))


@_hardswish.backward
def _hardswish_backward(saved: Any, grad: Any) -> Any:
    return hardswish_slope(grad, saved.self)


@kernel("HardswishBackwardBackward0", "grad_output self", "grad_output self")
def hardswish_slope(grad_output: Any, self: Any) -> Any:
    """grad_output (x / 3 + 1 / 2) between -3 and 3, 0 from -3 down and grad_output from 3 up."""
    inner = where(OPERATORS["lt"](self, 3), grad_output * (self / 3 + 0.5), grad_output)
    return where(OPERATORS["le"](self, -3), zero_of(grad_output), inner)


@activation("hardswish")
def hardswish(input: Any) -> Any:
    """input * hardsigmoid(input)."""
    return _hardswish(input)


@differentiable("HardshrinkBackward0", saves="self lambd")
def _hardshrink(self: Any, lambd: Any) -> Any:
    return ops.select(
        ops.greater(ops.absolute(self), np.asarray(lambd, dtype=self.dtype)), self, ops.zeros_like(self)
    )


@_hardshrink.backward
def _hardshrink_backward(saved: Any, grad: Any) -> Any:
    return hardshrink_slope(grad, saved.self, saved.lambd)


def _beyond(grad_output: Any, self: Any, lambd: Any) -> Any:
    """grad_output where |x| > lambd and at nan, else 0."""
    small = ops.less_equal(ops.absolute(self), np.asarray(lambd, dtype=self.dtype))
    return ops.select(small, ops.zeros_like(grad_output), grad_output)


hardshrink_slope = straight("HardshrinkBackwardBackward0", saves="self lambd")(_beyond)
softshrink_slope = straight("SoftshrinkBackwardBackward0", saves="self lambd")(_beyond)


@torch_function("hardshrink", f=True)
def hardshrink(input: Any, lambd: Any = 0.5) -> Any:
    """0 where input is small, else input."""
    return _hardshrink(input, plain(lambd))


@differentiable("SoftshrinkBackward0", saves="self lambd")
def _softshrink(self: Any, lambd: Any) -> Any:
    size = np.asarray(lambd, dtype=self.dtype)
    return ops.mul(
        ops.sign(self), ops.maximum(ops.sub(ops.absolute(self), size), np.asarray(0, dtype=self.dtype))
    )


@_softshrink.backward
def _softshrink_backward(saved: Any, grad: Any) -> Any:
    return softshrink_slope(grad, saved.self, saved.lambd)


@torch_function("softshrink", f=True)
def softshrink(input: Any, lambd: Any = 0.5) -> Any:
    """0 where input is small, else input that much nearer to 0."""
    if not plain(lambd) >= 0:
        largest, name = np.finfo(input.dtype.held_as).max, input.dtype.scalar_name
        raise torch_error(
            f"lambda must be in range [0, {largest:g}] for input dtype {name}, but found {plain(lambd):g}",
            "lambd 不能为负。",
        )
    return _softshrink(input, plain(lambd))


@torch_function("softsign", f=True)
def softsign(input: Any) -> Any:
    """input / (1 + |input|)."""
    return input / (1 + OPERATORS["abs"](input))


@torch_function("tanhshrink", f=True)
def tanhshrink(input: Any) -> Any:
    """input - tanh(input)."""
    return input - tanh(input)


@torch_function("sigmoid", f=True)
def sigmoid_function(input: Any) -> Any:
    """1 / (1 + exp(-input))."""
    return sigmoid(input)


@torch_function("tanh", f=True)
def tanh_function(input: Any) -> Any:
    """The hyperbolic tangent."""
    return tanh(input)


@differentiable("GluBackward0", saves="self dim")
def _glu(self: Any, dim: Any) -> Any:
    first, second = ops.split(self, 2, axis=dim)
    return ops.mul(first, ops.sigmoid(second))


@_glu.backward
def _glu_backward(saved: Any, grad: Any) -> Any:
    return glu_slope(grad, saved.self, saved.dim)


@kernel("GluBackwardBackward0", "grad_output self", "dim grad_output self")
def glu_slope(grad_output: Any, self: Any, dim: Any) -> Any:
    """grad_output σ(b) for the first half a, grad_output a σ(b) (1 - σ(b)) for the second, b."""
    first, second = chunk(self, 2, dim)
    s = sigmoid(second)
    return OPERATORS["cat"]([grad_output * s, grad_output * first * s * (1 - s)], dim)


@torch_function("glu", f=True)
def glu(input: Any, dim: Any = -1) -> Any:
    """The first half times the sigmoid of the second."""
    return _glu(input, axis_of(dim, input.form.ndim))
