"""Subscripts that are written, and tensors filled and copied in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.autograd.engine import FITTING
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.autograd.in_place import change, in_place
from engine.languages.surfaces.torch.dtypes import check_fits
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functional.levels import check_change
from engine.languages.surfaces.torch.functions.indexing.places import spread
from engine.languages.surfaces.torch.functions.indexing.subscripts import (
    _expanded,
    _index,
    _index_rows,
    _viewed,
)
from engine.languages.surfaces.torch.functions.operands import as_tensor, no_tensor, plain, to_type
from engine.languages.surfaces.torch.functions.shaping import (
    select,
    to,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.storage import cast_value
from engine.languages.surfaces.torch.tensor import (
    OPERATORS,
    Tensor,
    like,
    of_numbers,
    of_scalar,
    of_value,
    tensors_in,
)


@differentiable("IndexPutBackward0", saves="indices values accumulate", inputs="self values")
def _index_put(self: Any, values: Any, indices: Any, accumulate: Any) -> Any:
    rows, shape = _index_rows(indices, self.form.shape)
    wide = ops.broadcast_to(values, list(shape)) if values.form.shape != shape else values
    if accumulate:
        return ops.add(self, spread(wide, rows, self.form.shape))
    return _last_put(self, wide, rows)


def _last_put(self: Any, values: Any, rows: Any) -> Any:
    shape = self.form.shape
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
        zeros = of_value(ops.zeros_like(ops.cast(rows, grad.dtype.held_as)))
        return _index_put(grad, zeros, indices, False)

    return of_self, lambda: _index(grad, indices)


@torch_function("index_put", method=True)
def index_put(input: Any, indices: Any, values: Any, accumulate: Any = False) -> Any:
    """The tensor with values at these places."""
    by_axis = {axis: one for axis, one in enumerate(indices) if one is not None}
    return _index_put(
        input, to_type(as_tensor(values), input.dtype), _expanded(input, by_axis), bool(accumulate)
    )


torch_function("index_put_", method="only")(in_place(index_put, may_overlap=True))


@differentiable("CopyBackwards", inputs="self src")
def _copy(self: Any, src: Any) -> Any:
    shape = self.form.shape
    src = src if getattr(src, "dtype", None) == self.dtype else cast_value(src, self.dtype)
    return ops.identity(src) if src.form.shape == shape else ops.broadcast_to(src, list(shape))


@_copy.backward
def _copy_backward(saved: Any, grad: Any) -> Any:
    return lambda: OPERATORS["zeros_like"](grad), grad


def kept_copy(tensor: Tensor) -> Tensor:
    """The copy that becomes the `grad` of a leaf where gradients are followed further."""
    made = like(tensor.value, tensor.dtype)
    _copy.record([None, tensor], [made], {}, (None, tensor))
    return made


FITTING["kept_copy"] = kept_copy


def copied(tensor: Any, source: Any) -> Any:
    """The tensor with all elements of another one. Raises: RuntimeError's message of PyTorch."""
    if not _can_take(source.shape, tensor.shape):
        raise _does_not_fit(tensor, source)
    return _copy(tensor, like(source.value, source.dtype) if source.wrapped else source)


def _can_take(small: Any, large: Any) -> bool:
    """Whether a shape can be broadcast to another one."""
    return len(small) <= len(large) and all(
        a in (1, b) for a, b in zip(reversed(small), reversed(large), strict=False)
    )


def _not_expanded(value: Any, part: Any) -> Exception:
    """A part of a tensor was given a value of another shape."""
    new = len(part.shape) - len(value.shape)
    pairs = [(axis, a, b) for axis, (a, b) in enumerate(zip(value.shape, part.shape[new:], strict=False))]
    axis, given, wanted = next(((x, a, b) for x, a, b in reversed(pairs) if a not in (1, b)), (0, 0, 0))
    return torch_error(
        f"The expanded size of the tensor ({wanted}) must match the existing size ({given}) at non-singleton "
        f"dimension {axis + max(new, 0)}.  Target sizes: {list(part.shape)}.  Tensor sizes: "
        f"{list(value.shape)}",
        f"形状 {list(value.shape)} 的值不能写入形状 {list(part.shape)} 的位置。",
        code="shape_mismatch",
    )


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
        f"The size of tensor a ({tensor.shape[axis] if tensor.shape else 1}) must match the size of "
        f"tensor b ({length}) at "
        f"non-singleton dimension {axis}",
        f"形状 {list(source.shape)} 的值不能写入形状 {list(tensor.shape)} 的位置。",
        code="shape_mismatch",
    )


@torch_function("copy_", method="only")
def copy_(self: Any, src: Any, non_blocking: Any = False) -> Any:
    """Take over all elements of another tensor."""
    if not isinstance(src, Tensor):
        raise no_tensor("copy_", src, "other", 1)
    return change(self, copied(self, as_tensor(src)))


