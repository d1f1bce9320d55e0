"""Functions of one number, applied to every element: each with PyTorch's name of its node."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import Differentiable, differentiable
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.dtypes import BOOL
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.numbers import less_by, less_than, more_by, scaled
from engine.languages.surfaces.torch.functions.operands import as_floats, no_tensor
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_value

PI = math.pi


NOT_OF_TRUTHS = ("abs", "ceil", "floor", "round", "trunc")


def _no_kernel(name: str, tensor: Tensor) -> Exception:
    """PyTorch computes it for numbers alone."""
    kernel = f"{name}_cpu" if name in ("abs", "frac") else f"{name}_vml_cpu"
    return torch_error(
        f"\"{kernel}\" not implemented for '{tensor.dtype.scalar_name}'",
        f"{tensor.dtype.scalar_name} 张量没有 {name}()。",
        kind="NotImplementedError",
        hint="Write x.float() first.",
        hint_zh="请先写 x.float()。",
    )


def unary(
    name: str, *others: str, whole: bool = False, also: str = ""
) -> Callable[[Differentiable], Differentiable]:
    """Decorator: enter a block for programs, whole numbers made floats first, and its form in place.

    whole: whether whole numbers stay what they are.
    also:  a further dotted name, such as `special.expit`.
    """

    def enter(function: Differentiable) -> Differentiable:
        def call(input: Any, *, out: Any = None) -> Any:
            if not isinstance(input, Tensor):
                raise no_tensor(name, input)
            if name == "frac" and not input.dtype.is_floating:
                raise _no_kernel(name, input)
            if name in NOT_OF_TRUTHS and input.dtype is BOOL:
                raise _no_kernel(name, input)
            return function(input if whole else as_floats(input))

        call.__doc__ = function.__doc__
        torch_function(name, *others, method=True)(call)
        for one in (name, *others):
            torch_function(f"{one}_", method="only")(in_place(call))
        if also:
            torch_function(also)(call)
        return function

    return enter


@unary("exp")
@differentiable("ExpBackward0", saves="result")
def exp(self: Any) -> Any:
    return ops.exp(self)


@exp.backward
def exp_backward(saved: Any, grad: Any) -> Any:
    return grad * saved.result


@unary("exp2")
@differentiable("Exp2Backward0", saves="result")
def exp2(self: Any) -> Any:
    return ops.exp(ops.mul(self, math.log(2)))


@exp2.backward
def exp2_backward(saved: Any, grad: Any) -> Any:
    return scaled(grad * saved.result, math.log(2))


@unary("expm1")
@differentiable("Expm1Backward0", saves="result")
def expm1(self: Any) -> Any:
    return ops.expm1(self)


@expm1.backward
def expm1_backward(saved: Any, grad: Any) -> Any:
    return grad * more_by(saved.result, 1)


@unary("log")
@differentiable("LogBackward0", saves="self")
def log(self: Any) -> Any:
    return ops.log(self)


@log.backward
def log_backward(saved: Any, grad: Any) -> Any:
    return grad / saved.self


@unary("log2")
@differentiable("Log2Backward0", saves="self")
def log2(self: Any) -> Any:
    return ops.divide(ops.log(self), math.log(2))


@log2.backward
def log2_backward(saved: Any, grad: Any) -> Any:
    return grad / scaled(saved.self, math.log(2))


@unary("log10")
@differentiable("Log10Backward0", saves="self")
def log10(self: Any) -> Any:
    return ops.divide(ops.log(self), math.log(10))


@log10.backward
def log10_backward(saved: Any, grad: Any) -> Any:
    return grad / scaled(saved.self, math.log(10))


@unary("log1p")
@differentiable("Log1PBackward0", saves="self")
def log1p(self: Any) -> Any:
    return ops.log1p(self)


@log1p.backward
def log1p_backward(saved: Any, grad: Any) -> Any:
    return grad / more_by(saved.self, 1)


@unary("sqrt")
@differentiable("SqrtBackward0", saves="result")
def sqrt(self: Any) -> Any:
    return ops.sqrt(self)


@sqrt.backward
def sqrt_backward(saved: Any, grad: Any) -> Any:
    return grad / scaled(saved.result, 2)


@unary("rsqrt")
@differentiable("RsqrtBackward0", saves="result")
def rsqrt(self: Any) -> Any:
    return ops.rsqrt(self)


@rsqrt.backward
def rsqrt_backward(saved: Any, grad: Any) -> Any:
    return scaled(grad, -0.5) * saved.result.__pow__(3)


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
    return ops.tanh_grad(output, grad_output)


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


@unary("erf", also="special.erf")
@differentiable("ErfBackward0", saves="self")
def erf(self: Any) -> Any:
    return ops.erf(self)


@erf.backward
def erf_backward(saved: Any, grad: Any) -> Any:
    return scaled(exp(-saved.self.__pow__(2)), 2 / math.sqrt(PI)) * grad


@unary("erfc", also="special.erfc")
@differentiable("ErfcBackward0", saves="self")
def erfc(self: Any) -> Any:
    return ops.erfc(self)


@erfc.backward
def erfc_backward(saved: Any, grad: Any) -> Any:
    return scaled(exp(-saved.self.__pow__(2)), -2 / math.sqrt(PI)) * grad


@unary("lgamma", also="special.gammaln")
@differentiable("LgammaBackward0", saves="self")
def lgamma(self: Any) -> Any:
    return ops.lgamma(self)


@lgamma.backward
def lgamma_backward(saved: Any, grad: Any) -> Any:
    return grad * digamma(saved.self)


@unary("digamma", also="special.digamma")
@differentiable("DigammaBackward0", saves="self")
def digamma(self: Any) -> Any:
    at_zero = ops.neg(ops.reciprocal(self))  # -∞ from the right, ∞ from the left
    return ops.select(ops.equal(self, 0.0), at_zero, ops.digamma(self))


@digamma.backward
def digamma_backward(saved: Any, grad: Any) -> Any:
    return grad * _trigamma(saved.self)


@differentiable("PolygammaBackward0", saves="self")
def _trigamma(self: Any) -> Any:
    return ops.polygamma(1.0, self)


@_trigamma.backward
def _trigamma_backward(saved: Any, grad: Any) -> Any:
    return grad * of_value(ops.polygamma(2.0, saved.self.value))


def _step_function(name: str, node_name: str, forward: Any, *others: str) -> Any:
    """A function that is flat where it has a derivative."""
    function = differentiable(node_name)(forward)
    function.backward(lambda saved, grad: OPERATORS["zeros_like"](grad))
    unary(name, *others, whole=True)(function)
    return function


def _floor(self: Any) -> Any:
    return ops.floor(self) if self.dtype.startswith("float") else self


def _ceil(self: Any) -> Any:
    return ops.ceil(self) if self.dtype.startswith("float") else self


def _trunc(self: Any) -> Any:
    return ops.mul(ops.sign(self), ops.floor(ops.absolute(self))) if self.dtype.startswith("float") else self


floor = _step_function("floor", "FloorBackward0", _floor)
ceil = _step_function("ceil", "CeilBackward0", _ceil)
trunc = _step_function("trunc", "TruncBackward0", _trunc, "fix")


@differentiable("RoundBackward0")
def _round(self: Any) -> Any:
    return ops.rint(self) if self.dtype.startswith("float") else self


@differentiable("RoundBackward1")
def _round_to(self: Any, decimals: Any) -> Any:
    if not self.dtype.startswith("float"):
        return self
    return ops.divide(ops.rint(ops.mul(self, 10.0**decimals)), 10.0**decimals)


@_round.backward
@_round_to.backward
def _round_backward(saved: Any, grad: Any) -> Any:
    return OPERATORS["zeros_like"](grad)


@torch_function("round", method=True)
def round(input: Any, *, decimals: Any = None, out: Any = None) -> Any:
    """Rounded to the nearest whole number, halves to the even one, or to so many digits."""
    if input.dtype is BOOL:
        raise _no_kernel("round", input)
    return _round(input) if decimals is None else _round_to(input, decimals)


torch_function("round_", method="only")(in_place(round))


@unary("frac")
@differentiable("FracBackward0")
def frac(self: Any) -> Any:
    return ops.sub(self, ops.mul(ops.sign(self), ops.floor(ops.absolute(self))))


@frac.backward
def frac_backward(saved: Any, grad: Any) -> Any:
    return grad


@unary("deg2rad")
@differentiable("Deg2RadBackward0")
def deg2rad(self: Any) -> Any:
    return ops.mul(self, PI / 180)


@deg2rad.backward
def deg2rad_backward(saved: Any, grad: Any) -> Any:
    return grad * (PI / 180)


@unary("rad2deg")
@differentiable("Rad2DegBackward0")
def rad2deg(self: Any) -> Any:
    return ops.mul(self, 180 / PI)


@rad2deg.backward
def rad2deg_backward(saved: Any, grad: Any) -> Any:
    return grad * (180 / PI)
