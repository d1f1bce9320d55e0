"""Elements in order: sort, topk, kthvalue, median."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import BOOL, DTYPES
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.indexing.places import _flat_places
from engine.languages.surfaces.torch.functions.indexing.selection import tied_places
from engine.languages.surfaces.torch.functions.indexing.taking import _into_zeros
from engine.languages.surfaces.torch.functions.operands import axis_of, has_nan, plain
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.reductions.extremes import spread_evenly
from engine.languages.surfaces.torch.functions.shaping import (
    clone,
    to,
    unsqueeze,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import whole
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers, of_value
from engine.ops.arrays.ordering import argmax_op
from engine.ops.base.building import constant_node


def _long(value: Any) -> Any:
    """Whole numbers of few bits as longer ones: the least of them has no opposite number."""
    return ops.cast(value, "int64") if value.dtype in ("uint8", "int8", "int16") else value


def _order(value: Any, dim: Any, descending: Any) -> Any:
    """The places along an axis in the order of the elements, equal ones as they stand; nan is the largest."""
    value = _long(value)
    direction = "DESCENDING" if descending else "ASCENDING"
    places = ops.argsort(value, axis=dim, direction=direction, stable=True, nan_first=bool(descending))
    return ops.cast(places, "int64")


@differentiable("SortBackward0", saves="self_sym_sizes dim indices", outputs="values (indices)")
def _sort(self: Any, dim: Any, descending: Any) -> Any:
    indices = _order(self, dim, descending)
    return ops.gather(ops.reshape(self, [-1]), _flat_places(indices, self.form.shape, dim)), indices


@_sort.backward
def _sort_backward(saved: Any, grad: Any, _: Any) -> Any:
    return _into_zeros(grad, saved.self_sym_sizes, saved.dim, saved.indices)


@torch_function("sort", method=True)
def sort(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False, *, out: Any = None) -> Any:
    """The elements in order along an axis, and where they stood."""
    if input.dtype is BOOL:
        values, places = sort(to(input, DTYPES["uint8"]), dim, descending)
        return named_result("sort", to(values, BOOL), places)
    if input.form.ndim == 0:
        return named_result("sort", clone(input), of_numbers(np.zeros((), dtype=np.int64)))
    return named_result("sort", *_sort(input, axis_of(dim, input.form.ndim), bool(descending)))


@torch_function("argsort", method=True)
def argsort(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
    """The places of the elements in order along an axis."""
    if input.dtype is BOOL:
        input = to(input, DTYPES["uint8"])
    return of_value(_order(input.value, axis_of(dim, input.form.ndim), bool(descending)))


@torch_function("msort", method=True)
def msort(input: Any) -> Any:
    """The elements in order along the first axis."""
    return sort(input, 0)[0]


def _first_of(node_name: Any) -> Any:
    @differentiable(node_name, saves="self_sym_sizes dim indices", outputs="values (indices)")
    def function(self: Any, k: Any, dim: Any, largest: Any) -> Any:
        order = _order(self, dim, largest)
        begin, size = [0] * len(self.form.shape), list(self.form.shape)
        size[dim] = k
        indices = ops.slice_op(order, begin, size)
        return ops.gather(ops.reshape(self, [-1]), _flat_places(indices, self.form.shape, dim)), indices

    @function.backward
    def backward(saved: Any, grad: Any, _: Any) -> Any:
        return _into_zeros(grad, saved.self_sym_sizes, saved.dim, saved.indices)

    return function


_topk = _first_of("TopkBackward0")


@torch_function("topk", method=True)
def topk(
    input: Any, k: Any, dim: Any = -1, largest: Any = True, sorted: Any = True, *, out: Any = None
) -> Any:
    """The k largest (or smallest) along an axis, and where they stood."""
    axis, count = axis_of(dim, input.form.ndim), whole(k)
    if not 0 <= count <= (input.shape[axis] if input.shape else 1):
        raise torch_error("selected index k out of range", "k 超出了该维的长度。")
    return named_result("topk", *_topk(input, count, axis, bool(largest)))


@differentiable("KthvalueBackward0", saves="self_sym_sizes dim indices keepdim", outputs="values (indices)")
def _kth(self: Any, k: Any, dim: Any, keepdim: Any, nan_wins: Any, places: Any = None) -> Any:
    """nan_wins: whether a row with a nan gives its first nan. places: where they stand, if that is known."""
    order = _order(self, dim, False)
    begin, size = [0] * len(self.form.shape), list(self.form.shape)
    begin[dim], size[dim] = k - 1, 1
    indices = ops.slice_op(order, begin, size)
    if nan_wins and has_nan(self):
        first = ops.expand_dims(argmax_op(self, dim, nan_first=True), dim)
        with_nan = ops.reduce_any(ops.is_nan(self), axis=[dim], keepdims=True)
        indices = ops.select(with_nan, first, indices)
    if places is not None:
        indices = constant_node(places, "places")
    values = ops.gather(ops.reshape(self, [-1]), _flat_places(indices, self.form.shape, dim))
    if keepdim:
        return values, indices
    rest = [n for axis, n in enumerate(size) if axis != dim]
    return ops.reshape(values, rest), ops.reshape(indices, rest)


@_kth.backward
def _kth_backward(saved: Any, grad: Any, _: Any) -> Any:
    indices = saved.indices
    if not saved.keepdim:
        grad, indices = unsqueeze(grad, saved.dim), unsqueeze(indices, saved.dim)
    return _into_zeros(grad, saved.self_sym_sizes, saved.dim, indices)


@torch_function("kthvalue", method=True)
def kthvalue(input: Any, k: Any, dim: Any = -1, keepdim: Any = False) -> Any:
    """The k-th smallest along an axis, and where it stands."""
    axis, count = axis_of(dim, input.form.ndim), whole(k)
    if not 1 <= count <= (input.shape[axis] if input.shape else 1):
        raise torch_error(
            f"kthvalue(): selected number k out of range for dimension {axis}", "k 超出了该维的长度。"
        )
    if not input.shape:
        return named_result("kthvalue", clone(input), of_numbers(np.zeros((), dtype=np.int64)))
    places = tied_places(input.array, count, axis)
    return named_result("kthvalue", *_kth(input, count, axis, bool(keepdim), False, places))


@differentiable("MedianBackward0", saves="self result")
def _median_of_all(self: Any) -> Any:
    if self.form.size == 0:
        nothing = np.nan if self.form.dtype.kind == "f" else np.iinfo(self.form.dtype).min
        return ops.constant(np.asarray(nothing, dtype=self.form.dtype))
    flat = ops.sort(_long(ops.reshape(self, [-1])))
    found = flat[self.form.size - 1 if has_nan(self) else (self.form.size - 1) // 2]  # nan is the last
    return found if found.dtype == self.dtype else ops.cast(found, self.dtype)


@_median_of_all.backward
def _median_of_all_backward(saved: Any, grad: Any) -> Any:
    return spread_evenly(saved, grad)


@torch_function("median", method=True)
def median(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The middle element, the lower of two; along an axis with its place."""
    if dim is None:
        return _median_of_all(input)
    axis = axis_of(dim, input.form.ndim)
    made = _kth(input, (input.shape[axis] + 1) // 2, axis, bool(keepdim), True)
    if made[0].node is not None:
        made[0].node.name = "MedianBackward1"
    return named_result("median", *made)


@torch_function("mode", method=True)
def mode(input: Any, dim: Any = -1, keepdim: Any = False) -> Any:
    """The most frequent element along an axis, the least of several, and the last place where it stands."""
    axis = axis_of(dim, input.form.ndim)
    if has_nan(input):
        raise not_here("mode() of numbers with a nan", "含 nan 的 mode()")
    rows = np.moveaxis(input.array, axis, -1)
    found = np.zeros(rows.shape[:-1], dtype=np.int64)
    for place in np.ndindex(*found.shape):
        values, counts = np.unique(rows[place], return_counts=True)
        found[place] = np.flatnonzero(rows[place] == values[np.argmax(counts)])[-1]
    places = of_numbers(np.expand_dims(found, axis))
    values = OPERATORS["gather"](input, axis, places)
    parts = [values, places] if keepdim else [OPERATORS["squeeze"](one, axis) for one in (values, places)]
    if parts[0].node is not None:
        parts[0].node.name = "ModeBackward0"
    return named_result("mode", *parts)


@torch_function("bincount", method=True)
def bincount(input: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """How often each whole number comes, or the sums of its weights."""
    _check_counted(input, weights, minlength)
    numbers, count = input.array.astype(np.int64), int(plain(minlength))
    state().graph.meter.check_elements((max(int(numbers.max(initial=-1)) + 1, count),))
    if weights is None or not numbers.size:
        return of_numbers(np.bincount(numbers, None, count).astype("int64"))
    kind = "float32" if weights.dtype.name == "float32" else "float64"
    return of_numbers(np.bincount(numbers, weights.array, count).astype(kind))


def _check_counted(input: Any, weights: Any, minlength: Any) -> None:
    """Raises: the messages of PyTorch for what cannot be counted."""
    if input.dtype.is_floating or input.dtype.name == "bool":
        raise torch_error(
            f"\"bincount_cpu\" not implemented for '{input.dtype.scalar_name}'",
            "bincount 只能数非负整数。",
            kind="NotImplementedError",
        )
    if plain(minlength) < 0:
        raise torch_error("minlength should be >= 0", "minlength 不能为负。")
    if input.form.ndim != 1 or np.any(input.array < 0):
        raise torch_error(
            "bincount only supports 1-d non-negative integral inputs.", "bincount 只能数一维的非负整数。"
        )
    if weights is not None and weights.shape != input.shape:
        raise torch_error(
            "weights should be 1-d and have the same length as input",
            "weights 必须与输入一样长。",
            code="shape_mismatch",
        )
