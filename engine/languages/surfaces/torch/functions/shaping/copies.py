"""Copies that gradients follow: repetitions, reversals."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import (
    axes_of,
    axis_of,
    kind_needed,
)
from engine.languages.surfaces.torch.functions.shaping.axes import expand, unsqueeze
from engine.languages.surfaces.torch.functions.shaping.memory import _clone, clone
from engine.languages.surfaces.torch.functions.shaping.views import is_contiguous, reshape
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import lengths, whole
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor


@torch_function("contiguous", method="only")
def contiguous(self: Any, memory_format: Any = None) -> Any:
    """The tensor with its elements one after the other."""
    return self if is_contiguous(self) else _clone(self)


@differentiable("RepeatBackward0", saves="repeats self_sym_sizes")
def _repeat(self: Any, repeats: Any) -> Any:
    extra = len(repeats) - len(self.form.shape)
    value = ops.reshape(self, [1] * extra + list(self.form.shape)) if extra else self
    return ops.tile(value, np.asarray(repeats, dtype="int32"))


@_repeat.backward
def _repeat_backward(saved: Any, grad: Any) -> Any:
    size, repeats = saved.self_sym_sizes, saved.repeats
    extra = len(repeats) - len(size)
    lengths_ = (1,) * extra + tuple(size)
    parted = [one for pair in zip(repeats, lengths_, strict=True) for one in pair]
    summed = OPERATORS["sum"](reshape(grad, parted), tuple(range(0, len(parted), 2)))
    return reshape(summed, size)


@torch_function("repeat", method="only")
def repeat(self: Any, *sizes: Any) -> Any:
    """The elements again and again along each axis."""
    if not sizes:
        raise torch_error(
            'repeat() missing 1 required positional arguments: "repeats"',
            "repeat() 缺少参数。",
            kind="TypeError",
        )
    repeats = lengths(sizes)
    if len(repeats) < self.form.ndim:
        raise torch_error(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
            "repeat 的个数不能少于张量的维数。",
        )
    return _repeat(self, repeats)


@torch_function("tile")
def tile(input: Any, dims: Any) -> Any:
    """The elements again and again along the last axes."""
    if not isinstance(dims, (list, tuple)):
        raise kind_needed("tile", "dims", 2, "tuple of ints", dims)
    repeats = lengths((dims,))
    return _repeat(input, (1,) * (input.form.ndim - len(repeats)) + repeats)


torch_function("tile", method="only")(lambda self, *dims: tile(self, lengths(dims)))


@torch_function("repeat_interleave", method=True)
def repeat_interleave(input: Any, repeats: Any = None, dim: Any = None, *, output_size: Any = None) -> Any:
    """Each element several times, one after the other; of counts alone, each place so many times."""
    if repeats is None:
        return _places_repeated(input)
    if dim is None:
        input, dim = reshape(input, (-1,)), 0
    axis = axis_of(dim, input.form.ndim)
    _check_repeats(repeats, input.shape[axis])
    if isinstance(repeats, Tensor) and repeats.form.size > 1:
        state().graph.meter.check_elements((int(repeats.array.sum()),))
        places = np.repeat(np.arange(input.shape[axis]), repeats.array)
        return OPERATORS["index_select"](input, axis, OPERATORS["of_numbers"](places))
    count, shape = whole(repeats), input.shape
    spread = expand(unsqueeze(input, axis + 1), (*shape[: axis + 1], count, *shape[axis + 1 :]))
    return reshape(clone(spread), (*shape[:axis], shape[axis] * count, *shape[axis + 1 :]))


def _check_repeats(repeats: Any, length: int) -> None:
    """Raises: RuntimeError's messages of PyTorch where counts do not fit an axis, or are below zero."""
    array = repeats.array if isinstance(repeats, Tensor) else np.asarray(repeats)
    if array.size > 1 and array.size != length:
        raise torch_error(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = {array.size} and "
            f"input.size(0) = {length}",
            f"repeats 有 {array.size} 个数，而这一维的长度是 {length}。",
            code="shape_mismatch",
        )
    if np.any(array < 0):
        several = isinstance(repeats, Tensor)
        raise torch_error(
            "repeats can not be negative" if several else "Repeats must be non-negative",
            "repeats 不能为负。",
        )


