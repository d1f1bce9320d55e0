"""The element type that several arrays have in common. Source: JAX's lattice of types."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.core.avals import BFLOAT16, KEY, Shape, is_complex, is_floating
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.run import canonical, default_float, default_int
from engine.languages.surfaces.jax.core.values import Constant, JaxArray, Tracer, aval_of, constant, overflow
from engine.languages.surfaces.jax.lax.basics import convert, expand_dims, shape_of

WEAK_INT, WEAK_FLOAT, WEAK_COMPLEX = "i*", "f*", "c*"
ARRAYS = (JaxArray, Constant, Tracer, bool, int, float, complex, np.generic, np.ndarray)


def _node(value: Any) -> str:
    aval = aval_of(value)
    if not aval.weak or aval.dtype == "bool":
        return aval.dtype
    if is_complex(aval.dtype):
        return WEAK_COMPLEX
    return WEAK_FLOAT if aval.is_float else WEAK_INT


def _is_float(node: str) -> bool:
    return node == WEAK_FLOAT or is_floating(node)


@cache
def _join(a: str, b: str) -> str:
    """The least type above two."""
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    if WEAK_COMPLEX in (a, b):
        return _beside_weak_complex(b if a == WEAK_COMPLEX else a)
    if is_complex(a) or is_complex(b):
        wide = any(one in ("float64", "complex128") for one in (a, b))
        return "complex128" if wide else "complex64"
    weak_a, weak_b = a in (WEAK_INT, WEAK_FLOAT), b in (WEAK_INT, WEAK_FLOAT)
    if weak_a and weak_b:
        return WEAK_FLOAT
    if weak_a or weak_b:
        weak, strong = (a, b) if weak_a else (b, a)
        return WEAK_FLOAT if weak == WEAK_FLOAT and not _is_float(strong) else strong
    if _is_float(a) != _is_float(b):
        return a if _is_float(a) else b
    if BFLOAT16 in (a, b):  # beside float16, which has other digits
        return "float64" if "float64" in (a, b) else "float32"
    joined = np.promote_types(a, b).name
    return WEAK_FLOAT if joined.startswith("float") and not _is_float(a) else joined


def _beside_weak_complex(other: str) -> str:
    """The least type above it and a complex number of Python."""
    if is_complex(other):
        return other
    if other == WEAK_FLOAT or not is_floating(other):
        return WEAK_COMPLEX
    return "complex128" if other == "float64" else "complex64"


def common_type(values: Sequence[Any]) -> tuple[str, bool]:
    """The element type of several values together, and whether it is weak."""
    if len(values) == 1:
        aval = aval_of(values[0])
        return canonical(aval.dtype), aval.weak
    node = _node(values[0])
    for value in values[1:]:
        node = _join(node, _node(value))
    if node == WEAK_COMPLEX:
        return canonical("complex128"), True
    if node in (WEAK_INT, WEAK_FLOAT):
        return (default_int() if node == WEAK_INT else default_float()), True
    return canonical(node), False


def is_key(value: Any) -> bool:
    """Whether it is an array of random keys."""
    return isinstance(value, ARRAYS) and aval_of(value).dtype == KEY


def check_arrays(name: str, values: Sequence[Any]) -> list[Any]:
    """Values as arrays. Raises: TypeError for a list or any other value that is none."""
    for place, value in enumerate(values):
        if not isinstance(value, ARRAYS):
            raise type_error(
                f"{name} requires ndarray or scalar arguments, got <class "
                f"'{python_name(value)}'> at position "
                f"{place}.",
                f"{name} 的参数必须是数组或数，第 {place} 个参数是 {python_name(value)}。",
                "Make an array of it: jnp.array([...]).",
                "请先转换为数组：jnp.array([...])。",
            )
        if isinstance(value, JaxArray) and value.kind == KEY:
            raise type_error(
                f"{name} does not accept dtype key<fry> at position {place}.",
                f"{name} 不能用于随机数的 key。",
            )
    return [_argument(name, place, value, len(values)) for place, value in enumerate(values)]


NUMBERED = ("floor_divide", "mod", "remainder", "fmod", "divide", "power", "arctan2", "logaddexp", "hypot")
BETWEEN = MappingProxyType({"clip": ("arr", "min", "max"), "where": ("condition", "x", "y")})


def _argument(name: str, place: int, value: Any, count: int) -> Any:
    """An argument as an array. Raises: OverflowError, which says which one has no room in an int."""
    try:
        return constant(value)
    except ProgramError as error:
        if error.kind != "OverflowError":
            raise
        two = ("x1", "x2") if name in NUMBERED else ("x", "y")
        paths = BETWEEN.get(name, two if count == 2 else [f"args[{i}]" for i in range(count)])
        raise overflow(
            "An overflow was encountered while parsing an argument to a jitted computation, whose argument "
            f"path is {paths[place]}. Got <class 'int'> with value {value}",
            value,
            default_int(),
        ) from None


def promote_types(values: Sequence[Any], inexact: bool = False, numeric: bool = False) -> list[Any]:
    """Arrays in the type that they have in common."""
    dtype, weak = common_type(values)
    if inexact and not is_floating(dtype) and not is_complex(dtype):
        dtype = default_float()
    if numeric and dtype == "bool":
        dtype = default_int()
    return [convert(value, dtype, weak) for value in values]


def common_shape(values: Sequence[Any]) -> Shape:
    """The shape that arrays have together. Raises: ValueError where their lengths differ, and none is 1."""
    shapes = [shape_of(value) for value in values]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        listed = ", ".join(map(str, shapes))
        raise value_error(
            f"Incompatible shapes for broadcasting: shapes=[{listed}]", f"形状不能广播：{listed}。"
        ) from None


def promote_shapes(values: Sequence[Any]) -> list[Any]:
    """Arrays with as many axes each, numbers aside. Raises: ValueError where they do not fit together."""
    ranks = {len(shape_of(value)) for value in values if shape_of(value)}
    if len(ranks) < 2:
        return list(values)
    common_shape(values)
    most = max(ranks)
    return [
        expand_dims(value, range(most - len(shape_of(value)))) if shape_of(value) else value
        for value in values
    ]


def promote(name: str, *values: Any, inexact: bool = False, numeric: bool = False) -> list[Any]:
    """Arrays of one type, and with as many axes."""
    return promote_shapes(promote_types(check_arrays(name, values), inexact, numeric))
