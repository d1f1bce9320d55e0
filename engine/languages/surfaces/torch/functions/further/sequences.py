"""Numbers in steps: `arange`, `range`, `linspace`, `logspace`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.torch.dtypes import INT64, dtype_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.creation.filled import checked_size, made_tensor
from engine.languages.surfaces.torch.functions.further.distances import between, stepped
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import whole
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import of_numbers


@torch_function("arange")
def arange(
    start: Any,
    end: Any = None,
    step: Any = 1,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """Numbers in steps, the end left out."""
    first, last, by = (0, start, step) if end is None else (start, end, step)
    first, last, by = plain(first), plain(last), plain(by)
    _check_steps(first, last, by)
    count = int(np.ceil((last - first) / by))
    checked_size((count,))
    is_float = any(isinstance(one, float) for one in (first, last, by))
    usual = state().default_float if is_float else INT64
    wanted = dtype_of(dtype) or usual
    by = float(by) if wanted.is_floating else by
    return made_tensor(stepped(first, by, count, wanted.held_as), wanted, requires_grad)


@torch_function("range")
def range_(
    start: Any,
    end: Any,
    step: Any = 1,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """Numbers in steps, the end among them where a step meets it: floats, unless a type is given."""
    first, last, by = plain(start), plain(end), plain(step)
    _check_steps(first, last, by)
    count = int(np.floor((last - first) / by)) + 1
    checked_size((count,))
    wanted = dtype_of(dtype) or state().default_float
    by = float(by) if wanted.is_floating else by
    return made_tensor(stepped(first, by, count, wanted.held_as), wanted, requires_grad)


def _check_steps(first: Any, last: Any, by: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch."""
    if by == 0:
        raise torch_error("step must be nonzero", "step 不能为零。")
    if (last - first) * by < 0:
        raise torch_error(
            "upper bound and lower bound inconsistent with step sign", "上下界与 step 的符号不一致。"
        )


@torch_function("linspace")
def linspace(
    start: Any,
    end: Any,
    steps: Any,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """So many numbers at even distances, both ends among them."""
    if whole(steps) < 0:
        raise torch_error("number of steps must be non-negative", "linspace 的个数不能为负。")
    wanted = dtype_of(dtype) or state().default_float
    (count,) = checked_size((steps,))
    a, b = plain(start), plain(end)
    if wanted.is_floating:
        return of_numbers(between(a, b, count, wanted.held_as), bool(requires_grad))
    return made_tensor(np.trunc(np.linspace(a, b, count)), wanted, requires_grad)


@torch_function("logspace")
def logspace(
    start: Any,
    end: Any,
    steps: Any,
    base: Any = 10.0,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """Powers of the base, their exponents at even distances."""
    (count,) = checked_size((steps,))
    return made_tensor(
        np.power(float(base), np.linspace(plain(start), plain(end), count)), dtype, requires_grad
    )
