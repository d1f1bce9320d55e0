"""Functions of `jnp` that put elements in other places: blocks, rows that are inserted or left out, sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import aval_of, constant
from engine.languages.surfaces.jax.lax import scattering as sc
from engine.languages.surfaces.jax.lax.accepted import check_accepted
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.further.elements import concrete
from engine.languages.surfaces.jax.numpy.indexing.putting import put
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.numpy.ufuncs import named
from engine.languages.surfaces.left_out import takes_only


def _value(x: Any) -> Any:
    return array(x) if isinstance(x, (list, tuple, np.ndarray)) else constant(x)


@named("atleast_3d")
def atleast_3d(*arys: Any) -> Any:
    """Arrays with at least three axes."""

    def one(x: Any) -> Any:
        x = _value(x)
        shape = shape_of(x)
        wide = {0: (1, 1, 1), 1: (1, *shape, 1), 2: (*shape, 1)}.get(len(shape), shape)
        return JNP["reshape"](x, wide)

    return one(arys[0]) if len(arys) == 1 else [one(x) for x in arys]


@named("block")
def block(arrays: Any) -> Any:
    """A matrix of blocks: lists of lists of arrays."""

    def depth(part: Any) -> int:
        return 1 + depth(part[0]) if isinstance(part, list) else 0

    deepest = depth(arrays)

    def joined(part: Any, level: int) -> Any:
        if not isinstance(part, list):
            x = _value(part)
            return JNP["reshape"](x, (*([1] * (deepest - len(shape_of(x)))), *shape_of(x)))
        inner = [joined(one, level + 1) for one in part]
        return JNP["concatenate"](inner, -(deepest - level))

    return joined(arrays, 0)


@named("dsplit")
def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    """Parts along the third axis."""
    return JNP["split"](ary, indices_or_sections, 2)


@named("rollaxis")
def rollaxis(a: Any, axis: Any, start: Any = 0) -> Any:
    """An axis moved to the place before another one."""
    (x,) = check_arrays("rollaxis", [a])
    ndim = len(shape_of(x))
    place, to = int(axis) % ndim, int(start) + (ndim if start < 0 else 0)
    return JNP["moveaxis"](x, place, to - 1 if place < to else to)


@named("resize")
def resize(a: Any, new_shape: Any) -> Any:
    """An array of another shape, whose elements are repeated as often as needed."""
    x, shape = JNP["ravel"](_value(a)), lengths(new_shape)
    size, have = int(np.prod(shape)), aval_of(_value(a)).size
    if not have:
        return JNP["zeros"](shape, aval_of(x).dtype)
    return JNP["reshape"](getitem(JNP["tile"](x, -(-size // have)), slice(0, size)), shape)


@named("diagflat")
def diagflat(v: Any, k: Any = 0) -> Any:
    """A matrix with these elements on a diagonal."""
    return JNP["diag"](JNP["ravel"](_value(v)), k)


@named("fill_diagonal")
@takes_only(wrap=(False,))
def fill_diagonal(a: Any, val: Any, wrap: Any = False, *, inplace: Any = True) -> Any:
    """The matrix with other elements on its diagonal; inplace must be False: arrays do not change."""
    if inplace:
        raise value_error(
            "The `inplace` argument must be set to False: JAX arrays are immutable. "
            "jnp.fill_diagonal(..., inplace=False)",
            "必须写 inplace=False：JAX 的数组不可变。",
        )
    (x,) = check_arrays("fill_diagonal", [a])
    shape, value = shape_of(x), _value(val)
    count = min(shape)
    if wrap and len(shape) == 2 and shape[0] > shape[1]:
        places = np.unravel_index(np.arange(0, shape[0] * shape[1], shape[1] + 1), shape)
        count = len(places[0])
    else:
        places = (np.arange(count),) * len(shape)
    if shape_of(value):
        value = JNP["resize"](value, (count,))  # over and over, or its beginning
    return put(sc.scatter_p, x, places, value)


# -- places ------------------------------------------------------------------------------------------


@named("ix_")
def ix_(*args: Any) -> tuple[Any, ...]:
    """Rows and columns by number as one subscript that takes every pair of them."""
    count, found = len(args), []
    for i, one in enumerate(args):
        x = _value(one)
        if aval_of(x).dtype == "bool":
            x = JNP["nonzero"](x)[0]
        found.append(JNP["reshape"](x, [-1 if j == i else 1 for j in range(count)]))
    return tuple(found)


@named("tril_indices_from")
def tril_indices_from(arr: Any, k: Any = 0) -> Any:
    """The places of the lower triangle of a matrix."""
    return JNP["tril_indices"](shape_of(_value(arr))[-2], k=k, m=shape_of(_value(arr))[-1])


@named("triu_indices_from")
def triu_indices_from(arr: Any, k: Any = 0) -> Any:
    """The places of the upper triangle of a matrix."""
    return JNP["triu_indices"](shape_of(_value(arr))[-2], k=k, m=shape_of(_value(arr))[-1])


@named("diag_indices_from")
def diag_indices_from(arr: Any) -> Any:
    """The places of the diagonal of a matrix."""
    return JNP["diag_indices"](shape_of(_value(arr))[0], ndim=len(shape_of(_value(arr))))


@named("ravel_multi_index")
@takes_only(mode=("raise", "clip"), order=("C",))
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> Any:
    """Places counted in a row, by their coordinates."""
    total: Any = 0
    for one, length in zip(multi_index, dims, strict=True):
        total = JNP["add"](JNP["multiply"](total, int(length)), _value(one))
    return total


@named("put_along_axis")
@takes_only(mode=(None, "fill"))
def put_along_axis(
    arr: Any, indices: Any, values: Any, axis: Any, inplace: Any = True, *, mode: Any = None
) -> Any:
    """The array with values by their places along an axis; inplace must be False: arrays do not change."""
    if inplace:
        raise value_error(
            "jnp.put_along_axis cannot modify arrays in-place, because JAX arrays are immutable. "
            "Pass inplace=False to instead return an updated array.",
            "JAX 的数组不可变，请写 inplace=False。",
        )
    x, places = check_arrays("put_along_axis", [arr, indices])
    if axis is None:
        flat = put(sc.scatter_p, JNP["ravel"](x), places, values)
        return JNP["reshape"](flat, shape_of(x))
    place, ndim = int(axis) % len(shape_of(x)), len(shape_of(x))
    grid = [
        places if i == place else np.arange(n).reshape([n if j == i else 1 for j in range(ndim)])
        for i, n in enumerate(shape_of(places))
    ]
    return put(sc.scatter_p, x, tuple(grid), values)


@named("lexsort")
def lexsort(keys: Any, axis: Any = -1) -> Any:
    """The places in the order of the last key, of the one before where that is the same, and so on."""
    from engine.languages.surfaces.jax.numpy.further.sorting import sorted_with

    rows = [_value(key) for key in (keys if isinstance(keys, (list, tuple)) else list(_rows(keys)))]
    ndim = len(shape_of(rows[0]))
    if not ndim:
        return JNP["zeros"]((), default_int())
    place = int(axis) % ndim
    counts = JNP["arange"](shape_of(rows[0])[place], dtype=default_int())
    wide = JNP["broadcast_to"](
        JNP["reshape"](counts, [-1 if i == place else 1 for i in range(ndim)]), shape_of(rows[0])
    )
    return sorted_with([*rows[::-1], wide], place, len(rows))[-1]


def _rows(keys: Any) -> Any:
    value = _value(keys)
    return (getitem(value, i) for i in range(shape_of(value)[0]))


# -- elements left out, put in and chosen ------------------------------------------------------------


@named("extract")
def extract(condition: Any, arr: Any) -> Any:
    """The elements where a condition holds."""
    places = np.flatnonzero(concrete(condition, "extract"))
    return getitem(JNP["ravel"](_value(arr)), places)


@named("compress")
def compress(condition: Any, a: Any, axis: Any = None) -> Any:
    """The rows where a condition holds."""
    places = np.flatnonzero(concrete(condition, "compress"))
    return JNP["take"](_value(a), places, axis)


@named("delete")
def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    """The array without some of its rows."""
    x = _value(arr)
    x, place = (JNP["ravel"](x), 0) if axis is None else (x, int(axis) % len(shape_of(x)))
    which = obj if isinstance(obj, slice) else concrete(obj, "delete")
    kept = np.delete(np.arange(shape_of(x)[place]), which)
    return JNP["take"](x, kept, place)


@named("insert")
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    """The array with further rows before some of its own."""
    x = _value(arr)
    x, place = (JNP["ravel"](x), 0) if axis is None else (x, int(axis) % len(shape_of(x)))
    count = shape_of(x)[place]
    if isinstance(obj, slice):
        obj = np.arange(count)[obj]
    before = np.atleast_1d(concrete(obj, "insert"))
    new = JNP["asarray"](values, dtype=aval_of(x).dtype)
    if len(shape_of(new)) < len(shape_of(x)) and before.size == 1 and len(shape_of(x)) > 1:
        new = JNP["expand_dims"](new, place) if shape_of(new) else new
    rows = shape_of(new)[place] if len(shape_of(new)) == len(shape_of(x)) else 1
    places = np.repeat(before, rows) if before.size == 1 else before
    shape = [len(places) if i == place else n for i, n in enumerate(shape_of(x))]
    new = JNP["broadcast_to"](new, shape)
    marks = np.insert(np.arange(count), places, np.arange(count, count + len(places)))
    return JNP["take"](JNP["concatenate"]([x, new], place), marks, place)


def _listed(choices: Any) -> Any:
    """The arrays to choose from, which may be the rows of one."""
    return choices if isinstance(choices, (list, tuple)) else JNP["unstack"](_value(choices))


@named("choose")
@takes_only(out=(None,), mode=("raise", "clip", "wrap"))
def choose(a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Any:
    """At each place an element of one of several arrays."""
    index = _value(a)
    rows = JNP["broadcast_arrays"](index, *(_value(one) for one in _listed(choices)))
    found = rows[1]
    if mode == "wrap":
        index = JNP["mod"](index, len(rows) - 1)
    for number, row in enumerate(rows[1:]):
        found = JNP["where"](JNP["equal"](index, number), row, found)
    return JNP["where"](JNP["greater"](index, len(rows) - 2), rows[-1], found)


@named("trim_zeros")
@takes_only(axis=(None,))
def trim_zeros(filt: Any, trim: Any = "fb", axis: Any = None) -> Any:
    """The elements without zeros at the ends."""
    x = _value(filt)
    places = np.flatnonzero(concrete(x, "trim_zeros"))
    first = places[0] if len(places) and "f" in trim.lower() else 0
    last = places[-1] + 1 if len(places) and "b" in trim.lower() else shape_of(x)[0]
    return getitem(x, slice(int(first), int(last) if len(places) else 0))


@named("ediff1d")
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Differences of neighbours of all elements in a row."""
    flat = JNP["ravel"](_value(ary))
    check_accepted("sub", [aval_of(flat), aval_of(flat)])
    steps = JNP["diff"](flat)
    parts = [to_begin, steps, to_end]
    return JNP["concatenate"]([JNP["ravel"](_value(one)) for one in parts if one is not None])


