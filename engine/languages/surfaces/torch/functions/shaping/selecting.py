"""One place or a range along an axis: `torch.select`, `torch.narrow`, slices."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.torch.autograd.function import view
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import axis_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import whole
from engine.languages.surfaces.torch.tensor import OPERATORS


@view("SelectBackward0", saves="self_sym_sizes dim index")
def selection(self: Any, dim: Any, index: Any) -> Any:
    key = (slice(None),) * dim + (index,)
    return self[key if len(key) > 1 else index]


@selection.on_arrays
def place_of_array(array: Any, dim: Any, index: Any) -> Any:
    return array[(slice(None),) * dim + (index,)]


@selection.backward
def _select_backward(saved: Any, grad: Any) -> Any:
    return SPREADING["select"](grad, saved.self_sym_sizes, saved.dim, saved.index)


@torch_function("select", method=True)
def select(input: Any, dim: Any, index: Any) -> Any:
    """The part at one place of an axis, without that axis."""
    axis, place = axis_of(dim, input.form.ndim), whole(index)
    length = input.shape[axis]
    if not -length <= place < length:
        said = f"out of range for tensor of size {list(input.shape)} at dimension {axis}"
        raise torch_error(
            f"select(): index {place} {said}",
            f"下标 {place} 超出了第 {axis} 维的长度 {length}。",
            kind="IndexError",
            code="index_out_of_range",
        )
    return selection(input, axis, place % length)


SPREADING: dict[str, Any] = {}


@view("SliceBackward0", saves="self_sym_sizes dim start end step")
def sliced(self: Any, dim: Any, start: Any, end: Any, step: Any) -> Any:
    key = (slice(None),) * dim + (slice(start, end, step),)
    return self[key if len(key) > 1 else key[0]]


@sliced.on_arrays
def range_of_array(array: Any, dim: Any, start: Any, end: Any, step: Any) -> Any:
    return array[(slice(None),) * dim + (slice(start, end, step),)]


@sliced.backward
def _slice_backward(saved: Any, grad: Any) -> Any:
    return SPREADING["slice"](grad, saved.self_sym_sizes, saved.dim, saved.start, saved.end, saved.step)


def slice_axis(tensor: Any, dim: Any, start: Any = None, end: Any = None, step: Any = 1) -> Any:
    """A stretch of an axis."""
    if step <= 0:
        raise torch_error("step must be greater than zero", "切片的步长必须大于零。", kind="ValueError")
    length = tensor.shape[dim]
    start, end, step = slice(start, end, step).indices(length)
    return sliced(tensor, dim, start, max(start, end), step)


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
