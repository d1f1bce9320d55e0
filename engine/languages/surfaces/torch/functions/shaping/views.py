"""The same elements in another shape: views where the memory allows it."""

from __future__ import annotations

from math import prod
from math import prod as product
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable, view
from engine.languages.surfaces.torch.dtypes import BFLOAT16, DType
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.operands import (
    axis_of,
)
from engine.languages.surfaces.torch.functions.shaping.memory import clone
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import lengths
from engine.languages.surfaces.torch.storage import places_in
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers


@view("ViewBackward0", saves="self_sym_sizes")
def _view(self: Any, size: Any) -> Any:
    return ops.reshape(self, list(size))


@_view.on_arrays
def _view_array(array: Any, size: Any) -> Any:
    return array.reshape(size)


@_view.backward
def _view_backward(saved: Any, grad: Any) -> Any:
    return reshape(grad, saved.self_sym_sizes)


_view_by_strides = view("ReshapeAliasBackward0", saves="self_sym_sizes")(_view.forward)
_view_by_strides.of_array = _view_array
_view_by_strides.backward(_view_backward)


@view("AliasBackward0")
def alias(self: Any) -> Any:
    """All of a tensor, as a tensor of its own on the same memory."""
    return self


@alias.on_arrays
def _alias_array(array: Any) -> Any:
    return array


@alias.backward
def _alias_backward(saved: Any, grad: Any) -> Any:
    return grad


@differentiable("UnsafeViewBackward0", saves="self_sym_sizes")
def unsafe_view(self: Any, size: Any) -> Any:
    return ops.reshape(self, list(size))


@unsafe_view.backward
def _unsafe_view_backward(saved: Any, grad: Any) -> Any:
    return reshape(grad, saved.self_sym_sizes)