@differentiable("FillBackward2")
def _fill(self: Any, value: Any) -> Any:
    return ops.fill(list(self.form.shape), np.asarray(value, dtype=self.dtype))


@differentiable("FillBackward3", inputs="self value")
def _fill_by_tensor(self: Any, value: Any) -> Any:
    value = value if value.dtype == self.dtype else ops.cast(value, self.dtype)
    return ops.broadcast_to(value, list(self.form.shape))


@differentiable("ZeroBackward0")
def _zero(self: Any) -> Any:
    return ops.zeros(list(self.form.shape), dtype=self.dtype)


@_fill.backward
def _fill_backward(saved: Any, grad: Any) -> Any:
    return lambda: OPERATORS["zeros_like"](grad)


@_fill_by_tensor.backward
def _fill_by_tensor_backward(saved: Any, grad: Any) -> Any:
    return lambda: OPERATORS["zeros_like"](grad), lambda: OPERATORS["sum"](grad)


@_zero.backward
def _zero_backward(saved: Any, grad: Any) -> Any:
    return lambda: OPERATORS["zeros_like"](grad)


@torch_function("fill_", method="only")
def fill_(self: Any, value: Any) -> Any:
    """Take one number everywhere."""
    if isinstance(value, Tensor) and value.requires_grad:
        return change(self, _fill_by_tensor(self, value), may_overlap=True)
    if isinstance(value, Tensor) and value.form.ndim:
        raise torch_error(
            f"fill_ only supports 0-dimension value tensor but got tensor with {value.form.ndim} dimensions.",
            "fill_ 的值只能是一个数或零维张量。",
        )
    check_fits(plain(value), self.dtype)
    return change(self, _fill(self, plain(value)), may_overlap=True)


@torch_function("zero_", method="only")
def zero_(self: Any) -> Any:
    """Take 0 everywhere."""
    return change(self, _zero(self), may_overlap=True)


def _name_of_setting(part: Tensor, new: Any, is_by_places: bool) -> str:
    """The function of PyTorch that writes into a tensor: to one place a number is copied."""
    if is_by_places:
        return "index_put_"
    is_number = not isinstance(new, Tensor) or new.form.ndim == 0
    return "fill_.Tensor" if is_number and part.form.ndim else "copy_"


def setitem(tensor: Any, key: Any, new: Any) -> Any:
    """`x[key] = new`: written into the memory of the tensor."""
    part, indices = _viewed(tensor, key)
    if state().levels:
        check_change(tensor, _name_of_setting(part, new, indices is not None), tensors_in([new]))
    value = new if isinstance(new, Tensor) else _as_value(new, tensor)
    if indices is not None:
        places = _expanded(part, indices)
        _check_fits_places(value, part, places)
        change(
            part,
            _index_put(
                part,
                to(value, part.dtype) if value.dtype is not part.dtype else of_plain(value),
                places,
                False,
            ),
            may_overlap=True,
        )
    elif isinstance(new, Tensor) or value.form.ndim:
        value = _leading_ones_away(value, part)
        if value.form.ndim == 0 and part.form.ndim:
            change(part, _fill_by_tensor(part, value))
            return
        if not _can_take(value.shape, part.shape):
            raise _not_expanded(value, part)
        change(part, copied(part, value))
    else:
        change(part, _fill(part, plain(value)))


def _check_fits_places(value: Any, part: Any, places: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where values do not fit the places that are written."""
    _, shape = _index_rows(places, part.shape)
    given = tuple(value.shape)
    while len(given) > len(shape) and given[0] == 1:
        given = given[1:]
    if not _can_take(given, shape):
        raise torch_error(
            f"shape mismatch: value tensor of shape {list(value.shape)} cannot be broadcast to indexing "
            f"result of shape {list(shape)}",
            f"形状 {list(value.shape)} 的值不能写入形状 {list(shape)} 的位置。",
            code="shape_mismatch",
        )


def of_plain(value: Any) -> Any:
    """A number as a tensor with a node."""
    return like(value.value, value.dtype) if value.wrapped else value


def _leading_ones_away(value: Any, part: Any) -> Any:
    while value.form.ndim > part.form.ndim and value.shape[0] == 1:
        value = select(value, 0, 0)
    return value


def _as_value(new: Any, tensor: Any) -> Any:
    if isinstance(new, (str, list, tuple)) or new is None:
        kind, own = python_name(new), f"torch.{tensor.dtype.scalar_name}Tensor"
        raise torch_error(
            f"can't assign a {kind} to a {own}",
            f"不能把 {kind} 写入 {own}。",
            kind="TypeError",
            hint="Write torch.tensor(…).",
            hint_zh="请写 torch.tensor(…)。",
        )
    if isinstance(new, np.ndarray):
        return of_numbers(np.asarray(new, dtype=tensor.dtype.held_as))
    return of_scalar(new, tensor.dtype)
