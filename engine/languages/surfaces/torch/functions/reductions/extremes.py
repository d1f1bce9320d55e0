"""The largest and the smallest: of all elements, along axes, and where they stand."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import BOOL, DTYPES
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.comparison import masked_fill, zeros_like_value
from engine.languages.surfaces.torch.functions.operands import axes_of, axis_of, has_nan
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.reductions.sums import restored, sum
from engine.languages.surfaces.torch.functions.shaping import to, unsqueeze
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_value
from engine.ops.arrays.ordering import argmax_op, argmin_op


def where_found(tensor: Any, result: Any) -> Any:
    """Whether each element is the number that was found: the same, or nan as well."""
    return OPERATORS["isnan"](tensor) if has_nan(result) else OPERATORS["eq"](tensor, result)


def spread_evenly(saved: Any, grad: Any) -> Any:
    """Of several elements that are the result each gets its share of what comes back, the others nothing."""
    mask = where_found(saved.self, saved.result)
    return masked_fill(zeros_like_value(saved.self), mask, grad / sum(mask))


def _shared(name: Any, op: Any) -> Any:
    """The largest or smallest of all: where several are, each gets its share of what comes back."""

    @differentiable(name, saves="self result")
    def function(self: Any) -> Any:
        return op(self)

    @function.backward
    def backward(saved: Any, grad: Any) -> Any:
        return spread_evenly(saved, grad)

    return function


_max = _shared("MaxBackward1", ops.reduce_max)


_min = _shared("MinBackward1", ops.reduce_min)


def _along(name: Any, reduce: Any, search: Any) -> Any:
    """The largest or smallest along an axis, and where it stands: that place gets all of what comes back."""

    @differentiable(name, saves="self_sym_sizes indices dim keepdim", outputs="values (indices)")
    def function(self: Any, dim: Any, keepdim: Any) -> Any:
        found = ops.cast(search(self, dim), "int64")
        values = reduce(self, axis=[dim], keepdims=keepdim)
        return values, ops.expand_dims(found, dim) if keepdim else found

    @function.backward
    def backward(saved: Any, grad: Any, _: Any) -> Any:
        return value_selecting_backward(grad, saved.dim, saved.indices, saved.self_sym_sizes, saved.keepdim)

    return function


def value_selecting_backward(grad: Any, dim: Any, indices: Any, size: Any, keepdim: Any) -> Any:
    """A gradient put back to where the values were taken from."""
    if not keepdim and size:
        grad, indices = unsqueeze(grad, dim), unsqueeze(indices, dim)
    return OPERATORS["scatter_into_zeros"](grad, size, dim, indices)


def _place_of_largest(value: Any, axis: int) -> Any:
    """Where the largest stands, or the first nan."""
    return argmax_op(value, axis, nan_first=True)


def _place_of_smallest(value: Any, axis: int) -> Any:
    return argmin_op(value, axis, nan_first=True)


_max_along = _along("MaxBackward0", ops.reduce_max, _place_of_largest)


_min_along = _along("MinBackward0", ops.reduce_min, _place_of_smallest)


def _extreme(name: Any, whole: Any, along: Any, two: Any) -> Any:
    def call(input: Any, dim: Any = None, keepdim: Any = False, *, other: Any = None, out: Any = None) -> Any:
        if isinstance(dim, Tensor) or other is not None:
            return two(input, dim if other is None else other)
        if dim is None:
            _check_filled(input, name)
            if input.dtype is BOOL:
                return to(whole(to(input, DTYPES["uint8"])), BOOL)
            return whole(input)
        axis = axis_of(dim, input.form.ndim)
        if input.form.ndim == 0:
            return named_result(name, input, of_value(ops.zeros([], dtype="int64")))
        _check_axis(input, axis, name)
        if input.dtype is BOOL:
            values, places = along(to(input, DTYPES["uint8"]), axis, bool(keepdim))
            return named_result(name, to(values, BOOL), places)
        return named_result(name, *along(input, axis, bool(keepdim)))

    call.__doc__ = f"The {name}imum: of all elements, along an axis with its place, or of two tensors."
    torch_function(name, method=True)(call)
    return call


def _check_filled(tensor: Any, name: Any) -> Any:
    if tensor.form.size == 0:
        raise torch_error(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
            "reduction dim "
            "with the 'dim' argument.",
            f"{name}() 不能用于空张量。",
        )


def _check_some(tensor: Any, name: str) -> None:
    """Raises: IndexError's message of PyTorch where there is no element."""
    if tensor.form.size == 0:
        raise torch_error(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0.",
            f"{name}() 不能用于空张量。",
            kind="IndexError",
        )


def _check_axis(tensor: Any, axis: int, name: str) -> None:
    """Raises: IndexError's message of PyTorch for an axis without elements."""
    if tensor.form.shape[axis] == 0:
        raise torch_error(
            f"{name}(): Expected reduction dim {axis} to have non-zero size.",
            f"{name}() 不能沿长度为零的维计算。",
            kind="IndexError",
        )


