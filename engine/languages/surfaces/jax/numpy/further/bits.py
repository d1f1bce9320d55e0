"""Bits and texts of arrays in jnp: how many bits are set, what numbers a text holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_repr, to_str
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.run import default_float
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.basics import convert
from engine.languages.surfaces.jax.lax.elementwise import population_count
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.numpy.ufuncs import named
from engine.languages.surfaces.left_out import takes_only


@named("bitwise_count")
def bitwise_count(x: Any, /) -> Any:
    """How many bits of each number are set, of its absolute value."""
    (x,) = check_arrays("bitwise_count", [x])
    return convert(population_count(JNP["abs"](x)), "uint8")


@named("array_repr")
@takes_only(max_line_width=(None,), precision=(None,), suppress_small=(None,))
def array_repr(
    arr: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None
) -> str:
    """The array as the console shows it."""
    return to_repr(arr).replace("Array", "ArrayImpl", 1).replace("\n", "\n    ")


@named("array_str")
@takes_only(max_line_width=(None,), precision=(None,), suppress_small=(None,))
def array_str(a: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    """The array as `print` shows it."""
    return to_str(a)


@named("fromstring")
@takes_only(sep=(" ", ","))
def fromstring(string: Any, dtype: Any = float, count: Any = -1, *, sep: Any = " ") -> Any:
    """The numbers of a text. Raises: ValueError where a part of it is none."""
    parts = [part for part in str(string).split(None if sep == " " else sep) if part.strip()]
    try:
        numbers = [float(part) for part in parts][: None if count < 0 else int(count)]
    except ValueError:
        said = "string or file could not be read to its end due to unmatched data"
        raise value_error(said, "文本中有不是数的部分。") from None
    return array(np.asarray(numbers), dtype=default_float() if dtype is float else dtype_of(dtype))


@named("sort_complex")
def sort_complex(a: Any) -> Any:
    """The numbers in order, as complex ones."""
    x = JNP["sort"](a, axis=-1)
    wide = aval_of(x).dtype in ("float64", "complex128")
    return convert(x, "complex128" if wide else "complex64")


@named("mask_indices")
def mask_indices(interpreter: Any, n: Any, mask_func: Any, k: Any = 0, *, size: Any = None) -> Any:
    """The places that a function such as jnp.triu leaves in a matrix of n rows."""
    kept = interpreter.call(mask_func, [JNP["ones"]((int(n), int(n))), k], {})
    return tuple(JNP["nonzero"](kept, size=size))
