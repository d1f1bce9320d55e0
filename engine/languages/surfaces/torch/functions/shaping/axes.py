"""Axes in another order, added and taken away, and made longer without a copy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.carrying import operand_of
from engine.languages.surfaces.torch.autograd.engine import FITTING
from engine.languages.surfaces.torch.autograd.function import view
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import (
    axes_of,
    axis_of,
    check_broadcast,
    is_plain_float,
)
from engine.languages.surfaces.torch.functions.shaping.views import reshape
from engine.languages.surfaces.torch.functions.untracked import is_noted
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import lengths
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, of_value


@view("PermuteBackward0", saves="dims")
def _permute(self: Any, dims: Any) -> Any:
    return ops.transpose(self, list(dims))


@_permute.on_arrays
def _permute_array(array: Any, dims: Any) -> Any:
    return np.transpose(array, dims)


@_permute.backward
def _permute_backward(saved: Any, grad: Any) -> Any:
    return permute(grad, tuple(int(one) for one in np.argsort(saved.dims)))


@torch_function("permute")
def permute(input: Any, dims: Any) -> Any:
    """The axes in another order."""
    given = lengths((dims,))
    if len(given) != input.form.ndim:
        raise torch_error(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
            f"desired ordering of dimensions i.e. input.dim() = {input.form.ndim} is not equal to "
            "len(dims) = "
            f"{len(given)}",
            "permute 给出的维度个数与张量的维数不同。",
        )
    axes = tuple(axis_of(one, input.form.ndim) for one in given)
    if len(set(axes)) < len(axes):
        raise torch_error("permute(): duplicate dims are not allowed.", "permute 的维度不能重复。")
    return _permute(input, axes)


torch_function("permute", method="only")(lambda self, *dims: permute(self, lengths(dims)))


@view("TransposeBackward0", saves="dim0 dim1")
def _transpose(self: Any, dim0: Any, dim1: Any) -> Any:
    return _exchanged(self, dim0, dim1)


@view("TransposeBackward1", saves="dim0 dim1")
def transpose_own_result(self: Any, dim0: Any, dim1: Any) -> Any:
    """The same in place, as PyTorch does to what a recurrent layer has made."""
    return _exchanged(self, dim0, dim1)


def _exchanged(tensor: Any, dim0: Any, dim1: Any) -> Any:
    order = list(range(len(tensor.shape)))
    order[dim0], order[dim1] = order[dim1], order[dim0]
    return ops.transpose(tensor, order)


def _transpose_array(array: Any, dim0: Any, dim1: Any) -> Any:
    return np.swapaxes(array, dim0, dim1)


def _transpose_backward(saved: Any, grad: Any) -> Any:
    return transpose(grad, saved.dim0, saved.dim1)


for _one in (_transpose, transpose_own_result):
    _one.on_arrays(_transpose_array)
    _one.backward(_transpose_backward)


@torch_function("transpose", "swapdims", method=True)
def transpose(input: Any, dim0: Any, dim1: Any) -> Any:
    """Two axes exchanged."""
    rank = input.form.ndim
    return _transpose(input, axis_of(dim0, rank), axis_of(dim1, rank))


@torch_function("swapaxes", method=True)
def swapaxes(input: Any, axis0: Any, axis1: Any) -> Any:
    """Two axes exchanged, in the words of numpy."""
    return transpose(input, axis0, axis1)


@view("TBackward0")
def _t(self: Any) -> Any:
    return ops.transpose(self)


@_t.on_arrays
def _t_array(array: Any) -> Any:
    return array.T


@_t.backward
def _t_backward(saved: Any, grad: Any) -> Any:
    return t(grad)


@torch_function("t", method=True)
def t(input: Any) -> Any:
    """A matrix transposed; a row of numbers as it is."""
    if input.form.ndim > 2:
        raise torch_error(
            f"t() expects a tensor with <= 2 dimensions, but self is {input.form.ndim}D",
            f"t() 需要最多两维的张量，而这里有 {input.form.ndim} 维。",
        )
    return _t(input)


def numpy_t(tensor: Any) -> Any:
    """`x.T`: all axes in reverse order."""
    return _permute(tensor, tuple(reversed(range(tensor.form.ndim))))


def _each_once(dims: Any, rank: int, name: str) -> tuple[int, ...]:
    axes = tuple(axis_of(one, rank) for one in (dims if isinstance(dims, (list, tuple)) else (dims,)))
    if len(set(axes)) < len(axes):
        raise torch_error(
            f"movedim: repeated dim in `{name}` ({list(axes)})", f"movedim 的 {name} 中有重复的维度。"
        )
    return axes


@torch_function("movedim", "moveaxis", method=True)
def movedim(input: Any, source: Any, destination: Any) -> Any:
    """Some axes at another place."""
    rank = input.form.ndim
    from_, to = (
        _each_once(one, rank, name) for one, name in ((source, "source"), (destination, "destination"))
    )
    if len(from_) != len(to):
        raise torch_error(
            f"movedim: Invalid source or destination dims: source ({list(from_)} dims) should contain the "
            f"same number of dims as destination ({list(to)} dims)",
            "movedim 的 source 与 destination 个数必须相同。",
        )
    rest = iter(one for one in range(rank) if one not in from_)
    at = dict(zip(to, from_, strict=True))
    return _permute(input, tuple(at[place] if place in at else next(rest) for place in range(rank)))


@view("UnsqueezeBackward0", saves="dim")
def _unsqueeze(self: Any, dim: Any) -> Any:
    return ops.expand_dims(self, dim)


@_unsqueeze.on_arrays
def _unsqueeze_array(array: Any, dim: Any) -> Any:
    return np.expand_dims(array, dim)


@_unsqueeze.backward
def _unsqueeze_backward(saved: Any, grad: Any) -> Any:
    return squeeze(grad, saved.dim)


@torch_function("unsqueeze", method=True)
def unsqueeze(input: Any, dim: Any) -> Any:
    """A new axis of length 1."""
    return _unsqueeze(input, axis_of(dim, input.form.ndim + 1))


@view("SqueezeBackward0", saves="self_sym_sizes")
def _squeeze(self: Any) -> Any:
    return ops.reshape(self, [length for length in self.form.shape if length != 1])


@_squeeze.on_arrays
def _squeeze_array(array: Any) -> Any:
    return array.squeeze()


@_squeeze.backward
def _squeeze_backward(saved: Any, grad: Any) -> Any:
    return _unsqueezed(grad, saved.self_sym_sizes, range(len(saved.self_sym_sizes)))


def _unsqueezed(grad: Any, sizes: Any, axes: Iterable[int]) -> Any:
    """A gradient with those of these axes again that were of length 1 and are gone."""
    for axis in axes if len(sizes) else ():
        if sizes[axis] == 1:
            grad = unsqueeze(grad, axis)
    return grad


@view("SqueezeBackward1", saves="self_sym_sizes dim")
def _squeeze_one(self: Any, dim: Any) -> Any:
    shape = self.form.shape
    return ops.reshape(self, [n for axis, n in enumerate(shape) if axis != dim or n != 1])


@_squeeze_one.on_arrays
def _squeeze_one_array(array: Any, dim: Any) -> Any:
    return array.squeeze(dim) if array.ndim and array.shape[dim] == 1 else array


@_squeeze_one.backward
def _squeeze_one_backward(saved: Any, grad: Any) -> Any:
    return _unsqueezed(grad, saved.self_sym_sizes, (saved.dim,))


@view("SqueezeBackward2", saves="self_sym_sizes dim")
def _squeeze_several(self: Any, dim: Any) -> Any:
    return ops.reshape(self, [n for axis, n in enumerate(self.form.shape) if axis not in dim or n != 1])


@_squeeze_several.on_arrays
def _squeeze_several_array(array: Any, dim: Any) -> Any:
    return array.reshape([n for axis, n in enumerate(array.shape) if axis not in dim or n != 1])


@_squeeze_several.backward
def _squeeze_several_backward(saved: Any, grad: Any) -> Any:
    return _unsqueezed(grad, saved.self_sym_sizes, sorted(saved.dim))


@torch_function("squeeze", method=True)
def squeeze(input: Any, dim: Any = None) -> Any:
    """Axes of length 1 taken away."""
    if dim is None:
        return _squeeze(input)
    if isinstance(dim, (list, tuple)):
        return _squeeze_several(input, axes_of(dim, input.form.ndim))
    return _squeeze_one(input, axis_of(dim, input.form.ndim))


@view("ExpandBackward0", saves="self_sym_sizes")
def _expand(self: Any, size: Any) -> Any:
    return ops.broadcast_to(self, list(size))


@_expand.on_arrays
def _expand_array(array: Any, size: Any) -> Any:
    return np.broadcast_to(array, size)


@_expand.backward
def _expand_backward(saved: Any, grad: Any) -> Any:
    return sum_to_size(grad, saved.self_sym_sizes)


@torch_function("expand", method="only")
def expand(self: Any, *size: Any) -> Any:
    """Axes of length 1 made longer, without a copy."""
    wanted, shape = lengths(size), self.shape
    new = len(wanted) - len(shape)
    if new < 0:
        raise torch_error(
            f"expand(torch.{self.dtype.scalar_name}Tensor{{{list(shape)}}}, size={list(wanted)}): the "
            "number of "
            f"sizes provided ({len(wanted)}) must be greater or equal to the number of dimensions in the "
            "tensor "
            f"({len(shape)})",
            "expand 给出的长度个数少于张量的维数。",
        )
    for axis, length in enumerate(wanted[:new]):
        if length == -1:
            raise torch_error(
                f"The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension "
                f"{axis}",
                f"新加的第 {axis} 维不能写 -1，必须给出长度。",
            )
    full = tuple(shape[axis - new] if length == -1 else length for axis, length in enumerate(wanted))
    check_expands(self, full, wanted)
    return _expand(self, full)


def check_expands(tensor: Any, full: Any, wanted: Any = None) -> None:
    """Raises: RuntimeError's message of PyTorch where a tensor cannot be broadcast to a shape.

    wanted: the same shape as the program writes it.
    """
    shape = tensor.shape
    new = len(full) - len(shape)
    for axis, length in reversed(list(enumerate(full[new:]))):
        if shape[axis] not in (1, length):
            raise torch_error(
                f"The expanded size of the tensor ({length}) must match the existing size ({shape[axis]}) at "
                f"non-singleton dimension {axis + new}.  Target sizes: {list(wanted or full)}.  Tensor "
                f"sizes: {list(shape)}",
                f"张量在第 {axis + new} 维的长度 {shape[axis]} 不能扩展为 {length}。",
                code="shape_mismatch",
            )


torch_function("expand_as", method="only")(lambda self, other: expand(self, other.shape))


torch_function("broadcast_to", method=True)(lambda input, size: expand(input, size))


@torch_function("broadcast_tensors")
def broadcast_tensors(*tensors: Any) -> Any:
    """Tensors in the shape that they have together."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    shape = check_broadcast(given)
    return tuple(one if one.shape == shape else expand(one, shape) for one in given)


def sum_to_size(tensor: Any, size: Any) -> Any:
    """A gradient summed up over the axes that were broadcast."""
    size = tuple(size)
    if tensor.shape == size:
        return tensor
    new = tensor.form.ndim - len(size)
    axes = [*range(new), *(new + a for a, n in enumerate(size) if n == 1 and tensor.shape[new + a] != 1)]
    if len(axes) == new and tensor.shape[new:] == size and not is_noted(tensor):
        if is_plain_float(tensor) and state().graph.runs_freely():
            return of_value(ops.reduce_sum(operand_of(tensor), axis=axes))
        return OPERATORS["sum"](tensor, tuple(axes))
    if axes:
        tensor = OPERATORS["sum"](tensor, tuple(axes), True)
    return reshape(tensor, size) if tensor.shape != size else tensor


torch_function("sum_to_size", method="only")(lambda self, *size: sum_to_size(self, lengths(size)))


FITTING["sum_to_size"] = sum_to_size
