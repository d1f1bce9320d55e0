"""Activations of neural networks: each forward, with PyTorch's name of its node, and backward."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import Differentiable, differentiable
from engine.languages.surfaces.torch.autograd.in_place import change, in_place
from engine.languages.surfaces.torch.functions.comparison import where
from engine.languages.surfaces.torch.functions.elementwise import exp, sigmoid, tanh
from engine.languages.surfaces.torch.functions.operands import axis_of, plain
from engine.languages.surfaces.torch.functions.shaping import chunk, detach
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, of_scalar, of_value


def zero_of(tensor: Any) -> Any:
    """0 of the type of a tensor."""
    return of_scalar(0, tensor.dtype)


def activation(name: Any, *, torch: Any = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: enter an activation into `torch.nn.functional`, with `inplace`.

    torch: whether it is a function of `torch` and a method of tensors, too.
    """

    def enter(function: Any) -> Any:
        def call(input: Any, *args: Any, inplace: Any = False, **settings: Any) -> Any:
            made = function(input, *args, **settings)
            return change(input, made) if inplace else made

        call.__doc__ = function.__doc__
        torch_function(name, f=True)(call)
        torch_function(f"{name}_", f=True)(in_place(function))
        if torch:
            torch_function(name, method=True)(function)
            torch_function(f"{name}_", method=True)(in_place(function))
        return function

    return enter


# -- rectifiers ------------------------------------------------------------------------------------------


@differentiable("ReluBackward0", saves="result")
def _relu(self: Any) -> Any:
    return ops.relu(self)


@_relu.backward
def _relu_backward(saved: Any, grad: Any) -> Any:
    return threshold_backward(grad, saved.result, 0)


@differentiable("ThresholdBackwardBackward0", saves="self threshold", inputs="grad_output self")
def threshold_backward(grad_output: Any, self: Any, threshold: Any) -> Any:
    low = np.asarray(threshold, dtype=self.dtype)
    return ops.select(ops.greater(self, low), grad_output, ops.zeros_like(grad_output))


@threshold_backward.backward
def _threshold_backward_backward(saved: Any, grad: Any) -> Any:
    return lambda: threshold_backward(grad, saved.self, saved.threshold), lambda: grad * 0


@activation("relu", torch=True)
def relu(input: Any) -> Any:
    """max(input, 0); its derivative at 0 is 0."""
    return _relu(input)


@differentiable("ThresholdBackward0", saves="self threshold")
def _threshold(self: Any, threshold: Any, value: Any) -> Any:
    return ops.select(
        ops.greater(self, np.asarray(threshold, dtype=self.dtype)),
        self,
        ops.fill(list(self.form.shape), np.asarray(value, dtype=self.dtype)),
    )


@_threshold.backward
def _threshold_gradient(saved: Any, grad: Any) -> Any:
    return threshold_backward(grad, saved.self, saved.threshold)


@activation("threshold", torch=True)
def threshold(input: Any, threshold: Any, value: Any) -> Any:
    """input where it is above the threshold, else the value."""
    return _threshold(input, plain(threshold), plain(value))


def straight(node_name: str) -> Differentiable:
    """How a function of straight pieces passes a gradient on: whole inside, times a slope outside.

    The slopes change nowhere, so that its own gradient with respect to the input is 0.
    """

    @differentiable(node_name, saves="self inside slope", inputs="grad_output self")
    def passed(grad_output: Any, self: Any, inside: Any, slope: Any = 0) -> Any:
        typed = np.asarray(slope, dtype=grad_output.dtype)
        outside = ops.mul(grad_output, typed) if slope else ops.zeros_like(grad_output)
        return ops.select(inside.value, grad_output, outside)

    @passed.backward
    def passed_backward(saved: Any, grad: Any) -> Any:
        return lambda: passed(grad, saved.self, saved.inside, saved.slope), lambda: zeros_as(saved.self)

    return passed


def zeros_as(tensor: Any) -> Any:
    """0 in the shape of a tensor."""
    return of_value(ops.zeros_like(tensor.value))


