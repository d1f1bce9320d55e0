"""Other shapes of the same elements: views, and copies that repeat, turn or join them."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.engine import FITTING
from engine.languages.surfaces.torch.autograd.function import differentiable, view
from engine.languages.surfaces.torch.autograd.in_place import in_place
from engine.languages.surfaces.torch.dtypes import DType, dtype_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import (
    CASTING,
    axes_of,
    axis_of,
    check_broadcast,
    common_type,
    to_type,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import lengths, whole
from engine.languages.surfaces.torch.storage import Version
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_value

# -- the elements in another shape -----------------------------------------------------------------------


@view("ViewBackward0", saves="self_sym_sizes")
def _view(self: Any, size: Any) -> Any:
    return ops.reshape(self, list(size))


@_view.on_arrays
def _view_array(array: Any, size: Any) -> Any:
    return array.reshape(size)


@_view.backward
def _view_backward(saved: Any, grad: Any) -> Any:
    return reshape(grad, saved.self_sym_sizes)


@differentiable("UnsafeViewBackward0", saves="self_sym_sizes")
def unsafe_view(self: Any, size: Any) -> Any:
    return ops.reshape(self, list(size))


@unsafe_view.backward
def _unsafe_view_backward(saved: Any, grad: Any) -> Any:
    return reshape(grad, saved.self_sym_sizes)


def inferred(size: Any, count: Any, shape: Any = None) -> Any:
    """The lengths with -1 worked out. Raises: RuntimeError's message of PyTorch where they do not fit."""
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
        return to_type(self, shape[0])
    size = inferred(lengths(shape), self.array.size)
    if not _is_viewable(self, size):
        raise torch_error(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans "
            "across two contiguous subspaces). Use .reshape(...) instead.",
            "view 的形状与张量在内存中的排列不相容。",
            hint="Use .reshape(…) instead.",
            hint_zh="请改用 .reshape(…)。",
        )
    return _view(self, size)


def places_of(tensor: Tensor) -> Any:
    """The place of each element in the memory that it shares."""
    base = tensor.storage.present()
    places = np.arange(base.size).reshape(base.shape)
    for step in tensor.steps:
        places = step.of_array(places)
    return places


def _is_viewable(tensor: Tensor, size: Any) -> bool:
    """Whether the elements, in another shape, still lie in memory at even distances."""
    if not tensor.steps or tensor.array.size == 0:
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
    size = inferred(lengths((shape,)), input.array.size)
    if size == input.shape:
        return _view(input, size) if not input.wrapped else input
    if not _is_viewable(input, size):
        return unsafe_view(clone(input), size)
    return _view(input, size)


@torch_function("view_as", "reshape_as", method="only")
def view_as(self: Any, other: Any) -> Any:
    """The same elements in the shape of another tensor."""
    return reshape(self, other.shape)


@torch_function("flatten", method=True)
def flatten(input: Any, start_dim: Any = 0, end_dim: Any = -1) -> Any:
    """Some axes made one."""
    rank = input.array.ndim
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
    return reshape(input, (-1,)) if input.array.ndim != 1 else input


@torch_function("unflatten", method=True)
def unflatten(input: Any, dim: Any, sizes: Any) -> Any:
    """One axis made several."""
    axis, shape = axis_of(dim, input.array.ndim), input.shape
    return _view(input, (*shape[:axis], *inferred(lengths((sizes,)), shape[axis]), *shape[axis + 1 :]))


# -- axes in another order, added, taken away ------------------------------------------------------------


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
    if len(given) != input.array.ndim:
        raise torch_error(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
            f"desired ordering of dimensions i.e. input.dim() = {input.array.ndim} is not equal to len(dims) = "
            f"{len(given)}",
            "permute 给出的维度个数与张量的维数不同。",
        )
    return _permute(input, axes_of(given, input.array.ndim))


torch_function("permute", method="only")(lambda self, *dims: permute(self, lengths(dims)))


