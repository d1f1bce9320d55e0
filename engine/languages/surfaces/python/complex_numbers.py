"""Python's complex numbers, and `cmath`. Arrays and tensors of them are refused."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.formatting import WRITTEN_BY
from engine.languages.interpreter.builtins.functions import BUILTINS, Kind, one_number
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.operators import OPERANDS
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.library import Library

CMATH = Library("cmath", borrowed=True)
LONGEST = 400  # characters that write one


def complex_(real: Any = 0, imag: Any = 0) -> complex:
    """A complex number of its two parts, or of a text."""
    if isinstance(real, str):
        if len(real) > LONGEST:
            raise ValueError("complex() arg is a malformed string")
        return complex(real)
    return complex(one_number(real, "complex"), one_number(imag, "complex"))


BUILTINS["complex"] = Kind("complex", complex_, (complex,))
COMPLEX = members_of(complex, "complex")
COMPLEX.fact("real")(lambda value: value.real)
COMPLEX.fact("imag")(lambda value: value.imag)
COMPLEX.method("conjugate")(lambda value: value.conjugate())
SHOWN[complex] = (str, str)  # numpy 2 would write np.complex128(1j)
OPERANDS[complex] = "+ - * ** /"
TYPE_NAMES[complex] = lambda value: "complex number"
WRITTEN_BY[complex] = lambda value, spec: format(value, spec)


def _of_one(function: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda z, /: function(z)


OF_ONE = (
    *("exp", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
    *("asinh", "acosh", "atanh", "phase", "polar", "isnan", "isinf", "isfinite"),
)
for name in OF_ONE:
    CMATH.function(name)(_of_one(getattr(cmath, name)))
for name in ("pi", "e", "tau", "inf", "nan", "infj", "nanj"):
    CMATH.value(getattr(cmath, name), name)


@CMATH.function("log")
def log(z: Any, base: Any = cmath.e, /) -> complex:
    """The natural logarithm, or to another base."""
    return cmath.log(z) if base == cmath.e else cmath.log(z, base)


@CMATH.function("rect")
def rect(r: Any, phi: Any, /) -> complex:
    """The number of this length and angle."""
    return cmath.rect(r, phi)


@CMATH.function("isclose")
def isclose(a: Any, b: Any, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:
    """Whether two numbers are equal but for rounding."""
    return cmath.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)
