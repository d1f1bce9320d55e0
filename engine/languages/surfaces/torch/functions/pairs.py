"""Functions of two numbers, applied to every two elements, and a few of one that need a case apart."""

from __future__ import annotations

import math
from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.functions.comparison import where
from engine.languages.surfaces.torch.functions.elementwise.exponentials import exp
from engine.languages.surfaces.torch.functions.elementwise.trigonometry import cos, sin
from engine.languages.surfaces.torch.functions.elementwise.unary import unary
from engine.languages.surfaces.torch.functions.numbers import less_than
from engine.languages.surfaces.torch.functions.operands import alike, as_floats
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, of_scalar


@differentiable("Atan2Backward0", saves="self other", inputs="self other")
def _atan2(self: Any, other: Any) -> Any:
    return ops.atan2(self, other)


@_atan2.backward
def _atan2_backward(saved: Any, grad: Any) -> Any:
    square = saved.self * saved.self + saved.other * saved.other
    inverse = where(OPERATORS["eq"](square, 0), square, 1 / square)  # 0 at the origin, as PyTorch
    return lambda: grad * saved.other * inverse, lambda: grad * -saved.self * inverse


@torch_function("atan2", "arctan2", method=True)
def atan2(input: Any, other: Any, *, out: Any = None) -> Any:
    """The angle of the point (other, input)."""
    return _atan2(*alike("atan2", input, other, floating=True))


@differentiable("HypotBackward0", saves="self other result", inputs="self other")
def _hypot(self: Any, other: Any) -> Any:
    return ops.sqrt(ops.add(ops.square(self), ops.square(other)))


@_hypot.backward
def _hypot_backward(saved: Any, grad: Any) -> Any:
    return lambda: grad * (saved.self / saved.result), lambda: grad * (saved.other / saved.result)


@torch_function("hypot", method=True)
def hypot(input: Any, other: Any, *, out: Any = None) -> Any:
    """The length of the vector (input, other)."""
    return _hypot(*alike("hypot", input, other))


@differentiable("LogaddexpBackward0", saves="self other", inputs="self other")
def _logaddexp(self: Any, other: Any) -> Any:
    largest = ops.maximum(self, other)
    return ops.add(largest, ops.log1p(ops.exp(ops.neg(ops.absolute(ops.sub(self, other))))))


@_logaddexp.backward
def _logaddexp_backward(saved: Any, grad: Any) -> Any:
    return (
        lambda: grad / (1 + exp(saved.other - saved.self)),
        lambda: grad / (1 + exp(saved.self - saved.other)),
    )


@torch_function("logaddexp", method=True)
def logaddexp(input: Any, other: Any, *, out: Any = None) -> Any:
    """log(exp(input) + exp(other))."""
    return _logaddexp(*alike("logaddexp", input, other))


@differentiable("LogitBackward0", saves="self eps")
def _logit(self: Any, eps: Any = None) -> Any:
    if eps is not None:
        self = ops.minimum(ops.maximum(self, eps), 1 - eps)
    return ops.log(ops.divide(self, ops.sub(1.0, self)))


@_logit.backward
def _logit_backward(saved: Any, grad: Any) -> Any:
    passed = grad / (saved.self * less_than(1, saved.self))
    least, elsewhere = (0, math.nan) if saved.eps is None else (saved.eps, 0)
    outside = OPERATORS["or"](OPERATORS["lt"](saved.self, least), OPERATORS["gt"](saved.self, 1 - least))
    return where(OPERATORS["invert"](outside), passed, of_scalar(elsewhere, grad.dtype))


@torch_function("logit", "special.logit", method=True)
def logit(input: Any, eps: Any = None, *, out: Any = None) -> Any:
    """log(input / (1 - input))."""
    return _logit(as_floats(input), eps=eps)


@differentiable("XlogyBackward0", saves="self other", inputs="self other")
def _xlogy(self: Any, other: Any) -> Any:
    nan_or_1 = ops.select(ops.is_nan(other), other, ops.ones_like(other))
    return ops.mul(ops.xlogy(self, other), nan_or_1)  # 0 log nan is nan, too


@_xlogy.backward
def _xlogy_backward(saved: Any, grad: Any) -> Any:
    def of_first() -> Any:
        is_zero = OPERATORS["and"](OPERATORS["eq"](saved.self, 0), OPERATORS["le"](saved.other, 0))
        return where(is_zero, of_scalar(0, grad.dtype), _xlogy(grad, saved.other))

    return of_first, lambda: grad * (saved.self / saved.other)


@torch_function("xlogy", "special.xlogy", method=True)
def xlogy(input: Any, other: Any, *, out: Any = None) -> Any:
    """input * log(other), 0 where input is 0."""
    return _xlogy(*alike("xlogy", input, other, floating=True))


@unary("sinc")
@differentiable("SincBackward0", saves="self")
def sinc(self: Any) -> Any:
    scaled = ops.mul(self, math.pi)
    ones = ops.ones_like(self)
    is_zero = ops.equal(self, 0.0)
    return ops.select(is_zero, ones, ops.divide(ops.sin(scaled), ops.select(is_zero, ones, scaled)))


@sinc.backward
def sinc_backward(saved: Any, grad: Any) -> Any:
    angle = saved.self * math.pi
    slope = grad * ((angle * cos(angle) - sin(angle)) / (angle * saved.self))
    return where(OPERATORS["eq"](saved.self, 0), of_scalar(0, grad.dtype), slope)