@view("TransposeBackward0", saves="dim0 dim1")
def _transpose(self: Any, dim0: Any, dim1: Any) -> Any:
    order = list(range(len(self.shape)))
    order[dim0], order[dim1] = order[dim1], order[dim0]
    return ops.transpose(self, order)


@_transpose.on_arrays
def _transpose_array(array: Any, dim0: Any, dim1: Any) -> Any:
    return np.swapaxes(array, dim0, dim1)


@_transpose.backward
def _transpose_backward(saved: Any, grad: Any) -> Any:
    return transpose(grad, saved.dim0, saved.dim1)


@torch_function("transpose", "swapaxes", "swapdims", method=True)
def transpose(input: Any, dim0: Any, dim1: Any) -> Any:
    """Two axes exchanged."""
    rank = input.array.ndim
    return _transpose(input, axis_of(dim0, rank), axis_of(dim1, rank))


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
    if input.array.ndim > 2:
        raise torch_error(
            f"t() expects a tensor with <= 2 dimensions, but self is {input.array.ndim}D",
            f"t() 需要最多两维的张量，而这里有 {input.array.ndim} 维。",
        )
    return _t(input)


def numpy_t(tensor: Any) -> Any:
    """`x.T`: all axes in reverse order."""
    return _permute(tensor, tuple(reversed(range(tensor.array.ndim))))


@torch_function("movedim", "moveaxis", method=True)
def movedim(input: Any, source: Any, destination: Any) -> Any:
    """Some axes at another place."""
    rank = input.array.ndim
    from_, to = axes_of(source, rank), axes_of(destination, rank)
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
    return _unsqueeze(input, axis_of(dim, input.array.ndim + 1))


@view("SqueezeBackward0", saves="self_sym_sizes")
def _squeeze(self: Any) -> Any:
    return ops.reshape(self, [length for length in self.array.shape if length != 1])


@_squeeze.on_arrays
def _squeeze_array(array: Any) -> Any:
    return array.squeeze()


@_squeeze.backward
def _squeeze_backward(saved: Any, grad: Any) -> Any:
    return reshape(grad, saved.self_sym_sizes)


@view("SqueezeBackward1", saves="self_sym_sizes dim")
def _squeeze_one(self: Any, dim: Any) -> Any:
    shape = self.array.shape
    return ops.reshape(self, [n for axis, n in enumerate(shape) if axis != dim or n != 1])


@_squeeze_one.on_arrays
def _squeeze_one_array(array: Any, dim: Any) -> Any:
    return array.squeeze(dim) if array.ndim and array.shape[dim] == 1 else array


@_squeeze_one.backward
def _squeeze_one_backward(saved: Any, grad: Any) -> Any:
    return reshape(grad, saved.self_sym_sizes)


@view("SqueezeBackward2", saves="self_sym_sizes dim")
def _squeeze_several(self: Any, dim: Any) -> Any:
    return ops.reshape(self, [n for axis, n in enumerate(self.array.shape) if axis not in dim or n != 1])


@_squeeze_several.on_arrays
def _squeeze_several_array(array: Any, dim: Any) -> Any:
    return array.reshape([n for axis, n in enumerate(array.shape) if axis not in dim or n != 1])


@_squeeze_several.backward
def _squeeze_several_backward(saved: Any, grad: Any) -> Any:
    return reshape(grad, saved.self_sym_sizes)


@torch_function("squeeze", method=True)
def squeeze(input: Any, dim: Any = None) -> Any:
    """Axes of length 1 taken away."""
    if dim is None:
        return _squeeze(input)
    if isinstance(dim, (list, tuple)):
        return _squeeze_several(input, axes_of(dim, input.array.ndim))
    return _squeeze_one(input, axis_of(dim, input.array.ndim))


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
            f"expand(torch.{self.dtype.scalar_name}Tensor{{{list(shape)}}}, size={list(wanted)}): the number of "
            f"sizes provided ({len(wanted)}) must be greater or equal to the number of dimensions in the tensor "
            f"({len(shape)})",
            "expand 给出的长度个数少于张量的维数。",
        )
    full = tuple(shape[axis - new] if length == -1 else length for axis, length in enumerate(wanted))
    for axis, length in enumerate(full[new:]):
        if shape[axis] not in (1, length):
            raise torch_error(
                f"The expanded size of the tensor ({length}) must match the existing size ({shape[axis]}) at "
                f"non-singleton dimension {axis + new}.  Target sizes: {list(wanted)}.  Tensor sizes: {list(shape)}",
                f"张量在第 {axis + new} 维的长度 {shape[axis]} 不能扩展为 {length}。",
            )
    return _expand(self, full)


