"""Functions of `jnp` that work element by element, and those that skip what is no number."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import JaxArray, aval_of, constant, known, typed
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.lax.basics import convert, like, shape_of
from engine.languages.surfaces.jax.nn import with_rule
from engine.languages.surfaces.jax.numpy import grids, statistics  # noqa: F401  # for their tables
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of
from engine.languages.surfaces.jax.numpy.reducing.sums import wide_whole
from engine.languages.surfaces.jax.numpy.shaping import (  # noqa: F401  # for their tables
    axes,
    choosing,
    joining,
    triangles,
    turning,
)
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.numpy.ufuncs import named, where_jitted
from engine.languages.surfaces.left_out import takes_only


def _is_none(x: Any) -> Any:
    return JNP["not_equal"](x, x)


@named("fmax")
def fmax(x1: Any, x2: Any) -> Any:
    """The larger one; the other one where one is no number."""
    x, y = promote("fmax", x1, x2)
    return JNP["where"]((x > y) | _is_none(y), x, y)


@named("fmin")
def fmin(x1: Any, x2: Any) -> Any:
    """The smaller one; the other one where one is no number."""
    x, y = promote("fmin", x1, x2)
    return JNP["where"]((x < y) | _is_none(y), x, y)


@named("logaddexp2")
def logaddexp2(x1: Any, x2: Any) -> Any:
    """log₂(2ˣ + 2ʸ)."""
    x, y = promote("logaddexp2", x1, x2, inexact=True)
    scale = float(np.log(2.0))
    return JNP["logaddexp"](x * scale, y * scale) / scale


@named("ldexp")
def ldexp(x1: Any, x2: Any) -> Any:
    """x 2ʸ."""
    kinds = [aval_of(one).dtype for one in check_arrays("ldexp", [x1, x2])]
    if not kinds[1].startswith(("int", "uint")):
        names = ", ".join(f"dtype('{kind}')" for kind in kinds)
        raise value_error(f"ldexp not supported for input types ({names})", "ldexp 的第二个参数必须是整数。")
    (x,) = promote("ldexp", x1, inexact=True)
    return x * JNP["exp2"](JNP["astype"](x2, aval_of(x).dtype))


@named("gcd")
def gcd(x1: Any, x2: Any) -> Any:
    """The greatest common divisor of whole numbers whose values are known."""
    return _of_known("gcd", x1, x2)


@named("lcm")
def lcm(x1: Any, x2: Any) -> Any:
    """The least common multiple of whole numbers whose values are known."""
    return _of_known("lcm", x1, x2)


def _of_known(name: str, x1: Any, x2: Any) -> Any:
    values = [concrete(x, name) for x in promote(name, x1, x2)]
    return array((np.gcd if name == "gcd" else np.lcm)(*values))


def concrete(x: Any, name: str) -> Any:
    """The numpy array of a value. Raises: ConcretizationTypeError while a function is traced."""
    from engine.languages.surfaces.jax.core.errors import concretization

    value = array(x) if isinstance(x, (list, tuple)) else constant(x)
    held = known(value)
    if held is None:
        raise concretization(value, f"It arose in jnp.{name}, which depends on the values of its arguments.")
    if isinstance(value, JaxArray):
        value.check_for_numpy()
    return held


@named("isscalar")
def isscalar(element: Any) -> bool:
    """Whether a value is a number or an array without axes."""
    if hasattr(element, "aval"):
        return not shape_of(element)
    return bool(np.isscalar(element))


@named("isrealobj")
def isrealobj(x: Any) -> bool:
    """Whether it is not."""
    return not JNP["iscomplexobj"](x)


@named("array_equiv")
def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether two arrays have the same elements, one of them repeated where it is shorter."""
    x, y = (array(one) for one in (a1, a2))
    try:
        np.broadcast_shapes(shape_of(x), shape_of(y))
    except ValueError:
        return array(False)
    return JNP["all"](JNP["equal"](x, y))


@named("i0")
def i0(x: Any) -> Any:
    """Bessel's function I₀."""
    from engine.languages.surfaces.jax.scipy import special

    return special.i0(x)