_leaky_relu_slopes = straight("LeakyReluBackwardBackward0")
_hardtanh_slopes = straight("HardtanhBackwardBackward0")
_hardshrink_slopes = straight("HardshrinkBackwardBackward0")
_softshrink_slopes = straight("SoftshrinkBackwardBackward0")


@differentiable("LeakyReluBackward0", saves="self negative_slope")
def _leaky_relu(self: Any, negative_slope: Any) -> Any:
    slope = np.asarray(negative_slope, dtype=self.dtype)
    return ops.select(ops.greater(self, np.asarray(0, dtype=self.dtype)), self, ops.mul(self, slope))


@_leaky_relu.backward
def _leaky_relu_backward(saved: Any, grad: Any) -> Any:
    return _leaky_relu_slopes(grad, saved.self, OPERATORS["gt"](saved.self, 0), saved.negative_slope)


@activation("leaky_relu")
def leaky_relu(input: Any, negative_slope: Any = 0.01) -> Any:
    """input where it is positive, else a little of it."""
    return _leaky_relu(input, plain(negative_slope))


@differentiable("PreluKernelBackward0", saves="self weight", inputs="self weight")
def _prelu(self: Any, weight: Any) -> Any:
    return ops.select(ops.greater(self, np.asarray(0, dtype=self.dtype)), self, ops.mul(weight, self))


@_prelu.backward
def _prelu_backward(saved: Any, grad: Any) -> Any:
    positive = OPERATORS["gt"](saved.self, 0)
    return (
        lambda: where(positive, grad, saved.weight * grad),
        lambda: where(positive, zero_of(grad), saved.self * grad),
    )


@torch_function("prelu", f=True)
@torch_function("prelu", method=True)
def prelu(input: Any, weight: Any) -> Any:
    """input where it is positive, else a learned share of it."""
    if weight.form.size > 1:
        shape = [1] * input.form.ndim
        shape[1] = weight.form.size
        weight = OPERATORS["reshape"](weight, shape)
    return _prelu(input, weight)


@differentiable("HardtanhBackward0", saves="self min_val max_val")
def _hardtanh(self: Any, min_val: Any, max_val: Any) -> Any:
    low, high = (np.asarray(one, dtype=self.dtype) for one in (min_val, max_val))
    return ops.minimum(ops.maximum(self, low), high)


@_hardtanh.backward
def _hardtanh_backward(saved: Any, grad: Any) -> Any:
    return _hardtanh_slopes(grad, saved.self, _between(saved.self, saved.min_val, saved.max_val))


@activation("hardtanh")
def hardtanh(input: Any, min_val: Any = -1.0, max_val: Any = 1.0) -> Any:
    """input, none below `min_val` and none above `max_val`."""
    return _hardtanh(input, plain(min_val), plain(max_val))


@activation("relu6")
def relu6(input: Any) -> Any:
    """input between 0 and 6."""
    return _hardtanh(input, 0.0, 6.0)


# -- exponentials ----------------------------------------------------------------------------------------


@differentiable("EluBackward0", saves="self alpha scale input_scale")
def _elu(self: Any, alpha: Any, scale: Any = 1, input_scale: Any = 1) -> Any:
    typed = partial(np.asarray, dtype=self.dtype)
    below = ops.mul(ops.expm1(ops.mul(self, typed(input_scale))), typed(alpha * scale))
    return ops.select(ops.greater(self, typed(0)), ops.mul(self, typed(scale)), below)


@_elu.backward
def _elu_backward(saved: Any, grad: Any) -> Any:
    return _exponential_piece(
        saved.self, grad, saved.scale, saved.alpha * saved.scale * saved.input_scale, saved.input_scale
    )


