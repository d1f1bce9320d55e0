"""Sums and differences: `torch.add`, `torch.sub`, `a + b`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.engine import FITTING
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import change
from engine.languages.surfaces.torch.dtypes import BOOL
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import alike, check_no_truths, plain
from engine.languages.surfaces.torch.functions.untracked import with_short_way
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor
from engine.ops.base.tensors import FLOATS


@differentiable("AddBackward0", saves="alpha", inputs="self other")
def _add(self: Any, other: Any, alpha: Any = 1) -> Any:
    return ops.add(self, other) if alpha == 1 else times_plus(other, alpha, self)


@_add.backward
def _add_backward(saved: Any, grad: Any) -> Any:
    return grad, lambda: grad if saved.alpha == 1 else grad * saved.alpha


@differentiable("SubBackward0", saves="alpha", inputs="self other")
def _sub(self: Any, other: Any, alpha: Any = 1) -> Any:
    return ops.sub(self, other) if alpha == 1 else times_plus(other, -alpha, self)


@_sub.backward
def _sub_backward(saved: Any, grad: Any) -> Any:
    return grad, lambda: -grad if saved.alpha == 1 else -grad * saved.alpha


@differentiable("RsubBackward1", saves="alpha")
def _rsub(self: Any, other: Any, alpha: Any = 1) -> Any:
    return ops.sub(other, self)


@_rsub.backward
def _rsub_backward(saved: Any, grad: Any) -> Any:
    return lambda: -grad


def times_plus(a: Any, b: Any, c: Any) -> Any:
    """a b + c, of floats with one rounding as PyTorch's kernels have it. b may be a number of the program."""
    kind = type_name(a)
    b = np.asarray(b, dtype=kind) if isinstance(b, (int, float, complex)) else b
    return ops.multiply_add(a, b, c) if kind in FLOATS else ops.add(c, ops.mul(a, b))


def type_name(value: Any) -> Any:
    """The name of a value's element type."""
    dtype = value.dtype
    return dtype if isinstance(dtype, str) else dtype.name


@torch_function("add", method=True, operator="add")
@with_short_way(ops.add)
def add(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    """input + alpha * other, element by element, broadcast."""
    a, b = alike("add", input, other)
    _check_factor(a, alpha)
    if a.dtype is BOOL:
        return OPERATORS["or"](a, b)
    return _add(a, b, alpha=plain(alpha))


def _check_factor(tensor: Tensor, alpha: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where whole numbers are to be taken half a time."""
    if isinstance(alpha, float) and not tensor.dtype.has_gradients:
        raise torch_error(
            "For integral input tensors, argument alpha must not be a floating point number.",
            "整数张量的 alpha 不能是小数。",
        )


FITTING["add_"] = lambda tensor, other: change(tensor, add(tensor, other))


@torch_function("sub", "subtract", method=True, operator="sub")
@with_short_way(ops.sub)
def sub(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    """input - alpha * other, element by element, broadcast."""
    if isinstance(other, Tensor) and not isinstance(input, Tensor):
        return rsub(other, input)
    check_no_truths(input, other)
    a, b = alike("sub", input, other)
    _check_factor(a, alpha)
    return _sub(a, b, alpha=plain(alpha))


@torch_function("rsub")
@takes_only(alpha=(1,))
def rsub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """other - input, for a number on the left."""
    check_no_truths(input, other)
    a, b = alike("rsub", input, other)
    return _rsub(a, b.operand)
