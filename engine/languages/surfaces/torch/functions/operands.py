"""What functions are given: numbers beside tensors, one element type for all, axes from either end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.dtypes import (
    BFLOAT16,
    BOOL,
    DEFAULT_FLOAT,
    DTYPES,
    INT64,
    DType,
    result_type,
)
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.sizes import whole
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.storage import rounded_array
from engine.languages.surfaces.torch.tensor import Tensor, like, of_scalar


class NoTensorError(ProgramError, TypeError):
    """Something else stands where a function takes a tensor or a number."""


def type_of_number(number: Any) -> DType:
    """The type that a number of the program counts as."""
    if isinstance(number, np.generic):
        return DTYPES.get(number.dtype.name, DEFAULT_FLOAT)
    if isinstance(number, bool):
        return BOOL
    if isinstance(number, complex):
        return state().default_float.with_parts
    return INT64 if isinstance(number, int) else state().default_float


def _rank(value: Any) -> tuple[DType, int]:
    if isinstance(value, Tensor):
        return value.dtype, 0 if value.wrapped else 2 if value.form.ndim else 1
    return type_of_number(value), 0


def common_type(*values: Any) -> DType:
    """The type of a result of these tensors and numbers."""
    return result_type(*map(_rank, values))


def check_operand(value: Any, name: str, function: str) -> None:
    """Raises: TypeError's message of PyTorch for what is neither a tensor nor a number."""
    if isinstance(value, (Tensor, bool, int, float, complex, np.generic)):
        return
    said = f"{function}(): argument '{name}' must be Tensor, not {python_name(value)}"
    raise NoTensorError(
        said,
        message_zh=f"{function}() 的参数 '{name}' 必须是张量，不能是 {python_name(value)}。",
        code="torch_error",
        kind="TypeError",
        said=said,
    )


def kind_needed(function: str, name: str, position: int, wanted: str, value: Any) -> Exception:
    """An argument is of another kind than its parameter takes."""
    kind = python_name(value)
    return torch_error(
        f"{function}(): argument '{name}' (position {position}) must be {wanted}, not {kind}",
        f"{function}() 的参数 '{name}' 必须是 {wanted}，不能是 {kind}。",
        kind="TypeError",
        code="wrong_arguments",
    )


def no_tensor(function: str, value: Any, name: str = "input", position: int = 1) -> Exception:
    """A function was given something else where it takes a tensor."""
    return torch_error(
        f"{function}(): argument '{name}' (position {position}) must be Tensor, not {python_name(value)}",
        f"{function}() 的参数 '{name}' 必须是张量，不能是 {python_name(value)}。",
        kind="TypeError",
        hint="Write torch.tensor(…) first, or use math for a single number.",
        hint_zh="请先写 torch.tensor(…)，单个数请用 math。",
    )


def to_type(tensor: Tensor, dtype: DType) -> Tensor:
    """The tensor as a function sees it, of another type: the function itself sends the gradient back."""
    if tensor.dtype is dtype:
        return tensor
    if tensor.wrapped:
        return of_scalar(tensor.array, dtype)
    return CASTING["to"](tensor, dtype)  # type: ignore[no-any-return]


CASTING: dict[str, Any] = {}


def alike(function: str, *values: Any, floating: bool = False) -> list[Tensor]:
    """Numbers and tensors as tensors of one type.

    floating: whether whole numbers become floats.
    Raises: RuntimeError's message of PyTorch where shapes cannot be broadcast to one.
    """
    if len(values) == 2:
        a, b = values
        if _are_alike(a, b):
            return [a, b]
        if type(b) in (float, int) and is_plain_float(a):
            return [a, of_scalar(b, a.dtype)]
    names = ("input", "other", "value")
    for place, value in enumerate(values):
        check_operand(value, names[min(place, 2)], function)
    dtype = common_type(*values)
    if dtype.is_complex:
        check_complex(function, dtype)
    if floating and not dtype.has_gradients:
        dtype = state().default_float
    check_broadcast([one for one in values if isinstance(one, Tensor)])
    numbers = _rounded_number if dtype is BFLOAT16 and function not in UNROUNDED else _wrapped_number
    return [to_type(one, dtype) if isinstance(one, Tensor) else numbers(one, dtype) for one in values]


def _are_alike(a: Any, b: Any) -> bool:
    """Whether these are two tensors of floats of one type and shape, so that nothing is left to check."""
    if not (is_plain_float(a) and is_plain_float(b)):
        return False
    x, y = a.form, b.form
    return x.dtype is y.dtype and x.shape == y.shape


def is_plain_float(value: Any) -> bool:
    """Whether this is a tensor of floats of a type that numpy has, which decides the type of a result."""
    if type(value) is not Tensor or value.wrapped or value.storage.element is not None:
        return False
    return value.form.dtype.kind == "f"


OF_COMPLEX = (
    *("add", "sub", "rsub", "mul", "div", "pow", "eq", "ne", "where", "addcmul", "addcdiv", "lerp"),
    "linalg.cross",
)