# -- sets --------------------------------------------------------------------------------------------


@named("union1d")
@takes_only(size=(None,), fill_value=(None,))
def union1d(ar1: Any, ar2: Any, *, size: Any = None, fill_value: Any = None) -> Any:
    """The different elements of two arrays together."""
    return array(np.union1d(concrete(ar1, "union1d"), concrete(ar2, "union1d")))


@named("intersect1d")
@takes_only(size=(None,), fill_value=(None,))
def intersect1d(
    ar1: Any,
    ar2: Any,
    assume_unique: Any = False,
    return_indices: Any = False,
    *,
    size: Any = None,
    fill_value: Any = None,
) -> Any:
    """The elements that both arrays have."""
    pair = concrete(ar1, "intersect1d"), concrete(ar2, "intersect1d")
    common: Any = np.intersect1d  # flags that are not literal
    found = common(*pair, assume_unique=bool(assume_unique), return_indices=bool(return_indices))
    return tuple(map(array, found)) if return_indices else array(found)


@named("setdiff1d")
@takes_only(size=(None,), fill_value=(None,))
def setdiff1d(
    ar1: Any, ar2: Any, assume_unique: Any = False, *, size: Any = None, fill_value: Any = None
) -> Any:
    """The elements of the first array that the second has not."""
    pair = concrete(ar1, "setdiff1d"), concrete(ar2, "setdiff1d")
    return array(np.setdiff1d(*pair, assume_unique=bool(assume_unique)))


@named("setxor1d")
@takes_only(size=(None,), fill_value=(None,))
def setxor1d(
    ar1: Any, ar2: Any, assume_unique: Any = False, *, size: Any = None, fill_value: Any = None
) -> Any:
    """The elements that one of the arrays alone has."""
    pair = concrete(ar1, "setxor1d"), concrete(ar2, "setxor1d")
    return array(np.setxor1d(*pair, assume_unique=bool(assume_unique)))
