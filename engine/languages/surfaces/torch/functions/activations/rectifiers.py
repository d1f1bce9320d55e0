"""Rectifiers: activations of straight pieces, each forward, with PyTorch's name of its node, and backward."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import kernel
from engine.languages.surfaces.torch.autograd.function import Differentiable, differentiable
from engine.languages.surfaces.torch.autograd.in_place import change, in_place
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functional.levels import check_change
from engine.languages.surfaces.torch.functions.comparison import where
from engine.languages.surfaces.torch.functions.operands import plain
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
            if inplace:
                check_change(input, f"{name}_")
                return change(input, made)
            return made

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


def zeros_as(tensor: Any) -> Any:
    """0 in the shape of a tensor."""
    return of_value(ops.zeros_like(tensor.value))


def straight(node_name: str, saves: str) -> Callable[[Callable[..., Any]], Differentiable]:
    """Decorator: how a function of straight pieces passes a gradient on: whole here, not or in part there.

    The slopes change nowhere, so that its own gradient with respect to the input is 0.
    """

    def make(forward: Callable[..., Any]) -> Differentiable:
        passed = differentiable(node_name, saves, inputs="grad_output self")(forward)

        @passed.backward
        def passed_backward(saved: Any, grad: Any) -> Any:
            settings = [getattr(saved, name) for name in passed.attributes]
            return lambda: passed(grad, saved.self, *settings), lambda: zeros_as(saved.self)

        return passed

    return make


@straight("ThresholdBackwardBackward0", saves="self threshold")
def threshold_backward(grad_output: Any, self: Any, threshold: Any) -> Any:
    """0 up to the threshold, grad_output above it and at nan."""
    low = np.asarray(threshold, dtype=self.dtype)
    return ops.select(ops.less_equal(self, low), ops.zeros_like(grad_output), grad_output)


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


@straight("LeakyReluBackwardBackward0", saves="self negative_slope")
def leaky_relu_slope(grad_output: Any, self: Any, negative_slope: Any) -> Any:
    """grad_output above 0, else negative_slope of it."""
    typed = partial(np.asarray, dtype=self.dtype)
    return ops.select(ops.greater(self, typed(0)), grad_output, ops.mul(grad_output, typed(negative_slope)))


@differentiable("LeakyReluBackward0", saves="self negative_slope")
def _leaky_relu(self: Any, negative_slope: Any) -> Any:
    slope = np.asarray(negative_slope, dtype=self.dtype)
    return ops.select(ops.greater(self, np.asarray(0, dtype=self.dtype)), self, ops.mul(self, slope))


@_leaky_relu.backward
def _leaky_relu_backward(saved: Any, grad: Any) -> Any:
    return leaky_relu_slope(grad, saved.self, saved.negative_slope)


@activation("leaky_relu")
def leaky_relu(input: Any, negative_slope: Any = 0.01) -> Any:
    """input where it is positive, else a little of it."""
    return _leaky_relu(input, plain(negative_slope))


@differentiable("PreluKernelBackward0", saves="self weight", inputs="self weight")
def _prelu(self: Any, weight: Any) -> Any:
    return ops.select(ops.greater(self, np.asarray(0, dtype=self.dtype)), self, ops.mul(weight, self))


@_prelu.backward
def _prelu_backward(saved: Any, grad: Any) -> Any:
    if state().records:
        return prelu_slopes(grad, saved.self, saved.weight)
    return (
        lambda: _prelu_slope(grad, saved.self, saved.weight),
        lambda: _prelu_slope_of_weight(grad, saved.self),
    )


def _prelu_slope(grad: Any, x: Any, weight: Any) -> Any:
    return where(OPERATORS["gt"](x, 0), grad, weight * grad)


def _prelu_slope_of_weight(grad: Any, x: Any) -> Any:
    return where(OPERATORS["gt"](x, 0), zero_of(grad), x * grad)


@kernel("PreluKernelBackwardBackward0", "grad_output self weight", "grad_output self weight")
def prelu_slopes(grad_output: Any, self: Any, weight: Any) -> Any:
    """The gradients for x and, of each element, for the weight."""
    return _prelu_slope(grad_output, self, weight), _prelu_slope_of_weight(grad_output, self)


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
    return hardtanh_slope(grad, saved.self, saved.min_val, saved.max_val)


@straight("HardtanhBackwardBackward0", saves="self min_val max_val")
def hardtanh_slope(grad_output: Any, self: Any, min_val: Any, max_val: Any) -> Any:
    """grad_output between the two and at nan, else 0."""
    low, high = (np.asarray(one, dtype=self.dtype) for one in (min_val, max_val))
    outside = ops.logical_or(ops.less_equal(self, low), ops.greater_equal(self, high))
    return ops.select(outside, ops.zeros_like(grad_output), grad_output)


@activation("hardtanh")
def hardtanh(input: Any, min_val: Any = -1.0, max_val: Any = 1.0) -> Any:
    """input, none below `min_val` and none above `max_val`."""
    if plain(min_val) > plain(max_val):
        raise torch_error(
            "min_val cannot be greater than max_val", "min_val 不能大于 max_val。", kind="ValueError"
        )
    return _hardtanh(input, plain(min_val), plain(max_val))


@activation("relu6")
def relu6(input: Any) -> Any:
    """input between 0 and 6."""
    return _hardtanh(input, 0.0, 6.0)