def _sinc_series(x: Any, k: int = 0) -> Any:
    """The kth derivative of sin x / x at 0; its tangent is the next one."""
    value = 0 if k % 2 else (-1) ** (k // 2) / (k + 1)

    def constant_there(x: Any) -> Any:
        return ar.add(ar.mul(x, like(x, 0)), like(x, value))

    def rule(primals: Any, tangents: Any) -> Any:
        (x,), (t,) = primals, tangents
        return _sinc_series(x, k), ar.mul(_sinc_series(x, k + 1), t)

    return with_rule(constant_there, rule, "_sinc_maclaurin", "_sinc_maclaurin_jvp", x)


@named("sinc")
@library_jit()
def sinc(x: Any, /) -> Any:
    """sin(πx) / (πx), 1 at 0."""
    (x,) = promote("sinc", x, inexact=True)
    at_zero = ar.eq(x, like(x, 0))
    angle = ar.mul(like(x, np.pi), x)
    safe = where_jitted(at_zero, like(x, 1), angle)
    return where_jitted(at_zero, _sinc_series(angle), ar.div(el.sin(safe), safe))


@named("unwrap")
def unwrap(p: Any, discont: Any = None, axis: Any = -1, period: Any = 2 * np.pi) -> Any:
    """Angles without jumps of a whole turn; period: how much that is."""
    if axis != -1:
        rows = JNP["moveaxis"](p, axis, -1)
        return JNP["moveaxis"](unwrap(rows, discont, -1, period), -1, axis)
    (p,) = promote("unwrap", p, inexact=True)
    steps = JNP["diff"](p)
    turn, half = float(period), float(period / 2)
    small = JNP["mod"](steps + half, turn) - half
    small = JNP["where"]((small == -half) & (steps > 0), half, small)
    change = JNP["where"](JNP["abs"](steps) < (half if discont is None else discont), 0.0, small - steps)
    rest = p[..., 1:] + JNP["cumsum"](change, -1)
    return JNP["concatenate"]([p[..., :1], rest], -1)


# -- without what is no number -----------------------------------------------------------------------


def _counts(x: Any, axis: Any, keepdims: Any) -> Any:
    numbers = convert(JNP["logical_not"](_is_none(x)), aval_of(x).dtype)
    return JNP["sum"](numbers, axis, keepdims=keepdims)


@library_jit(1, name="nanvar")
def _variance_of_numbers(x: Any, axis: Any, keepdims: bool) -> Any:
    return _variance(x, typed(0, default_int()), axis, keepdims)


@library_jit(2, name="nanvar")
def _variance_with_less(x: Any, ddof: Any, axis: Any, keepdims: bool) -> Any:
    return _variance(x, ddof, axis, keepdims)


def _variance(x: Any, ddof: Any, axis: Any, keepdims: bool) -> Any:
    """Σ (x - mean)² / (n - ddof) of the n numbers among the elements; no number where there are too few."""
    mean = JNP["nanmean"](x, axis, keepdims=True)
    squares = JNP["square"](JNP["where"](_is_none(x), 0, ar.sub(x, mean)))
    are_numbers = convert(el.not_p(_is_none(x)), default_int())
    count = JNP["sum"](are_numbers, axis, dtype=default_int(), keepdims=keepdims)
    left = ar.sub(count, convert(ddof, default_int()))
    none = ar.le(left, like(left, 0))
    total = JNP["where"](none, np.nan, JNP["sum"](squares, axis, keepdims=keepdims))
    return ar.div(total, convert(JNP["where"](none, 1, left), aval_of(x).dtype))


@named("nanvar")
@takes_only(dtype=(None,), out=(None,), where=(None,))
def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    where: Any = None,
) -> Any:
    """The variance of the elements that are numbers."""
    (x,) = promote("nanvar", a, inexact=True)
    if isinstance(ddof, int) and ddof == 0:
        return _variance_of_numbers(x, axis=axis, keepdims=bool(keepdims))
    return _variance_with_less(x, constant(ddof), axis=axis, keepdims=bool(keepdims))


