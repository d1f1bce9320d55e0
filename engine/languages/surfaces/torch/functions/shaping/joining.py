"""Tensors one after the other, and in grids: `torch.cat`, `torch.stack`, `torch.meshgrid`."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import axis_of, common_type, to_type
from engine.languages.surfaces.torch.functions.shaping.axes import expand, unsqueeze
from engine.languages.surfaces.torch.functions.shaping.selecting import select
from engine.languages.surfaces.torch.functions.shaping.views import _view, reshape
from engine.languages.surfaces.torch.registry import torch_function
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