max = _extreme("max", _max, _max_along, lambda a, b: OPERATORS["maximum"](a, b))


min = _extreme("min", _min, _min_along, lambda a, b: OPERATORS["minimum"](a, b))


def _a_extreme(name: Any, node_name: Any, op: Any) -> Any:
    """The largest or smallest along axes: several share what comes back."""

    @differentiable(node_name, saves="self result dim keepdim")
    def function(self: Any, dim: Any, keepdim: Any) -> Any:
        return op(self, axis=list(dim), keepdims=keepdim)

    @function.backward
    def backward(saved: Any, grad: Any) -> Any:
        tensor = saved.self
        rank, axes = tensor.form.ndim, saved.dim
        grad = restored(grad, rank, axes, saved.keepdim)
        result = restored(saved.result, rank, axes, saved.keepdim)
        mask = OPERATORS["eq"](tensor, result)
        count = sum(mask, axes, True) if rank else sum(mask)
        return grad / count * to(mask, grad.dtype)

    def call(input: Any, dim: Any = (), keepdim: Any = False, *, out: Any = None) -> Any:
        axes = axes_of(dim, input.form.ndim)
        if input.dtype is BOOL:
            return to(function(to(input, DTYPES["uint8"]), axes, bool(keepdim)), BOOL)
        if len(axes) == input.form.ndim:
            _check_filled(input, name)
        return function(input, axes, bool(keepdim))

    call.__doc__ = f"The {name[1:]}imum along axes."
    torch_function(name, method=True)(call)
    return call


amax = _a_extreme("amax", "AmaxBackward0", ops.reduce_max)


amin = _a_extreme("amin", "AminBackward0", ops.reduce_min)


@differentiable("AminmaxBackward0", saves="self dim keepdim min max", outputs="min max")
def _aminmax(self: Any, dim: Any, keepdim: Any) -> Any:
    over = {"axis": list(dim), "keepdims": keepdim}
    return ops.reduce_min(self, **over), ops.reduce_max(self, **over)


@_aminmax.backward
def _aminmax_backward(saved: Any, low: Any, high: Any) -> Any:
    tensor, axes = saved.self, saved.dim
    rank = tensor.form.ndim

    def shared(grad: Any, result: Any) -> Any:
        grad, result = (restored(one, rank, axes, saved.keepdim) for one in (grad, result))
        mask = OPERATORS["eq"](tensor, result)
        count = sum(mask, axes, True) if rank else sum(mask)
        return grad / count * to(mask, grad.dtype)

    return shared(low, saved.min) + shared(high, saved.max)


@torch_function("aminmax", method=True)
def aminmax(input: Any, *, dim: Any = None, keepdim: Any = False) -> Any:
    """The smallest and the largest."""
    axes = axes_of(None if dim is None else (dim,), input.form.ndim)
    return named_result("aminmax", *_aminmax(input, axes, bool(keepdim)), fields=("min", "max"))


def _search(name: Any, op: Any) -> Any:
    def call(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
        if input.dtype is BOOL:
            raise torch_error(
                f"{name}(): does not support bool input",
                f"{name}() 不支持 bool 张量。",
                kind="RuntimeError",
                hint="Write x.int() first.",
                hint_zh="请先写 x.int()。",
            )
        if dim is None:
            _check_some(input, name)
            found = ops.cast(op(ops.reshape(input.value, [-1]), 0), "int64")
            return of_value(ops.reshape(found, [1] * input.form.ndim) if keepdim else found)
        if input.form.ndim == 0:
            return of_value(ops.zeros([], dtype="int64"))
        axis = axis_of(dim, input.form.ndim)
        _check_axis(input, axis, name)
        found = ops.cast(op(input.value, axis), "int64")
        return of_value(ops.expand_dims(found, axis) if keepdim else found)

    call.__doc__ = "The place of the first extreme element."
    torch_function(name, method=True)(call)
    return call


argmax = _search("argmax", _place_of_largest)


argmin = _search("argmin", _place_of_smallest)


def _truth(name: Any, op: Any) -> Any:
    def call(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
        from_truths = (
            input.value
            if input.dtype is BOOL
            else ops.not_equal(input.value, np.asarray(0, input.dtype.held_as))
        )
        if isinstance(dim, (list, tuple)) and not dim:  # along no axis, where other functions take all
            return of_value(ops.identity(from_truths))
        axes = axes_of(dim, input.form.ndim)
        found = op(from_truths, axis=list(axes), keepdims=bool(keepdim))
        return of_value(ops.cast(found, "uint8") if input.dtype.held_as == "uint8" else found)

    call.__doc__ = f"Whether {name} of the elements are true."
    torch_function(name, method=True)(call)


_truth("all", ops.reduce_all)


_truth("any", ops.reduce_any)


@torch_function("count_nonzero", method=True)
def count_nonzero(input: Any, dim: Any = None) -> Any:
    """How many elements are not 0."""
    return sum(OPERATORS["ne"](input, 0), dim)