@named("nanstd")
def nanstd(a: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The standard deviation of the elements that are numbers."""
    (x,) = promote("nanstd", a, inexact=True)
    about = {"axis": axis, "keepdims": bool(keepdims)}
    if isinstance(ddof, int) and ddof == 0:
        return _deviation_of_numbers(x, **about)
    return _deviation_with_less(x, constant(ddof), **about)


@library_jit(1, name="nanstd")
def _deviation_of_numbers(x: Any, axis: Any, keepdims: bool) -> Any:
    return el.sqrt(_variance_with_less(x, constant(0), axis=axis, keepdims=keepdims))


@library_jit(2, name="nanstd")
def _deviation_with_less(x: Any, ddof: Any, axis: Any, keepdims: bool) -> Any:
    return el.sqrt(_variance_with_less(x, ddof, axis=axis, keepdims=keepdims))


@named("nanargmax")
def nanargmax(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Where the largest of the elements that are numbers is; -1 where there is none."""
    return _place_of_numbers("argmax", -np.inf, a, axis, keepdims)


@named("nanargmin")
def nanargmin(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Where the smallest of the elements that are numbers is; -1 where there is none."""
    return _place_of_numbers("argmin", np.inf, a, axis, keepdims)


def _place_of_numbers(name: str, fill: float, a: Any, axis: Any, keepdims: Any) -> Any:
    (x,) = check_arrays(f"nan{name}", [a])
    compute = _PLACES[name]
    return compute(x, fill=fill, axis=axis, keepdims=bool(keepdims))


def _place_among_numbers(name: str) -> Any:
    @library_jit(1, name=f"_nan{name}")
    def compute(x: Any, fill: float, axis: Any, keepdims: bool) -> Any:
        none = _is_none(x)
        found = JNP[name](JNP["where"](none, fill, x), axis, keepdims=keepdims)
        return JNP["where"](JNP["all"](none, axis, keepdims=keepdims), -1, found)

    return compute


_PLACES = MappingProxyType({name: _place_among_numbers(name) for name in ("argmax", "argmin")})


def _running_of_numbers(name: str, primitive: Any, fill: int) -> None:
    """Running sums or products, of what changes nothing in place of what is no number."""

    @library_jit(1, name=f"nan{name}")
    def along(x: Any, axis: int | None, dtype: str | None) -> Any:
        x = JNP["where"](_is_none(x), typed(fill, aval_of(x).dtype), x)
        if axis is None:
            x, axis = JNP["ravel"](x), 0
        return primitive(convert(x, dtype), axis=axis % len(shape_of(x)), reverse=False)

    def call(a: Any, axis: Any = None, dtype: Any = None) -> Any:
        (x,) = check_arrays(f"nan{name}", [a])
        if not aval_of(x).is_inexact:
            return JNP[name](x, axis, dtype)
        return along(x, axis=None if axis is None else axes_of(x, axis)[0], dtype=dtype_of(dtype))

    JNP[f"nan{name}"] = call


_running_of_numbers("cumsum", re.cumsum_p, 0)
_running_of_numbers("cumprod", re.cumprod_p, 1)


@named("nanmedian")
def nanmedian(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The middle of the elements that are numbers."""
    return nanquantile(a, 0.5, axis, keepdims=keepdims)


@named("nanpercentile")
def nanpercentile(a: Any, q: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The number below which so many per cent of those that are numbers lie."""
    return nanquantile(a, JNP["true_divide"](q, 100.0), axis, keepdims=keepdims)


@named("nanquantile")
def nanquantile(a: Any, q: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The number below which a share of those that are numbers lies."""
    (x,) = promote("nanquantile", a, inexact=True)
    if axis is None:
        x, place = JNP["ravel"](x), 0
    else:
        place = int(axis) % len(shape_of(x))
    rows = JNP["moveaxis"](JNP["sort"](x, place), place, 0)
    count = _counts(rows, 0, False)
    position = JNP["multiply"](q, JNP["maximum"](count - 1, 0))
    low, high = JNP["floor"](position), JNP["ceil"](position)
    weight = position - low

    def at(place_of: Any) -> Any:
        index = JNP["expand_dims"](JNP["astype"](place_of, "int32"), 0)
        return JNP["squeeze"](JNP["take_along_axis"](rows, index, 0), 0)

    found = at(low) * (1 - weight) + at(high) * weight
    if not keepdims:
        return found
    lost = tuple(range(len(shape_of(constant(a))))) if axis is None else (place,)
    return JNP["expand_dims"](found, lost)


# -- running totals under newer names ----------------------------------------------------------------


@named("cumulative_sum")
def cumulative_sum(x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: Any = False) -> Any:
    """Running sums; include_initial: with a 0 in front."""
    if dtype is None:
        dtype = wide_whole(aval_of(constant(x)).dtype)
    return _cumulative("cumsum", 0, x, axis, dtype, include_initial)


@named("cumulative_prod")
def cumulative_prod(x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: Any = False) -> Any:
    """Running products; include_initial: with a 1 in front."""
    return _cumulative("cumprod", 1, x, axis, dtype, include_initial)


def _cumulative(name: str, first: int, x: Any, axis: Any, dtype: Any, include_initial: Any) -> Any:
    (x,) = check_arrays(name, [x])
    ndim = len(shape_of(x))
    if not ndim:
        raise value_error(
            "The input must be non-scalar to take a cumulative sum, however a scalar value or scalar array "
            "was given.",
            "累计和需要至少一维的数组，不能是标量。",
        )
    if axis is None and ndim > 1:
        raise value_error(
            f"The input array has rank {ndim}, however axis was not set to an explicit value. The axis "
            "argument is only optional for one-dimensional arrays.",
            f"{ndim} 维数组需要给出 axis。",
        )
    place = 0 if axis is None else int(axis)
    found = JNP[name](x, place, dtype)
    if not include_initial:
        return found
    shape = [1 if i == place % len(shape_of(x)) else n for i, n in enumerate(shape_of(x))]
    return JNP["concatenate"]([JNP["full"](shape, first, aval_of(found).dtype), found], place)
