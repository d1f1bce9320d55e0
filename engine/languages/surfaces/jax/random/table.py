"""The table of the functions of `jax.random`, and which numbers they draw of which types."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import BFLOAT16, element_type, is_complex, is_floating
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.run import default_float
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.random import keys as ky

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "key": ky.key,
    "PRNGKey": ky.prng_key,
    "split": ky.split,
    "fold_in": ky.fold_in,
    "key_data": ky.key_data,
    "wrap_key_data": ky.wrap_key_data,
    "clone": ky.clone,
    "key_impl": ky.key_impl,
}
MANTISSA = {"bfloat16": 7, "float16": 10, "float32": 23, "float64": 52}
NARROW = {
    kind: (np.iinfo(kind).min, np.iinfo(kind).max) for kind in ("int8", "int16", "uint8", "uint16")
}  # ends of the types whose whole numbers are drawn in 32 bits
ONE_IN_BFLOAT16 = np.uint16(0x3F80)  # its bits


def named(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a function of jax.random under one name or several."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update({name: checking_type(name, function) for name in names})
        return function

    return enter


NUMBERS = MappingProxyType(
    {
        **dict.fromkeys(("normal", "lognormal"), "a float or complex"),
        "bits": "an unsigned int",
        **dict.fromkeys(("randint", "poisson", "geometric"), "an int"),
        "rademacher": "",
    }
)  # what element types a distribution draws, where not floats


def checking_type(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which refuses element types that it does not draw, under its own name."""
    signature = inspect.signature(function)
    wanted = NUMBERS.get(name, "a float")
    if "dtype" not in signature.parameters or not wanted:
        return function

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            given = signature.bind_partial(*args, **keywords).arguments.get("dtype")
        except TypeError:
            given = None
        kind = dtype_of(given)
        if kind is not None and not _is_drawn(kind, wanted):
            raise _not_drawn({"loggamma": "gamma"}.get(name, name), kind, wanted)
        return function(*args, **keywords)

    return call


def _is_drawn(kind: str, wanted: str) -> bool:
    if wanted == "an int":
        return kind.startswith(("int", "uint"))
    return kind.startswith("uint") if wanted == "an unsigned int" else is_floating(kind) or is_complex(kind)


def _not_drawn(name: str, kind: str, wanted: str) -> Any:
    zh = f"{name} 不能使用元素类型 {kind}。"
    if name == "randint":
        return type_error(f"randint only accepts integer dtypes, got {kind}", zh)
    if wanted == "an int":
        return value_error(f"Invalid integer data type '{np.dtype(element_type(kind)).kind}'.", zh)
    return value_error(f"dtype argument to `{name}` must be {wanted} dtype, got {kind}", zh)


def floating(dtype: Any) -> str:
    """The element type of floats that an argument names. Raises: TypeError for another type."""
    kind = dtype_of(dtype) or default_float()
    if not is_floating(kind):
        raise type_error(
            f"dtype argument must be a float dtype, got {kind}", f"元素类型必须是浮点数，不能是 {kind}。"
        )
    return kind


def limits(kind: str) -> Any:
    """The least numbers of a type of floats; bfloat16 has the exponents of float32."""
    if kind != BFLOAT16:
        return np.finfo(kind)
    return SimpleNamespace(tiny=2.0**-126, eps=2.0**-7, epsneg=2.0**-8)


def promote_both(a: Any, b: Any) -> list[Any]:
    """Two arrays of one type of floats."""
    from engine.languages.surfaces.jax.numpy.promotion import promote_types

    return promote_types(check_arrays("multivariate_normal", [a, b]), inexact=True)
