"""Tensors taken apart: `torch.split`, `torch.chunk`, `torch.unbind`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable, view_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import axis_of
from engine.languages.surfaces.torch.functions.shaping.joining import cat, stack
from engine.languages.surfaces.torch.functions.shaping.selecting import (
    place_of_array,
    range_of_array,
    selection,
    slice_axis,
    sliced,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import lengths, whole
from engine.languages.surfaces.torch.storage import Step
from engine.languages.surfaces.torch.tensor import OPERATORS


@differentiable("SplitBackward0", saves="self_sym_sizes split_size dim")
def _split_values(self: Any, split_size: Any, dim: Any, sizes: Any) -> Any:
    return tuple(ops.split(self, list(sizes), axis=dim)) if len(sizes) > 1 else (ops.identity(self),)


@differentiable("SplitWithSizesBackward0", saves="self_sym_sizes split_sizes dim")
def _split_sizes(self: Any, split_sizes: Any, dim: Any, sizes: Any) -> Any:
    return tuple(ops.split(self, list(sizes), axis=dim)) if len(sizes) > 1 else (ops.identity(self),)


@differentiable("UnsafeSplitBackward0", saves="self_sym_sizes split_size dim")
def _unsafe_split(self: Any, split_size: Any, dim: Any, count: Any) -> Any:
    return tuple(ops.split(self, [split_size] * count, axis=dim))


@differentiable("UnbindBackward0", saves="dim")
def _unbind(self: Any, dim: Any, count: Any) -> Any:
    return tuple(ops.unstack(self, count, dim))


@_split_values.backward
def _split_values_backward(saved: Any, *grads: Any) -> Any:
    return cat(list(grads), saved.dim)


@_split_sizes.backward
def _split_sizes_backward(saved: Any, *grads: Any) -> Any:
    return cat(list(grads), saved.dim)


@_unsafe_split.backward
def _unsafe_split_backward(saved: Any, *grads: Any) -> Any:
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
        lambda value: sliced.forward(value, axis, start, end, 1),
        lambda a: range_of_array(a, axis, start, end, 1),
    )


def _select_step(axis: Any, place: Any) -> Any:
    return Step(lambda value: selection.forward(value, axis, place), lambda a: place_of_array(a, axis, place))


@torch_function("split", method=True)
def split(tensor: Any, split_size_or_sections: Any, dim: Any = 0) -> Any:
    """Parts of a length, or of these lengths."""
    if tensor.form.ndim == 0:
        raise torch_error("split expects at least a 1-dimensional tensor", "split 需要至少一维的张量。")
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


def unsafe_chunk(input: Any, chunks: int, dim: int) -> Any:
    """So many parts of one length, each in memory of its own, as PyTorch's kernels part what is theirs."""
    return _unsafe_split(input, input.form.shape[dim] // chunks, dim, chunks)


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
    if input.form.ndim == 0:
        raise torch_error(
            f"Dimension specified as {dim} but tensor has no dimensions",
            "零维张量没有可以拆开的维。",
            kind="IndexError",
        )
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
