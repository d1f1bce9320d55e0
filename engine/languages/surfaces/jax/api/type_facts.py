"""What `jnp` knows of element types: `finfo`, `result_type`, `issubdtype`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.surfaces.jax.core.avals import BFLOAT16, ElementType, element_type, is_complex
from engine.languages.surfaces.jax.core.run import default_float
from engine.languages.surfaces.jax.core.values import JaxArray, Tracer, aval_of, typed, undrawn
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.promotion import ARRAYS, common_type
from engine.languages.surfaces.numpy import facts

BFLOAT16_TYPE = ElementType(BFLOAT16)
BFLOAT16_TEXT = "finfo(resolution=0.0100098, min=-3.38953e+38, max=3.38953e+38, dtype=bfloat16)"
OF_BFLOAT16 = {
    "eps": 2.0**-7,
    "epsneg": 2.0**-8,
    "max": 2.0**128 - 2.0**120,
    "min": 2.0**120 - 2.0**128,
    "tiny": 2.0**-126,
    "smallest_normal": 2.0**-126,
    "smallest_subnormal": 2.0**-133,
    "resolution": 0.01,
}


def _numpy_type(value: Any) -> Any:
    """What numpy knows a type of JAX as, bfloat16 as another float; anything else as it is."""
    if _is_bfloat16(value):
        return np.dtype("float32")
    if isinstance(value, Kind) and value.name.startswith("jax.numpy."):
        return np.dtype(value.name.rpartition(".")[2])
    if isinstance(value, (JaxArray, Tracer)):
        return np.dtype(aval_of(value).dtype)
    return value


def finfo(dtype: Any) -> Any:
    """The limits of a type of floats."""
    if _is_bfloat16(dtype):
        limits = {name: undrawn(typed(limit, BFLOAT16)) for name, limit in OF_BFLOAT16.items()}
        return facts.TypeLimits({**limits, "bits": 16, "precision": 2, "repr": BFLOAT16_TEXT})
    return facts.finfo(_numpy_type(dtype))


def _is_bfloat16(value: Any) -> bool:
    return value == BFLOAT16_TYPE if isinstance(value, (str, Kind, ElementType)) else _name(value) == BFLOAT16


def _name(value: Any) -> str | None:
    return aval_of(value).dtype if isinstance(value, (JaxArray, Tracer)) else None


class IntegerLimits(facts.TypeLimits):
    """What `jnp.iinfo` knows of a type."""


def _limits_text(limits: IntegerLimits) -> str:
    return "iinfo(min={min}, max={max}, dtype={dtype})".format(**limits.known)


SHOWN[IntegerLimits] = (_limits_text, _limits_text)
facts.LIMITS.fact("dtype")(lambda limits: limits.known.get("dtype"))


def iinfo(int_type: Any) -> Any:
    """The limits of a type of integers."""
    kind = np.dtype(dtype_of(_numpy_type(int_type)))
    return IntegerLimits({**facts.iinfo(kind).known, "dtype": kind})


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether a type is one of a kind, such as jnp.floating."""
    return bool(facts.issubdtype(_numpy_type(arg1), _numpy_type(arg2)))


def result_type(*args: Any) -> Any:
    """The type of the result of computing with these arrays, numbers and types."""
    return element_type(common_type([_of_type(one) for one in args])[0])


WIDE = {"i": "int64", "f": "float64", "c": "complex128"}  # the types that Python's numbers have in numpy


def promote_types(a: Any, b: Any) -> Any:
    """The least type above two; of Python's numbers, that of 64 bits."""
    values = [_of_type(one) for one in (a, b)]
    dtype, is_weak = common_type(values)
    if is_complex(dtype):
        is_weak = not any(aval.is_inexact and not aval.weak for aval in map(aval_of, values))
    return element_type(WIDE.get(np.dtype(dtype).kind, dtype) if is_weak else dtype)


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """Whether one type can be made into another one."""
    return bool(np.can_cast(_numpy_type(from_), _numpy_type(to), casting=casting))


def _of_type(value: Any) -> Any:
    if isinstance(value, ARRAYS):
        return value
    is_of_python = isinstance(value, Kind) and value.name in ("int", "float", "complex")
    return typed(0, dtype_of(value) or default_float(), weak=is_of_python)


KINDS = ("integer", "signedinteger", "unsignedinteger", "floating", "number", "inexact")


def canonicalize_dtype(dtype: Any) -> Any:
    """The type that an array of this type has: one of 32 bits, as long as those of 64 are not enabled."""
    return element_type(dtype_of(dtype) or default_float())


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "can_cast": can_cast,
    "finfo": finfo,
    "iinfo": iinfo,
    "issubdtype": issubdtype,
    "result_type": result_type,
    "promote_types": promote_types,
}
