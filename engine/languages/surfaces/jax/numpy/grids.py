"""Places and counts of jnp: corners and grids as index arrays, histograms, membership."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.errors import concretization
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import aval_of, constant, known
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import scattering as sc
from engine.languages.surfaces.jax.lax.basics import (
    convert,
    expand_dims,
    full,
    full_like,
    like,
    reshape,
    shape_of,
)
from engine.languages.surfaces.jax.numpy.further.sorting import searchsorted
from engine.languages.surfaces.jax.numpy.indexing.putting import put
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.arrays import array, on_device
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.making.ranges import linspace
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote, promote_types
from engine.languages.surfaces.jax.numpy.reducing.extremes import max_, min_
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, named


def _places(found: Any) -> tuple[Any, ...]:
    return tuple(on_device(one.astype(default_int())) for one in found)


@named("tril_indices")
def tril_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Any, ...]:
    """The rows and columns on and below a diagonal."""
    rows, columns = lengths((n, n if m is None else m))
    return _places(np.tril_indices(rows, int(k), columns))


@named("triu_indices")
def triu_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Any, ...]:
    """The rows and columns on and above a diagonal."""
    rows, columns = lengths((n, n if m is None else m))
    return _places(np.triu_indices(rows, int(k), columns))


@named("diag_indices")
def diag_indices(n: Any, ndim: Any = 2) -> tuple[Any, ...]:
    """The places of the main diagonal, for each axis."""
    return (FUNCTIONS["arange"](n),) * int(ndim)


@named("indices")
def indices(dimensions: Any, dtype: Any = None, sparse: Any = False) -> Any:
    """The coordinate of every place of a shape along each axis. Shapes: (d,) -> (d, *dimensions)."""
    shape = lengths(dimensions)
    lengths((len(shape), *shape))  # their count is checked
    kind = dtype_of(dtype) or default_int()
    if sparse:
        return tuple(on_device(one.astype(kind)) for one in np.indices(shape, sparse=True))
    return on_device(np.indices(shape).astype(kind))


@named("unravel_index")
def unravel_index(indices: Any, shape: Any) -> tuple[Any, ...]:
    """The coordinates of places that are counted in a row."""
    places, found = array(indices), []
    for length in lengths(shape)[::-1]:
        found.append(FUNCTIONS["remainder"](places, length))
        places = FUNCTIONS["floor_divide"](places, length)
    return tuple(found[::-1])


@named("dstack")
def dstack(tup: Any, dtype: Any = None) -> Any:
    """Arrays side by side along a third axis."""
    xs = [array(one) for one in tup]
    wide = [FUNCTIONS["atleast_2d"](x) if len(shape_of(x)) < 2 else x for x in xs]
    deep = [expand_dims(x, (2,)) if len(shape_of(x)) == 2 else x for x in wide]
    found = FUNCTIONS["concatenate"](deep, 2)
    return found if dtype is None else FUNCTIONS["astype"](found, dtype)


@named("isin")
def isin(element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False, **_: Any) -> Any:
    """Whether each element is among others."""
    x, among = promote_types([array(element), array(test_elements)])
    among = reshape(among, (aval_of(among).size,))
    found = FUNCTIONS["any"](ar.eq(*_against(x, among)), -1)
    return FUNCTIONS["logical_not"](found) if invert else found


def _against(x: Any, row: Any) -> tuple[Any, Any]:
    """Each element beside each of a row. Shapes: (*S), (n,) -> (*S, n), (*S, n)."""
    wide = (*shape_of(x), *shape_of(row))
    spread = FUNCTIONS["broadcast_to"]
    return spread(expand_dims(x, (len(shape_of(x)),)), wide), spread(row, wide)


# -- what is not zero --------------------------------------------------------------------------------


@named("nonzero")
def nonzero(a: Any, *, size: Any = None, fill_value: Any = None) -> tuple[Any, ...]:
    """The places of what is not zero; with a size so many of them, filled up."""
    (x,) = check_arrays("nonzero", [a])
    mask = ar.ne(x, like(x, 0)) if aval_of(x).dtype != "bool" else x
    held = known(mask)
    if size is not None:
        return _of_size(mask, lengths(size)[0], fill_value)
    if held is None:
        raise concretization(
            FUNCTIONS["sum"](mask),
            "The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX "
            "transformations.",
        )
    return tuple(on_device(one.astype(default_int())) for one in np.nonzero(held))


def _of_size(mask: Any, size: int, fill_value: Any) -> tuple[Any, ...]:
    """The k-th place is how many places come before k + 1 of them have been counted."""
    shape, total = shape_of(mask), aval_of(mask).size
    counted = FUNCTIONS["cumsum"](convert(reshape(mask, (total,)), default_int()))
    flat = FUNCTIONS["cumsum"](FUNCTIONS["bincount"](counted, length=size))
    is_there = ar.lt(FUNCTIONS["arange"](size), FUNCTIONS["sum"](convert(mask, default_int())))
    given = fill_value if isinstance(fill_value, (tuple, list)) else [fill_value or 0] * len(shape)
    found = []
    for axis, (length, instead) in enumerate(zip(shape, given, strict=True)):
        step = int(np.prod(shape[axis + 1 :], dtype=np.int64))
        place = FUNCTIONS["remainder"](FUNCTIONS["floor_divide"](flat, step), length)
        found.append(FUNCTIONS["where"](is_there, place, instead))
    return tuple(found)


@named("flatnonzero")
def flatnonzero(a: Any, *, size: Any = None, fill_value: Any = None) -> Any:
    """The places of what is not zero, counted in a row."""
    (x,) = check_arrays("flatnonzero", [a])
    return nonzero(reshape(x, (aval_of(x).size,)), size=size, fill_value=fill_value)[0]


@named("argwhere")
def argwhere(a: Any, *, size: Any = None, fill_value: Any = None) -> Any:
    """The places of what is not zero, a row for each."""
    return FUNCTIONS["transpose"](FUNCTIONS["stack"](list(nonzero(a, size=size, fill_value=fill_value))))


# -- histograms --------------------------------------------------------------------------------------


@named("histogram_bin_edges")
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges of bins of one width, from the least element to the largest."""
    given = array(bins) if isinstance(bins, (list, tuple)) else constant(bins)
    if shape_of(given):
        return given
    (x,) = promote("histogram", array(a), inexact=True)
    ends = (min_(x), max_(x)) if range is None else range
    low, high = (convert(constant(end), aval_of(x).dtype) for end in ends)
    same = ar.eq(low, high)
    low = ar.select(same, ar.sub(low, like(low, 0.5)), low)
    high = ar.select(same, ar.add(high, like(high, 0.5)), high)
    return linspace(low, high, lengths(bins)[0] + 1, dtype=aval_of(x).dtype)


