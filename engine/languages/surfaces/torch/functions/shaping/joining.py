"""Tensors joined along an axis, and parted again."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable, view, view_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import (
    axis_of,
    common_type,
    to_type,
)
from engine.languages.surfaces.torch.functions.shaping.axes import expand, unsqueeze
from engine.languages.surfaces.torch.functions.shaping.views import _view, reshape
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import lengths, whole
from engine.languages.surfaces.torch.storage import Step
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor


@differentiable("CatBackward0", saves="dim", inputs="*tensors")
def _cat(tensors: Any, dim: Any) -> Any:
    return ops.concat(tensors, dim)


@_cat.backward
def _cat_backward(saved: Any, grad: Any) -> Any:
    starts, found = 0, []
    for part in saved.parts:
        length = part.shape[saved.dim]
        found.append(lambda start=starts, length=length: OPERATORS["narrow"](grad, saved.dim, start, length))
        starts += length
    return found


@torch_function("cat", "concat", "concatenate")
def cat(tensors: Any, dim: Any = 0, *, out: Any = None) -> Any:
    """Tensors one after the other along an axis."""
    given = [one for one in _listed(tensors, "cat") if one.shape != (0,)] or list(tensors)
    dtype = common_type(*tensors)
    rank = given[0].form.ndim
    if rank == 0:
        raise torch_error(
            "zero-dimensional tensor (at position 0) cannot be concatenated", "零维张量不能拼接，请用 stack。"
        )
    axis = axis_of(dim, rank)
    for place, one in enumerate(given):
        _check_joined(given[0], one, axis, place)
    return _cat([to_type(one, dtype) for one in given], axis)


def _listed(tensors: Any, name: Any) -> Any:
    if not isinstance(tensors, (list, tuple)):
        raise torch_error(
            f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor",
            f"{name}() 的参数必须是张量的列表或元组。",
            kind="TypeError",
        )
    if not tensors:
        raise torch_error(
            f"torch.{name}(): expected a non-empty list of Tensors"
            if name == "cat"
            else f"{name} expects a non-empty TensorList",
            f"{name} 需要至少一个张量。",
            kind="ValueError" if name == "cat" else "RuntimeError",
        )
    return list(tensors)


def _check_joined(first: Any, other: Any, axis: Any, place: Any) -> Any:
    if first.form.ndim != other.form.ndim:
        raise torch_error(
            f"Tensors must have same number of dimensions: got {first.form.ndim} and {other.form.ndim}",
            "拼接的张量必须维数相同。",
        )
    for at, (a, b) in enumerate(zip(first.shape, other.shape, strict=True)):
        if at != axis and a != b:
            raise torch_error(
                f"Sizes of tensors must match except in dimension {axis}. Expected size {a} but got size "
                f"{b} for "
                f"tensor number {place} in the list.",
                f"除第 {axis} 维外，拼接的张量形状必须相同：第 {place} 个张量应为 {a}，实际为 {b}。",
                code="shape_mismatch",
            )


@differentiable("StackBackward0", saves="dim", inputs="*tensors")
def _stack(tensors: Any, dim: Any) -> Any:
    return ops.stack(tensors, axis=dim)


@_stack.backward
def _stack_backward(saved: Any, grad: Any) -> Any:
    return [lambda place=place: select(grad, saved.dim, place) for place in range(len(saved.parts))]


@torch_function("stack")
def stack(tensors: Any, dim: Any = 0, *, out: Any = None) -> Any:
    """Tensors along a new axis."""
    given = _listed(tensors, "stack")
    for place, one in enumerate(given):
        if one.shape != given[0].shape:
            raise torch_error(
                f"stack expects each tensor to be equal size, but got {list(given[0].shape)} at entry 0 and "
                f"{list(one.shape)} at entry {place}",
                f"stack 的张量形状必须相同：第 0 个是 {list(given[0].shape)}，第 {place} 个是 "
                f"{list(one.shape)}。",
                code="shape_mismatch",
            )
    dtype = common_type(*given)
    return _stack([to_type(one, dtype) for one in given], axis_of(dim, given[0].form.ndim + 1))


def _at_least(rank: Any) -> Any:
    def call(*tensors: Any) -> Any:
        given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
        found = tuple(_raised(one, rank) for one in given)
        return found[0] if len(tensors) == 1 and isinstance(tensors[0], Tensor) else found

    call.__doc__ = f"Tensors with {rank} axes at least."
    torch_function(f"atleast_{rank}d")(call)
    return call


def _raised(one: Any, rank: Any) -> Any:
    if one.form.ndim == 0:  # a view of one element at once
        return reshape(one, (1,) * rank)
    while one.form.ndim < rank:
        one = unsqueeze(one, 0) if one.form.ndim < 2 else unsqueeze(one, one.form.ndim)
    return one


for _rank in (1, 2, 3):
    _at_least(_rank)


@torch_function("hstack", "column_stack")
def hstack(tensors: Any, *, out: Any = None) -> Any:
    """Tensors side by side."""
    given = [_raised(one, 1) for one in tensors]
    return cat(given, 0 if given[0].form.ndim == 1 else 1)


@torch_function("column_stack")
def column_stack(tensors: Any, *, out: Any = None) -> Any:
    """Rows of numbers as the columns of a matrix."""
    return hstack(
        [
            unsqueeze(one, 1) if one.form.ndim == 1 else reshape(one, (-1, 1)) if one.form.ndim == 0 else one
            for one in tensors
        ]
    )


@torch_function("vstack", "row_stack")
def vstack(tensors: Any, *, out: Any = None) -> Any:
    """Tensors one above the other."""
    return cat([_raised(one, 2) for one in tensors], 0)


@view("SelectBackward0", saves="self_sym_sizes dim index")
def _select(self: Any, dim: Any, index: Any) -> Any:
    key = (slice(None),) * dim + (index,)
    return self[key if len(key) > 1 else index]


@_select.on_arrays
def _select_array(array: Any, dim: Any, index: Any) -> Any:
    return array[(slice(None),) * dim + (index,)]


@_select.backward
def _select_backward(saved: Any, grad: Any) -> Any:
    return SPREADING["select"](grad, saved.self_sym_sizes, saved.dim, saved.index)


@torch_function("select", method=True)
def select(input: Any, dim: Any, index: Any) -> Any:
    """The part at one place of an axis, without that axis."""
    axis, place = axis_of(dim, input.form.ndim), whole(index)
    length = input.shape[axis]
    if not -length <= place < length:
        raise torch_error(
            f"index {place} is out of bounds for dimension {axis} with size {length}",
            f"下标 {place} 超出了第 {axis} 维的长度 {length}。",
            kind="IndexError",
            code="index_out_of_range",
        )
    return _select(input, axis, place % length)


SPREADING: dict[str, Any] = {}


@view("SliceBackward0", saves="self_sym_sizes dim start end step")
def _slice(self: Any, dim: Any, start: Any, end: Any, step: Any) -> Any:
    key = (slice(None),) * dim + (slice(start, end, step),)
    return self[key if len(key) > 1 else key[0]]


@_slice.on_arrays
def _slice_array(array: Any, dim: Any, start: Any, end: Any, step: Any) -> Any:
    return array[(slice(None),) * dim + (slice(start, end, step),)]


@_slice.backward
def _slice_backward(saved: Any, grad: Any) -> Any:
    return SPREADING["slice"](grad, saved.self_sym_sizes, saved.dim, saved.start, saved.end, saved.step)


def slice_axis(tensor: Any, dim: Any, start: Any = None, end: Any = None, step: Any = 1) -> Any:
    """A stretch of an axis."""
    if step <= 0:
        raise torch_error("step must be greater than zero", "切片的步长必须大于零。", kind="ValueError")
    length = tensor.shape[dim]
    start, end, step = slice(start, end, step).indices(length)
    return _slice(tensor, dim, start, max(start, end), step)


@torch_function("narrow", method=True)
def narrow(input: Any, dim: Any, start: Any, length: Any) -> Any:
    """A stretch of an axis, by its start and its length."""
    axis, first = axis_of(dim, input.form.ndim), whole(start)
    first = first + input.shape[axis] if first < 0 else first
    if first + length > input.shape[axis]:
        raise torch_error(
            f"start ({first}) + length ({length}) exceeds dimension size ({input.shape[axis]}).",
            f"起点 {first} 加长度 {length} 超出了该维的长度 {input.shape[axis]}。",
        )
    return slice_axis(input, axis, first, first + whole(length))


OPERATORS["narrow"] = narrow


OPERATORS["select"] = select


@differentiable("SplitBackward0", saves="self_sym_sizes split_size dim")
def _split_values(self: Any, split_size: Any, dim: Any, sizes: Any) -> Any:
    return tuple(ops.split(self, list(sizes), axis=dim)) if len(sizes) > 1 else (ops.identity(self),)


@differentiable("SplitWithSizesBackward0", saves="self_sym_sizes split_sizes dim")
def _split_sizes(self: Any, split_sizes: Any, dim: Any, sizes: Any) -> Any:
    return tuple(ops.split(self, list(sizes), axis=dim)) if len(sizes) > 1 else (ops.identity(self),)


@differentiable("UnbindBackward0", saves="dim")
def _unbind(self: Any, dim: Any, count: Any) -> Any:
    return tuple(ops.unstack(self, count, dim))


@_split_values.backward
def _split_values_backward(saved: Any, *grads: Any) -> Any:
    return cat(list(grads), saved.dim)


@_split_sizes.backward
def _split_sizes_backward(saved: Any, *grads: Any) -> Any:
    return cat(list(grads), saved.dim)


@_unbind.backward
def _unbind_backward(saved: Any, *grads: Any) -> Any:
    return stack(list(grads), saved.dim)


def _as_views(tensor: Any, made: Any, steps: Any) -> Any:
    """Parts that a function gave as views of the tensor's memory."""
    found = []
    for one, step in zip(made, steps, strict=True):
        part = view_of(tensor, step)
        part.show(one.value)
        part.node, part.output, part.node_version = one.node, one.output, part.version.number
        found.append(part)
    return tuple(found)


