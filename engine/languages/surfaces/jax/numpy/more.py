"""Further functions of jnp: rounding, cutting, sorting, taking, comparing."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import move_axis
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.tangents import is_zero
from engine.languages.surfaces.jax.core.values import Constant, aval_of, constant, known
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import gathering as ga
from engine.languages.surfaces.jax.lax.basics import (
    broadcast_in_dim,
    convert,
    expand_dims,
    like,
    reshape,
    shape_of,
)
from engine.languages.surfaces.jax.lax.gathering import FILL, IN_BOUNDS, Gathering, gather
from engine.languages.surfaces.jax.lax.shapes import iota, rev
from engine.languages.surfaces.jax.numpy.indexing import getitem
from engine.languages.surfaces.jax.numpy.making import array, on_device
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote, promote_types
from engine.languages.surfaces.jax.numpy.reducing import axes_of, mean, place_of, sum_
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, as_array, named, where_jitted
from engine.languages.surfaces.left_out import takes_only

# -- rounding and cutting ----------------------------------------------------------------------------


@named("round", "around")
@takes_only(out=(None,))
def round_(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    """The nearest number of so many decimals, halves to the even one."""
    (x,) = check_arrays("round", [a])
    return _round(x, decimals=int(decimals))


@library_jit(1, name="round")
def _round(x: Any, decimals: int) -> Any:
    if not aval_of(x).is_float:
        if decimals >= 0:
            return as_array(x)
        factor = like(x, 10**-decimals)
        return ar.mul(FUNCTIONS["rint"](ar.div(convert(x, "float32"), convert(factor, "float32"))), factor)
    if decimals == 0:
        return el.round_p(x, rounding_method=el.TO_NEAREST_EVEN)
    factor = like(x, 10**decimals)
    return ar.div(el.round_p(ar.mul(x, factor), rounding_method=el.TO_NEAREST_EVEN), factor)


@named("clip")
def clip(
    arr: Any = None,
    min: Any = None,
    max: Any = None,
    *,
    a: Any = None,
    a_min: Any = None,
    a_max: Any = None,
) -> Any:
    """The array, cut to a range."""
    arr = a if arr is None else arr
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    values = [x for x in (arr, low, high) if x is not None]
    return _clip(*check_arrays("clip", values), has_low=low is not None, has_high=high is not None)


@library_jit(name="clip")
def _clip(x: Any, *bounds: Any, has_low: bool, has_high: bool) -> Any:
    given = list(bounds)
    if has_low:
        x = FUNCTIONS["maximum"](given.pop(0), x)
    if has_high:
        x = FUNCTIONS["minimum"](given.pop(0), x)
    return as_array(x)


@named("nan_to_num")
@library_jit(1, name="nan_to_num")
def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Numbers in place of what is none, and of infinities."""
    x = constant(x)
    info = np.finfo(aval_of(x).dtype) if aval_of(x).is_float else None
    if info is None:
        return as_array(x)
    x = where_jitted(ar.ne(x, x), like(x, nan), x)
    x = where_jitted(ar.eq(x, like(x, np.inf)), like(x, info.max if posinf is None else posinf), x)
    return where_jitted(ar.eq(x, like(x, -np.inf)), like(x, info.min if neginf is None else neginf), x)


# -- sorting -----------------------------------------------------------------------------------------

sort_p = Primitive("sort", several=True)


def _sorted(*operands: Any, dimension: int, is_stable: bool, num_keys: int) -> list[Any]:
    keys = [np.where(x == 0, 0, x) if x.dtype.kind == "f" else x for x in operands[:num_keys]]
    order = (
        np.lexsort(keys[::-1], axis=dimension)
        if num_keys > 1
        else np.argsort(keys[0], axis=dimension, kind="stable")
    )
    return [np.take_along_axis(x, order, dimension) for x in operands]


def _sort_tangent(
    primals: Any, tangents: Any, dimension: int, is_stable: bool, num_keys: int
) -> tuple[Any, Any]:
    shape = shape_of(primals[0])
    places = iota("uint32", shape, dimension)
    *outs, order = sort_p(*primals, places, dimension=dimension, is_stable=is_stable, num_keys=num_keys)
    batch = tuple(np.delete(np.arange(len(shape)), dimension))
    dims = Gathering((), (dimension,), (dimension,), batch, batch)
    indices = expand_dims(order, (len(shape),))
    moved = [t if is_zero(t) else gather(t, indices, dims, (1,) * len(shape), IN_BOUNDS) for t in tangents]
    return outs, moved


