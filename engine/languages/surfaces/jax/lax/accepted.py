"""Which element types a primitive accepts; `jax.lax` does not convert what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from engine.languages.surfaces.jax.core.avals import Aval, is_complex
from engine.languages.surfaces.jax.core.errors import type_error

REAL = "floating"
INEXACT = "floating, complexfloating"
NUMBERS = "integer, floating, complexfloating"
ACCEPTED = MappingProxyType(
    {
        **dict.fromkeys(("cbrt", "ceil", "floor", "round", "is_finite"), REAL),
        **dict.fromkeys(("digamma", "lgamma", "erf", "erfc", "erf_inv", "nextafter"), REAL),
        **dict.fromkeys(("exp", "exp2", "expm1", "log", "log1p", "logistic", "sqrt", "rsqrt"), INEXACT),
        **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "atan2"), INEXACT),
        **dict.fromkeys(("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"), INEXACT),
        **dict.fromkeys(("neg", "sign", "iota", "sub", "div", "integer_pow"), NUMBERS),
        **dict.fromkeys(("and", "or", "xor", "not"), "integer, bool"),
        **dict.fromkeys(("shift_left", "shift_right_arithmetic", "shift_right_logical"), "integer"),
        "rem": "integer, floating",
    }
)


def check_accepted(name: str, avals: Sequence[Aval]) -> None:
    """Raise TypeError, as JAX words it, where a primitive does not accept the type of an argument."""
    accepted = ACCEPTED.get(name)
    if accepted is None:
        return
    for place, aval in enumerate(avals):
        if (aval.is_float and "floating" in accepted) or (
            "integer" in accepted and aval.dtype.startswith(("int", "uint"))
        ):
            continue
        if "complexfloating" in accepted and is_complex(aval.dtype):
            continue
        if "bool" in accepted and aval.dtype == "bool":
            continue
        where = f" at position {place}" if len(avals) > 1 else ""
        raise type_error(
            f"{name} does not accept dtype {aval.dtype}{where}. Accepted dtypes{where} are subtypes of "
            f"{accepted}.",
            f"{name} 不接受元素类型 {aval.dtype}；可以使用的类型：{accepted}。",
        )