def _slice_step(axis: Any, start: Any, end: Any) -> Any:
    return Step(
        lambda value: _slice.forward(value, axis, start, end, 1),
        lambda a: _slice_array(a, axis, start, end, 1),
    )


def _select_step(axis: Any, place: Any) -> Any:
    return Step(lambda value: _select.forward(value, axis, place), lambda a: _select_array(a, axis, place))


@torch_function("split", method=True)
def split(tensor: Any, split_size_or_sections: Any, dim: Any = 0) -> Any:
    """Parts of a length, or of these lengths."""
    axis = axis_of(dim, tensor.form.ndim)
    length = tensor.shape[axis]
    if isinstance(split_size_or_sections, (list, tuple)):
        sizes = lengths((split_size_or_sections,))
        if sum(sizes) != length:
            raise torch_error(
                f"split_with_sizes expects split_sizes to sum exactly to {length} (input tensor's size at "
                "dimension "
                f"{axis}), but got split_sizes={list(sizes)}",
                f"各段长度之和必须等于 {length}。",
            )
        made = _split_sizes(tensor, sizes, axis, sizes)
    else:
        size = _part_length(whole(split_size_or_sections), length)
        sizes = tuple(min(size, length - start) for start in range(0, length, size)) or (0,)
        made = _split_values(tensor, size, axis, sizes)
    ends = np.cumsum(sizes)
    steps = [_slice_step(axis, int(end - size), int(end)) for size, end in zip(sizes, ends, strict=True)]
    return _as_views(tensor, made, steps)


