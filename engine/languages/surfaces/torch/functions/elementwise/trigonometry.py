"""Sines, hyperbolic functions and their inverses: `torch.sin`, `torch.tanh`, `torch.sigmoid`, angles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.functions.elementwise.exponentials import rsqrt
from engine.languages.surfaces.torch.functions.elementwise.unary import unary
from engine.languages.surfaces.torch.functions.numbers import less_by, less_than, more_by, scaled


@unary("sin")
@differentiable("SinBackward0", saves="self")
def sin(self: Any) -> Any:
    return ops.sin(self)


@sin.backward
def sin_backward(saved: Any, grad: Any) -> Any:
    return grad * cos(saved.self)


@unary("cos")
@differentiable("CosBackward0", saves="self")
def cos(self: Any) -> Any:
    return ops.cos(self)


@cos.backward
def cos_backward(saved: Any, grad: Any) -> Any:
    return grad * -sin(saved.self)


@unary("tan")
@differentiable("TanBackward0", saves="result")
def tan(self: Any) -> Any:
    return ops.tan(self)


@tan.backward
def tan_backward(saved: Any, grad: Any) -> Any:
    return grad * more_by(saved.result.__pow__(2), 1)


@unary("asin", "arcsin")
@differentiable("AsinBackward0", saves="self")
def asin(self: Any) -> Any:
    return ops.asin(self)


@asin.backward
def asin_backward(saved: Any, grad: Any) -> Any:
    return grad * rsqrt(more_by(-saved.self * saved.self, 1))


@unary("acos", "arccos")
@differentiable("AcosBackward0", saves="self")
def acos(self: Any) -> Any:
    return ops.acos(self)


@acos.backward
def acos_backward(saved: Any, grad: Any) -> Any:
    return grad * -rsqrt(more_by(-saved.self * saved.self, 1))


@unary("atan", "arctan")
@differentiable("AtanBackward0", saves="self")
def atan(self: Any) -> Any:
    return ops.atan(self)


@atan.backward
def atan_backward(saved: Any, grad: Any) -> Any:
    return grad / more_by(saved.self * saved.self, 1)


@unary("sinh")
@differentiable("SinhBackward0", saves="self")
def sinh(self: Any) -> Any:
    return ops.sinh(self)


@sinh.backward
def sinh_backward(saved: Any, grad: Any) -> Any:
    return grad * cosh(saved.self)


@unary("cosh")
@differentiable("CoshBackward0", saves="self")
def cosh(self: Any) -> Any:
    return ops.cosh(self)


@cosh.backward
def cosh_backward(saved: Any, grad: Any) -> Any:
    return grad * sinh(saved.self)


@unary("tanh")
@differentiable("TanhBackward0", saves="result")
def tanh(self: Any) -> Any:
    return ops.tanh(self)


@tanh.backward
def tanh_backward(saved: Any, grad: Any) -> Any:
    return tanh_slope(grad, saved.result)


@differentiable("TanhBackwardBackward0", saves="grad_output output", inputs="grad_output output")
def tanh_slope(grad_output: Any, output: Any) -> Any:
    """grad_output (1 - output²)."""
    return ops.tanh_grad(output, grad_output, is_fused=True)


@tanh_slope.backward
def tanh_slope_backward(saved: Any, grad: Any) -> Any:
    return (
        lambda: tanh_slope(grad, saved.output),
        lambda: grad * (scaled(saved.output, -2) * saved.grad_output),
    )


@unary("asinh", "arcsinh")
@differentiable("AsinhBackward0", saves="self")
def asinh(self: Any) -> Any:
    return ops.asinh(self)


@asinh.backward
def asinh_backward(saved: Any, grad: Any) -> Any:
    return grad * rsqrt(more_by(saved.self.__pow__(2), 1))


@unary("acosh", "arccosh")
@differentiable("AcoshBackward0", saves="self")
def acosh(self: Any) -> Any:
    return ops.acosh(self)


@acosh.backward
def acosh_backward(saved: Any, grad: Any) -> Any:
    if saved.self.dtype.is_complex:  # on the branch that runs along the real axis alone
        return grad * (rsqrt(more_by(saved.self, 1)) * rsqrt(less_by(saved.self, 1)))
    return grad * rsqrt(less_by(saved.self * saved.self, 1))


@unary("atanh", "arctanh")
@differentiable("AtanhBackward0", saves="self")
def atanh(self: Any) -> Any:
    return ops.atanh(self)


@atanh.backward
def atanh_backward(saved: Any, grad: Any) -> Any:
    return grad / less_than(1, saved.self.__pow__(2))


@unary("sigmoid", also="special.expit")
@differentiable("SigmoidBackward0", saves="result")
def sigmoid(self: Any) -> Any:
    return ops.sigmoid(self)


@sigmoid.backward
def sigmoid_backward(saved: Any, grad: Any) -> Any:
    return sigmoid_slope(grad, saved.result)


@differentiable("SigmoidBackwardBackward0", saves="grad_output output", inputs="grad_output output")
def sigmoid_slope(grad_output: Any, output: Any) -> Any:
    """grad_output (1 - output) output."""
    return ops.mul(ops.mul(grad_output, ops.sub(np.asarray(1, dtype=output.dtype), output)), output)


@sigmoid_slope.backward
def sigmoid_slope_backward(saved: Any, grad: Any) -> Any:
    return (
        lambda: sigmoid_slope(grad, saved.output),
        lambda: grad * saved.grad_output * more_by(scaled(saved.output, -2), 1),
    )


@unary("deg2rad")
@differentiable("Deg2RadBackward0")
def deg2rad(self: Any) -> Any:
    return ops.mul(self, math.pi / 180)


@deg2rad.backward
def deg2rad_backward(saved: Any, grad: Any) -> Any:
    return grad * (math.pi / 180)


@unary("rad2deg")
@differentiable("Rad2DegBackward0")
def rad2deg(self: Any) -> Any:
    return ops.mul(self, 180 / math.pi)


@rad2deg.backward
def rad2deg_backward(saved: Any, grad: Any) -> Any:
    return grad * (180 / math.pi)
