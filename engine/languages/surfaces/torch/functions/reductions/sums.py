"""Sums, means and products: each forward, with PyTorch's name of its node, and backward."""

from __future__ import annotations

from math import prod as product
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import INT64, dtype_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.comparison import masked_fill
from engine.languages.surfaces.torch.functions.numbers import parted
from engine.languages.surfaces.torch.functions.operands import axes_of, axis_of, to_type
from engine.languages.surfaces.torch.functions.shaping import expand, reshape, to, unsqueeze
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor


def restored(grad: Tensor, rank: int, axes: Any, keepdim: Any) -> Tensor:
    """A gradient with the axes again that a reduction took away, each of length 1."""
    if keepdim or rank == 0:
        return grad
    for axis in sorted(axis % rank for axis in axes):
        grad = unsqueeze(grad, axis)
    return grad


def _all(value: Any) -> Any:
    return list(range(len(value.form.shape)))


@differentiable("SumBackward0", saves="self_sym_sizes")
def _sum(self: Any) -> Any:
    return ops.reduce_sum(self)


@_sum.backward
def _sum_backward(saved: Any, grad: Any) -> Any:
    return expand(grad, saved.self_sym_sizes)


@differentiable("SumBackward1", saves="self_sym_sizes dim keepdim")
def _sum_over(self: Any, dim: Any, keepdim: Any) -> Any:
    return ops.reduce_sum(self, axis=list(dim), keepdims=keepdim)


@_sum_over.backward
def _sum_over_backward(saved: Any, grad: Any) -> Any:
    size = saved.self_sym_sizes
    return expand(restored(grad, len(size), saved.dim, saved.keepdim), size)


@torch_function("sum", method=True, operator="sum")
def sum(
    input: Any, dim: Any = None, keepdim: Any = False, *, axis: Any = None, dtype: Any = None, out: Any = None
) -> Any:
    """The sum of all elements, or along some axes; of truth values and whole numbers in int64."""
    dim = axis if dim is None else dim
    wanted = dtype_of(dtype)
    if wanted is not None:
        input = to(input, wanted)
    elif not input.dtype.has_gradients:
        input = to_type(input, INT64)
    if dim is None and not keepdim:
        return _sum(input)
    return _sum_over(input, axes_of(dim, input.form.ndim), bool(keepdim))


@differentiable("NansumBackward0", saves="self dim keepdim")
def _nansum(self: Any, dim: Any, keepdim: Any) -> Any:
    clean = ops.select(ops.is_nan(self), ops.zeros_like(self), self)
    return ops.reduce_sum(clean, axis=list(dim), keepdims=keepdim)


@_nansum.backward
def _nansum_backward(saved: Any, grad: Any) -> Any:
    tensor = saved.self
    wide = expand(restored(grad, tensor.form.ndim, saved.dim, saved.keepdim), tensor.shape)
    return masked_fill(wide, OPERATORS["ne"](tensor, tensor), 0)


@torch_function("nansum", method=True)
def nansum(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The sum of the elements that are numbers."""
    if not input.dtype.is_floating:
        return sum(input, dim, keepdim, dtype=dtype)
    if dtype is not None:
        input = to(input, dtype_of(dtype))
    return _nansum(input, axes_of(dim, input.form.ndim), bool(keepdim))


@differentiable("MeanBackward0", saves="self_sym_sizes self_sym_numel")
def _mean(self: Any) -> Any:
    return ops.reduce_mean(self)


@_mean.backward
def _mean_backward(saved: Any, grad: Any) -> Any:
    return parted(expand(grad, saved.self_sym_sizes), saved.self_sym_numel)


@differentiable("MeanBackward1", saves="self_sym_sizes self_sym_numel dim keepdim")
def _mean_over(self: Any, dim: Any, keepdim: Any) -> Any:
    return ops.reduce_mean(self, axis=list(dim), keepdims=keepdim)


@_mean_over.backward
def _mean_over_backward(saved: Any, grad: Any) -> Any:
    size = saved.self_sym_sizes
    count = product(size[axis] for axis in saved.dim)
    return parted(expand(restored(grad, len(size), saved.dim, saved.keepdim), size), count)


@torch_function("mean", method=True)
def mean(
    input: Any, dim: Any = None, keepdim: Any = False, *, axis: Any = None, dtype: Any = None, out: Any = None
) -> Any:
    """The mean of all elements, or along some axes."""
    dim = axis if dim is None else dim
    wanted = dtype_of(dtype)
    input = input if wanted is None else to(input, wanted)
    if not input.dtype.has_gradients:
        raise torch_error(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex "
            "dtype. "
            f"Got: {input.dtype.scalar_name}",
            f"mean() 需要浮点张量，而这里是 {input.dtype.scalar_name}。",
            hint="Write x.float().mean().",
            hint_zh="请写 x.float().mean()。",
        )
    if dim is None and not keepdim:
        return _mean(input)
    return _mean_over(input, axes_of(dim, input.form.ndim), bool(keepdim))


@differentiable("ProdBackward0", saves="self result")
def _prod(self: Any) -> Any:
    return ops.reduce_prod(self)


@_prod.backward
def _prod_backward(saved: Any, grad: Any) -> Any:
    flat = saved.self
    if not np.any(flat.array == 0):
        return grad * (saved.result / flat)
    return grad * reshape(_products_of_others(reshape(flat, (-1,)), 0), flat.shape)


def _products_of_others(tensor: Any, axis: Any) -> Any:
    """For each element the product of all others along an axis."""
    length, parts = tensor.shape[axis], OPERATORS["iter_dim"](tensor, axis)
    found = []
    for place in range(length):
        others = [one for at, one in enumerate(parts) if at != place]
        value = others[0] if others else parts[0] * 0 + 1
        for one in others[1:]:
            value = value * one
        found.append(value)
    return OPERATORS["stack"](found, axis)


@differentiable("ProdBackward1", saves="self result dim keepdim")
def _prod_over(self: Any, dim: Any, keepdim: Any) -> Any:
    return ops.reduce_prod(self, axis=[dim], keepdims=keepdim)


@_prod_over.backward
def _prod_over_backward(saved: Any, grad: Any) -> Any:
    tensor = saved.self
    rank = tensor.form.ndim
    grad = restored(grad, rank, [saved.dim], saved.keepdim)
    if np.any(tensor.array == 0):
        return grad * _products_of_others(tensor, saved.dim)
    return grad * (restored(saved.result, rank, [saved.dim], saved.keepdim) / tensor)


@torch_function("prod", method=True)
def prod(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The product of all elements, or along an axis."""
    wanted = dtype_of(dtype)
    if wanted is not None:
        input = to(input, wanted)
    elif not input.dtype.has_gradients:
        input = to_type(input, INT64)
    if dim is None:
        return _prod(input)
    return _prod_over(input, axis_of(dim, input.form.ndim), bool(keepdim))
