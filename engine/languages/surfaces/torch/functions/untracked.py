"""The short way of an operator: two tensors of floats of one type, of which autograd takes no note.

So computes most of a pass backward, and what stands under `torch.no_grad()`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.surfaces.torch.autograd.carrying import operand_of
from engine.languages.surfaces.torch.autograd.function import of_torch
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_value
from engine.ops.base.tensors import Array

Function = Callable[..., Any]
NUMBERS = (float, int)


def with_short_way(op: Function, *, numbers_first: bool = True) -> Callable[[Function], Function]:
    """Decorator: a function of two tensors, which `op` computes of their values where nothing else is asked.

    numbers_first: whether that goes for a number and a tensor, too, as it does for a tensor and a number.
    Shapes: input, other (*S) -> (*S); or one of them ().
    """

    def with_it(function: Function) -> Function:
        @wraps(function)
        def call(input: Any, other: Any, **settings: Any) -> Any:
            if settings or not _is_plain(input, other) or not (numbers_first or type(input) is Tensor):
                return function(input, other, **settings)
            dtype = (input if type(input) is Tensor else other).form.dtype
            try:
                return of_value(op(_operand(input, dtype), _operand(other, dtype)))
            except ProgramError as error:
                raise of_torch(error) from None

        return call

    return with_it


def _operand(value: Any, dtype: Any) -> Any:
    return operand_of(value) if type(value) is Tensor else np.asarray(value, dtype=dtype)


def _is_plain(a: Any, b: Any) -> bool:
    """Whether all that is left to do is to compute: nothing to convert, to record, to round or to refuse."""
    now = state()
    if now.has_bfloat16:
        return False
    if type(a) is not Tensor:
        fits = type(a) in NUMBERS and type(b) is Tensor and _is_float(b)
    elif type(b) is not Tensor:
        fits = type(b) in NUMBERS and _is_float(a)
    else:
        fits = _is_float(a) and _is_float(b) and _fit_together(a.form, b.form)
    return fits and not is_noted(a, b) and now.graph.runs_freely()


def is_noted(*values: Any) -> bool:
    """Whether autograd takes note of what is computed of these."""
    return state().records and any(type(one) is Tensor and one.requires_grad for one in values)


def _is_float(tensor: Tensor) -> bool:
    return not tensor.wrapped and tensor.form.dtype.kind == "f"


def _fit_together(a: Array, b: Array) -> bool:
    return a.dtype is b.dtype and (a.shape == b.shape or not a.shape or not b.shape)