torch_function("expand_as", method="only")(lambda self, other: expand(self, other.shape))
torch_function("broadcast_to", method=True)(lambda input, size: expand(input, size))


@torch_function("broadcast_tensors")
def broadcast_tensors(*tensors: Any) -> Any:
    """Tensors in the shape that they have together."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    shape = check_broadcast(given)
    return tuple(expand(one, shape) for one in given)


def sum_to_size(tensor: Any, size: Any) -> Any:
    """A gradient summed up over the axes that were broadcast."""
    size = tuple(size)
    if tensor.shape == size:
        return tensor
    new = tensor.array.ndim - len(size)
    axes = [*range(new), *(new + a for a, n in enumerate(size) if n == 1 and tensor.shape[new + a] != 1)]
    if axes:
        tensor = OPERATORS["sum"](tensor, tuple(axes), True)
    return reshape(tensor, size) if tensor.shape != size else tensor


torch_function("sum_to_size", method="only")(lambda self, *size: sum_to_size(self, lengths(size)))
FITTING["sum_to_size"] = sum_to_size


# -- copies ----------------------------------------------------------------------------------------------


@differentiable("CloneBackward0")
def _clone(self: Any) -> Any:
    return ops.identity(self)


@_clone.backward
def _clone_backward(saved: Any, grad: Any) -> Any:
    return grad


@torch_function("clone", method=True)
def clone(input: Any, *, memory_format: Any = None) -> Any:
    """A copy, which gradients follow."""
    return _clone(input)


@torch_function("contiguous", method="only")
def contiguous(self: Any, memory_format: Any = None) -> Any:
    """The tensor with its elements one after the other."""
    return self if is_contiguous(self) else _clone(self)


@differentiable("ToCopyBackward0")
def _to_copy(self: Any, dtype: Any) -> Any:
    return ops.cast(self, dtype.name)


@_to_copy.backward
def _to_copy_backward(saved: Any, grad: Any) -> Any:
    return to(grad, saved._node.metadata["dtype"])


def to(tensor: Any, dtype: Any) -> Any:
    """The tensor with another element type."""
    if tensor.dtype is dtype:
        return tensor
    made = _to_copy(tensor, dtype)
    if made.node is not None:
        made.node.metadata["dtype"] = tensor.dtype
    return made


CASTING["to"] = lambda tensor, dtype: _cast_inside(tensor, dtype)
FITTING["to"] = to


def _cast_inside(tensor: Any, dtype: Any) -> Any:
    """A tensor cast within a function: its own edge stays, and the pass backward casts the gradient."""
    made = of_value(ops.cast(tensor.value, dtype.name))
    if dtype.is_floating:
        made.requires, made.node, made.output = tensor.requires, tensor.grad_fn, tensor.output
        made.node_version = made.version.number
        made.accumulator = tensor.accumulator
        if tensor.requires and tensor.node is None:
            from engine.languages.surfaces.torch.autograd.nodes import gradient_edge

            gradient_edge(tensor)
            made.accumulator = tensor.accumulator
    return made


def detach(tensor: Any) -> Any:
    """The same memory, which gradients do not follow."""
    made = Tensor(tensor.storage, tensor.steps, tensor.version)
    made.seen, made.shown = tensor.seen, tensor.shown
    return made


torch_function("detach", method=True)(lambda input: detach(input))
FITTING["detach"] = detach


@torch_function("detach_", method="only")
def detach_in_place(self: Any) -> Any:
    """The tensor itself, cut off from what computed it."""
    if self.base is not None:
        raise torch_error(
            "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
            "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence "
            "detach_() cannot be called on these gradients. To fix this error, please refer to the "
            "Optimizer.zero_grad() function in torch/optim/optimizer.py as a solution.",
            "不能就地 detach 一个视图，请使用 detach()。",
        )
    self.node, self.requires, self.output = None, False, 0
    return self


def data_of(tensor: Any) -> Any:
    """`x.data`: the same memory, with a count of changes of its own."""
    return Tensor(tensor.storage, tensor.steps, Version())


@differentiable("RepeatBackward0", saves="repeats self_sym_sizes")
def _repeat(self: Any, repeats: Any) -> Any:
    extra = len(repeats) - len(self.array.shape)
    value = ops.reshape(self, [1] * extra + list(self.array.shape)) if extra else self
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
    repeats = lengths(sizes)
    if len(repeats) < self.array.ndim:
        raise torch_error(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
            "repeat 的个数不能少于张量的维数。",
        )
    return _repeat(self, repeats)


@torch_function("tile")
def tile(input: Any, dims: Any) -> Any:
    """The elements again and again along the last axes."""
    repeats = lengths((dims,))
    return _repeat(input, (1,) * (input.array.ndim - len(repeats)) + repeats)


torch_function("tile", method="only")(lambda self, *dims: tile(self, lengths(dims)))


@torch_function("repeat_interleave", method=True)
def repeat_interleave(input: Any, repeats: Any, dim: Any = None, *, output_size: Any = None) -> Any:
    """Each element several times, one after the other."""
    if dim is None:
        input, dim = reshape(input, (-1,)), 0
    axis = axis_of(dim, input.array.ndim)
    if isinstance(repeats, Tensor) and repeats.array.size > 1:
        places = np.repeat(np.arange(input.shape[axis]), repeats.array)
        return OPERATORS["index_select"](input, axis, OPERATORS["of_numbers"](places))
    count, shape = whole(repeats), input.shape
    spread = expand(unsqueeze(input, axis + 1), (*shape[: axis + 1], count, *shape[axis + 1 :]))
    return reshape(clone(spread), (*shape[:axis], shape[axis] * count, *shape[axis + 1 :]))


@differentiable("FlipBackward0", saves="dims")
def _flip(self: Any, dims: Any) -> Any:
    return ops.reverse(self, np.asarray(dims, dtype="int32"))


@_flip.backward
def _flip_backward(saved: Any, grad: Any) -> Any:
    return _flip(grad, saved.dims)


@torch_function("flip")
def flip(input: Any, dims: Any) -> Any:
    """The elements in reverse order along some axes."""
    return _flip(input, axes_of(lengths((dims,)), input.array.ndim))


torch_function("flip", method="only")(lambda self, *dims: flip(self, lengths(dims)))
torch_function("fliplr", method=True)(lambda input: flip(input, (1,)))
torch_function("flipud", method=True)(lambda input: flip(input, (0,)))


@differentiable("RollBackward0", saves="shifts dims")
def _roll(self: Any, shifts: Any, dims: Any) -> Any:
    return ops.roll(self, np.asarray(shifts, dtype="int32"), np.asarray(dims, dtype="int32"))


@_roll.backward
def _roll_backward(saved: Any, grad: Any) -> Any:
    return _roll(grad, tuple(-one for one in saved.shifts), saved.dims)


@torch_function("roll", method=True)
def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    """The elements moved on along an axis, those at the end to the front."""
    if dims is None:
        return reshape(roll(reshape(input, (-1,)), shifts, 0), input.shape)
    moved = shifts if isinstance(shifts, (list, tuple)) else (shifts,)
    return _roll(input, tuple(map(whole, moved)), axes_of(dims, input.array.ndim))


# -- joining and parting ---------------------------------------------------------------------------------


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
    rank = given[0].array.ndim
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
    if first.array.ndim != other.array.ndim:
        raise torch_error(
            f"Tensors must have same number of dimensions: got {first.array.ndim} and {other.array.ndim}",
            "拼接的张量必须维数相同。",
        )
    for at, (a, b) in enumerate(zip(first.shape, other.shape, strict=True)):
        if at != axis and a != b:
            raise torch_error(
                f"Sizes of tensors must match except in dimension {axis}. Expected size {a} but got size {b} for "
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
                f"stack 的张量形状必须相同：第 0 个是 {list(given[0].shape)}，第 {place} 个是 {list(one.shape)}。",
                code="shape_mismatch",
            )
    dtype = common_type(*given)
    return _stack([to_type(one, dtype) for one in given], axis_of(dim, given[0].array.ndim + 1))


def _at_least(rank: Any) -> Any:
    def call(*tensors: Any) -> Any:
        given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
        found = tuple(_raised(one, rank) for one in given)
        return found[0] if len(tensors) == 1 and isinstance(tensors[0], Tensor) else found

    call.__doc__ = f"Tensors with {rank} axes at least."
    torch_function(f"atleast_{rank}d")(call)
    return call


def _raised(one: Any, rank: Any) -> Any:
    while one.array.ndim < rank:
        one = unsqueeze(one, 0) if one.array.ndim < 2 else unsqueeze(one, one.array.ndim)
    return one


for _rank in (1, 2, 3):
    _at_least(_rank)


@torch_function("hstack", "column_stack")
def hstack(tensors: Any, *, out: Any = None) -> Any:
    """Tensors side by side."""
    given = [_raised(one, 1) for one in tensors]
    return cat(given, 0 if given[0].array.ndim == 1 else 1)


@torch_function("column_stack")
def column_stack(tensors: Any, *, out: Any = None) -> Any:
    """Rows of numbers as the columns of a matrix."""
    return hstack(
        [
            unsqueeze(one, 1)
            if one.array.ndim == 1
            else reshape(one, (-1, 1))
            if one.array.ndim == 0
            else one
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
    axis, place = axis_of(dim, input.array.ndim), whole(index)
    length = input.shape[axis]
    if not -length <= place < length:
        raise torch_error(
            f"index {place} is out of bounds for dimension {axis} with size {length}",
            f"下标 {place} 超出了第 {axis} 维的长度 {length}。",
            kind="IndexError",
            code="index_out_of_range",
        )
    return _select(input, axis, place % length)


SPREADING: dict[str, object] = {}


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
    axis, first = axis_of(dim, input.array.ndim), whole(start)
    first = first + input.shape[axis] if first < 0 else first
    if first + length > input.shape[axis]:
        raise torch_error(
            f"start ({first}) + length ({length}) exceeds dimension size ({input.shape[axis]}).",
            f"起点 {first} 加长度 {length} 超出了该维的长度 {input.shape[axis]}。",
        )
    return slice_axis(input, axis, first, first + whole(length))


OPERATORS["narrow"] = narrow
OPERATORS["select"] = select


def _parts(tensor: Any, axis: Any, sizes: Any, node_name: Any, saved: Any) -> Any:
    """Several views that one function gives."""
    starts = np.cumsum([0, *sizes])
    made = [
        slice_axis(detach_keeping(tensor), axis, int(a), int(b))
        for a, b in zip(starts, starts[1:], strict=False)
    ]
    return made


def detach_keeping(tensor: Any) -> Any:
    """The tensor, whose slices get a node of their own."""
    return tensor


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
    from engine.languages.surfaces.torch.autograd.function import view_of

    found = []
    for one, step in zip(made, steps, strict=True):
        part = view_of(tensor, step)
        part.seen, part.shown = one.value, tensor.storage.writes
        part.node, part.output, part.node_version = one.node, one.output, part.version.number
        found.append(part)
    return tuple(found)


def _slice_step(axis: Any, start: Any, end: Any) -> Any:
    from engine.languages.surfaces.torch.storage import Step

    return Step(
        lambda value: _slice.forward(value, axis, start, end, 1),
        lambda a: _slice_array(a, axis, start, end, 1),
    )


def _select_step(axis: Any, place: Any) -> Any:
    from engine.languages.surfaces.torch.storage import Step

    return Step(lambda value: _select.forward(value, axis, place), lambda a: _select_array(a, axis, place))


@torch_function("split", method=True)
def split(tensor: Any, split_size_or_sections: Any, dim: Any = 0) -> Any:
    """Parts of a length, or of these lengths."""
    axis = axis_of(dim, tensor.array.ndim)
    length = tensor.shape[axis]
    if isinstance(split_size_or_sections, (list, tuple)):
        sizes = lengths((split_size_or_sections,))
        if sum(sizes) != length:
            raise torch_error(
                f"split_with_sizes expects split_sizes to sum exactly to {length} (input tensor's size at dimension "
                f"{axis}), but got split_sizes={list(sizes)}",
                f"各段长度之和必须等于 {length}。",
            )
        made = _split_sizes(tensor, sizes, axis, sizes)
    else:
        size = whole(split_size_or_sections)
        sizes = tuple(min(size, length - start) for start in range(0, length, size)) or (0,)
        made = _split_values(tensor, size, axis, sizes)
    ends = np.cumsum(sizes)
    steps = [_slice_step(axis, int(end - size), int(end)) for size, end in zip(sizes, ends, strict=True)]
    return _as_views(tensor, made, steps)


@torch_function("chunk", method=True)
def chunk(input: Any, chunks: Any, dim: Any = 0) -> Any:
    """So many parts, the last one perhaps shorter."""
    length = input.shape[axis_of(dim, input.array.ndim)]
    return split(input, max(-(-length // whole(chunks)), 1), dim)


@torch_function("tensor_split", method=True)
def tensor_split(input: Any, indices_or_sections: Any, dim: Any = 0) -> Any:
    """So many parts of as good as one length, or parted at these places."""
    axis = axis_of(dim, input.array.ndim)
    length = input.shape[axis]
    if isinstance(indices_or_sections, (list, tuple)):
        ends = [*lengths((indices_or_sections,)), length]
    else:
        count = whole(indices_or_sections)
        ends = list(np.cumsum([length // count + (place < length % count) for place in range(count)]))
    starts = [0, *ends[:-1]]
    return tuple(slice_axis(input, axis, int(a), int(b)) for a, b in zip(starts, ends, strict=True))


@torch_function("unbind", method=True)
def unbind(input: Any, dim: Any = 0) -> Any:
    """The parts along an axis, without that axis."""
    axis = axis_of(dim, input.array.ndim)
    count = input.shape[axis]
    if count == 0:
        return ()
    made = _unbind(input, axis, count)
    return _as_views(input, made, [_select_step(axis, place) for place in range(count)])


def rows(tensor: Any) -> Any:
    """What a loop goes through. Raises: TypeError's message of PyTorch where there are no axes."""
    if tensor.array.ndim == 0:
        raise torch_error("iteration over a 0-d tensor", "不能遍历零维张量。", kind="TypeError")
    return unbind(tensor, 0)


OPERATORS["iter"] = rows


@torch_function("meshgrid")
def meshgrid(*tensors: Any, indexing: Any = "ij") -> Any:
    """Coordinates of a grid."""
    given = list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else list(tensors)
    swap = indexing == "xy" and len(given) > 1
    if swap:
        given[0], given[1] = given[1], given[0]
    shape = [one.array.size for one in given]
    found = [
        expand(_view(one, tuple(n if axis == place else 1 for axis, n in enumerate(shape))), tuple(shape))
        for place, one in enumerate(given)
    ]
    if swap:
        found = [transpose(one, 0, 1) for one in found]
        found[0], found[1] = found[1], found[0]
    return tuple(found)


torch_function("squeeze_", method="only")(in_place(squeeze))


def dtype_argument(given: Any) -> Any:
    """An argument `dtype`."""
    return dtype_of(given)
