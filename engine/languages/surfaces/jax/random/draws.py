"""Numbers of distributions: `jax.random.uniform`, `jax.random.normal`, `jax.random.bernoulli`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import BFLOAT16, element_type
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.run import default_float, default_int
from engine.languages.surfaces.jax.core.values import Constant, aval_of, constant, typed
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import powers as pw
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.lax.basics import broadcast, convert, full_like, like, reshape, shape_of
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.promotion import promote
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.random import keys as ky
from engine.languages.surfaces.jax.random.table import (
    FUNCTIONS,
    MANTISSA,
    NARROW,
    ONE_IN_BFLOAT16,
    floating,
    limits,
    named,
    promote_both,
)
from engine.languages.surfaces.left_out import takes_only


@named("bits")
def bits(key: Any, shape: Any = (), dtype: Any = None, **_: Any) -> Any:
    """Random bits as whole numbers."""
    kind = dtype_of(dtype) or "uint32"
    return ky.random_bits(ky.wrapped("bits", key)[0], np.dtype(kind).itemsize * 8, lengths(shape))


@named("uniform")
def uniform(
    key: Any, shape: Any = (), dtype: Any = None, minval: Any = 0.0, maxval: Any = 1.0, **_: Any
) -> Any:
    """Numbers that are all as likely, between two bounds."""
    value = ky.wrapped("uniform", key)[0]
    return _uniform(value, constant(minval), constant(maxval), shape=lengths(shape), dtype=floating(dtype))


@library_jit(3, name="_uniform")
def _uniform(key: Any, low: Any, high: Any, shape: tuple[int, ...], dtype: str) -> Any:
    return _uniform_of(key, low, high, shape, dtype)


def _uniform_of(key: Any, low: Any, high: Any, shape: tuple[int, ...], dtype: str) -> Any:
    low, high = convert(low, dtype), convert(high, dtype)
    low, high = (broadcast(x, (1,) * (len(shape) - len(shape_of(x)))) for x in (low, high))
    width = element_type(dtype).itemsize * 8
    unsigned = f"uint{width}"
    bits_of_each = 8 if dtype == BFLOAT16 else width
    raw = convert(ky.random_bits(key, bits_of_each, shape), unsigned)
    mantissa = ar.shift_right_logical(raw, typed(bits_of_each - MANTISSA[dtype], unsigned))
    one = Constant(ONE_IN_BFLOAT16) if dtype == BFLOAT16 else Constant(np.ones((), dtype).view(unsigned))
    floats = ar.sub(el.bitcast_p(ar.or_p(mantissa, one), new_dtype=dtype), typed(1, dtype))
    span = ar.sub(high, low)
    scaled = ar.add_product(ar.mul(floats, span), low, floats, span, place=0)
    return ar.max_p(low, reshape(scaled, shape))


@library_jit(3, name="_uniform")
def _uniform_by_name(key: Any, high: Any, low: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """The same with its bounds in the order of their names, as JAX gives what is named."""
    return _uniform_of(key, low, high, shape, dtype)


@named("normal")
def normal(key: Any, shape: Any = (), dtype: Any = None, **_: Any) -> Any:
    """Numbers of the normal distribution."""
    value = ky.wrapped("normal", key)[0]
    return _normal(value, shape=lengths(shape), dtype=floating(dtype))


@library_jit(1, name="_normal")
def _normal(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    return _normal_real(key, shape=shape, dtype=dtype)


@library_jit(1, name="_normal_real")
def _normal_real(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    low = typed(-1.0 + 2.0 ** -(MANTISSA[dtype] + 1), dtype)  # the next number after -1
    u = _uniform(key, low, typed(1, dtype), shape=shape, dtype=dtype)
    return ar.mul(typed(np.sqrt(2), dtype), el.erf_inv(u))


@named("truncated_normal")
def truncated_normal(key: Any, lower: Any, upper: Any, shape: Any = None, dtype: Any = None, **_: Any) -> Any:
    """Numbers of the normal distribution, between two bounds."""
    value = ky.wrapped("truncated_normal", key)[0]
    kind = floating(dtype)
    low, high = constant(lower), constant(upper)
    want = np.broadcast_shapes(shape_of(low), shape_of(high)) if shape is None else lengths(shape)
    return _truncated_normal(value, low, high, shape=want, dtype=kind)


@library_jit(3, name="_truncated_normal")
def _truncated_normal(key: Any, low: Any, high: Any, shape: tuple[int, ...], dtype: str) -> Any:
    low, high, root = convert(low, dtype), convert(high, dtype), typed(np.sqrt(2), dtype)
    a, b = el.erf(ar.div(low, root)), el.erf(ar.div(high, root))
    found = ar.mul(root, el.erf_inv(_uniform(key, a, b, shape=shape, dtype=dtype)))
    least = ar.nextafter(el.stop_gradient(low), typed(np.inf, dtype))
    most = ar.nextafter(el.stop_gradient(high), typed(-np.inf, dtype))
    return JNP["clip"](found, least, most)


@named("randint")
def randint(key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = None, **_: Any) -> Any:
    """Whole numbers from one bound up to another, which is left out."""
    value = ky.wrapped("randint", key)[0]
    kind = dtype_of(dtype) or default_int()
    minval, maxval = (convert(x, default_int()) if aval_of(x).is_float else x for x in (minval, maxval))
    if kind in NARROW:
        low, high = (JNP["clip"](x, NARROW[kind][0], NARROW[kind][1] + 1) for x in (minval, maxval))
        return convert(_randint(value, low, high, shape=lengths(shape), dtype="int32"), kind)
    return _randint(value, constant(minval), constant(maxval), shape=lengths(shape), dtype=kind)


@library_jit(3, name="_randint")
def _randint(key: Any, low: Any, high: Any, shape: tuple[int, ...], dtype: str) -> Any:
    info = np.iinfo(dtype)
    beyond = ar.gt(high, _clipped(constant(info.max), dtype, aval_of(high).dtype))
    low, high = _clipped(low, dtype), _clipped(high, dtype)
    low, high = (broadcast(x, (1,) * (len(shape) - len(shape_of(x)))) for x in (low, high))
    width, unsigned = info.bits, f"uint{info.bits}"
    pair = ky.split_p(key, shape=(2,))
    first, second = each_key(pair)
    upper, lower = ky.random_bits(first, width, shape), ky.random_bits(second, width, shape)
    span = convert(ar.sub(high, low), unsigned)
    span = ar.select(ar.le(high, low), full_like(span, 1), span)
    if shape_of(beyond):
        beyond = broadcast(beyond, (1,) * (len(shape) - len(shape_of(beyond))))
    wide = ar.and_p(beyond, ar.gt(high, low))
    span = ar.select(wide, ar.add(span, like(span, 1)), span)
    factor = pw.rem(like(span, 2 ** (width // 2)), span)
    factor = pw.rem(ar.mul(factor, factor), span)
    offset = ar.add(ar.mul(pw.rem(upper, span), factor), pw.rem(lower, span))
    return ar.add(low, convert(pw.rem(offset, span), dtype))


def _clipped(x: Any, dtype: str, own_type: str = "") -> Any:
    """Whole numbers between the ends of a type, and of their own."""
    info, own = np.iinfo(dtype), np.iinfo(own_type or aval_of(x).dtype)
    low, high = max(info.min, own.min), min(info.max, own.max)
    if own_type:
        x = typed(x.array, own_type, True)
        return JNP["clip"](x, typed(low, own_type, True), typed(high, own_type, True))
    kind = aval_of(x).dtype
    return convert(JNP["clip"](x, typed(low, kind, True), typed(high, kind, True)), dtype)


def each_key(keys: Any) -> list[Any]:
    """The keys of an array of keys, one after the other."""
    count = shape_of(keys)[0]
    return [sh.squeeze(sh.slice_of(keys, (i,), (i + 1,), (1,)), (0,)) for i in range(count)]


@named("bernoulli")
def bernoulli(key: Any, p: Any = 0.5, shape: Any = None, **_: Any) -> Any:
    """True with a probability."""
    ky.wrapped("bernoulli", key)
    if not aval_of(p).is_float:
        raise type_error(
            f"bernoulli probability `p` must have a floating dtype, got {aval_of(p).dtype}.",
            "bernoulli 的概率 p 必须是浮点数。",
        )
    (share,) = promote("bernoulli", p, inexact=True)
    share = convert(share, aval_of(share).dtype)
    want = shape_of(share) if shape is None else lengths(shape)
    return _bernoulli(ky.wrapped("bernoulli", key)[0], share, shape=want)


@library_jit(2, name="_bernoulli")
def _bernoulli(key: Any, share: Any, shape: tuple[int, ...]) -> Any:
    return JNP["less"](_between(key, 0.0, 1.0, shape, aval_of(share).dtype), share)


def _between(key: Any, low: Any, high: Any, shape: tuple[int, ...], dtype: str) -> Any:
    return _uniform(key, constant(low), constant(high), shape=shape, dtype=dtype)


def _by_draws(name: str, found: Callable[..., Any]) -> None:
    """Numbers that are computed of uniform ones: found(key, shape, type)."""

    @library_jit(1, name=f"_{name}")
    def jitted(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
        return found(key, shape, dtype)

    def call(key: Any, shape: Any = (), dtype: Any = None, **_: Any) -> Any:
        return jitted(ky.wrapped(name, key)[0], shape=lengths(shape), dtype=floating(dtype))

    call.__name__, call.__doc__ = name, found.__doc__
    FUNCTIONS[name] = call


def _exponential(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Numbers of the exponential distribution."""
    return ar.neg(el.log1p(ar.neg(_between(key, 0.0, 1.0, shape, dtype))))