def _part_length(size: int, length: int) -> int:
    """The length of a part. Raises: RuntimeError's messages of PyTorch."""
    if size < 0:
        raise torch_error(
            f"split expects split_size be non-negative, but got split_size={size}", "split 的长度不能为负。"
        )
    if size == 0 and length:
        raise torch_error(
            f"split_size can only be 0 if dimension size is 0, but got dimension size of {length}",
            "split 的长度只有在该维长度为 0 时才能是 0。",
        )
    return max(size, 1)


@torch_function("chunk", method=True)
def chunk(input: Any, chunks: Any, dim: Any = 0) -> Any:
    """So many parts, the last one perhaps shorter."""
    if input.form.ndim == 0:
        raise torch_error("chunk expects at least a 1-dimensional tensor", "chunk 需要至少一维的张量。")
    if whole(chunks) <= 0:
        raise torch_error(
            f"chunk expects `chunks` to be greater than 0, got: {whole(chunks)}", "chunk 的份数必须大于 0。"
        )
    length = input.shape[axis_of(dim, input.form.ndim)]
    return split(input, max(-(-length // whole(chunks)), 1), dim)


@torch_function("tensor_split", method=True)
def tensor_split(input: Any, indices_or_sections: Any, dim: Any = 0) -> Any:
    """So many parts of as good as one length, or parted at these places."""
    axis = axis_of(dim, input.form.ndim)
    length = input.shape[axis]
    if isinstance(indices_or_sections, (list, tuple)):
        ends = [*lengths((indices_or_sections,)), length]
    else:
        count = whole(indices_or_sections)
        if count <= 0:
            raise torch_error(
                f"number of sections must be larger than 0, got {count}", "tensor_split 的份数必须大于 0。"
            )
        ends = list(np.cumsum([length // count + (place < length % count) for place in range(count)]))
    starts = [0, *ends[:-1]]
    return tuple(slice_axis(input, axis, int(a), int(b)) for a, b in zip(starts, ends, strict=True))


@torch_function("unbind", method=True)
def unbind(input: Any, dim: Any = 0) -> Any:
    """The parts along an axis, without that axis."""
    axis = axis_of(dim, input.form.ndim)
    count = input.shape[axis]
    if count == 0:
        return ()
    made = _unbind(input, axis, count)
    return _as_views(input, made, [_select_step(axis, place) for place in range(count)])


def rows(tensor: Any) -> Any:
    """What a loop goes through. Raises: TypeError's message of PyTorch where there are no axes."""
    if tensor.form.ndim == 0:
        raise torch_error("iteration over a 0-d tensor", "不能遍历零维张量。", kind="TypeError")
    return unbind(tensor, 0)


OPERATORS["iter"] = rows


@torch_function("meshgrid")
def meshgrid(*tensors: Any, indexing: Any = "ij") -> Any:
    """Coordinates of a grid."""
    given = list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else list(tensors)
    _check_grid(given, indexing)
    swap = indexing == "xy" and len(given) > 1
    if swap:
        given[0], given[1] = given[1], given[0]
    shape = [one.form.size for one in given]
    found = [
        expand(_view(one, tuple(n if axis == place else 1 for axis, n in enumerate(shape))), tuple(shape))
        for place, one in enumerate(given)
    ]
    if swap:
        found[0], found[1] = found[1], found[0]
    return tuple(found)


def _check_grid(given: Any, indexing: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch for another order of axes, or rows that are none."""
    if indexing not in ("ij", "xy"):
        raise torch_error(
            f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}',
            f"indexing 只能是 'ij' 或 'xy'，不能是 {indexing}。",
        )
    for one in given:
        if one.form.ndim > 1:
            raise torch_error(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {list(one.shape)}",
                "meshgrid 需要一维张量。",
                code="shape_mismatch",
            )