def _exponential_piece(x: Any, grad: Any, right: Any, left: Any, rate: Any) -> Any:
    """grad · right above 0 and grad · left · exp(rate · x) below; the second derivative at 0 is 0."""
    below = grad * (exp(x * rate) * left)
    if state().records:
        below = where(OPERATORS["lt"](x, 0), below, grad * left)
    return where(OPERATORS["gt"](x, 0), grad * right, below)


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
    return _exponential_piece(saved.self, grad, 1, 1, 1 / saved.alpha)


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
    x = saved.self
    if saved.approximate == "tanh":
        beta = math.sqrt(2 / math.pi)
        t = tanh((x + x * x * x * 0.044715) * beta)
        return grad * ((t + 1) * 0.5 + x * 0.5 * (1 - t * t) * (beta * (x * x * (3 * 0.044715) + 1)))
    cdf = (OPERATORS["erf"](x * math.sqrt(0.5)) + 1) * 0.5
    pdf = exp(x * x * -0.5) / math.sqrt(2 * math.pi)
    return grad * (cdf + x * pdf)


@torch_function("gelu", f=True)
def gelu(input: Any, approximate: Any = "none") -> Any:
    """input times the normal distribution at input."""
    return _gelu(input, approximate)


@differentiable("SiluBackward0", saves="self")
def _silu(self: Any) -> Any:
    return ops.mul(self, ops.sigmoid(self))


@_silu.backward
def _silu_backward(saved: Any, grad: Any) -> Any:
    s = sigmoid(saved.self)
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
    t = tanh(softplus(x))
    return grad * (t + x * sigmoid(x) * (1 - t * t))


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
    scaled = saved.self * saved.beta
    return where(OPERATORS["gt"](scaled, saved.threshold), grad, grad * sigmoid(scaled))


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
    return grad * sigmoid(-saved.self)


@torch_function("logsigmoid", f=True)
def logsigmoid(input: Any) -> Any:
    """log(sigmoid(input))."""
    return _logsigmoid(input)


# -- pieces ----------------------------------------------------------------------------------------------


@differentiable("HardsigmoidBackward0", saves="self")
def _hardsigmoid(self: Any) -> Any:
    typed = partial(np.asarray, dtype=self.dtype)
    return ops.divide(ops.minimum(ops.maximum(ops.add(self, typed(3)), typed(0)), typed(6)), typed(6))


def _between(x: Any, low: Any, high: Any) -> Any:
    return OPERATORS["and"](OPERATORS["gt"](x, low), OPERATORS["lt"](x, high))


@_hardsigmoid.backward
def _hardsigmoid_backward(saved: Any, grad: Any) -> Any:
    return where(_between(saved.self, -3, 3), grad / 6, zero_of(grad))


@activation("hardsigmoid")
def hardsigmoid(input: Any) -> Any:
    """A sigmoid of three straight pieces."""
    return _hardsigmoid(input)


@differentiable("HardswishBackward0", saves="self")
def _hardswish(self: Any) -> Any:
    return ops.mul(self, _hardsigmoid.forward(self))


@_hardswish.backward
def _hardswish_backward(saved: Any, grad: Any) -> Any:
    x = saved.self
    inner = where(OPERATORS["le"](x, 3), grad * (x / 3 + 0.5), grad)
    return where(OPERATORS["lt"](x, -3), zero_of(grad), inner)


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
    return _hardshrink_slopes(grad, saved.self, _beyond(saved.self, saved.lambd))


def _beyond(x: Any, size: Any) -> Any:
    x = detach(x)
    return OPERATORS["gt"](OPERATORS["abs"](x), size)


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
    return _softshrink_slopes(grad, saved.self, _beyond(saved.self, saved.lambd))


@torch_function("softshrink", f=True)
def softshrink(input: Any, lambd: Any = 0.5) -> Any:
    """0 where input is small, else input that much nearer to 0."""
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
    first, second = chunk(saved.self, 2, saved.dim)
    s = sigmoid(second)
    return OPERATORS["cat"]([grad * s, grad * first * s * (1 - s)], saved.dim)


@torch_function("glu", f=True)
def glu(input: Any, dim: Any = -1) -> Any:
    """The first half times the sigmoid of the second."""
    return _glu(input, axis_of(dim, input.form.ndim))