def _sort_batch(
    size: int, values: Any, axes: Any, dimension: int, is_stable: bool, num_keys: int
) -> tuple[Any, Any]:
    wide, place = next((x, axis) for x, axis in zip(values, axes, strict=True) if axis is not None)
    shape = shape_of(wide)
    moved = [
        broadcast_in_dim(x, shape, [i for i in range(len(shape)) if i != place])
        if axis is None
        else move_axis(x, axis, place)
        for x, axis in zip(values, axes, strict=True)
    ]
    along = dimension + (place <= dimension)
    outs = sort_p(*moved, dimension=along, is_stable=is_stable, num_keys=num_keys)
    return outs, [place] * len(outs)


sort_p.compute, sort_p.types = _sorted, lambda *avals, **_: list(avals)
sort_p.tangent, sort_p.batch = _sort_tangent, _sort_batch


def sorted_with(operands: Any, axis: int, keys: int = 1) -> list[Any]:
    """Arrays in the order of the first."""
    found: list[Any] = sort_p(*operands, dimension=axis, is_stable=True, num_keys=keys)
    return found


@named("sort")
def sort(a: Any, axis: Any = -1, *, descending: Any = False, **_: Any) -> Any:
    """The elements in order."""
    (x,) = check_arrays("sort", [a])
    if axis is None:
        x, axis = reshape(x, (aval_of(x).size,)), 0
    return _sort(x, axis=place_of(int(axis), len(shape_of(x))), descending=bool(descending))


@library_jit(1, name="sort")
def _sort(x: Any, axis: int, descending: bool) -> Any:
    out = sorted_with([x], axis)[0]
    return rev(out, (axis,)) if descending else out


@named("argsort")
def argsort(a: Any, axis: Any = -1, *, descending: Any = False, **_: Any) -> Any:
    """The places of the elements in order."""
    (x,) = check_arrays("argsort", [a])
    if axis is None:
        x, axis = reshape(x, (aval_of(x).size,)), 0
    return _argsort(x, axis=place_of(int(axis), len(shape_of(x))), descending=bool(descending))


@library_jit(1, name="argsort")
def _argsort(x: Any, axis: int, descending: bool) -> Any:
    places = iota(default_int(), shape_of(x), axis)
    if descending:
        x = ar.neg(x)
    return sorted_with([x, places], axis)[1]


top_k_p = Primitive("top_k", several=True)


def _top(x: Any, k: int) -> list[Any]:
    order = np.argsort(-x if x.dtype.kind == "f" else -x.astype("int64"), axis=-1, kind="stable")[..., :k]
    return [np.take_along_axis(x, order, -1), order.astype("int32")]


top_k_p.compute = _top
top_k_p.types = lambda x, k: [x.with_shape((*x.shape[:-1], k)), Aval((*x.shape[:-1], k), "int32")]
top_k_p.batch = lambda size, values, axes, k: (top_k_p(move_axis(values[0], axes[0], 0), k=k), [0, 0])


@named("searchsorted")
@takes_only(sorter=(None,))
def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None, **_: Any) -> Any:
    """Where values would stand in a sorted array."""
    x, y = promote_types(check_arrays("searchsorted", [a, v]))
    smaller = ar.lt if side == "left" else ar.le
    wide = expand_dims(y, (len(shape_of(y)),))
    here = smaller(broadcast_in_dim(x, (*shape_of(y), *shape_of(x)), (len(shape_of(y)),)), wide)
    return sum_(here, -1, dtype="int32")


@named("unique")
@takes_only(axis=(None,), size=(None,), equal_nan=(True,))
def unique(
    ar_: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    *,
    equal_nan: Any = True,
    size: Any = None,
    fill_value: Any = None,
    sorted: Any = True,
) -> Any:
    """The different elements, in order."""
    from engine.languages.surfaces.jax.core.errors import concretization

    (x,) = check_arrays("unique", [ar_])
    held = known(x)
    if held is None:
        raise concretization(x, "The size argument of jnp.unique must be statically specified.")
    found: Any = np.unique(  # type: ignore[call-overload]  # flags that are not literal
        held,
        return_index=bool(return_index),
        return_inverse=bool(return_inverse),
        return_counts=bool(return_counts),
    )
    if not isinstance(found, tuple):
        return on_device(found)
    return tuple(on_device(one if i == 0 else one.astype(default_int())) for i, one in enumerate(found))


