"""Tensors of numbers, lists and arrays: `torch.tensor`, `torch.as_tensor`, `torch.from_numpy`."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from engine.languages.interpreter.values import Lazy, Stream, concrete, python_name
from engine.languages.surfaces.torch.dtypes import check_fits, dtype_of, of_array
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.shaping import clone, detach, to
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers, require_grad


def array_of(data: Any, dtype: Any = None) -> Any:
    """Nested lists of numbers as an array of the type that PyTorch gives them.

    Raises: TypeError's and ValueError's messages of PyTorch.
    """
    if isinstance(data, Tensor):
        found = data.array
    elif isinstance(data, (np.ndarray, np.generic)):
        found = np.asarray(data)
    elif concrete(data) is not None:
        found = np.asarray(concrete(data))
    else:
        found = _of_list(data)
        if dtype is None and found.dtype == np.float64 and not _holds_arrays(data):
            return found.astype(state().default_float.name)
        if dtype is None and found.dtype.kind == "c" and not _holds_arrays(data):
            return found.astype(state().default_float.with_parts.name)
    if dtype is not None:
        if not isinstance(data, (Tensor, np.ndarray, np.generic)):
            if found.dtype.kind == "c" and not dtype.is_complex:
                raise torch_error(
                    "must be real number, not complex", "这里的数必须是实数。", kind="TypeError"
                )
            check_fits(found, dtype, dtype.name)
        return found.astype(dtype.held_as)
    of_array(found)
    return found


def _holds_arrays(data: Any) -> Any:
    """Whether numbers of numpy stand in a list, whose type counts."""
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return isinstance(data, (np.ndarray, np.generic))


def _of_list(data: Any) -> Any:
    if type(data) is float:
        return np.asarray(data)
    if data is None:
        raise torch_error("Could not infer dtype of NoneType", "不能由 None 构成张量。")
    if isinstance(data, (dict, set, Lazy, Stream)):
        kind = python_name(data)
        raise torch_error(
            f"Could not infer dtype of {kind}",
            f"不能由 {kind} 构成张量。",
            hint="Make a list of its items first: torch.tensor(list(…)).",
            hint_zh="请先把各项放进列表：torch.tensor(list(…))。",
        )
    if not isinstance(data, (list, tuple, bool, int, float, complex, range, deque)):
        raise torch_error(
            f"must be real number, not {python_name(data)}"
            if not isinstance(data, str)
            else "new(): invalid data type 'str'",
            f"张量只能由数字构成，不能是 {python_name(data)}。",
            kind="TypeError",
        )
    plain_data = _plain_list(data)
    if _holds_text(plain_data):
        raise _of_text(plain_data)
    if isinstance(data, (list, tuple)) and (other := _other_kind(plain_data)):
        raise torch_error(f"Could not infer dtype of {other}", f"不能由 {other} 构成张量。")
    if _holds_none(plain_data):
        raise torch_error("Could not infer dtype of NoneType", "不能由 None 构成张量。")
    if plain_data == []:
        return np.zeros((0,), dtype=state().default_float.name)
    _check_even(plain_data, 0, plain_data)
    try:
        found = np.asarray(plain_data)
    except (ValueError, OverflowError):
        found = np.asarray(None)
    if found.dtype.kind not in "biufc":
        raise torch_error(
            "not a sequence of numbers", "列表里必须全是数字，各行长度相同。", kind="ValueError"
        )
    return found.astype("float64") if found.size == 0 else found


def _of_text(data: Any) -> Exception:
    """What PyTorch says of texts in a list: the first item says how deep the list is."""
    first = data
    while isinstance(first, list):
        first = first[0] if first else None
    message_zh = "张量只能由数字构成，不能是文字。"
    if isinstance(first, str):
        return torch_error("too many dimensions 'str'", message_zh, kind="ValueError")
    return torch_error("new(): invalid data type 'str'", message_zh, kind="TypeError")


def _other_kind(data: Any) -> str:
    """The kind of an item that stands for no number: `dict`, `set`; else ''."""
    if isinstance(data, list):
        return next(filter(None, map(_other_kind, data)), "")
    return python_name(data) if isinstance(data, (dict, set)) else ""


def _holds_text(data: Any) -> bool:
    return isinstance(data, str) or (isinstance(data, list) and any(map(_holds_text, data)))


def _holds_none(data: Any) -> bool:
    return data is None or (isinstance(data, list) and any(map(_holds_none, data)))


def _plain_list(data: Any) -> Any:
    if isinstance(data, (list, tuple, range, deque)):
        return [_plain_list(one) for one in data]
    if isinstance(data, Tensor):
        return _number_of(data)
    array = concrete(data)
    return data if array is None else np.asarray(array).tolist()


def _number_of(item: Tensor) -> Any:
    """A tensor in a list counts as its number. Raises: ValueError's message of PyTorch for several."""
    if item.form.size != 1:
        raise torch_error(
            "only one element tensors can be converted to Python scalars",
            "列表里的张量只能含有一个数。",
            kind="ValueError",
            hint="Write torch.stack([…]) to join tensors.",
            hint_zh="要合并张量请写 torch.stack([…])。",
        )
    return item.array.item()


def _check_even(data: Any, dim: Any, whole: Any) -> Any:
    """Rows of one length. Raises: ValueError's message of PyTorch."""
    if not isinstance(data, list) or not data or not isinstance(data[0], list):
        return
    for row in data:
        given = len(row) if isinstance(row, list) else -1
        if given != len(data[0]):
            raise torch_error(
                f"expected sequence of length {len(data[0])} at dim {dim + 1} (got {given})",
                f"各行长度必须相同：第 {dim + 1} 维应有 {len(data[0])} 项，实际为 {given}。",
                kind="ValueError",
                code="ragged_list",
            )
        _check_even(row, dim + 1, whole)


@torch_function("tensor")
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False, pin_memory: Any = False
) -> Any:
    """A tensor of numbers, with memory of its own."""
    made = np.array(array_of(data, dtype_of(dtype)))
    return of_numbers(made, bool(requires_grad))


@torch_function("as_tensor")
def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    """A tensor as it is, or one of these numbers."""
    if isinstance(data, Tensor):
        return data if dtype is None else to(data, dtype_of(dtype))
    if isinstance(data, np.ndarray) and dtype is None:
        return from_numpy(data)
    return tensor(data, dtype=dtype)


@torch_function("asarray")
def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: Any = None, requires_grad: Any = False
) -> Any:
    """A tensor on the memory of what it is given where that is possible, or of its numbers."""
    made = as_tensor(obj, dtype)
    if copy and isinstance(obj, (Tensor, np.ndarray)):
        made = clone(made)
    elif copy is False and isinstance(obj, Tensor) and made is not obj:
        raise torch_error(
            f"can't alias tensor with dtype '{obj.dtype.scalar_name}' into dtype '{made.dtype.scalar_name}'.",
            "copy=False 时不能改变元素类型。",
            kind="ValueError",
        )
    if not requires_grad or made.requires_grad:
        return made
    return require_grad(detach(made))


@torch_function("from_numpy")
def from_numpy(ndarray: Any) -> Any:
    """A tensor on the memory of an array: what changes one changes the other."""
    if not isinstance(ndarray, np.ndarray):
        raise torch_error(
            f"expected np.ndarray (got {python_name(ndarray)})",
            "from_numpy 需要 numpy 数组。",
            kind="TypeError",
        )
    of_array(ndarray)
    made = of_numbers(ndarray.copy())
    made.storage.share_with(ndarray)
    return made
