"""Python's operators on arrays and tracers: what each of them calls, filled in by `numpy/operators.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

OPERATIONS: dict[str, Callable[..., Any]] = {}


class Operand:
    """A value that operators work on. numpy leaves operators to it."""

    __slots__ = ()
    __array_ufunc__ = None

    def __add__(self, other: Any) -> Any:
        return OPERATIONS["add"](self, other)

    def __radd__(self, other: Any) -> Any:
        return OPERATIONS["add"](other, self)

    def __sub__(self, other: Any) -> Any:
        return OPERATIONS["sub"](self, other)

    def __rsub__(self, other: Any) -> Any:
        return OPERATIONS["sub"](other, self)

    def __mul__(self, other: Any) -> Any:
        return OPERATIONS["mul"](self, other)

    def __rmul__(self, other: Any) -> Any:
        return OPERATIONS["mul"](other, self)

    def __truediv__(self, other: Any) -> Any:
        return OPERATIONS["truediv"](self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return OPERATIONS["truediv"](other, self)

    def __floordiv__(self, other: Any) -> Any:
        return OPERATIONS["floordiv"](self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return OPERATIONS["floordiv"](other, self)

    def __mod__(self, other: Any) -> Any:
        return OPERATIONS["mod"](self, other)

    def __rmod__(self, other: Any) -> Any:
        return OPERATIONS["mod"](other, self)

    def __pow__(self, other: Any) -> Any:
        return OPERATIONS["pow"](self, other)

    def __rpow__(self, other: Any) -> Any:
        return OPERATIONS["pow"](other, self)

    def __matmul__(self, other: Any) -> Any:
        return OPERATIONS["matmul"](self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return OPERATIONS["matmul"](other, self)

    def __and__(self, other: Any) -> Any:
        return OPERATIONS["and"](self, other)

    def __rand__(self, other: Any) -> Any:
        return OPERATIONS["and"](other, self)

    def __or__(self, other: Any) -> Any:
        return OPERATIONS["or"](self, other)

    def __ror__(self, other: Any) -> Any:
        return OPERATIONS["or"](other, self)

    def __xor__(self, other: Any) -> Any:
        return OPERATIONS["xor"](self, other)

    def __rxor__(self, other: Any) -> Any:
        return OPERATIONS["xor"](other, self)

    def __lshift__(self, other: Any) -> Any:
        return OPERATIONS["lshift"](self, other)

    def __rlshift__(self, other: Any) -> Any:
        return OPERATIONS["lshift"](other, self)

    def __rshift__(self, other: Any) -> Any:
        return OPERATIONS["rshift"](self, other)

    def __rrshift__(self, other: Any) -> Any:
        return OPERATIONS["rshift"](other, self)

    def __neg__(self) -> Any:
        return OPERATIONS["neg"](self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return OPERATIONS["abs"](self)

    def __invert__(self) -> Any:
        return OPERATIONS["invert"](self)

    def __getitem__(self, key: Any) -> Any:
        return OPERATIONS["getitem"](self, key)

    def __index__(self) -> int:
        found: int = OPERATIONS["index"](self)
        return found

    def __lt__(self, other: Any) -> Any:
        return OPERATIONS["lt"](self, other)

    def __le__(self, other: Any) -> Any:
        return OPERATIONS["le"](self, other)

    def __gt__(self, other: Any) -> Any:
        return OPERATIONS["gt"](self, other)

    def __ge__(self, other: Any) -> Any:
        return OPERATIONS["ge"](self, other)

    __iter__ = None  # each row is a computation of its own: `iterate` makes them