def check_complex(function: str, dtype: DType) -> None:
    """Raises: NotImplementedError's message of PyTorch for a function of two numbers that are not complex."""
    if function not in OF_COMPLEX:
        kernel = {"floor_divide": "div_floor"}.get(function, function)
        raise torch_error(
            f"\"{kernel}_cpu\" not implemented for '{dtype.scalar_name}'",
            f"复数张量没有 {function}()。",
            kind="NotImplementedError",
            hint="Take z.abs(), z.real or z.imag first.",
            hint_zh="请先取 z.abs()、z.real 或 z.imag。",
        )


UNROUNDED = ("mul", "div")  # which take a number beside bfloat16 with all its digits


def _wrapped_number(number: Any, dtype: DType) -> Tensor:
    """A number beside a tensor; beyond an integer type it counts modulo its size."""
    if dtype.has_gradients or not isinstance(number, int):
        return of_scalar(number, dtype)
    return of_scalar(np.asarray(number).astype(dtype.held_as), dtype)


def _rounded_number(number: Any, dtype: DType) -> Tensor:
    return of_scalar(rounded_array(np.asarray(number)), dtype)


def check_broadcast(tensors: Sequence[Tensor]) -> tuple[int, ...]:
    """The shape that tensors have together. Raises: RuntimeError's message of PyTorch."""
    shapes = [one.form.shape for one in tensors]
    shape: tuple[int, ...] = ()
    for place, other in enumerate(shapes):
        if place and other != shape:
            shape = broadcast_shape(shape, other)
        else:
            shape = other
    return shape


def broadcast_shape(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that two have together. Raises: RuntimeError's message of PyTorch."""
    rank = max(len(a), len(b))
    left, right = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    for axis in reversed(range(rank)):
        if left[axis] != right[axis] and 1 not in (left[axis], right[axis]):
            raise torch_error(
                f"The size of tensor a ({left[axis]}) must match the size of tensor b ({right[axis]}) at "
                f"non-singleton dimension {axis}",
                f"张量 a 的长度（{left[axis]}）与张量 b 的长度（{right[axis]}）在第 {axis} 维不一致，"
                "无法广播。",
                code="shape_mismatch",
                hint="Lengths must be equal, or one of them 1.",
                hint_zh="各轴长度必须相等，或其中一个为 1。",
            )
    return tuple(x if y == 1 else y for x, y in zip(left, right, strict=True))


def check_no_truths(*values: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch where a truth value is subtracted, or subtracted from."""
    truths = [isinstance(one, bool) or (isinstance(one, Tensor) and one.dtype is BOOL) for one in values]
    if not any(truths):
        return
    if all(truths):
        raise torch_error(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
            "`logical_xor()` operator instead.",
            "两个 bool 张量不能相减，请使用 `^`。",
            kind="NotImplementedError",
        )
    raise torch_error(
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a "
        "mask, use the `~` or `logical_not()` operator instead.",
        "bool 张量不能相减；要取反请使用 `~`。",
        kind="NotImplementedError",
        hint="Write ~mask, or mask.float() to compute with it.",
        hint_zh="请写 ~mask；要参与计算请写 mask.float()。",
    )


def as_floats(tensor: Tensor) -> Tensor:
    """Whole numbers and truth values as floats."""
    return tensor if tensor.dtype.has_gradients else to_type(tensor, state().default_float)


def axis_of(dim: Any, rank: int) -> int:
    """An axis counted from the front. Raises: IndexError's message of PyTorch."""
    place = whole(dim)
    least = max(rank, 1)
    if not -least <= place < least:
        raise torch_error(
            f"Dimension out of range (expected to be in range of [{-least}, {least - 1}], but got {place})",
            f"维度 {place} 超出范围（应在 [{-least}, {least - 1}] 之内）。",
            kind="IndexError",
            code="index_out_of_range",
        )
    return place % least


def axes_of(dim: Any, rank: int) -> tuple[int, ...]:
    """The axes that an argument `dim` names; all for None and ()."""
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        return tuple(range(rank))
    given = dim if isinstance(dim, (list, tuple)) else (dim,)
    axes = tuple(axis_of(one, rank) for one in given)
    if len(set(axes)) < len(axes):
        raise torch_error(
            f"dim {axes[-1]} appears multiple times in the list of dims", f"维度 {axes[-1]} 出现了多次。"
        )
    return () if rank == 0 else axes


def as_tensor(value: Any) -> Tensor:
    """A tensor as it is, a number as one."""
    return value if isinstance(value, Tensor) else of_scalar(value, type_of_number(value))


def plain(value: Any) -> Any:
    """A number, of a tensor of one element, too."""
    return value.array.item() if isinstance(value, Tensor) else value


def detached(tensor: Tensor) -> Tensor:
    """The same value, which gradients do not follow."""
    return like(tensor.value, tensor.dtype)


def constant(array: Any) -> Any:
    """A value that shapes alone decide, for ops of the graph."""
    return np.asarray(array)


def has_nan(value: Any) -> bool:
    """Whether a tensor, or a value of the graph, has a nan among its numbers."""
    return value.form.dtype.kind == "f" and bool(np.isnan(value.array).any())
