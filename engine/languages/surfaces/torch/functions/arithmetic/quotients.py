"""Quotients, and what a division leaves: `torch.div`, `torch.floor_divide`, `torch.remainder`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import not_differentiable, torch_error
from engine.languages.surfaces.torch.functions.arithmetic.products import mul, reciprocal
from engine.languages.surfaces.torch.functions.operands import alike
from engine.languages.surfaces.torch.functions.untracked import with_short_way
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor


@differentiable("DivBackward0", saves="self:other other", inputs="self other")
def _div(self: Any, other: Any) -> Any:
    return ops.divide(self, other)


@_div.backward
def _div_backward(saved: Any, grad: Any) -> Any:
    return lambda: grad / saved.other, lambda: -grad * ((saved.self / saved.other) / saved.other)


@differentiable("DivBackward2", saves="self other rounding_mode", inputs="self other")
def _div_rounded(self: Any, other: Any, rounding_mode: Any) -> Any:
    return _floored(self, other) if rounding_mode == "floor" else _truncated(ops.divide(self, other))


@_div_rounded.backward
def _div_rounded_backward(saved: Any, grad: Any) -> Any:
    return lambda: OPERATORS["zeros_like"](grad), lambda: OPERATORS["zeros_like"](grad)


def _floored(a: Any, b: Any) -> Any:
    """How often b goes into a, by what is left over: (a - a mod b) / b, whose rounding error is taken away.

    1.0 // 0.1 is 9, as 0.1 is a little more than a tenth.
    """
    often: Any = ops.rint(ops.divide(ops.sub(a, ops.floor_mod(a, b)), b))
    shape, divisor = often.form.shape, np.asarray(getattr(b, "array", b))
    if not divisor.all():
        by_zero = np.broadcast_to(divisor == 0, shape)
        often = ops.select(by_zero, _spread(ops.divide(a, b), shape), often)
    if not np.isinf(divisor).any():
        return often
    half = ops.mul(ops.mul(ops.sign(a), ops.sign(b)), divisor.dtype.type(0.5))
    endless = ops.logical_and(np.broadcast_to(np.isinf(divisor), shape), _spread(ops.is_finite(a), shape))
    return ops.select(endless, _spread(ops.floor(half), shape), often)


def _spread(value: Any, shape: Any) -> Any:
    return value if value.form.shape == tuple(shape) else ops.broadcast_to(value, list(shape))


def _truncated(value: Any) -> Any:
    return ops.mul(ops.sign(value), ops.floor(ops.absolute(value)))


@torch_function("div", "divide", "true_divide", method=True, operator="truediv")
@with_short_way(ops.divide, numbers_first=False)
def div(input: Any, other: Any, *, rounding_mode: Any = None, out: Any = None) -> Any:
    """input / other, element by element; whole numbers become floats."""
    if rounding_mode is not None:
        return _rounded_quotient(input, other, rounding_mode)
    if not isinstance(input, Tensor):
        return mul(reciprocal(other), input)
    a, b = alike("div", input, other, floating=True)
    return _div(a, b)


def _rounded_quotient(input: Any, other: Any, mode: str) -> Any:
    a, b = alike("div", input, other)
    if a.dtype.is_floating:
        return _div_rounded(a, b, rounding_mode=mode)
    _check_divisor(b)
    return floor_divide(a, b) if mode == "floor" else _whole_quotient(a, b)


def _check_divisor(other: Tensor) -> None:
    if not np.all(other.array):
        raise torch_error("ZeroDivisionError", "除数为零。", code="division_by_zero")


@differentiable("NotImplemented", inputs="self other")
def _whole_quotient(self: Any, other: Any) -> Any:
    return ops.truncate_div(self, other)


@differentiable("FloorDivideBackward0", inputs="self other")
def _floor_divide(self: Any, other: Any) -> Any:
    return ops.floordiv(self, other) if np.dtype(self.dtype).kind in "iub" else _floored(self, other)


@_floor_divide.backward
def _floor_divide_backward(saved: Any, grad: Any) -> Any:
    raise not_differentiable("aten::floor_divide")


_floor_divide.node_name = "NotImplemented"


@torch_function("floor_divide", method=True, operator="floordiv")
def floor_divide(input: Any, other: Any, *, out: Any = None) -> Any:
    """The whole quotient, rounded down."""
    a, b = alike("floor_divide", input, other)
    if not a.dtype.is_floating:
        _check_divisor(b)
    return _floor_divide(a, b)


@differentiable("RemainderBackward1", saves="self:other other", inputs="self other")
def _remainder(self: Any, other: Any) -> Any:
    return _rest_of(self, other)


def _rest_of(a: Any, b: Any) -> Any:
    """a - b ⌊a / b⌋."""
    return _zeros_signed(ops.floor_mod(a, b), a)


def _zeros_signed(rest: Any, a: Any) -> Any:
    """Where nothing of a is left, a zero with the sign of a, as in C."""
    if np.dtype(a.dtype).kind != "f":
        return rest
    zero = ops.zeros_like(rest)
    return ops.select(ops.equal(rest, zero), ops.mul(zero, a), rest)


@_remainder.backward
def _remainder_backward(saved: Any, grad: Any) -> Any:
    return grad, lambda: -grad * div(saved.self, saved.other, rounding_mode="floor")


@differentiable("RemainderBackward0")
def _remainder_of_number(self: Any, other: Any) -> Any:
    return _rest_of(self, other)


@_remainder_of_number.backward
def _remainder_of_number_backward(saved: Any, grad: Any) -> Any:
    return grad


@differentiable("NotImplemented", inputs="self other")
def _remainder_from_number(self: Any, other: Any) -> Any:
    return _rest_of(self, other)


@_remainder_from_number.backward
def _remainder_from_number_backward(saved: Any, grad: Any) -> Any:
    raise not_differentiable("aten::remainder")


@torch_function("remainder", method=True, operator="mod")
def remainder(input: Any, other: Any, *, out: Any = None) -> Any:
    """What is left of a division, with the sign of the divisor."""
    a, b = alike("remainder", input, other)
    if not a.dtype.is_floating:
        _check_divisor(b)
    if b.wrapped:
        return _remainder_of_number(a, b.operand)
    return _remainder_from_number(a, b) if a.wrapped else _remainder(a, b)


def _rest_truncated(a: Any, b: Any) -> Any:
    """sign(a) (|a| mod |b|), which no rounding of a / b disturbs."""
    rest = ops.floor_mod(ops.absolute(a), ops.absolute(b))
    return _zeros_signed(ops.mul(ops.sign(a), rest), a)


@differentiable("FmodBackward0")
def _fmod_of_number(self: Any, other: Any) -> Any:
    return _rest_truncated(self, other)


@_fmod_of_number.backward
def _fmod_of_number_backward(saved: Any, grad: Any) -> Any:
    return grad


@differentiable("FmodBackward1", saves="self:other other", inputs="self other")
def _fmod(self: Any, other: Any) -> Any:
    return _rest_truncated(self, other)


@_fmod.backward
def _fmod_backward(saved: Any, grad: Any) -> Any:
    return grad, lambda: -grad * div(saved.self, saved.other, rounding_mode="trunc")


@torch_function("fmod", method=True)
def fmod(input: Any, other: Any, *, out: Any = None) -> Any:
    """What is left of a division, with the sign of the dividend."""
    a, b = alike("fmod", input, other)
    if not a.dtype.is_floating:
        return a - _whole_quotient(a, b) * b
    return _fmod_of_number(a, b.operand) if b.wrapped else _fmod(a, b)
