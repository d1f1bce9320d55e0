"""Logarithms of sums, and sums and products so far."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import BOOL, INT64, dtype_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.elementwise.exponentials import exp
from engine.languages.surfaces.torch.functions.operands import as_floats, axes_of, axis_of, to_type
from engine.languages.surfaces.torch.functions.reductions.sums import restored
from engine.languages.surfaces.torch.functions.shaping import to
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import whole
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers


@differentiable("LogsumexpBackward0", saves="self result dim keepdim")
def _logsumexp(self: Any, dim: Any, keepdim: Any) -> Any:
    return ops.reduce_logsumexp(self, axis=list(dim), keepdims=keepdim)


@_logsumexp.backward
def _logsumexp_backward(saved: Any, grad: Any) -> Any:
    rank = saved.self.form.ndim
    grad = restored(grad, rank, saved.dim, saved.keepdim)
    return grad * exp(saved.self - restored(saved.result, rank, saved.dim, saved.keepdim))


@torch_function("logsumexp", "special.logsumexp", method=True)
def logsumexp(input: Any, dim: Any, keepdim: Any = False, *, out: Any = None) -> Any:
    """log of the sum of exp along axes."""
    return _logsumexp(as_floats(input), axes_of(dim, input.form.ndim), bool(keepdim))


@differentiable("CumsumBackward0", saves="dim")
def _cumsum(self: Any, dim: Any) -> Any:
    return ops.cumsum(self, axis=dim)


@_cumsum.backward
def _cumsum_backward(saved: Any, grad: Any) -> Any:
    return _reversed_sums(grad, saved.dim)


def _reversed_sums(tensor: Any, dim: Any) -> Any:
    flipped = OPERATORS["flip"](tensor, (dim,))
    return OPERATORS["flip"](cumsum(flipped, dim), (dim,))


@torch_function("cumsum", method=True)
def cumsum(input: Any, dim: Any, *, dtype: Any = None, out: Any = None) -> Any:
    """The sums so far along an axis."""
    wanted = dtype_of(dtype)
    input = to(input, wanted) if wanted else input if input.dtype.has_gradients else to_type(input, INT64)
    return _cumsum(input, axis_of(dim, input.form.ndim)) if input.form.ndim else input * 1


@differentiable("CumprodBackward0", saves="self result dim")
def _cumprod(self: Any, dim: Any) -> Any:
    return ops.cumprod(self, axis=dim)


@_cumprod.backward
def _cumprod_backward(saved: Any, grad: Any) -> Any:
    tensor, dim = saved.self, saved.dim
    if not np.any(tensor.array == 0):
        return _reversed_sums(saved.result * grad, dim) / tensor
    parts, upstream = OPERATORS["iter_dim"](tensor, dim), OPERATORS["iter_dim"](grad, dim)
    found = []
    for place in range(len(parts)):
        before = parts[0] * 0 + 1
        for one in parts[:place]:
            before = before * one
        total, running = upstream[place] * before, before
        for after in range(place + 1, len(parts)):
            running = running * parts[after]
            total = total + upstream[after] * running
        found.append(total)
    return OPERATORS["stack"](found, dim)


@torch_function("cumprod", method=True)
def cumprod(input: Any, dim: Any, *, dtype: Any = None, out: Any = None) -> Any:
    """The products so far along an axis."""
    wanted = dtype_of(dtype)
    input = to(input, wanted) if wanted else input if input.dtype.has_gradients else to_type(input, INT64)
    return _cumprod(input, axis_of(dim, input.form.ndim))


@differentiable("LogcumsumexpBackward0", saves="self result dim")
def _logcumsumexp(self: Any, dim: Any) -> Any:
    """y_0 = x_0, y_i = log(e^y_(i-1) + e^x_i) = m + log(1 + e^-|y_(i-1) - x_i|), m the larger of the two."""
    first, *rest = ops.unstack(self, self.form.shape[dim], dim)
    found = [first]
    for x in rest:
        y = found[-1]
        m, away = ops.maximum(y, x), ops.absolute(ops.sub(y, x))
        away = ops.select(ops.equal(y, x), ops.zeros_like(away), away)  # of infinities, too
        found.append(ops.add(m, ops.log1p(ops.exp(ops.neg(away)))))
    return ops.stack(found, axis=dim)


@_logcumsumexp.backward
def _logcumsumexp_backward(saved: Any, grad: Any) -> Any:
    """x̄_j = sum over i >= j of ȳ_i e^(x_j - y_i), of which no power is above 1."""
    x, y, g = (OPERATORS["movedim"](one, saved.dim, -1) for one in (saved.self, saved.result, grad))
    later = np.triu(np.ones((x.form.shape[-1],) * 2, dtype=bool))  # (j, i)
    differences = OPERATORS["unsqueeze"](x, -1) - OPERATORS["unsqueeze"](y, -2)
    powers = exp(OPERATORS["masked_fill"](differences, of_numbers(~later), -np.inf))
    return OPERATORS["movedim"](OPERATORS["sum"](OPERATORS["unsqueeze"](g, -2) * powers, -1), -1, saved.dim)


@torch_function("logcumsumexp", method=True)
def logcumsumexp(input: Any, dim: Any, *, out: Any = None) -> Any:
    """log of the sums of exp so far."""
    return _logcumsumexp(input, axis_of(dim, input.form.ndim)) if input.form.ndim else input * 1


@torch_function("diff", method=True)
def diff(
    input: Any, n: Any = 1, dim: Any = -1, prepend: Any = None, append: Any = None, *, out: Any = None
) -> Any:
    """The differences of neighbours along an axis, of what stands before and after the tensor, too."""
    if input.form.ndim == 0:
        raise torch_error("diff expects input to be at least one-dimensional", "diff 至少需要一维。")
    if whole(n) < 0:
        raise torch_error(f"order must be non-negative but got {n}", "diff 的阶数不能为负。")
    axis = axis_of(dim, input.form.ndim)
    joined = [one for one in (prepend, input, append) if one is not None]
    found = OPERATORS["cat"](joined, axis) if len(joined) > 1 else input
    apart = OPERATORS["logical_xor"] if found.dtype is BOOL else OPERATORS["sub"]
    narrow = OPERATORS["narrow"]
    for _ in range(min(whole(n), found.shape[axis])):
        length = found.shape[axis]
        found = apart(narrow(found, axis, 1, length - 1), narrow(found, axis, 0, length - 1))
    return found
