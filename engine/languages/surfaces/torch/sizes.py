"""`torch.Size`: a shape, which is a tuple."""

from __future__ import annotations

from math import prod
from operator import index
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.values import PYTHON_NAMES, python_name


class Size(tuple[int, ...]):
    """The lengths of a tensor's axes."""

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return Size(tuple(self) + tuple(other)) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return Size(tuple(other) + tuple(self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        return Size(tuple(self) * count)

    __rmul__ = __mul__

    def __getitem__(self, key: Any) -> Any:
        found = tuple(self)[key]
        return Size(found) if isinstance(key, slice) else found


SIZE = members_of(Size, "Size")
SIZE.method("numel")(lambda size: prod(size))


def shown(size: Size) -> str:
    """`torch.Size([2, 3])`."""
    return f"torch.Size({list(size)})"


SHOWN[Size] = (shown, shown)
PYTHON_NAMES[Size] = lambda _: "Size"


def lengths(given: tuple[Any, ...]) -> tuple[int, ...]:
    """The lengths that `f(2, 3)` and `f((2, 3))` name alike; tensors of one number count as numbers."""
    if len(given) == 1 and isinstance(given[0], (list, tuple)):
        given = tuple(given[0])
    return tuple(whole(item) for item in given)


def check_lengths(shape: tuple[int, ...]) -> None:
    """Raises: RuntimeError's message of PyTorch where a tensor is to be made with a length below zero."""
    for length in shape:
        if length < 0:
            raise ProgramError(
                f"Trying to create tensor with negative dimension {length}: {list(shape)}",
                message_zh=f"长度不能为负：{list(shape)}。",
                code="torch_error",
                kind="RuntimeError",
                said=f"Trying to create tensor with negative dimension {length}: {list(shape)}",
            )


class NotWholeError(ProgramError, TypeError):
    """Something else stands where PyTorch takes a whole number."""


def whole(value: Any, said: str = "") -> int:
    """A whole number, of a tensor of one, too.

    said:   what PyTorch says where it is none.
    Raises: NotWholeError for any other value, also 2.0.
    """
    array = getattr(value, "array", None)
    number = value if array is None else array.item()
    try:
        return index(number)
    except TypeError:
        kind = python_name(number)
        said = said or f"'{kind}' object cannot be interpreted as an integer"
        raise NotWholeError(
            said, message_zh=f"这里需要整数，不能是 {kind}。", code="torch_error", kind="TypeError", said=said
        ) from None