@named("histogram")
def histogram(a: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: Any = None) -> Any:
    """How many elements, or how much weight, falls into each bin, and the edges; the last bin is closed."""
    edges = histogram_bin_edges(a, bins, range)
    x, edges = promote_types([array(a), edges], inexact=True)
    x = reshape(x, (aval_of(x).size,))
    share = full_like(x, 1) if weights is None else _weights(weights, x)
    count = shape_of(edges)[0]
    place = searchsorted(edges, x, side="right")
    last = getitem(edges, -1)
    place = FUNCTIONS["where"](FUNCTIONS["equal"](x, last), count - 1, place)
    inside = FUNCTIONS["logical_and"](FUNCTIONS["greater"](place, 0), FUNCTIONS["less"](place, count))
    share = FUNCTIONS["where"](inside, share, 0)
    sums = put(sc.scatter_add_p, full((count,), like(share, 0)), place, share)
    counts = getitem(sums, slice(1, None))
    if density:
        widths = ar.sub(getitem(edges, slice(1, None)), getitem(edges, slice(None, -1)))
        counts = FUNCTIONS["true_divide"](FUNCTIONS["true_divide"](counts, widths), FUNCTIONS["sum"](counts))
    return counts, edges


def _weights(weights: Any, x: Any) -> Any:
    given, _ = promote_types([array(weights), x])
    return reshape(given, shape_of(x))


@named("digitize")
def digitize(x: Any, bins: Any, right: Any = False, *, method: Any = None) -> Any:
    """The bin of each element: between which edges it lies, which rise or fall."""
    value, edges = check_arrays("digitize", [x, bins])
    count = shape_of(edges)[0]
    side = "left" if right else "right"
    rising = searchsorted(edges, value, side=side)
    if not count:
        return rising
    falling = ar.sub(like(rising, count), searchsorted(FUNCTIONS["flip"](edges), value, side=side))
    return FUNCTIONS["where"](ar.ge(getitem(edges, -1), getitem(edges, 0)), rising, falling)
