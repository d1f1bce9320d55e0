"""The methods of Python's own numbers."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from engine.languages.interpreter.attributes import members_of

INT = members_of(int, "int")
FLOAT = members_of(float, "float")

for _name in ("real", "imag", "numerator", "denominator"):
    INT.fact(_name)(attrgetter(_name))
for _name in ("real", "imag"):
    FLOAT.fact(_name)(attrgetter(_name))


@INT.method("bit_length")
def bit_length(number: int) -> int:
    """How many binary digits it has."""
    return number.bit_length()


@INT.method("bit_count")
def bit_count(number: int) -> int:
    """How many of its binary digits are 1."""
    return number.bit_count()


@FLOAT.method("is_integer")
def is_integer(number: float) -> bool:
    """Whether it is a whole number."""
    return number.is_integer()


@FLOAT.method("hex")
def hex_(number: float) -> str:
    """Its exact value in hexadecimal digits."""
    return number.hex()


@INT.method("as_integer_ratio")
@FLOAT.method("as_integer_ratio")
def as_integer_ratio(number: Any) -> tuple[int, int]:
    """The fraction that it is exactly, in lowest terms."""
    return tuple(number.as_integer_ratio())


@INT.method("conjugate")
@FLOAT.method("conjugate")
def conjugate(number: Any) -> Any:
    """Itself: it is real."""
    return number.conjugate()
