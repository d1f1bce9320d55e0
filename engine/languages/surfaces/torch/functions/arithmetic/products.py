"""Products and reciprocals: `torch.mul`, `torch.reciprocal`, `a * b`."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import BOOL
from engine.languages.surfaces.torch.functions.operands import alike, as_floats, as_tensor
from engine.languages.surfaces.torch.functions.untracked import with_short_way
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS


@differentiable("MulBackward0", saves="self:other other:self", inputs="self other")
def _mul(self: Any, other: Any) -> Any:
    return ops.mul(self, other)


@_mul.backward
def _mul_backward(saved: Any, grad: Any) -> Any:
    return lambda: grad * saved.other, lambda: grad * saved.self


@torch_function("mul", "multiply", method=True, operator="mul")
@with_short_way(ops.mul)
def mul(input: Any, other: Any, *, out: Any = None) -> Any:
    """input * other, element by element, broadcast."""
    a, b = alike("mul", input, other)
    if a.dtype is BOOL:
        return OPERATORS["and"](a, b)
    return _mul(a, b)


@differentiable("ReciprocalBackward0", saves="result")
def _reciprocal(self: Any) -> Any:
    return ops.reciprocal(self)


@_reciprocal.backward
def _reciprocal_backward(saved: Any, grad: Any) -> Any:
    return -grad * (saved.result * saved.result)


@torch_function("reciprocal", method=True)
def reciprocal(input: Any, *, out: Any = None) -> Any:
    """1 / input."""
    return _reciprocal(as_floats(as_tensor(input)))