@named("gumbel")
@takes_only(mode=(None, "low"))
def gumbel(key: Any, shape: Any = (), dtype: Any = None, mode: Any = None, **_: Any) -> Any:
    """Numbers of the Gumbel distribution."""
    kind = floating(dtype)
    return _gumbel(ky.wrapped("gumbel", key)[0], shape=lengths(shape), dtype=kind)


@library_jit(1, name="_gumbel")
def _gumbel(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    tiny = typed(limits(dtype).tiny, dtype)
    u = _uniform_by_name(key, constant(1.0), tiny, shape=shape, dtype=dtype)
    return ar.neg(el.log(ar.neg(el.log(u))))


def _laplace(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Numbers of the Laplace distribution."""
    low = typed(-1.0 + float(limits(dtype).epsneg), dtype)
    u = _between(key, low, 1.0, shape, dtype)
    return ar.mul(el.sign(u), el.log1p(ar.neg(el.abs_p(u))))


def _logistic(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Numbers of the logistic distribution."""
    u = _between(key, typed(limits(dtype).tiny, dtype), 1.0, shape, dtype)
    return ar.sub(el.log(u), el.log1p(ar.neg(u)))


def _cauchy(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Numbers of the Cauchy distribution."""
    u = _between(key, typed(limits(dtype).eps, dtype), 1.0, shape, dtype)
    return el.tan(ar.mul(like(u, np.pi), ar.sub(u, like(u, 0.5))))


for _name, _found in {
    "exponential": _exponential,
    "laplace": _laplace,
    "logistic": _logistic,
    "cauchy": _cauchy,
}.items():
    _by_draws(_name, _found)


@named("rademacher")
def rademacher(key: Any, shape: Any = (), dtype: Any = None, **_: Any) -> Any:
    """-1 or 1."""
    kind = dtype_of(dtype) or default_int()
    return _rademacher(ky.wrapped("rademacher", key)[0], shape=lengths(shape), dtype=kind)


@library_jit(1, name="_rademacher")
def _rademacher(key: Any, shape: tuple[int, ...], dtype: str) -> Any:
    ones = convert(_bernoulli(key, typed(0.5, default_float()), shape=shape), dtype)
    return ar.sub(ar.mul(like(ones, 2), ones), like(ones, 1))


@named("lognormal")
def lognormal(key: Any, sigma: Any = 1.0, shape: Any = (), dtype: Any = None, **_: Any) -> Any:
    """Exponentials of normal numbers."""
    return el.exp(JNP["multiply"](normal(key, shape, dtype), sigma))


@named("multivariate_normal")
@takes_only(method=("cholesky",))
def multivariate_normal(
    key: Any, mean: Any, cov: Any, shape: Any = None, dtype: Any = None, method: Any = "cholesky", **_: Any
) -> Any:
    """Vectors of the normal distribution."""
    from engine.languages.surfaces.jax.numpy.linalg import cholesky

    center, spread = promote_both(mean, cov)
    n = shape_of(center)[-1]
    batch = shape_of(center)[:-1] if shape is None else lengths(shape)
    factor = cholesky(spread)
    sample = normal(key, (*batch, n), dtype)
    return JNP["add"](center, JNP["einsum"]("ij,...j->...i", factor, sample))