def _places_repeated(counts: Any) -> Any:
    if counts.dtype.is_floating:
        raise torch_error(
            f"\"repeat_interleave_cpu\" not implemented for '{counts.dtype.scalar_name}'",
            "重复的次数必须是整数。",
            kind="NotImplementedError",
        )
    state().graph.meter.check_elements((int(counts.array.sum()),))
    places = np.repeat(np.arange(counts.array.size), counts.array)
    return OPERATORS["of_numbers"](places.astype(counts.array.dtype))


@differentiable("FlipBackward0", saves="dims")
def _flip(self: Any, dims: Any) -> Any:
    return ops.reverse(self, np.asarray(dims, dtype="int32"))


@_flip.backward
def _flip_backward(saved: Any, grad: Any) -> Any:
    return _flip(grad, saved.dims)


@torch_function("flip")
def flip(input: Any, dims: Any) -> Any:
    """The elements in reverse order along some axes."""
    axes = lengths((dims,))
    return _flip(input, axes_of(axes, input.form.ndim) if axes else ())


@torch_function("flip", method="only")
def flip_method(self: Any, *dims: Any) -> Any:
    """The same as a method, which takes the axes one by one, too."""
    if not dims:
        raise torch_error(
            'flip() missing 1 required positional arguments: "dims"',
            "flip() 缺少参数 dims。",
            kind="TypeError",
            code="wrong_arguments",
        )
    return flip(self, lengths(dims))


torch_function("fliplr", method=True)(lambda input: flip(input, (1,)))


torch_function("flipud", method=True)(lambda input: flip(input, (0,)))


@differentiable("RollBackward0", saves="shifts dims")
def _roll(self: Any, shifts: Any, dims: Any) -> Any:
    return ops.roll(self, np.asarray(shifts, dtype="int32"), np.asarray(dims, dtype="int32"))


@_roll.backward
def _roll_backward(saved: Any, grad: Any) -> Any:
    return _roll(grad, tuple(-one for one in saved.shifts), saved.dims)


@differentiable("RollBackward0", saves="shifts dims")
def _roll_flat(self: Any, shifts: Any, dims: Any) -> Any:
    flat = ops.roll(
        ops.reshape(self, [-1]), np.asarray(shifts[0], dtype="int32"), np.asarray(0, dtype="int32")
    )
    return ops.reshape(flat, list(self.form.shape))


@_roll_flat.backward
def _roll_flat_backward(saved: Any, grad: Any) -> Any:
    return _roll_flat(grad, (-saved.shifts[0],), ())


@torch_function("roll", method=True)
def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    """The elements moved on along an axis, those at the end to the front."""
    _check_aligned(shifts, dims)
    if dims is None:
        (by,) = shifts if isinstance(shifts, (list, tuple)) else (shifts,)
        return _roll_flat(input, (whole(by),), ())
    moved = shifts if isinstance(shifts, (list, tuple)) else (shifts,)
    return _roll(input, tuple(map(whole, moved)), axes_of(dims, input.form.ndim))


def _check_aligned(shifts: Any, dims: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where there is not one shift for each axis."""
    count = len(shifts) if isinstance(shifts, (list, tuple)) else 1
    axes = len(dims) if isinstance(dims, (list, tuple)) else 0 if dims is None else 1
    if count != axes and (axes or count != 1):
        raise torch_error(
            f"shifts and dimensions must align. shifts: {count}, dims:{axes}",
            f"有 {count} 个位移，却有 {axes} 个维度。",
        )
