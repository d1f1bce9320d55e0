"""Subscripts, and what takes or puts elements by their places: gather, scatter, index_select, sort, topk."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import change, in_place, put
from engine.languages.surfaces.torch.dtypes import BOOL, INT64, of_array
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.comparison import where
from engine.languages.surfaces.torch.functions.operands import as_tensor, axis_of, common_type, plain, to_type
from engine.languages.surfaces.torch.functions.records import named_result
from engine.languages.surfaces.torch.functions.shaping import (
    SPREADING,
    clone,
    detach,
    expand,
    reshape,
    select,
    slice_axis,
    to,
    unbind,
    unsqueeze,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import whole
from engine.languages.surfaces.torch.storage import Step
from engine.languages.surfaces.torch.tensor import OPERATORS, VIEWS, Tensor, of_numbers, of_scalar, of_value
from engine.ops.base.building import constant_node

OPERATORS["of_numbers"] = of_numbers
OPERATORS["iter_dim"] = lambda tensor, dim: list(unbind(tensor, dim))


# -- places in memory ------------------------------------------------------------------------------------


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
    taken = index.array.shape
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


def _put(grad: Any, size: Any, of_array: Any, name: Any) -> Any:
    made = _put_back(grad, tuple(size), of_array)
    if made.node is not None:
        made.node.metadata["of_array"] = of_array
        made.node.name = name
    return made


def _part(tensor: Any, of_array: Any) -> Any:
    """The part of a tensor that a view of arrays says."""
    places = _view_places(tensor.shape, of_array)
    return _take(tensor, of_numbers(np.ascontiguousarray(places)))


def _select_backward(grad: Any, size: Any, dim: Any, index: Any) -> Any:
    return _put(grad, size, lambda a: a[(slice(None),) * dim + (index,)], "SelectBackwardBackward0")


def _slice_backward(grad: Any, size: Any, dim: Any, start: Any, end: Any, step: Any) -> Any:
    return _put(
        grad, size, lambda a: a[(slice(None),) * dim + (slice(start, end, step),)], "SliceBackwardBackward0"
    )


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


# -- by a place in the flat whole ------------------------------------------------------------------------


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
    return _take(input, _counted(index, input.array.size, None))


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


# -- along an axis ---------------------------------------------------------------------------------------


@differentiable("GatherBackward0", saves="self dim index sparse_grad")
def _gather(self: Any, dim: Any, index: Any, sparse_grad: Any = False) -> Any:
    return ops.gather(ops.reshape(self, [-1]), _flat_places(index.value, self.array.shape, dim))


@_gather.backward
def _gather_backward(saved: Any, grad: Any) -> Any:
    return OPERATORS["scatter_into_zeros"](grad, saved.self.shape, saved.dim, saved.index)


@torch_function("gather", method=True)
def gather(input: Any, dim: Any, index: Any, *, sparse_grad: Any = False, out: Any = None) -> Any:
    """Along an axis, the elements at the places that `index` says."""
    axis = axis_of(dim, input.array.ndim)
    _check_index(index, "gather")
    if index.array.ndim != input.array.ndim:
        raise torch_error(
            "Index tensor must have the same number of dimensions as input tensor",
            "index 的维数必须与输入相同。",
        )
    _check_within(index, input.shape[axis], axis)
    return _gather(input, axis, index)


def _check_index(index: Any, name: Any) -> Any:
    if index.dtype is not INT64:
        raise torch_error(f"{name}(): Expected dtype int64 for index", f"{name}() 的 index 必须是 int64。")


def _check_within(index: Any, length: Any, axis: Any) -> Any:
    array = index.array
    wrong = array[(array < 0) | (array >= length)]
    if wrong.size:
        raise torch_error(
            f"index {wrong.flat[0]} is out of bounds for dimension {axis} with size {length}",
            f"下标 {wrong.flat[0]} 超出了第 {axis} 维的长度 {length}。",
            code="index_out_of_range",
        )


@differentiable("ScatterAddBackward0", saves="dim index", inputs="self src")
def _scatter_add(self: Any, src: Any, dim: Any, index: Any) -> Any:
    src = _front(src, index.array.shape)
    return ops.add(self, spread(src, _flat_places(index.value, self.array.shape, dim), self.array.shape))


def _front(value: Any, shape: Any) -> Any:
    """The part of a source that an index covers."""
    if value.array.shape == tuple(shape):
        return value
    return ops.slice_op(value, [0] * len(shape), list(shape))


@_scatter_add.backward
def _scatter_add_backward(saved: Any, grad: Any) -> Any:
    return grad, lambda: _gather(grad, saved.dim, saved.index)


@torch_function("scatter_add", method=True)
def scatter_add(input: Any, dim: Any, index: Any, src: Any) -> Any:
    """The tensor with elements of `src` added at the places that `index` says."""
    axis = axis_of(dim, input.array.ndim)
    _check_within(index, input.shape[axis], axis)
    return _scatter_add(input, src, axis, index)


def _into_zeros(grad: Any, size: Any, dim: Any, index: Any) -> Any:
    zeros = of_value(ops.zeros(list(size), dtype=grad.dtype.name))
    return _scatter_add(zeros, grad, dim, index)


OPERATORS["scatter_into_zeros"] = _into_zeros


def _scattered(self: Any, src: Any, dim: Any, index: Any) -> Any:
    """The last of several at one place counts."""
    shape = self.array.shape
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
    return _scattered(self, _front(src, index.array.shape), dim, index)


@_scatter.backward
def _scatter_backward(saved: Any, grad: Any) -> Any:
    return lambda: scatter(grad, saved.dim, saved.index, 0), lambda: _gather(grad, saved.dim, saved.index)


@differentiable("ScatterBackward1", saves="dim index")
def _scatter_number(self: Any, value: Any, dim: Any, index: Any) -> Any:
    return _scattered(
        self, ops.fill(list(index.array.shape), np.asarray(value, dtype=self.dtype)), dim, index
    )


@_scatter_number.backward
def _scatter_number_backward(saved: Any, grad: Any) -> Any:
    return scatter(grad, saved.dim, saved.index, 0)


@torch_function("scatter", method=True)
def scatter(
    input: Any, dim: Any, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None
) -> Any:
    """The tensor with elements of `src`, or a number, at the places that `index` says."""
    axis = axis_of(dim, input.array.ndim)
    _check_within(index, input.shape[axis], axis)
    if reduce == "add" and isinstance(src, Tensor):
        return _scatter_add(input, src, axis, index)
    if reduce is not None:
        raise torch_error(
            f"scatter(reduce='{reduce}') is not supported here.", f"这里不支持 scatter(reduce='{reduce}')。"
        )
    given = value if src is None else src
    if isinstance(given, Tensor) and src is not None:
        return _scatter(input, given, axis, index)
    return _scatter_number(input, plain(given), axis, index)


torch_function("scatter_", method="only")(in_place(scatter))
torch_function("scatter_add_", method="only")(in_place(scatter_add))


@differentiable("IndexSelectBackward0", saves="self_sym_sizes dim index")
def _index_select(self: Any, dim: Any, index: Any) -> Any:
    return ops.gather(self, index.value, axis=dim)


@_index_select.backward
def _index_select_backward(saved: Any, grad: Any) -> Any:
    zeros = of_value(ops.zeros(list(saved.self_sym_sizes), dtype=grad.dtype.name))
    return _index_add(zeros, grad, saved.dim, saved.index, 1)


@torch_function("index_select", method=True)
def index_select(input: Any, dim: Any, index: Any, *, out: Any = None) -> Any:
    """The parts at these places of an axis."""
    axis = axis_of(dim, input.array.ndim)
    array = index.array
    if ((array < 0) | (array >= input.shape[axis])).any():
        raise torch_error(
            "index out of range in self", "下标超出范围。", kind="IndexError", code="index_out_of_range"
        )
    return _index_select(input, axis, reshape(index, (-1,)))


OPERATORS["index_select"] = index_select


@differentiable("IndexAddBackward0", saves="dim index source alpha", inputs="self source")
def _index_add(self: Any, source: Any, dim: Any, index: Any, alpha: Any) -> Any:
    shape = self.array.shape
    lengths = [1] * len(shape)
    lengths[dim] = index.array.size
    part = list(shape)
    part[dim] = index.array.size
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
    return _index_add(input, source, axis_of(dim, input.array.ndim), index, plain(alpha))


torch_function("index_add_", method="only")(in_place(index_add))


@torch_function("index_fill", method=True)
def index_fill(input: Any, dim: Any, index: Any, value: Any) -> Any:
    """The tensor with a number at these places of an axis."""
    axis = axis_of(dim, input.array.ndim)
    mask = np.zeros(input.shape[axis], dtype=bool)
    mask[index.array] = True
    shape = [1] * input.array.ndim
    shape[axis] = mask.size
    return OPERATORS["masked_fill"](input, of_numbers(mask.reshape(shape)), value)


torch_function("index_fill_", method="only")(in_place(index_fill))


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
    shape = np.broadcast_shapes(input.shape, mask.shape)
    return _masked_select(
        expand(input, shape) if input.shape != shape else input,
        expand(mask, shape) if mask.shape != shape else mask,
    )


@torch_function("nonzero", method=True)
def nonzero(input: Any, *, as_tuple: Any = False) -> Any:
    """The places of the elements that are not 0."""
    truth = (
        input.value if input.dtype is BOOL else ops.not_equal(input.value, np.asarray(0, input.dtype.name))
    )
    found = of_value(ops.where(truth))
    return unbind(found, 1) if as_tuple else found


OPERATORS["nonzero"] = nonzero


@torch_function("argwhere", method=True)
def argwhere(input: Any) -> Any:
    """The places of the elements that are not 0."""
    return nonzero(input)


# -- order -----------------------------------------------------------------------------------------------


def _order(value: Any, dim: Any, descending: Any) -> Any:
    """The places along an axis in the order of the elements, equal ones as they stand: a value of the graph."""
    return ops.cast(
        ops.argsort(value, axis=dim, direction="DESCENDING" if descending else "ASCENDING", stable=True),
        "int64",
    )


@differentiable("SortBackward0", saves="self_sym_sizes dim indices", outputs="values (indices)")
def _sort(self: Any, dim: Any, descending: Any) -> Any:
    indices = _order(self, dim, descending)
    return ops.gather(ops.reshape(self, [-1]), _flat_places(indices, self.array.shape, dim)), indices


@_sort.backward
def _sort_backward(saved: Any, grad: Any, _: Any) -> Any:
    return _into_zeros(grad, saved.self_sym_sizes, saved.dim, saved.indices)


@torch_function("sort", method=True)
def sort(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False, *, out: Any = None) -> Any:
    """The elements in order along an axis, and where they stood."""
    if input.array.ndim == 0:
        return named_result("sort", clone(input), of_numbers(np.zeros((), dtype=np.int64)))
    return named_result("sort", *_sort(input, axis_of(dim, input.array.ndim), bool(descending)))


@torch_function("argsort", method=True)
def argsort(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
    """The places of the elements in order along an axis."""
    return of_value(_order(input.value, axis_of(dim, input.array.ndim), bool(descending)))


@torch_function("msort", method=True)
def msort(input: Any) -> Any:
    """The elements in order along the first axis."""
    return sort(input, 0)[0]


def _first_of(node_name: Any) -> Any:
    @differentiable(node_name, saves="self_sym_sizes dim indices", outputs="values (indices)")
    def function(self: Any, k: Any, dim: Any, largest: Any) -> Any:
        order = _order(self, dim, largest)
        begin, size = [0] * len(self.array.shape), list(self.array.shape)
        size[dim] = k
        indices = ops.slice_op(order, begin, size)
        return ops.gather(ops.reshape(self, [-1]), _flat_places(indices, self.array.shape, dim)), indices

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
    axis, count = axis_of(dim, input.array.ndim), whole(k)
    if count > (input.shape[axis] if input.shape else 1):
        raise torch_error("selected index k out of range", "k 超出了该维的长度。")
    return named_result("topk", *_topk(input, count, axis, bool(largest)))


@differentiable("KthvalueBackward0", saves="self_sym_sizes dim indices keepdim", outputs="values (indices)")
def _kth(self: Any, k: Any, dim: Any, keepdim: Any) -> Any:
    order = _order(self, dim, False)
    begin, size = [0] * len(self.array.shape), list(self.array.shape)
    begin[dim], size[dim] = k - 1, 1
    indices = ops.slice_op(order, begin, size)
    values = ops.gather(ops.reshape(self, [-1]), _flat_places(indices, self.array.shape, dim))
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
    return named_result("kthvalue", *_kth(input, whole(k), axis_of(dim, input.array.ndim), bool(keepdim)))


@differentiable("MedianBackward0", saves="self result")
def _median_of_all(self: Any) -> Any:
    flat = ops.sort(ops.reshape(self, [-1]))
    return flat[(self.array.size - 1) // 2]


@_median_of_all.backward
def _median_of_all_backward(saved: Any, grad: Any) -> Any:
    mask = OPERATORS["eq"](saved.self, saved.result)
    return to(mask, grad.dtype) * (grad / OPERATORS["sum"](mask))


@torch_function("median", method=True)
def median(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The middle element, the lower of two; along an axis with its place."""
    if dim is None:
        return _median_of_all(input)
    axis = axis_of(dim, input.array.ndim)
    made = _kth(input, (input.shape[axis] + 1) // 2, axis, bool(keepdim))
    if made[0].node is not None:
        made[0].node.name = "MedianBackward1"
    return named_result("median", *made)


@torch_function("bincount", method=True)
def bincount(input: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """How often each whole number comes."""
    found = np.bincount(input.array, None if weights is None else weights.array, minlength)
    return of_numbers(found.astype("int64") if weights is None else found)


# -- subscripts ------------------------------------------------------------------------------------------


def getitem(tensor: Any, key: Any) -> Any:
    """`x[key]`: views for numbers and slices, copies for masks and places."""
    tensor, indices = _viewed(tensor, key)
    return tensor if indices is None else index(tensor, indices)


OPERATORS["getitem"] = getitem


def _viewed(tensor: Any, key: Any) -> Any:
    """What numbers, slices, None and ... of a subscript leave: a view, and tensors for some of its axes."""
    parts = list(key) if isinstance(key, tuple) else [_listed_key(key)]
    parts = [_listed_key(part) for part in parts]
    taken = sum(_axes_taken(part) for part in parts)
    rank = tensor.array.ndim
    if taken > rank:
        raise torch_error(
            f"too many indices for tensor of dimension {rank}",
            f"{rank} 维张量的下标太多。",
            kind="IndexError",
            code="index_out_of_range",
        )
    if not any(part is Ellipsis for part in parts):
        parts.append(Ellipsis)
    place, axis, indices, has_index = parts.index(Ellipsis) if False else 0, 0, {}, False
    del place
    for part in parts:
        if part is Ellipsis:
            axis += rank - taken
        elif part is None:
            tensor, axis = unsqueeze(tensor, axis), axis + 1
        elif isinstance(part, slice):
            bounds = [None if one is None else whole(one) for one in (part.start, part.stop, part.step)]
            start, stop, step = bounds
            if (start, stop, step) != (None, None, None) and not _takes_all(tensor, axis, start, stop, step):
                tensor = slice_axis(tensor, axis, start, stop, 1 if step is None else step)
            axis += 1
        elif isinstance(part, Tensor):
            has_index = True
            indices[axis] = part
            axis += part.array.ndim if part.dtype is BOOL else 1
        elif isinstance(part, bool):
            has_index = True
            tensor = unsqueeze(tensor, axis)
            indices[axis] = of_numbers(np.asarray([part]))
            axis += 1
        else:
            tensor = _at_number(tensor, axis, part)
    return tensor, indices if has_index else None


def _takes_all(tensor: Any, axis: Any, start: Any, stop: Any, step: Any) -> Any:
    """PyTorch makes no new view of a stretch that is the whole axis from 0."""
    return False


def _at_number(tensor: Any, axis: Any, part: Any) -> Any:
    length = tensor.shape[axis]
    place = whole(part)
    if not -length <= place < length:
        raise torch_error(
            f"index {place} is out of bounds for dimension {axis} with size {length}",
            f"下标 {place} 超出了第 {axis} 维的长度 {length}。",
            kind="IndexError",
            code="index_out_of_range",
        )
    return select(tensor, axis, place)


def _listed_key(part: Any) -> Any:
    """Lists, ranges and arrays as tensors of places; a tensor of one whole number as that number."""
    if isinstance(part, (list, range)):
        return of_numbers(np.asarray([plain(one) for one in part], dtype=None if part else np.int64))
    if isinstance(part, np.ndarray):
        return of_numbers(part)
    if isinstance(part, Tensor) and part.array.ndim == 0 and part.dtype is not BOOL:
        return int(part.array)
    if isinstance(part, np.generic):
        return part.item()
    if part is None or part is Ellipsis or isinstance(part, (slice, Tensor, int)):
        return part
    raise torch_error(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
        f"(got {type(part).__name__})",
        "下标只能是整数、切片、...、None 或整数/布尔张量。",
        kind="IndexError",
        code="bad_index",
    )


def _axes_taken(part: Any) -> Any:
    if part is None or part is Ellipsis or isinstance(part, bool):
        return 0
    return part.array.ndim if isinstance(part, Tensor) and part.dtype is BOOL else 1


@differentiable("IndexBackward0", saves="self_sym_sizes indices")
def _index(self: Any, indices: Any) -> Any:
    rows, _ = _index_rows(indices, self.array.shape)
    return ops.gather(ops.reshape(self, [-1]), rows)


@_index.backward
def _index_backward(saved: Any, grad: Any) -> Any:
    indices = saved._node.kept["indices"]
    rows, _ = _index_rows(indices, saved.self_sym_sizes)
    return _put_flat(grad, of_value(rows), saved.self_sym_sizes)


def index(tensor: Any, indices: Any) -> Any:
    """The elements at places, or where masks hold; tensors for some axes, by axis."""
    return _index(tensor, _expanded(tensor, indices))


def _expanded(tensor: Any, indices: Any) -> Any:
    """Masks as the places where they hold."""
    found = {}
    for axis, part in indices.items():
        if part.dtype is BOOL:
            wanted = tensor.shape[axis : axis + part.array.ndim]
            if part.shape != wanted:
                at = next((i for i, (a, b) in enumerate(zip(part.shape, wanted, strict=False)) if a != b), 0)
                raise torch_error(
                    f"The shape of the mask {list(part.shape)} at index {at} does not match the shape of the indexed "
                    f"tensor {list(tensor.shape)} at index {axis + at}",
                    f"掩码的形状 {list(part.shape)} 与张量的形状 {list(tensor.shape)} 不一致。",
                    kind="IndexError",
                    code="shape_mismatch",
                )
            for place, one in enumerate(nonzero(part, as_tuple=True)):
                found[axis + place] = one
        else:
            if part.dtype.is_floating:
                raise torch_error(
                    "tensors used as indices must be long, int, byte or bool tensors",
                    "用作下标的张量必须是整数或布尔类型。",
                    kind="IndexError",
                    code="bad_index",
                )
            found[axis] = _counted(part, tensor.shape[axis], axis)
    return found


def _index_rows(indices: Any, shape: Any) -> Any:
    """The places in the flat whole that tensors for some axes name: a value of the graph, and its shape.

    As in numpy: the axes of the tensors stand where they stood, if side by side, else in front.
    """
    axes = sorted(indices)
    together = axes == list(range(axes[0], axes[-1] + 1))
    try:
        common = np.broadcast_shapes(*(indices[axis].array.shape for axis in axes))
    except ValueError:
        raise _no_common_shape([indices[axis] for axis in axes]) from None
    before = axes[0] if together else 0
    rest = [axis for axis in range(len(shape)) if axis not in indices]
    front = [axis for axis in rest if together and axis < axes[0]]
    back = [axis for axis in rest if axis not in front]
    whole_shape = [*(shape[a] for a in front), *common, *(shape[a] for a in back)]
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    grid = np.zeros(whole_shape, dtype=np.int64)
    for position, axis in [
        *enumerate(front),
        *((len(front) + len(common) + i, a) for i, a in enumerate(back)),
    ]:
        ones = [1] * len(whole_shape)
        ones[position] = shape[axis]
        grid = grid + (np.arange(shape[axis]) * strides[axis]).reshape(ones)
    rows = grid
    for axis in axes:
        lengths = list(indices[axis].array.shape)
        wide = ops.reshape(
            indices[axis].value, [1] * (len(common) - len(lengths)) + lengths + [1] * len(back)
        )
        rows = ops.add(ops.mul(wide, np.int64(strides[axis])), rows)
    del before
    return rows, tuple(whole_shape)


def _no_common_shape(parts: Any) -> Any:
    shapes = ", ".join(str(list(one.shape)) for one in parts)
    return torch_error(
        f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}",
        f"下标张量的形状 {shapes} 不能广播到一起。",
        kind="IndexError",
        code="shape_mismatch",
    )


# -- writing ---------------------------------------------------------------------------------------------


@differentiable("IndexPutBackward0", saves="indices values accumulate", inputs="self values")
def _index_put(self: Any, values: Any, indices: Any, accumulate: Any) -> Any:
    rows, shape = _index_rows(indices, self.array.shape)
    wide = ops.broadcast_to(values, list(shape)) if values.array.shape != shape else values
    if accumulate:
        return ops.add(self, spread(wide, rows, self.array.shape))
    return _last_put(self, wide, rows)


def _last_put(self: Any, values: Any, rows: Any) -> Any:
    shape = self.array.shape
    flat = rows.array.ravel()
    last = {int(place): order for order, place in enumerate(flat)}
    if len(last) < flat.size:
        keep = np.asarray(sorted(last.values()), dtype=np.int64)
        values = ops.gather(ops.reshape(values, [-1]), keep)
        rows = ops.gather(ops.reshape(rows, [-1]), keep)
    if not flat.size:
        return ops.identity(self)
    mask = spread(ops.ones_like(ops.cast(rows, "int32")), rows, shape)
    return ops.select(ops.not_equal(mask, np.int32(0)), spread(values, rows, shape), self)


@_index_put.backward
def _index_put_backward(saved: Any, grad: Any) -> Any:
    indices, accumulate = saved._node.kept["indices"], saved.accumulate

    def of_self() -> Any:
        if accumulate:
            return grad
        rows, _ = _index_rows(indices, grad.shape)
        zeros = of_value(ops.zeros_like(ops.cast(rows, grad.dtype.name)))
        return _index_put(grad, zeros, indices, False)

    return of_self, lambda: _index(grad, indices)


@torch_function("index_put", method=True)
def index_put(input: Any, indices: Any, values: Any, accumulate: Any = False) -> Any:
    """The tensor with values at these places."""
    by_axis = {axis: one for axis, one in enumerate(indices) if one is not None}
    return _index_put(
        input, to_type(as_tensor(values), input.dtype), _expanded(input, by_axis), bool(accumulate)
    )


torch_function("index_put_", method="only")(in_place(index_put))


@differentiable("CopyBackwards", inputs="self src")
def _copy(self: Any, src: Any) -> Any:
    shape = self.array.shape
    src = src if getattr(src, "dtype", None) == self.dtype else ops.cast(src, self.dtype)
    return ops.identity(src) if src.array.shape == shape else ops.broadcast_to(src, list(shape))


@_copy.backward
def _copy_backward(saved: Any, grad: Any) -> Any:
    return lambda: grad * 0, grad


def copied(tensor: Any, source: Any) -> Any:
    """The tensor with all elements of another one. Raises: RuntimeError's message of PyTorch."""
    if source.shape != tensor.shape:
        fits = len(source.shape) <= len(tensor.shape) and all(
            a in (1, b) for a, b in zip(reversed(source.shape), reversed(tensor.shape), strict=False)
        )
        if not fits:
            raise _does_not_fit(tensor, source)
    return _copy(tensor, of_value(source.value) if source.wrapped else source)


def _does_not_fit(tensor: Any, source: Any) -> Any:
    rank, other = len(tensor.shape), len(source.shape)
    axis = next(
        (
            rank - 1 - i
            for i, (a, b) in enumerate(zip(reversed(source.shape), reversed(tensor.shape), strict=False))
            if a not in (1, b)
        ),
        0,
    )
    length = source.shape[axis - (rank - other)] if axis - (rank - other) >= 0 else 0
    return torch_error(
        f"The size of tensor a ({tensor.shape[axis] if tensor.shape else 1}) must match the size of tensor b ({length}) at "
        f"non-singleton dimension {axis}",
        f"形状 {list(source.shape)} 的值不能写入形状 {list(tensor.shape)} 的位置。",
        code="shape_mismatch",
    )


@torch_function("copy_", method="only")
def copy_(self: Any, src: Any, non_blocking: Any = False) -> Any:
    """Take over all elements of another tensor."""
    return change(self, _typed(copied(self, as_tensor(src)), self))


def _typed(result: Any, tensor: Any) -> Any:
    return result


@differentiable("FillBackward0")
def _fill(self: Any, value: Any) -> Any:
    return ops.fill(list(self.array.shape), np.asarray(value, dtype=self.dtype))


@differentiable("FillBackward1", inputs="self value")
def _fill_by_tensor(self: Any, value: Any) -> Any:
    value = value if value.dtype == self.dtype else ops.cast(value, self.dtype)
    return ops.broadcast_to(value, list(self.array.shape))


@differentiable("ZeroBackward0")
def _zero(self: Any) -> Any:
    return ops.zeros(list(self.array.shape), dtype=self.dtype)


@_fill.backward
def _fill_backward(saved: Any, grad: Any) -> Any:
    return lambda: grad * 0


@_fill_by_tensor.backward
def _fill_by_tensor_backward(saved: Any, grad: Any) -> Any:
    return lambda: grad * 0, lambda: OPERATORS["sum"](grad)


@_zero.backward
def _zero_backward(saved: Any, grad: Any) -> Any:
    return lambda: grad * 0


@torch_function("fill_", method="only")
def fill_(self: Any, value: Any) -> Any:
    """Take one number everywhere."""
    if isinstance(value, Tensor) and value.requires_grad:
        return change(self, _fill_by_tensor(self, value))
    return change(self, _fill(self, plain(value)))


@torch_function("zero_", method="only")
def zero_(self: Any) -> Any:
    """Take 0 everywhere."""
    return change(self, _zero(self))


def setitem(tensor: Any, key: Any, new: Any) -> Any:
    """`x[key] = new`: written into the memory of the tensor."""
    part, indices = _viewed(tensor, key)
    value = new if isinstance(new, Tensor) else _as_value(new, tensor)
    if indices is not None:
        places = _expanded(part, indices)
        change(
            part,
            _index_put(
                part,
                to(value, part.dtype) if value.dtype is not part.dtype else of_plain(value),
                places,
                False,
            ),
        )
    elif isinstance(new, Tensor) or value.array.ndim:
        change(part, copied(part, _leading_ones_away(value, part)))
    else:
        change(part, _fill(part, plain(value)))


def of_plain(value: Any) -> Any:
    """A number as a tensor with a node."""
    return of_value(value.value) if value.wrapped else value


def _leading_ones_away(value: Any, part: Any) -> Any:
    while value.array.ndim > part.array.ndim and value.shape[0] == 1:
        value = select(value, 0, 0)
    return value


def _as_value(new: Any, tensor: Any) -> Any:
    if isinstance(new, (list, tuple, np.ndarray)):
        return of_numbers(np.asarray(new, dtype=tensor.dtype.name))
    return of_scalar(new, tensor.dtype)


__all__ = ["Step", "common_type", "detach", "getitem", "of_array", "setitem", "where"]
