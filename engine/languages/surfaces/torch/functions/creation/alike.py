"""Tensors like another one, or of a named type: `torch.zeros_like`, `x.new_tensor`, `torch.FloatTensor`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.dtypes import DTYPES, NAMED_TYPES, check_fits, dtype_of
from engine.languages.surfaces.torch.functions.creation.filled import empty, full, ones, zeros
from engine.languages.surfaces.torch.functions.creation.numbers import tensor
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.functions.shaping import detach, unsqueeze
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import Size
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import of_numbers, require_grad


def _like(name: Any, of_shape: Any) -> Any:
    def call(
        input: Any,
        *,
        dtype: Any = None,
        layout: Any = None,
        device: Any = None,
        requires_grad: Any = False,
        memory_format: Any = None,
    ) -> Any:
        wanted = dtype_of(dtype) or input.dtype
        return of_numbers(of_shape(input.shape, wanted.held_as), bool(requires_grad))

    call.__doc__ = f"`{name}` in the shape and type of another tensor."
    torch_function(name)(call)
    return call


zeros_like = _like("zeros_like", lambda shape, dtype: np.zeros(shape, dtype))
ones_like = _like("ones_like", lambda shape, dtype: np.ones(shape, dtype))
empty_like = _like("empty_like", lambda shape, dtype: np.zeros(shape, dtype))


@torch_function("full_like")
def full_like(
    input: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    memory_format: Any = None,
) -> Any:
    """A number in the shape and type of another tensor."""
    wanted = dtype_of(dtype) or input.dtype
    number = plain(fill_value)
    check_fits(number, wanted)
    return of_numbers(np.full(input.shape, number).astype(wanted.held_as), bool(requires_grad))


def _new(name: Any, make: Any) -> Any:
    def call(
        self: Any,
        *size: Any,
        dtype: Any = None,
        device: Any = None,
        requires_grad: Any = False,
        **named: Any,
    ) -> Any:
        return make(*size, **named, dtype=dtype_of(dtype) or self.dtype, requires_grad=requires_grad)

    call.__doc__ = f"`{name}` of the type of this tensor."
    torch_function(name, method="only")(call)


_new("new_zeros", zeros)
_new("new_ones", ones)
_new("new_empty", empty)
_new("new_full", full)


@torch_function("new_tensor", method="only")
def new_tensor(
    self: Any, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False
) -> Any:
    """A tensor of numbers, of the type of this one."""
    return tensor(data, dtype=dtype_of(dtype) or self.dtype, requires_grad=requires_grad)


def is_size(data: tuple[Any, ...]) -> bool:
    """Whether a tensor of these lengths is asked for, and not one of these numbers: a size is no data."""
    if len(data) == 1 and isinstance(data[0], Size):
        return True
    return bool(data) and all(isinstance(one, int) for one in data)


def plain_tensor(*data: Any, device: Any = None) -> Any:
    """`torch.Tensor([1, 2])`: floats; of lengths, or of a size: numbers that are not said, here zeros."""
    if is_size(data):
        return empty(*data)
    return tensor(data[0] if data else (), dtype=state().default_float)


def _typed(*names: Any, dtype: Any) -> Any:
    NAMED_TYPES.update(dict.fromkeys((*names, *(f"torch.{name}" for name in names)), DTYPES[dtype]))

    def call(*data: Any) -> Any:
        if is_size(data):
            return empty(*data, dtype=DTYPES[dtype])
        return tensor(data[0] if data else (), dtype=DTYPES[dtype])

    call.__doc__ = f"A tensor of numbers of the type {dtype}."
    torch_function(*names)(call)


_typed("FloatTensor", dtype="float32")
_typed("DoubleTensor", dtype="float64")
_typed("LongTensor", dtype="int64")
_typed("IntTensor", dtype="int32")
_typed("BoolTensor", dtype="bool")
_typed("ByteTensor", dtype="uint8")
_typed("CharTensor", dtype="int8")
_typed("ShortTensor", dtype="int16")
_typed("HalfTensor", dtype="float16")


__all__ = ["Interpreter", "detach", "require_grad", "unsqueeze"]
