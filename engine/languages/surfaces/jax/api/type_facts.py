"""What `jnp` knows of element types: `finfo`, `result_type`, `issubdtype`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.surfaces.jax.core.run import default_float
from engine.languages.surfaces.jax.core.values import JaxArray, Tracer, aval_of
from engine.languages.surfaces.jax.numpy.making import dtype_of
from engine.languages.surfaces.jax.numpy.promotion import ARRAYS, common_type
from engine.languages.surfaces.numpy import facts


def _numpy_type(value: Any) -> Any:
    """What numpy knows a type of JAX as; anything else as it is."""
    if isinstance(value, Kind) and value.name.startswith("jax.numpy."):
        return np.dtype(value.name.rpartition(".")[2])
    if isinstance(value, (JaxArray, Tracer)):
        return np.dtype(aval_of(value).dtype)
    return value


def finfo(dtype: Any) -> Any:
    """The limits of a type of floats."""
    return facts.finfo(_numpy_type(dtype))


def iinfo(int_type: Any) -> Any:
    """The limits of a type of integers."""
    return facts.iinfo(_numpy_type(int_type))


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether a type is one of a kind, such as jnp.floating."""
    return bool(facts.issubdtype(_numpy_type(arg1), _numpy_type(arg2)))


def result_type(*args: Any) -> np.dtype[Any]:
    """The type of the result of computing with these arrays, numbers and types."""
    return np.dtype(common_type([_of_type(one) for one in args])[0])


def promote_types(a: Any, b: Any) -> np.dtype[Any]:
    """The least type above two."""
    return result_type(a, b)


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """Whether one type can be made into another one."""
    return bool(np.can_cast(_numpy_type(from_), _numpy_type(to), casting=casting))


def _of_type(value: Any) -> Any:
    if isinstance(value, ARRAYS):
        return value
    return JaxArray(np.zeros((), dtype_of(value)))


KINDS = ("integer", "signedinteger", "unsignedinteger", "floating", "number", "inexact")


def canonicalize_dtype(dtype: Any) -> Any:
    """The type that an array of this type has: one of 32 bits, as long as those of 64 are not enabled."""
    return np.dtype(dtype_of(dtype) or default_float())


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "can_cast": can_cast,
    "finfo": finfo,
    "iinfo": iinfo,
    "issubdtype": issubdtype,
    "result_type": result_type,
    "promote_types": promote_types,
}