# -- taking ------------------------------------------------------------------------------------------


@named("take")
@takes_only(out=(None,))
def take(
    a: Any,
    indices: Any,
    axis: Any = None,
    out: Any = None,
    mode: Any = None,
    unique_indices: Any = False,
    indices_are_sorted: Any = False,
    fill_value: Any = None,
) -> Any:
    """Elements at some places along an axis."""
    x = constant(a) if not isinstance(a, (list, tuple)) else array(a)
    places = array(indices) if isinstance(indices, (list, tuple)) else constant(indices)
    if axis is None:
        x, place = reshape(x, (aval_of(x).size,)), 0
    else:
        place = axes_of(x, axis)[0]
    how = _taking(mode)
    if how is ga.IN_BOUNDS:
        places = FUNCTIONS["remainder"](places, shape_of(x)[place])
    fill = None if fill_value is None else float(fill_value) if aval_of(x).is_float else int(fill_value)
    return _take(x, places, axis=place, mode=how, fill=fill)


def _taking(mode: Any) -> Any:
    """What happens at places outside: "wrap" goes round, "clip" takes the last one."""
    known = {None: ga.FILL, "fill": ga.FILL, "clip": ga.CLIP, "wrap": ga.IN_BOUNDS}
    if not (mode is None or isinstance(mode, str)) or mode not in known:
        raise value_error(f"Invalid mode '{mode}' for np.take", f"take 的 mode 不能是 {mode!r}。")
    return known[mode]


@library_jit(2, name="_take")
def _take(x: Any, places: Any, axis: int, mode: Any, fill: Any) -> Any:
    shape, have = shape_of(x), shape_of(places)
    length = shape[axis]
    index = places
    if mode is FILL:
        below = ar.lt(places, like(places, 0))
        index = where_jitted(below, ar.add(places, like(places, length)), places)
    rank = len(have)
    offset = tuple(i if i < axis else i + rank - 1 for i in range(len(shape)) if i != axis)
    sizes = tuple(1 if i == axis else n for i, n in enumerate(shape))
    wide = expand_dims(index, (rank,))
    filled = mode is FILL and fill is None and aval_of(x).is_float
    return gather(x, wide, Gathering(offset, (axis,), (axis,)), sizes, mode, np.nan if filled else fill)


@named("take_along_axis")
@takes_only(mode=(None, "fill", "clip"), fill_value=(None,), wrap_negative_indices=(True,))
def take_along_axis(
    arr: Any,
    indices: Any,
    axis: Any = -1,
    mode: Any = None,
    fill_value: Any = None,
    *,
    wrap_negative_indices: Any = True,
) -> Any:
    """For each place of the result an element along an axis."""
    x, places = check_arrays("take_along_axis", [arr, indices])
    place = place_of(int(axis), len(shape_of(x)))
    grid = [
        places
        if i == place
        else reshape(
            on_device(np.arange(n, dtype="int32")), [n if j == i else 1 for j in range(len(shape_of(x)))]
        )
        for i, n in enumerate(shape_of(places))
    ]
    return getitem(x, tuple(grid), ga.CLIP) if mode == "clip" else getitem(x, tuple(grid))


# -- comparing ---------------------------------------------------------------------------------------


@library_jit(name="isclose")
def _is_close(a: Any, b: Any, rtol: Any, atol: Any) -> Any:
    a, b = promote("isclose", a, b, inexact=True)
    rtol, atol = convert(rtol, aval_of(a).dtype), convert(atol, aval_of(a).dtype)
    near = ar.le(el.abs_p(ar.sub(a, b)), ar.add(atol, ar.mul(rtol, el.abs_p(b))))
    return ar.or_p(ar.eq(a, b), ar.and_p(el.is_finite(b), near))


@named("isclose")
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether two arrays are nearly the same, element by element."""
    found = _is_close(*check_arrays("isclose", [a, b, rtol, atol]))
    if equal_nan:
        x, y = promote("isclose", a, b, inexact=True)
        found = ar.or_p(found, ar.and_p(ar.ne(x, x), ar.ne(y, y)))
    return found


@named("allclose")
def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether two arrays are nearly the same."""
    return FUNCTIONS["all"](isclose(a, b, rtol, atol, equal_nan))


