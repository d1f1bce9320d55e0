"""Subscripts that are read: numbers and slices give views, masks and places give copies."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.examples import check_no_mask
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.dtypes import BOOL
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.indexing.places import _counted, _put_flat
from engine.languages.surfaces.torch.functions.indexing.taking import nonzero
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.functions.shaping import (
    select,
    slice_axis,
    unsqueeze,
)
from engine.languages.surfaces.torch.functions.shaping.views import alias
from engine.languages.surfaces.torch.sizes import whole
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers, of_value

NO_BOUND = "slice indices must be integers or None or have an __index__ method"


def getitem(tensor: Any, key: Any) -> Any:
    """`x[key]`: views for numbers and slices, copies for masks and places."""
    part, indices = _viewed(tensor, key)
    if indices is not None:
        return indexed(part, indices)
    return alias(tensor) if part is tensor else part


OPERATORS["getitem"] = getitem


def _viewed(tensor: Any, key: Any) -> Any:
    """What numbers, slices, None and ... of a subscript leave: a view, and tensors for some of its axes."""
    parts = list(key) if isinstance(key, tuple) else [_listed_key(key)]
    parts = [_listed_key(part) for part in parts]
    taken = sum(_axes_taken(part) for part in parts)
    rank = tensor.form.ndim
    _check_taken(taken, rank)
    if not any(part is Ellipsis for part in parts):
        parts.append(Ellipsis)
    axis, has_index = 0, False
    indices: dict[int, Tensor] = {}
    for place, part in enumerate(parts):
        if part is Ellipsis:
            axis += rank - taken
        elif part is None:
            tensor, axis = unsqueeze(tensor, axis), axis + 1
        elif isinstance(part, slice):
            bounds = [
                None if one is None else whole(one, NO_BOUND) for one in (part.start, part.stop, part.step)
            ]
            start, stop, step = bounds
            if not isinstance(key, tuple) or not _is_whole(bounds, tensor.shape[axis]):
                tensor = slice_axis(tensor, axis, start, stop, 1 if step is None else step)
            axis += 1
        elif isinstance(part, Tensor):
            has_index = True
            indices[axis] = part
            axis += _axes_taken(part)
        elif isinstance(part, bool):
            has_index = True
            tensor = unsqueeze(tensor, axis)
            indices[axis] = of_numbers(np.asarray([part]))
            axis += 1
        else:
            tensor = _at_number(tensor, axis, part, place)
    return tensor, indices if has_index else None


def _check_taken(taken: int, rank: int) -> None:
    """Raises: IndexError's message of PyTorch where a subscript takes more axes than there are."""
    if taken > rank == 0:
        raise torch_error(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
            "convert a 0-dim tensor to a number",
            "零维张量不能用下标。",
            kind="IndexError",
            code="index_out_of_range",
            hint="Write loss.item(), which has been its way since PyTorch 0.4.",
            hint_zh="请写 loss.item()（PyTorch 0.4 起的写法）。",
        )
    if taken > rank:
        raise torch_error(
            f"too many indices for tensor of dimension {rank}",
            f"{rank} 维张量的下标太多。",
            kind="IndexError",
            code="index_out_of_range",
        )


def _is_whole(bounds: Any, length: int) -> bool:
    """Whether one of several slices takes all of its axis as it is written: PyTorch makes no view of it."""
    start, stop, step = bounds
    return start in (None, 0) and (stop is None or stop >= length) and step in (None, 1)


def _at_number(tensor: Any, axis: Any, part: Any, nth: int) -> Any:
    """nth: the part's place in the subscript, which PyTorch's message calls a dimension."""
    length = tensor.shape[axis]
    place = whole(part)
    if not -length <= place < length:
        raise torch_error(
            f"index {place} is out of bounds for dimension {nth} with size {length}",
            f"下标 {place} 超出了第 {nth} 维的长度 {length}。",
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
    if isinstance(part, Tensor) and part.form.ndim == 0 and part.dtype is not BOOL:
        return int(part.array)
    if isinstance(part, np.generic):
        return part.item()
    if part is None or part is Ellipsis or isinstance(part, (slice, Tensor, int)):
        return part
    if isinstance(part, str):
        raise torch_error(
            "new(): invalid data type 'str'", "下标不能是字符串。", kind="TypeError", code="bad_index"
        )
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
    return part.form.ndim if isinstance(part, Tensor) and part.dtype is BOOL else 1


@differentiable("IndexBackward0", saves="self_sym_sizes indices")
def _index(self: Any, indices: Any) -> Any:
    rows, _ = _index_rows(indices, self.form.shape)
    return ops.gather(ops.reshape(self, [-1]), rows)


@_index.backward
def _index_backward(saved: Any, grad: Any) -> Any:
    indices = saved._node.kept["indices"]
    rows, _ = _index_rows(indices, saved.self_sym_sizes)
    return _put_flat(grad, of_value(rows), saved.self_sym_sizes)


def indexed(tensor: Any, indices: Any) -> Any:
    """The elements at places, or where masks hold; tensors for some axes, by axis."""
    for part in indices.values():
        if part.dtype is BOOL:
            check_no_mask(part)
    made = _index(tensor, _expanded(tensor, indices))
    if made.node is not None:
        made.node.metadata["written"] = indices
    return made


def _expanded(tensor: Any, indices: Any) -> Any:
    """Masks as the places where they hold."""
    found = {}
    for axis, part in indices.items():
        if part.dtype is BOOL:
            wanted = tensor.shape[axis : axis + part.form.ndim]
            if part.shape != wanted:
                at = next((i for i, (a, b) in enumerate(zip(part.shape, wanted, strict=False)) if a != b), 0)
                raise torch_error(
                    f"The shape of the mask {list(part.shape)} at index {at} does not match the shape of "
                    "the indexed "
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
        common = np.broadcast_shapes(*(indices[axis].form.shape for axis in axes))
    except ValueError:
        raise _no_common_shape([indices[axis] for axis in axes]) from None
    rest = [axis for axis in range(len(shape)) if axis not in indices]
    front = [axis for axis in rest if together and axis < axes[0]]
    back = [axis for axis in rest if axis not in front]
    whole_shape = [*(shape[a] for a in front), *common, *(shape[a] for a in back)]
    state().graph.meter.check_elements(whole_shape)
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    grid = np.zeros(whole_shape, dtype=np.int64)
    for position, axis in [
        *enumerate(front),
        *((len(front) + len(common) + i, a) for i, a in enumerate(back)),
    ]:
        ones = [1] * len(whole_shape)
        ones[position] = shape[axis]
        grid = grid + (np.arange(shape[axis]) * strides[axis]).reshape(ones)
    rows: Any = grid
    for axis in axes:
        lengths = list(indices[axis].form.shape)
        wide = ops.reshape(
            indices[axis].value, [1] * (len(common) - len(lengths)) + lengths + [1] * len(back)
        )
        rows = ops.add(ops.mul(wide, np.int64(strides[axis])), rows)
    return rows, tuple(whole_shape)


def _no_common_shape(parts: Any) -> Any:
    shapes = ", ".join(str(list(one.shape)) for one in parts)
    return torch_error(
        f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}",
        f"下标张量的形状 {shapes} 不能广播到一起。",
        kind="IndexError",
        code="shape_mismatch",
    )
