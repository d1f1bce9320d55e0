"""Python's operators on arrays and tracers: what each of them calls, filled in by `numpy/operators.py`.

Also numbers of Python that keep, beside their value, what they stand for in primitives. JAX hands them to
functions with derivatives of their own: an operator on one is Python's, in double precision, and gives a
number of Python. Where a graph is drawn, it gets the node that the operator has on arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.surfaces.jax.core.run import run_now

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


# -- numbers of Python that JAX hands on -------------------------------------------------------------


class OfPython:
    """What floats and whole numbers have in common. of: the value that primitives take for the number."""

    of: Any
    is_shown = True  # operators on it take place at a place of the program


class PythonFloat(OfPython, float):
    """A float that an operator gave."""


class PythonInt(OfPython, int):
    """A whole number that an operator gave."""


class TypedFloat(PythonFloat):
    """A float that a function was given."""


class TypedInt(PythonInt):
    """A whole number that a function was given."""


TYPED = {"f": TypedFloat, "i": TypedInt}
NAMES = (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "rfloordiv"),
    *("mod", "rmod", "pow", "rpow", "neg", "abs"),
)


def _operator(plain: type, name: str) -> Callable[..., Any]:
    computed = getattr(plain, f"__{name}__")
    is_reflected = name.startswith("r")
    word = name[1:] if is_reflected else name

    def call(self: Any, *others: Any) -> Any:
        found = computed(self, *others)
        made = {float: PythonFloat, int: PythonInt}.get(type(found))
        run = run_now()
        if made is None or run.recorder is None or run.trace is not run.evaluation:
            return found
        operands = (self.of, *(getattr(other, "of", other) for other in others))
        shown = OPERATIONS[word](*(operands[::-1] if is_reflected else operands))
        number = made(found)
        number.of = shown.standing_for(number)
        return number

    return call


for _plain, _kind in ((float, PythonFloat), (int, PythonInt)):
    for _name in NAMES:
        setattr(_kind, f"__{_name}__", _operator(_plain, _name))


def typed_text(value: Any) -> str:
    """`TypedFloat(1.0, dtype=float32)`."""
    plain = float if isinstance(value, float) else int
    return f"{type(value).__name__}({plain.__repr__(value)}, dtype={value.of.array.dtype.name})"