@named("array_equal")
def array_equal(a1: Any, a2: Any, equal_nan: Any = False) -> Any:
    """Whether two arrays have the same shape and elements; equal_nan: no number is the same as none."""
    x, y = (constant(v) if not isinstance(v, (list, tuple)) else array(v) for v in (a1, a2))
    if shape_of(x) != shape_of(y):
        return on_device(np.bool_(False))
    same = FUNCTIONS["equal"](x, y)
    if equal_nan:
        same = FUNCTIONS["logical_or"](same, ar.and_p(ar.ne(x, x), ar.ne(y, y)))
    return FUNCTIONS["all"](same)


# -- statistics --------------------------------------------------------------------------------------


@named("median")
@takes_only(out=(None,), overwrite_input=(False,))
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Any:
    """The element in the middle."""
    return quantile(a, 0.5, axis, keepdims=keepdims)


@named("quantile")
@takes_only(method=("linear",), out=(None,), overwrite_input=(False,), weights=(None,))
def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """The element below which a share of all lies; no number where one of the elements is none."""
    (x,) = promote("quantile", a, inexact=True)
    share = convert(array(q) if isinstance(q, (list, tuple)) else constant(q), aval_of(x).dtype)
    if axis is None:
        ndim = len(shape_of(x))
        x, place, kept = reshape(x, (aval_of(x).size,)), 0, tuple(range(ndim))
    else:
        kept = axes_of(x, axis)
        x, place = _axes_together(x, kept), 0
    length = shape_of(x)[place]
    x = FUNCTIONS["where"](FUNCTIONS["any"](ar.ne(x, x), place, keepdims=True), np.nan, x)
    x = sorted_with([move_axis(x, place, 0)], 0)[0]
    position = ar.mul(share, like(share, length - 1))
    low, high = el.floor(position), el.ceil(position)
    weight = ar.sub(position, low)
    lower = getitem(x, convert(low, "int32"))
    upper = getitem(x, convert(high, "int32"))
    weight = weight if not shape_of(weight) else expand_dims(weight, range(1, len(shape_of(lower))))
    found = ar.add(ar.mul(lower, ar.sub(like(weight, 1), weight)), ar.mul(upper, weight))
    if not keepdims:
        return found
    shift = len(shape_of(share))
    return expand_dims(found, tuple(axis + shift for axis in kept))


def _axes_together(x: Any, axes: tuple[int, ...]) -> Any:
    """Some axes as one, in front of the others."""
    rest = [i for i in range(len(shape_of(x))) if i not in axes]
    moved = FUNCTIONS["transpose"](x, (*axes, *rest))
    return reshape(
        moved,
        (-1 if not axes else int(np.prod([shape_of(x)[i] for i in axes])), *(shape_of(x)[i] for i in rest)),
    )


@named("percentile")
@takes_only(method=("linear",), out=(None,), overwrite_input=(False,), weights=(None,))
def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """The element below which so many per cent of all lie."""
    if isinstance(q, (list, tuple)):
        q = array(q)
    return quantile(a, FUNCTIONS["true_divide"](q, 100.0), axis, keepdims=keepdims)


@named("cov")
@takes_only(fweights=(None,), aweights=(None,))
def cov(
    m: Any,
    y: Any = None,
    rowvar: Any = True,
    bias: Any = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
) -> Any:
    """How rows vary together."""
    (x,) = promote("cov", m, inexact=True)
    if y is not None:
        x = FUNCTIONS["vstack"]([x, y])
    x = FUNCTIONS["atleast_2d"](x)
    if not rowvar and len(shape_of(x)) > 1:
        x = FUNCTIONS["transpose"](x)
    less = ddof if ddof is not None else (0 if bias else 1)
    centered = ar.sub(x, mean(x, 1, keepdims=True))
    product = FUNCTIONS["dot"](centered, FUNCTIONS["transpose"](centered))
    return FUNCTIONS["squeeze"](ar.div(product, like(product, shape_of(x)[1] - less)))


@named("corrcoef")
def corrcoef(x: Any, y: Any = None, rowvar: Any = True) -> Any:
    """How rows vary together, between -1 and 1."""
    c = cov(x, y, rowvar)
    if len(shape_of(c)) < 2:
        return ar.div(c, c)
    d = el.sqrt(FUNCTIONS["diagonal"](c))
    return ar.div(ar.div(c, expand_dims(d, (1,))), expand_dims(d, (0,)))


