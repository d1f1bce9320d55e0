"""The element types of jnp, and which of them an argument names."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.jax.core.avals import ElementType
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.run import canonical

TYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)
ALIASES = {"bool_": "bool", "double": "float64", "single": "float32", "half": "float16", "int_": "int64"}
ALIASES |= {"float_": "float64", "uint": "uint64"}
ALIASES |= {
    f"{kind[0]}{bits // 8}": f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in (16, 32, 64)
}


def dtype_of(value: Any) -> str | None:
    """The element type that an argument names, made narrower as long as 64 bits are not enabled."""
    if value is None:
        return None
    name = _written(value)
    name = ALIASES.get(name, name)
    name = {"float": "float64", "int": "int64", "complex": "complex128"}.get(name, name)
    if name not in TYPES:
        raise type_error(f"data type {name!r} not understood", f"不认识的元素类型 {name!r}。")
    return canonical(name)


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (np.dtype, ElementType)):
        return value.name
    if isinstance(value, (Kind, Native)):
        return value.name.rpartition(".")[2]
    dtype = getattr(value, "dtype", None)
    return str(dtype if dtype is not None else to_repr(value))
