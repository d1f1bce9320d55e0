"""Functions of `jnp` of samples and polynomials, and facts of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import is_complex
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import Constant, aval_of, constant, typed
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.accepted import check_accepted
from engine.languages.surfaces.jax.lax.basics import (
    broadcast_in_dim,
    convert,
    expand_dims,
    like,
    reshape,
    shape_of,
    strong,
)
from engine.languages.surfaces.jax.lax.gathering import IN_BOUNDS, Gathering, gather
from engine.languages.surfaces.jax.lax.shapes import iota, rev
from engine.languages.surfaces.jax.numpy.further.rounding import clip
from engine.languages.surfaces.jax.numpy.further.sorting import searchsorted, sorted_with
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.making.lengths import known_number
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote, promote_types
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of
from engine.languages.surfaces.jax.numpy.reducing.means import mean
from engine.languages.surfaces.jax.numpy.reducing.sums import sum_
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, named
from engine.languages.surfaces.left_out import takes_only

# -- statistics --------------------------------------------------------------------------------------


@named("median")
@takes_only(out=(None,), overwrite_input=(False,))
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Any:
    """The element in the middle."""
    x = strong(*promote("median", a, inexact=True))
    return _median(x, axis=axis, keepdims=bool(keepdims))


@library_jit(1, name="median")
def _median(x: Any, axis: Any, keepdims: bool) -> Any:
    return quantile(x, 0.5, axis, method="midpoint", keepdims=keepdims)


@named("quantile")
@takes_only(out=(None,), overwrite_input=(False,), weights=(None,))
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
    if is_complex(aval_of(x).dtype):
        raise value_error(
            "quantile does not support complex input, as the operation is poorly defined.",
            "quantile 不支持复数：复数没有大小顺序。",
        )
    share = array(q) if isinstance(q, (list, tuple)) else constant(q)
    if aval_of(share).dtype != aval_of(x).dtype or isinstance(share, Constant):
        share = convert(share, aval_of(x).dtype)
    return _quantile(x, share, axis=axis, method=method, keepdims=bool(keepdims))


@library_jit(2, name="quantile")
def _quantile(x: Any, share: Any, axis: Any, method: Any, keepdims: bool) -> Any:
    kept = tuple(range(len(shape_of(x)))) if axis is None else axes_of(x, axis)
    place = kept[0] if len(kept) == 1 else 0
    if axis is None:
        x = reshape(x, (aval_of(x).size,))
    elif len(kept) > 1:
        x = _axes_together(x, kept)
    x = FUNCTIONS["where"](FUNCTIONS["any"](ar.ne(x, x), place, keepdims=True), np.nan, x)
    x = sorted_with([x], place)[0]
    length = like(share, shape_of(x)[place])
    position = ar.mul(share, ar.sub(length, like(length, 1)))
    low, high = el.floor(position), el.ceil(position)
    above = ar.sub(position, low)
    below = ar.sub(like(above, 1), above)
    low, high = [_within(one, length) for one in (low, high)]
    lower, upper = [_at(x, one, place) for one in [convert(low, "int32"), convert(high, "int32")]]
    if shape_of(above):
        below, above = [broadcast_in_dim(one, shape_of(lower), (0,)) for one in (below, above)]
    found = _between(method, lower, upper, below, above)
    if not keepdims:
        return found
    shift = len(shape_of(share))
    return expand_dims(found, tuple(axis + shift for axis in kept))


def _within(place: Any, length: Any) -> Any:
    """A place, moved to the nearest that there is."""
    return ar.clamp(like(length, 0), place, ar.sub(length, like(length, 1)))


def _at(x: Any, places: Any, axis: int) -> Any:
    """The elements at places along an axis, which then comes first. Shapes: (*S), places (*T) -> (*T, *S)."""
    ahead, others = len(shape_of(places)), len(shape_of(x)) - 1
    dims = Gathering(tuple(range(ahead, ahead + others)), (axis,), (axis,))
    sizes = [1 if i == axis else n for i, n in enumerate(shape_of(x))]
    indices = broadcast_in_dim(places, (*shape_of(places), 1), range(ahead))
    return gather(x, indices, dims, sizes, IN_BOUNDS)


def _between(method: Any, lower: Any, upper: Any, below: Any, above: Any) -> Any:
    """Which number stands for a place between two elements; below, above: the distances to these.

    Raises: ValueError for an unknown method.
    """
    if method == "linear":
        return ar.add(ar.mul(lower, below), ar.mul(upper, above))
    if method == "nearest":
        return FUNCTIONS["where"](ar.le(above, like(above, 0.5)), lower, upper)
    if method == "midpoint":
        return ar.mul(ar.add(lower, upper), like(lower, 0.5))
    if method in ("lower", "higher"):
        return lower if method == "lower" else upper
    said = "method can only be 'linear', 'lower', 'higher', 'midpoint', or 'nearest'"
    raise value_error(said, f"method 不能是 {method!r}。")


def _axes_together(x: Any, axes: tuple[int, ...]) -> Any:
    """Some axes as one, in front of the others."""
    rest = [i for i in range(len(shape_of(x))) if i not in axes]
    moved = FUNCTIONS["transpose"](x, (*axes, *rest))
    return reshape(
        moved,
        (-1 if not axes else int(np.prod([shape_of(x)[i] for i in axes])), *(shape_of(x)[i] for i in rest)),
    )


@named("percentile")
@takes_only(out=(None,), overwrite_input=(False,), weights=(None,))
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
    x, share = strong(*promote("percentile", a, inexact=True)), constant(q)
    return _percentile(x, share, axis=axis, method=method, keepdims=bool(keepdims))


@library_jit(2, name="percentile")
def _percentile(x: Any, q: Any, axis: Any, method: Any, keepdims: bool) -> Any:
    return quantile(x, FUNCTIONS["true_divide"](q, 100.0), axis, method=method, keepdims=keepdims)


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
    product = FUNCTIONS["dot"](centered, FUNCTIONS["conj"](FUNCTIONS["transpose"](centered)))
    return FUNCTIONS["squeeze"](ar.div(product, like(product, shape_of(x)[1] - less)))


@named("corrcoef")
def corrcoef(x: Any, y: Any = None, rowvar: Any = True) -> Any:
    """How rows vary together, between -1 and 1."""
    c = cov(x, y, rowvar)
    if len(shape_of(c)) < 2:
        return ar.div(c, c)
    d = el.sqrt(FUNCTIONS["diagonal"](c))
    return ar.div(ar.div(c, expand_dims(d, (1,))), expand_dims(d, (0,)))


BINS = "The error occurred because of argument '{}' of jnp.bincount."


def _length(x: Any, minlength: Any) -> int:
    """How many whole numbers are counted: from 0 up to the largest, and at least minlength."""
    said = BINS.format("x") + " To avoid this error, pass a static `length` argument."
    held = np.asarray(known_number(x, said))
    least = known_number(minlength, BINS.format("minlength"))
    return max(int(held.max(initial=-1)) + 1, int(least))


@named("bincount")
def bincount(x: Any, weights: Any = None, minlength: Any = 0, *, length: Any = None) -> Any:
    """How often each whole number occurs."""
    (x,) = check_arrays("bincount", [x])
    if not aval_of(x).dtype.startswith(("int", "uint", "bool")):
        said = f"x argument to bincount must have an integer type; got {aval_of(x).dtype}"
        raise type_error(said, f"bincount 需要整数，不能是 {aval_of(x).dtype}。")
    if len(shape_of(x)) != 1:
        raise value_error("only 1-dimensional input supported.", "bincount 只支持一维数组。")
    x = convert(x, default_int())
    count = _length(x, minlength) if length is None else int(known_number(length, BINS.format("length")))
    x = FUNCTIONS["clip"](x, 0)  # what is below counts as zero
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
    if shape_of(xp) != shape_of(fp) or len(shape_of(xp)) != 1:
        said = "xp and fp must be one-dimensional arrays of equal size"
        raise value_error(said, "xp 和 fp 必须是等长的一维数组。")
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
    return ar.mul(typed(0.5, aval_of(y).dtype), sum_(FUNCTIONS["multiply"](width, pairs), -1))


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
    if len(shape_of(x)) != 1:
        raise value_error("x must be a one-dimensional array", "x 必须是一维数组。")
    check_accepted("iota", [aval_of(x)])
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
    if axis is None:
        return aval_of(constant(a)).size
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    return int(np.prod([shape_of(constant(a))[int(one)] for one in axes], dtype=int))


@named("convolve")
def convolve(a: Any, v: Any, mode: Any = "full", **_: Any) -> Any:
    """Sums of products of one row with the other, swapped_axes round and moved along it."""
    x, w = promote_types(check_arrays("convolve", [a, v]), inexact=True)
    if shape_of(x)[0] < shape_of(w)[0]:
        x, w = w, x
    n, m = shape_of(x)[0], shape_of(w)[0]
    ends = {"full": m - 1, "same": m // 2, "valid": 0}[str(mode)]
    left = ends
    count = {"full": n + m - 1, "same": n, "valid": n - m + 1}[str(mode)]
    longer = FUNCTIONS["pad"](x, (left, (m - 1) // 2 if mode == "same" else ends))
    rows = np.arange(count)[:, None] + np.arange(m)[None, :]
    return FUNCTIONS["dot"](FUNCTIONS["take"](longer, rows, axis=0), rev(w, (0,)))
