"""Elements taken, added and put along an axis by their places, and where masks hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.examples import check_fixed_shape, check_no_mask
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.dtypes import BOOL
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.indexing.index_checks import (
    check_index_type,
    check_parts,
    check_put,
    check_source_type,
    check_taken,
    check_within,
)
from engine.languages.surfaces.torch.functions.indexing.places import _flat_places, _put_flat, spread
from engine.languages.surfaces.torch.functions.operands import axis_of, plain
from engine.languages.surfaces.torch.functions.shaping import (
    expand,
    reshape,
    unbind,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers, of_value


@differentiable("GatherBackward0", saves="self dim index sparse_grad")
def _gather(self: Any, dim: Any, index: Any, sparse_grad: Any = False) -> Any:
    return ops.gather(ops.reshape(self, [-1]), _flat_places(index.value, self.form.shape, dim))


@_gather.backward
def _gather_backward(saved: Any, grad: Any) -> Any:
    return OPERATORS["scatter_into_zeros"](grad, saved.self.shape, saved.dim, saved.index)


@torch_function("gather", method=True)
def gather(input: Any, dim: Any, index: Any, *, sparse_grad: Any = False, out: Any = None) -> Any:
    """Along an axis, the elements at the places that `index` says."""
    axis = axis_of(dim, input.form.ndim)
    check_index_type(index, "gather")
    check_taken(index, input, axis)
    check_within(index, input.shape[axis], axis)
    return _gather(input, axis, index)


@differentiable("ScatterAddBackward0", saves="dim index", inputs="self src")
def _scatter_add(self: Any, src: Any, dim: Any, index: Any) -> Any:
    src = _front(src, index.form.shape)
    return ops.add(self, spread(src, _flat_places(index.value, self.form.shape, dim), self.form.shape))


def _front(value: Any, shape: Any) -> Any:
    """The part of a source that an index covers."""
    if value.form.shape == tuple(shape):
        return value
    return ops.slice_op(value, [0] * len(shape), list(shape))


@_scatter_add.backward
def _scatter_add_backward(saved: Any, grad: Any) -> Any:
    return grad, lambda: _gather(grad, saved.dim, saved.index)


@torch_function("scatter_add", method=True)
def scatter_add(input: Any, dim: Any, index: Any, src: Any) -> Any:
    """The tensor with elements of `src` added at the places that `index` says."""
    axis = axis_of(dim, input.form.ndim)
    check_source_type("scatter", input, src)
    check_put(index, input, src, axis)
    check_within(index, input.shape[axis], axis)
    return _scatter_add(input, src, axis, index)


def _into_zeros(grad: Any, size: Any, dim: Any, index: Any) -> Any:
    zeros = of_value(ops.zeros(list(size), dtype=grad.dtype.held_as))
    return _scatter_add(zeros, grad, dim, index)


OPERATORS["scatter_into_zeros"] = _into_zeros


def _scattered(self: Any, src: Any, dim: Any, index: Any) -> Any:
    """The last of several at one place counts."""
    shape = self.form.shape
    places = _flat_places(index.value, shape, dim)
    flat = places.array.ravel()
    last = {int(place): order for order, place in enumerate(flat)}
    if len(last) < flat.size:
        keep = np.asarray(sorted(last.values()), dtype=np.int64)
        src = ops.gather(ops.reshape(src, [-1]), keep)
        places = ops.gather(ops.reshape(places, [-1]), keep)
    mask = spread(ops.ones_like(ops.cast(places, "int32")), places, shape)
    return ops.select(ops.not_equal(mask, np.int32(0)), spread(src, places, shape), self)


@differentiable("ScatterBackward0", saves="dim index", inputs="self src")
def _scatter(self: Any, src: Any, dim: Any, index: Any) -> Any:
    return _scattered(self, _front(src, index.form.shape), dim, index)


@_scatter.backward
def _scatter_backward(saved: Any, grad: Any) -> Any:
    return lambda: scatter(grad, saved.dim, saved.index, 0), lambda: _gather(grad, saved.dim, saved.index)


@differentiable("ScatterBackward1", saves="dim index")
def _scatter_number(self: Any, value: Any, dim: Any, index: Any) -> Any:
    return _scattered(self, ops.fill(list(index.form.shape), np.asarray(value, dtype=self.dtype)), dim, index)


@_scatter_number.backward
def _scatter_number_backward(saved: Any, grad: Any) -> Any:
    return scatter(grad, saved.dim, saved.index, 0)


@torch_function("scatter", method=True)
def scatter(
    input: Any, dim: Any, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None
) -> Any:
    """The tensor with elements of `src`, or a number, at the places that `index` says."""
    axis = axis_of(dim, input.form.ndim)
    if src is not None and isinstance(src, Tensor):
        check_source_type("scatter", input, src)
    check_put(index, input, src if isinstance(src, Tensor) else None, axis)
    check_within(index, input.shape[axis], axis)
    given = value if src is None else src
    if reduce is not None:
        return _scatter_with(input, axis, index, given, reduce)
    if isinstance(given, Tensor) and src is not None:
        return _scatter(input, given, axis, index)
    return _scatter_number(input, plain(given), axis, index)


def _scatter_with(input: Any, axis: int, index: Any, given: Any, reduce: Any) -> Any:
    """What stands at these places, and elements of `given` or a number added to it or multiplied with it.

    Raises: RuntimeError for another way to bring them together, RefusedError where a gradient is asked for.
    """
    if reduce not in ("add", "multiply"):
        raise torch_error(
            "reduce argument must be either add or multiply.", "reduce 只能是 add 或 multiply。"
        )
    asked = [one for one in (input, given) if isinstance(one, Tensor) and one.requires_grad]
    if asked and state().records:
        raise not_here(
            "The gradient of scatter(reduce=…)",
            " scatter(reduce=…) 的梯度",
            "Use scatter_add.",
            "请用 scatter_add。",
        )
    if not isinstance(given, Tensor):
        given = of_value(ops.fill(list(index.shape), np.asarray(plain(given), dtype=input.dtype.held_as)))
    how = {"add": "sum", "multiply": "prod"}[reduce]
    return OPERATORS["scatter_reduce"](input, axis, index, given, how)


torch_function("scatter_", method="only")(in_place(scatter))


torch_function("scatter_add_", method="only")(in_place(scatter_add))


@differentiable("IndexSelectBackward0", saves="self_sym_sizes dim index")
def _index_select(self: Any, dim: Any, index: Any) -> Any:
    return ops.gather(self, index.value, axis=dim)


@_index_select.backward
def _index_select_backward(saved: Any, grad: Any) -> Any:
    zeros = of_value(ops.zeros(list(saved.self_sym_sizes), dtype=grad.dtype.held_as))
    return _index_add(zeros, grad, saved.dim, saved.index, 1)


@torch_function("index_select", method=True)
def index_select(input: Any, dim: Any, index: Any, *, out: Any = None) -> Any:
    """The parts at these places of an axis."""
    axis = axis_of(dim, input.form.ndim)
    if index.dtype.name not in ("int64", "int32"):
        raise torch_error(
            "index_select(): Expected dtype int32 or int64 for index", "index_select() 的 index 必须是整数。"
        )
    if index.form.ndim > 1:
        raise torch_error(
            "index_select(): Index is supposed to be a vector",
            "index_select() 的 index 必须是一维的。",
            kind="IndexError",
        )
    array = index.array
    if ((array < 0) | (array >= input.shape[axis])).any():
        raise torch_error(
            "index out of range in self", "下标超出范围。", kind="IndexError", code="index_out_of_range"
        )
    return _index_select(input, axis, reshape(index, (-1,)))


OPERATORS["index_select"] = index_select


@differentiable("IndexAddBackward0", saves="dim index source alpha", inputs="self source")
def _index_add(self: Any, source: Any, dim: Any, index: Any, alpha: Any) -> Any:
    shape = self.form.shape
    lengths = [1] * len(shape)
    lengths[dim] = index.form.size
    part = list(shape)
    part[dim] = index.form.size
    wide = ops.broadcast_to(ops.reshape(index.value, lengths), part)
    if alpha != 1:
        source = ops.mul(source, np.asarray(alpha, dtype=source.dtype))
    return ops.add(self, spread(source, _flat_places(wide, shape, dim), shape))


@_index_add.backward
def _index_add_backward(saved: Any, grad: Any) -> Any:
    def of_source() -> Any:
        part = _index_select(grad, saved.dim, saved.index)
        return part if saved.alpha == 1 else part * saved.alpha

    return grad, of_source


@torch_function("index_add", method=True)
def index_add(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """The tensor with parts added at these places of an axis."""
    axis = axis_of(dim, input.form.ndim)
    check_parts("index_add", index, input, source, axis)
    return _index_add(input, source, axis, index, plain(alpha))


torch_function("index_add_", method="only")(in_place(index_add))


@torch_function("index_fill", method=True)
def index_fill(input: Any, dim: Any, index: Any, value: Any) -> Any:
    """The tensor with a number at these places of an axis."""
    axis = axis_of(dim, input.form.ndim)
    array = index.array
    length = input.shape[axis]
    wrong = array[(array < -length) | (array >= length)]
    if wrong.size:
        raise torch_error(
            f"index {wrong.flat[0]} is out of bounds for dimension {axis} with size {length}",
            f"下标 {wrong.flat[0]} 超出了第 {axis} 维的长度 {length}。",
            kind="IndexError",
            code="index_out_of_range",
        )
    mask = np.zeros(length, dtype=bool)
    mask[index.array] = True
    shape = [1] * input.form.ndim
    shape[axis] = mask.size
    made = OPERATORS["masked_fill"](input, of_numbers(mask.reshape(shape)), value)
    if made.node is not None:
        made.node.name = made.node.name.replace("MaskedFill", "IndexFill")
    return made


torch_function("index_fill_", method="only")(in_place(index_fill, may_overlap=True))


@differentiable("MaskedSelectBackward0", saves="self mask")
def _masked_select(self: Any, mask: Any) -> Any:
    return ops.boolean_mask(self, mask.value)


@_masked_select.backward
def _masked_select_backward(saved: Any, grad: Any) -> Any:
    tensor, mask = saved.self, saved.mask
    return _put_flat(grad, _places_of_mask(mask, tensor.shape), tensor.shape)


def _places_of_mask(mask: Any, shape: Any) -> Any:
    full = ops.reshape(mask.value, [-1])
    return of_value(ops.reshape(ops.where(full), [-1]))


@torch_function("masked_select", method=True)
def masked_select(input: Any, mask: Any) -> Any:
    """The elements where the mask holds, in a row."""
    check_no_mask(mask)
    if mask.dtype is not BOOL:
        raise torch_error(
            "masked_select: expected BoolTensor for mask",
            "masked_select 的 mask 必须是 bool 张量。",
            hint="Write mask.bool(), or a comparison such as x > 0.",
            hint_zh="请写 mask.bool()，或写比较，例如 x > 0。",
        )
    shape = np.broadcast_shapes(input.shape, mask.shape)
    return _masked_select(
        expand(input, shape) if input.shape != shape else input,
        expand(mask, shape) if mask.shape != shape else mask,
    )


@torch_function("nonzero", method=True)
def nonzero(input: Any, *, as_tuple: Any = False) -> Any:
    """The places of the elements that are not 0."""
    check_fixed_shape(input, "nonzero")
    if as_tuple and input.form.ndim == 0:  # a number counts as a row of one
        input = reshape(input, (1,))
    truth = (
        input.value if input.dtype is BOOL else ops.not_equal(input.value, np.asarray(0, input.dtype.held_as))
    )
    found = of_value(ops.where(truth))
    return unbind(found, 1) if as_tuple else found


OPERATORS["nonzero"] = nonzero


@torch_function("argwhere", method=True)
def argwhere(input: Any) -> Any:
    """The places of the elements that are not 0."""
    check_fixed_shape(input, "nonzero")
    return nonzero(input)
