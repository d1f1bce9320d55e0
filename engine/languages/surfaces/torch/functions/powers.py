"""Powers: with a number or a tensor as exponent, each a function of its own, as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.dtypes import BFLOAT16, DTYPES
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.comparison import where, zeros_like_value
from engine.languages.surfaces.torch.functions.elementwise.exponentials import log
from engine.languages.surfaces.torch.functions.numbers import less_by, scaled
from engine.languages.surfaces.torch.functions.operands import (
    alike,
    as_tensor,
    is_plain_float,
    plain,
    to_type,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers


@differentiable("PowBackward0", saves="self exponent")
def _pow_number(self: Any, exponent: Any) -> Any:
    if exponent == 2:
        return ops.square(self)
    return ops.power(self, np.asarray(exponent, dtype=_name(self)))


@_pow_number.backward
def _pow_number_backward(saved: Any, grad: Any) -> Any:
    exponent = saved.exponent
    if exponent == 0:
        return OPERATORS["zeros_like"](grad)
    return grad * scaled(saved.self.__pow__(exponent - 1), exponent)


@differentiable("PowBackward1", saves="self exponent result", inputs="self exponent")
def _pow(self: Any, exponent: Any) -> Any:
    return ops.power(self, exponent)


@_pow.backward
def _pow_backward(saved: Any, grad: Any) -> Any:
    def of_base() -> Any:
        power = grad * (saved.exponent * saved.self.__pow__(less_by(saved.exponent, 1)))
        return where(OPERATORS["eq"](saved.exponent, 0), zeros_like_value(power), power)

    def of_exponent() -> Any:
        is_flat = OPERATORS["and"](OPERATORS["eq"](saved.self, 0), _not_below_zero(saved.exponent))
        power = saved.result * log(saved.self)
        return grad * where(is_flat, zeros_like_value(power), power)

    return of_base, of_exponent


def _not_below_zero(exponent: Any) -> Any:
    """Which exponents are real numbers from 0 on."""
    if not exponent.dtype.is_complex:
        return OPERATORS["ge"](exponent, 0)
    x, y = OPERATORS["real"](exponent), OPERATORS["imag"](exponent)
    return OPERATORS["and"](OPERATORS["eq"](y, 0), OPERATORS["ge"](x, 0))


@differentiable("PowBackward2", saves="exponent result", inputs="exponent")
def _pow_of_number(exponent: Any, self: Any) -> Any:
    return ops.power(self, exponent)


_pow_of_number.shown = ("exponent", "result", "self")


@_pow_of_number.backward
def _pow_of_number_backward(saved: Any, grad: Any) -> Any:
    base = saved._node.metadata["base"]
    if base == 0:
        power = grad * saved.result * float("-inf")
        return where(_not_below_zero(saved.exponent), zeros_like_value(grad), power)
    if saved.exponent.dtype.is_complex:
        return grad * scaled(saved.result, np.log(complex(base).conjugate()))
    return grad * scaled(saved.result, float(np.log(base)))


@torch_function("pow", method=True, operator="pow")
def pow(input: Any, exponent: Any, *, out: Any = None) -> Any:
    """input ** exponent, element by element."""
    if not isinstance(input, Tensor):
        (power,) = [exponent]
        a, b = alike("pow", input, power)
        if _has_parts_of_one(b):
            return of_numbers(_whole_powers(a.array, b.array))
        made = _pow_of_number(b, a.operand)
        if made.node is not None:
            base = plain(input)
            made.node.metadata["base"] = base if isinstance(base, complex) else float(base)
        return made
    if not isinstance(exponent, Tensor):
        if type(exponent) in (float, int) and is_plain_float(input):
            return _pow_number(input, exponent=exponent)
        number = plain(exponent)
        if not input.dtype.has_gradients and isinstance(number, int) and number < 0:
            raise torch_error(
                "Integers to negative integer powers are not allowed.", "整数不能取负整数次幂。"
            )
        base, power = alike("pow", input, exponent)
        return _pow_number(base, exponent=plain(power) if base.dtype is BFLOAT16 else number)
    a, b = alike("pow", input, exponent)
    if _has_parts_of_one(b):
        return of_numbers(_whole_powers(a.array, b.array))
    return _pow(a, b)


def _has_parts_of_one(exponent: Tensor) -> bool:
    """Whether an exponent of whole numbers has a negative one."""
    return exponent.form.dtype.kind == "i" and bool((exponent.array < 0).any())


def _whole_powers(base: Any, exponent: Any) -> Any:
    """Powers of whole numbers; a negative one is 0 but for 1 and -1."""
    found = np.power(base, np.maximum(exponent, 0))
    below = np.where(base == 1, 1, np.where(base == -1, 1 - 2 * (exponent % 2), 0))
    return np.where(exponent < 0, below, found).astype(found.dtype)


@torch_function("square", method=True)
def square(input: Any, *, out: Any = None) -> Any:
    """input ** 2."""
    return pow(input, 2)


@torch_function("float_power", method=True)
def float_power(input: Any, exponent: Any) -> Any:
    """The power in float64."""
    double = DTYPES["float64"]
    power = to_type(exponent, double) if isinstance(exponent, Tensor) else exponent
    return pow(to_type(as_tensor(input), double), power)


def _name(value: Any) -> str:
    return str(value.dtype)


for _name_of, _function in {"pow": pow, "square": square}.items():
    torch_function(f"{_name_of}_", method="only")(in_place(_function))
