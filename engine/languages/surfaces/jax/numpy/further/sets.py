"""Whole numbers as bits, parts of an order, and elements put in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.run import default_float
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.further.elements import concrete
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.numpy.ufuncs import named
from engine.languages.surfaces.left_out import takes_only

COUNTS = RecordKind("_UniqueCountsResult", ("values", "counts"))
INVERSE = RecordKind("_UniqueInverseResult", ("values", "inverse_indices"))


@named("unique_values")
def unique_values(x: Any, /, *, size: Any = None, fill_value: Any = None) -> Any:
    """The different elements in order."""
    return JNP["unique"](x, size=size, fill_value=fill_value)


@named("unique_counts")
def unique_counts(x: Any, /, *, size: Any = None, fill_value: Any = None) -> Record:
    """The different elements, and how often each is there."""
    return Record(COUNTS, JNP["unique"](x, return_counts=True, size=size, fill_value=fill_value))


@named("unique_inverse")
def unique_inverse(x: Any, /, *, size: Any = None, fill_value: Any = None) -> Record:
    """The different elements, and the place among them of each element."""
    return Record(INVERSE, JNP["unique"](x, return_inverse=True, size=size, fill_value=fill_value))


# -- parts of an order -------------------------------------------------------------------------------


@named("argpartition")
def argpartition(a: Any, kth: Any, axis: Any = -1) -> Any:
    """Places of the kth + 1 smallest elements, in their order, then those of the others as they stand."""
    (x,) = check_arrays("argpartition", [a])
    count = shape_of(x)[int(axis)]
    first = int(kth) % count + 1
    order = JNP["argsort"](x, axis=axis)
    smallest = JNP["take"](order, np.arange(first), axis=axis)
    places = JNP["sort"](JNP["take"](order, np.arange(first, count), axis=axis), axis=axis)
    return JNP["concatenate"]([smallest, places], axis=int(axis))


@named("partition")
def partition(a: Any, kth: Any, axis: Any = -1) -> Any:
    """The kth + 1 smallest elements in their order, then the others, the largest first."""
    (x,) = check_arrays("partition", [a])
    count, place = shape_of(x)[int(axis)], int(axis)
    first = int(kth) % count + 1
    ordered = JNP["sort"](x, axis=place)
    rest = JNP["flip"](JNP["take"](ordered, np.arange(first, count), axis=place), place)
    return JNP["concatenate"]([JNP["take"](ordered, np.arange(first), axis=place), rest], place)


# -- bits --------------------------------------------------------------------------------------------


@named("packbits")
@takes_only(bitorder=("big", "little"))
def packbits(a: Any, axis: Any = None, bitorder: Any = "big") -> Any:
    """Eight truth values to a byte."""
    return array(np.packbits(concrete(a, "packbits"), axis, bitorder), dtype="uint8")


@named("unpackbits")
@takes_only(bitorder=("big", "little"))
def unpackbits(a: Any, axis: Any = None, count: Any = None, bitorder: Any = "big") -> Any:
    """The bits of bytes. Raises: TypeError for other numbers."""
    held = concrete(a, "unpackbits")
    if held.dtype != np.uint8:
        said = f"Expected an input array of unsigned byte data type, got {held.dtype}"
        raise type_error(said, "unpackbits 需要 uint8 的数组。")
    return array(np.unpackbits(held, axis, count, bitorder), dtype="uint8")


@named("frexp")
def frexp(x: Any, /) -> tuple[Any, Any]:
    """m and e of x = m 2ᵉ, where |m| is from a half up to one."""
    held = concrete(x, "frexp")
    mantissa, exponent = np.frexp(held if held.dtype.kind == "f" else held.astype(default_float()))
    return array(mantissa), array(exponent, dtype="int32")


@named("spacing")
def spacing(x: Any, /) -> Any:
    """How far it is to the next number."""
    known = concrete(x, "spacing")
    return array(np.spacing(known if known.dtype.kind == "f" else known.astype(default_float())))


# -- elements put in place ---------------------------------------------------------------------------


def _new(inplace: Any, name: str) -> None:
    if inplace is not False:
        raise ProgramError(
            f"jax.numpy.{name} cannot modify arrays in-place, because JAX arrays are immutable. Pass "
            "inplace=False to instead return an updated array.",
            message_zh=f"JAX 数组不可修改，jnp.{name} 需要 inplace=False。",
            code="bad_value",
            kind="ValueError",
        )


@named("put")
@takes_only(mode=(None,))
def put(a: Any, ind: Any, v: Any, mode: Any = None, *, inplace: Any = True) -> Any:
    """The array with elements at some places of its flat form replaced; beyond an end, the last there."""
    _new(inplace, "put")
    found, places = np.array(concrete(a, "put")), concrete(ind, "put").ravel()
    from_front = np.where(places < 0, places + found.size, places)
    np.put(found, from_front, concrete(v, "put"), mode="clip")
    return array(found)


@named("place")
def place(arr: Any, mask: Any, vals: Any, *, inplace: Any = True) -> Any:
    """The array with the elements where a mask holds replaced, one after the other."""
    _new(inplace, "place")
    found = np.array(concrete(arr, "place"))
    np.place(found, concrete(mask, "place").astype(bool), concrete(vals, "place"))
    return array(found)


@named("iterable")
def iterable(y: Any) -> bool:
    """Whether a value has elements."""
    return bool(shape_of(y)) if hasattr(y, "aval") else isinstance(y, (list, tuple, dict, str, set))