def inferred(size: Any, count: Any, shape: Any = None) -> Any:
    """The lengths with -1 worked out. Raises: RuntimeError's message of PyTorch where they do not fit."""
    for place, length in enumerate(size):
        if length < -1:
            raise torch_error(
                f"invalid shape dimension {length} at index {place} of shape {list(size)}",
                f"形状 {list(size)} 中的长度 {length} 无效。",
                code="shape_mismatch",
            )
    known = prod(length for length in size if length != -1)
    if size.count(-1) > 1:
        raise torch_error("only one dimension can be inferred", "只能有一个维度写成 -1。")
    if -1 in size:
        fits = known > 0 and count % known == 0
        found = tuple(count // known if length == -1 else length for length in size) if fits else None
    else:
        found = tuple(size) if known == count else None
    if found is None:
        raise torch_error(
            f"shape '{list(size)}' is invalid for input of size {count}",
            f"形状 {list(size)} 不适用于 {count} 个元素。",
            code="shape_mismatch",
        )
    return found


@torch_function("view", method="only")
def view_method(self: Any, *shape: Any) -> Any:
    """The same elements in another shape, in the same memory."""
    if len(shape) == 1 and isinstance(shape[0], DType):
        return _bits_as(self, shape[0])
    size = inferred(lengths(shape), self.form.size)
    if not _is_viewable(self, size):
        raise torch_error(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans "
            "across two contiguous subspaces). Use .reshape(...) instead.",
            "view 的形状与张量在内存中的排列不相容。",
            hint="Use .reshape(…) instead.",
            hint_zh="请改用 .reshape(…)。",
        )
    return _view(self, size)


def _bits_as(tensor: Tensor, dtype: DType) -> Tensor:
    """The same bits read as numbers of another type. Raises: RuntimeError's message of PyTorch."""
    if tensor.dtype is dtype:
        return tensor
    if BFLOAT16 in (tensor.dtype, dtype):
        raise not_here("The bits of bfloat16", " bfloat16 的二进制位")
    array = np.ascontiguousarray(tensor.array)
    size, wanted = array.itemsize, np.dtype(dtype.held_as).itemsize
    ratio = wanted // size
    if ratio > 1 and (not array.ndim or array.shape[-1] % ratio):
        raise torch_error(
            f"self.size(-1) must be divisible by {ratio} to view {tensor.dtype.scalar_name} as "
            f"{dtype.scalar_name} (different element sizes), but got {array.shape[-1] if array.ndim else 1}",
            f"最后一维的长度必须能被 {ratio} 整除。",
        )
    made = of_numbers(array.view(dtype.name))
    made.storage.bits_read = tensor.storage.bits_read = True
    return made


def places_of(tensor: Tensor) -> Any:
    """The place of each element in the memory that it shares."""
    return places_in(tensor.storage.form().shape, tensor.steps)


def _is_viewable(tensor: Tensor, size: Any) -> bool:
    """Whether the elements, in another shape, still lie in memory at even distances."""
    if not tensor.steps or tensor.form.size == 0:
        return True
    places = places_of(tensor)
    if places.flags.c_contiguous:
        return True
    again = places.view()
    try:
        again.shape = size
    except AttributeError:
        return False
    return True


def is_contiguous(tensor: Tensor) -> bool:
    """Whether the elements lie in memory one after the other."""
    if not tensor.steps:
        return True
    flat = places_of(tensor).ravel()
    return bool(np.array_equal(flat, flat[:1] + np.arange(flat.size))) if flat.size else True


torch_function("is_contiguous", method="only")(lambda self, memory_format=None: is_contiguous(self))


@torch_function("reshape", method="only")
def reshape_method(self: Any, *shape: Any) -> Any:
    """The same elements in another shape, in the same memory where that goes."""
    return reshape(self, lengths(shape))


@torch_function("reshape")
def reshape(input: Any, shape: Any) -> Any:
    """The same elements in another shape, in the same memory where that goes."""
    size = inferred(lengths((shape,)), input.form.size)
    if size == input.shape:
        return _view(input, size) if not input.wrapped else input
    if not _is_viewable(input, size):
        return unsafe_view(clone(input), size)
    return _view(input, size) if is_contiguous(input) else _view_by_strides(input, size)


@torch_function("view_as", "reshape_as", method="only")
def view_as(self: Any, other: Any) -> Any:
    """The same elements in the shape of another tensor."""
    return reshape(self, other.shape)


@torch_function("flatten", method=True)
def flatten(input: Any, start_dim: Any = 0, end_dim: Any = -1) -> Any:
    """Some axes made one."""
    rank = input.form.ndim
    if rank == 0:
        return reshape(input, (1,))
    first, last = axis_of(start_dim, rank), axis_of(end_dim, rank)
    if first > last:
        raise torch_error(
            "flatten() has invalid args: start_dim cannot come after end_dim",
            "flatten 的 start_dim 不能在 end_dim 之后。",
        )
    if first == last:
        return input
    shape = input.shape
    return reshape(input, (*shape[:first], prod(shape[first : last + 1]), *shape[last + 1 :]))


@torch_function("ravel", method=True)
def ravel(input: Any) -> Any:
    """All elements in one row."""
    return reshape(input, (-1,)) if input.form.ndim != 1 else input


@torch_function("unflatten", method=True)
def unflatten(input: Any, dim: Any, sizes: Any) -> Any:
    """One axis made several."""
    axis, shape = axis_of(dim, input.form.ndim), input.shape
    given = lengths((sizes,))
    rest = -product(given)
    fits = rest > 0 and shape[axis] % rest == 0 if given.count(-1) == 1 else product(given) == shape[axis]
    if given.count(-1) < 2 and not fits:
        raise torch_error(
            f"unflatten: Provided sizes {list(given)} don't multiply up to the size of dim {axis} "
            f"({shape[axis]}) in the input tensor",
            f"unflatten 给出的长度 {list(given)} 的乘积不等于第 {axis} 维的长度 {shape[axis]}。",
        )
    return _view(input, (*shape[:axis], *inferred(lengths((sizes,)), shape[axis]), *shape[axis + 1 :]))