@named("bincount")
def bincount(x: Any, weights: Any = None, minlength: Any = 0, *, length: Any = None) -> Any:
    """How often each whole number occurs."""
    held = known(constant(x))
    count = int(length) if length is not None else max(int(held.max(initial=-1)) + 1, int(minlength))
    one = convert(
        constant(1 if weights is None else weights),
        default_int() if weights is None else aval_of(constant(weights)).dtype,
    )
    hot = ar.eq(expand_dims(constant(x), (1,)), iota("int32", (1, count), 1))
    if weights is None:
        return sum_(convert(hot, default_int()), 0)
    return sum_(ar.mul(convert(hot, aval_of(one).dtype), expand_dims(one, (1,))), 0)


@named("interp")
@takes_only(period=(None,))
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """Values between those at known places, on straight lines; left, right: those outside."""
    x, xp, fp = promote_types(check_arrays("interp", [x, xp, fp]), inexact=True)
    place = clip(searchsorted(xp, x, side="right"), 1, shape_of(xp)[0] - 1)
    before = FUNCTIONS["subtract"](place, 1)
    x0, x1, f0, f1 = getitem(xp, before), getitem(xp, place), getitem(fp, before), getitem(fp, place)
    slope = ar.div(ar.sub(f1, f0), ar.sub(x1, x0))
    found = ar.add(f0, ar.mul(slope, ar.sub(x, x0)))
    below, above = getitem(fp, 0) if left is None else left, getitem(fp, -1) if right is None else right
    found = FUNCTIONS["where"](ar.lt(x, getitem(xp, 0)), below, found)
    return FUNCTIONS["where"](ar.gt(x, getitem(xp, -1)), above, found)


@named("trapezoid")
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """The area below points, by trapezoids."""
    (y,) = promote("trapezoid", y, inexact=True)
    y = FUNCTIONS["moveaxis"](y, axis, -1)
    if x is not None and len(shape_of(constant(x))) > 1:
        x = FUNCTIONS["moveaxis"](x, axis, -1)
    width = FUNCTIONS["diff"](x) if x is not None else dx
    pairs = ar.add(getitem(y, (Ellipsis, slice(1, None))), getitem(y, (Ellipsis, slice(None, -1))))
    return ar.mul(Constant(np.asarray(0.5, aval_of(y).dtype)), sum_(FUNCTIONS["multiply"](width, pairs), -1))


@named("polyval")
def polyval(p: Any, x: Any, **_: Any) -> Any:
    """A polynomial at some places, its coefficients from the highest power on."""
    coefficients, at = promote_types(check_arrays("polyval", [p, x]))
    total: Any = FUNCTIONS["zeros_like"](at)
    for index in range(shape_of(coefficients)[0]):
        total = ar.add(ar.mul(total, at), getitem(coefficients, index))
    return total


@named("vander")
def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    """Powers of numbers, a row for each."""
    (x,) = check_arrays("vander", [x])
    count = shape_of(x)[0] if N is None else int(N)
    powers = [FUNCTIONS["power"](x, i) for i in range(count)]
    return FUNCTIONS["stack"](powers if increasing else powers[::-1], 1)


# -- facts of arrays -----------------------------------------------------------------------------------


@named("shape")
def shape(a: Any) -> tuple[int, ...]:
    """The lengths of an array."""
    return shape_of(constant(a))


@named("ndim")
def ndim(a: Any) -> int:
    """The number of axes."""
    return len(shape_of(constant(a)))


@named("size")
def size(a: Any, axis: Any = None) -> int:
    """The number of elements, or the length of an axis."""
    return aval_of(constant(a)).size if axis is None else shape_of(constant(a))[int(axis)]


@named("convolve")
def convolve(a: Any, v: Any, mode: Any = "full", **_: Any) -> Any:
    """Sums of products of one row with the other, swapped_axes round and moved along it."""
    x, w = promote_types(check_arrays("convolve", [a, v]), inexact=False)
    if shape_of(x)[0] < shape_of(w)[0]:
        x, w = w, x
    n, m = shape_of(x)[0], shape_of(w)[0]
    ends = {"full": m - 1, "same": m // 2, "valid": 0}[str(mode)]
    left = ends
    count = {"full": n + m - 1, "same": n, "valid": n - m + 1}[str(mode)]
    longer = FUNCTIONS["pad"](x, (left, (m - 1) // 2 if mode == "same" else ends))
    rows = np.arange(count)[:, None] + np.arange(m)[None, :]
    return FUNCTIONS["dot"](FUNCTIONS["take"](longer, rows, axis=0), rev(w, (0,)))
