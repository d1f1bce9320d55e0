"""Signs and absolute values: `torch.neg`, `torch.abs`, `torch.sign`."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.dtypes import BOOL
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.arithmetic.products import mul, reciprocal
from engine.languages.surfaces.torch.functions.arithmetic.quotients import div, floor_divide, fmod, remainder
from engine.languages.surfaces.torch.functions.arithmetic.sums import add, sub
from engine.languages.surfaces.torch.functions.operands import has_nan
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS


@differentiable("NegBackward0")
def _neg(self: Any) -> Any:
    return ops.neg(self)


@_neg.backward
def _neg_backward(saved: Any, grad: Any) -> Any:
    return -grad


@torch_function("neg", "negative", method=True, operator="neg")
def neg(input: Any, *, out: Any = None) -> Any:
    """-input."""
    if input.dtype is BOOL:
        raise torch_error(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
            "mask, "
            "use the `~` or `logical_not()` operator instead.",
            "不能对 bool 张量取负，请使用 `~`。",
            kind="NotImplementedError",
        )
    return _neg(input)


@torch_function("positive", method=True, operator="pos")
def positive(input: Any) -> Any:
    """input itself."""
    return input


@differentiable("AbsBackward0", saves="self")
def _abs(self: Any) -> Any:
    return ops.absolute(self)


@_abs.backward
def _abs_backward(saved: Any, grad: Any) -> Any:
    return grad * sgn(saved.self)  # 0 at 0


@torch_function("abs", "absolute", method=True, operator="abs")
def absolute(input: Any, *, out: Any = None) -> Any:
    """The distance from zero."""
    return OPERATORS["distance"](input) if input.dtype.is_complex else _abs(input)


@differentiable("SignBackward0")
def _sign(self: Any) -> Any:
    return _sign_of(self)


def _sign_of(value: Any) -> Any:
    """1, 0 or -1, and 0 of nan."""
    found = ops.sign(value)
    return ops.select(ops.is_nan(value), ops.zeros_like(found), found) if has_nan(value) else found


@differentiable("SgnBackward0", saves="self result")
def _sgn(self: Any) -> Any:
    return _sign_of(self)


@_sign.backward
def _sign_backward(saved: Any, grad: Any) -> Any:
    return OPERATORS["zeros_like"](grad)


@_sgn.backward
def _sgn_backward(saved: Any, grad: Any) -> Any:
    return OPERATORS["zeros_like"](grad)


@torch_function("sign", method=True)
def sign(input: Any, *, out: Any = None) -> Any:
    """-1, 0 or 1; truth values as they are."""
    return OPERATORS["clone"](input) if input.dtype.name == "bool" else _sign(input)


@torch_function("sgn", method=True)
def sgn(input: Any, *, out: Any = None) -> Any:
    """-1, 0 or 1; of complex numbers z / |z|."""
    return OPERATORS["sign_of"](input) if input.dtype.is_complex else _sgn(input)


for _name_of, _function in {
    "add": add,
    "sub": sub,
    "mul": mul,
    "div": div,
    "neg": neg,
    "abs": absolute,
    "remainder": remainder,
    "floor_divide": floor_divide,
    "reciprocal": reciprocal,
    "sign": sign,
    "fmod": fmod,
    "subtract": sub,
    "multiply": mul,
    "divide": div,
    "true_divide": div,
}.items():
    torch_function(f"{_name_of}_", method="only")(in_place(_function))
