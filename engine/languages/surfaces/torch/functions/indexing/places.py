"""Places in the flat memory of a tensor: how views and their gradients find them."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import put
from engine.languages.surfaces.torch.dtypes import INT64
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import to_type
from engine.languages.surfaces.torch.functions.shaping import (
    SPREADING,
    unbind,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, VIEWS, of_numbers, of_value
from engine.ops.base.building import constant_node

OPERATORS["of_numbers"] = of_numbers


OPERATORS["iter_dim"] = lambda tensor, dim: list(unbind(tensor, dim))


def spread(value: Any, rows: Any, shape: Any) -> Any:
    """Zeros with values added at these places of the flat whole.

    Shapes: value (*P), rows (*P) -> shape.
    """
    flat = ops.reshape(rows, [-1, 1])
    return ops.reshape(ops.scatter_nd(flat, ops.reshape(value, [-1]), [prod(shape)]), list(shape))


def _flat_places(index: Any, shape: Any, dim: Any) -> Any:
    """For each element of an index along an axis, its place in the flat whole: a value of the graph.

    Shapes: index (*I), with I no longer than `shape` but for `dim` -> (*I).
    """
    taken = index.form.shape
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    grid = np.zeros(taken, dtype=np.int64)
    for axis, length in enumerate(taken):
        if axis != dim:
            ones = [1] * len(taken)
            ones[axis] = length
            grid = grid + (np.arange(length) * strides[axis]).reshape(ones)
    along = ops.mul(index, np.int64(strides[dim]))
    return ops.add(along, grid.astype(np.int64))


def _view_places(shape: Any, of_array: Any) -> Any:
    return of_array(np.arange(prod(shape), dtype=np.int64).reshape(shape))


@differentiable("SliceBackward", saves="self_sym_sizes")
def _put_back(self: Any, size: Any, of_array: Any) -> Any:
    places = _view_places(size, of_array)
    return spread(self, constant_node(np.ascontiguousarray(places), "places"), size)


@_put_back.backward
def _put_back_backward(saved: Any, grad: Any) -> Any:
    of_array = saved._node.metadata["of_array"]
    return _part(grad, of_array)


def _put(grad: Any, size: Any, of_array: Any, name: str, saved: str = "") -> Any:
    """Zeros with a gradient at the places of a view. name, saved: of the node of that, as PyTorch has it."""
    made = _put_back(grad, tuple(size), of_array)
    if made.node is not None:
        made.node.metadata["of_array"] = of_array
        made.node.name, made.node.saved_names = name, tuple(saved.split())
    return made


def _part(tensor: Any, of_array: Any) -> Any:
    """The part of a tensor that a view of arrays says."""
    places = _view_places(tensor.shape, of_array)
    return _take(tensor, of_numbers(np.ascontiguousarray(places)))


def _select_backward(grad: Any, size: Any, dim: Any, index: Any) -> Any:
    key = (slice(None),) * dim + (index,)
    return _put(grad, size, lambda a: a[key], "SelectBackwardBackward0", "dim index")


def _slice_backward(grad: Any, size: Any, dim: Any, start: Any, end: Any, step: Any) -> Any:
    key = (slice(None),) * dim + (slice(start, end, step),)
    return _put(grad, size, lambda a: a[key], "SliceBackwardBackward0", "dim end start step")


SPREADING["select"] = _select_backward


SPREADING["slice"] = _slice_backward


def _through(steps: Any) -> Any:
    def of_array(array: Any) -> Any:
        for step in steps:
            array = step.of_array(array)
        return array

    return of_array


VIEWS["take"] = lambda tensor, steps: _part(tensor, _through(steps))


VIEWS["spread"] = lambda grad, steps, meta: _put(
    grad, meta.shape, _through(steps), "AsStridedBackwardBackward0"
)


@differentiable("CopySlicesBackward", inputs="self part")
def _exchange(self: Any, part: Any, steps: Any) -> Any:
    return put(self, steps, part)


@_exchange.backward
def _exchange_backward(saved: Any, grad: Any) -> Any:
    steps = saved._node.metadata["steps"]
    part = _part(grad, _through(steps))
    made = _exchange(grad, part * 0, steps)
    return made, part


def _exchanged(tensor: Any, steps: Any, part: Any) -> Any:
    if part is None:
        part = VIEWS["take"](tensor, steps) * 0
    made = _exchange(tensor, part, steps)
    if made.node is not None:
        made.node.metadata["steps"] = steps
    return made


VIEWS["exchanged"] = _exchanged


@differentiable("TakeBackward0", saves="self index")
def _take(self: Any, index: Any) -> Any:
    return ops.gather(ops.reshape(self, [-1]), index.value)


@_take.backward
def _take_backward(saved: Any, grad: Any) -> Any:
    return _put_flat(grad, saved.index, saved.self.shape)


@differentiable("PutBackward0", saves="index")
def _put_flat(self: Any, index: Any, size: Any) -> Any:
    return spread(self, index.value, tuple(size))


@_put_flat.backward
def _put_flat_backward(saved: Any, grad: Any) -> Any:
    return _take(grad, saved.index)


@torch_function("take", method=True)
def take(input: Any, index: Any) -> Any:
    """The elements at these places of the flat whole."""
    return _take(input, _counted(index, input.form.size, None))


def _counted(index: Any, length: Any, dim: Any) -> Any:
    """Places counted from the front. Raises: IndexError's message of PyTorch for one outside."""
    array = index.array
    wrong = array[(array < -length) | (array >= length)]
    if wrong.size:
        where_ = f"for dimension {dim} " if dim is not None else ""
        raise torch_error(
            f"index {wrong.flat[0]} is out of bounds {where_}with size {length}",
            f"下标 {wrong.flat[0]} 超出了长度 {length}。",
            kind="IndexError",
            code="index_out_of_range",
        )
    index = to_type(index, INT64)
    if (array < 0).any():
        negative = ops.less(index.value, np.int64(0))
        return of_value(ops.select(negative, ops.add(index.value, np.int64(length)), index.value))
    return index
