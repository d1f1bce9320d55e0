"""Tensors of one number, and of triangles: `torch.zeros`, `torch.full`, `torch.eye`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.dtypes import check_fits, dtype_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import kind_needed, plain, type_of_number
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import lengths, whole
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers


def made_tensor(array: Any, dtype: Any, requires_grad: Any, usual: Any = None) -> Any:
    """A tensor of these numbers, of the type that is named, else of the usual one."""
    wanted = dtype_of(dtype) or usual or state().default_float
    if not isinstance(requires_grad, (bool, np.bool_)):
        raise TypeError
    return of_numbers(np.asarray(array, dtype=wanted.held_as), bool(requires_grad))


def _no_size(name: str, size: Any) -> Exception:
    """What PyTorch says of a shape that is not of whole numbers."""
    listed = size[0] if len(size) == 1 and isinstance(size[0], (list, tuple)) else size
    wrong = [(place, one) for place, one in enumerate(listed, 1) if not isinstance(one, (int, Tensor))]
    place, kind = (wrong[0][0], python_name(wrong[0][1])) if wrong else (1, "Tensor")
    unpacked = (
        f'failed to unpack the object at pos {place} with error "type must be tuple of ints,but got {kind}"'
    )
    said = f"(position 1) must be tuple of ints, not {kind}" if listed is size and place == 1 else unpacked
    return torch_error(
        f"{name}(): argument 'size' {said}",
        f"{name}() 的形状必须是整数，不能是 {kind}。",
        kind="TypeError",
        hint="Divide with // where a length is computed: torch.zeros(n // 2).",
        hint_zh="计算长度时请用 // 作除法：torch.zeros(n // 2)。",
    )


def wrong_size(function: str, size: Any, place: int = 1) -> Exception:
    """What PyTorch says of one number where a shape in brackets is taken."""
    return torch_error(
        f"{function}(): argument 'size' (position {place}) must be tuple of ints, not {python_name(size)}",
        f"{function}() 的形状必须写成元组，例如 ({python_name(size)},)。",
        kind="TypeError",
        hint="Write torch.full((3,), 1.0).",
        hint_zh="请写 torch.full((3,), 1.0)。",
    )


def _no_truth(name: str, alone: bool) -> Exception:
    """What PyTorch says of a shape that begins with a truth value."""
    said = "not bool" if alone else "but found element of type bool at pos 0"
    return torch_error(
        f"{name}(): argument 'size' (position 1) must be tuple of ints, {said}",
        f"{name}() 的形状必须是整数，不能是 bool。",
        kind="TypeError",
    )


def checked_size(size: Any, name: str = "zeros") -> Any:
    """A shape, within the budget, before anything is made."""
    listed = size[0] if len(size) == 1 and isinstance(size[0], (list, tuple)) else size
    if len(size) == 0:
        raise torch_error(
            f'{name}() missing 1 required positional arguments: "size"',
            f"{name}() 缺少参数 size。",
            kind="TypeError",
            code="wrong_arguments",
        )
    if listed and isinstance(listed[0], bool):
        raise _no_truth(name, listed is size)
    try:
        shape = lengths(size)
    except TypeError:
        raise _no_size(name, size) from None
    for length in shape:
        if length < 0:
            said = f"Trying to create tensor with negative dimension {length}: {list(shape)}"
            raise torch_error(
                "zeros: Dimension size must be non-negative." if name == "zeros" else said,
                f"张量的长度不能为负：{list(shape)}。",
            )
    state().graph.meter.check_elements(shape)
    return shape


@torch_function("zeros")
def zeros(
    *size: Any,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """A tensor of zeros."""
    return made_tensor(np.zeros(checked_size(size)), dtype, requires_grad)


@torch_function("ones")
def ones(
    *size: Any,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """A tensor of ones."""
    return made_tensor(np.ones(checked_size(size, "ones")), dtype, requires_grad)


@torch_function("empty")
def empty(
    *size: Any,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    pin_memory: Any = False,
    memory_format: Any = None,
) -> Any:
    """A tensor whose numbers are not said; here zeros."""
    return made_tensor(np.zeros(checked_size(size, "empty")), dtype, requires_grad)


@torch_function("full")
def full(
    size: Any,
    fill_value: Any,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """A tensor of one number."""
    if not isinstance(size, (list, tuple)):
        raise wrong_size("full", size)
    if isinstance(fill_value, (list, tuple)):
        raise kind_needed("full", "fill_value", 2, "Number", fill_value)
    number = plain(fill_value)
    check_fits(number, dtype_of(dtype) or type_of_number(number))
    return made_tensor(
        np.full(checked_size((size,), "full"), number), dtype, requires_grad, type_of_number(number)
    )


@torch_function("eye")
def eye(
    n: Any,
    m: Any = None,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: Any = False,
) -> Any:
    """Ones on the diagonal, zeros elsewhere."""
    if whole(n) < 0:
        raise torch_error(f"n must be greater or equal to 0, got {n}", "eye 的大小不能为负。")
    shape = checked_size((whole(n), whole(n) if m is None else whole(m)))
    return made_tensor(np.eye(*shape), dtype, requires_grad)


@torch_function("tril_indices")
@takes_only(dtype=(None,))
def tril_indices(row: Any, col: Any, offset: Any = 0, *, dtype: Any = None, device: Any = None) -> Any:
    """The places of the lower triangle."""
    checked_size((row, col))
    return of_numbers(np.stack(np.tril_indices(row, offset, col)).astype("int64"))


@torch_function("triu_indices")
@takes_only(dtype=(None,))
def triu_indices(row: Any, col: Any, offset: Any = 0, *, dtype: Any = None, device: Any = None) -> Any:
    """The places of the upper triangle."""
    checked_size((row, col))
    return of_numbers(np.stack(np.triu_indices(row, offset, col)).astype("int64"))


@torch_function("scalar_tensor")
def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Any:
    """A tensor of one number, float32 unless said."""
    return made_tensor(plain(s), dtype, requires_grad)
