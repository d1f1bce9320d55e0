"""`jax.random`'s gamma distribution, those made of it, and Poisson's: each drawn by rejection.

Source: Marsaglia & Tsang, A simple method for generating gamma variables (2000); Devroye, Non-uniform random
variate generation (1986), for few Poisson events; Hörmann, The transformed rejection method (1993), for many.
"""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import at_axis_0
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.tangents import without_tangent
from engine.languages.surfaces.jax.core.values import constant
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import single_precision as sp
from engine.languages.surfaces.jax.lax.basics import convert, like, shape_of
from engine.languages.surfaces.jax.lax.special import erf_inverse, log_gamma
from engine.languages.surfaces.jax.nn import softmax
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.broadcasting import broadcast_to
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.random import keys as ky
from engine.languages.surfaces.jax.random import threefry
from engine.languages.surfaces.jax.random.draws import normal
from engine.languages.surfaces.jax.random.table import MANTISSA, floating, named

FEW_EVENTS = 10  # below so many expected events they are counted one by one

# -- random numbers of many keys at once -------------------------------------------------------------


def _split(pairs: Any, count: int) -> Any:
    """New keys of each. Shapes: (n, 2) -> (n, count, 2)."""
    high, low = threefry.counters((count,))
    return np.stack(threefry.threefry(pairs[:, None, :], high, low), axis=-1)


def _unit(pairs: Any, dtype: Any, shape: tuple[int, ...] = ()) -> Any:
    """Numbers in [0, 1) of each key. Shapes: (n, 2) -> (n, *shape)."""
    kind = np.dtype(dtype)
    width = kind.itemsize * 8
    high, low = threefry.counters(shape)
    wide = pairs.reshape((len(pairs), *(1 for _ in shape), 2))
    x, y = threefry.threefry(wide, high, low)
    words = (x.astype(np.uint64) << np.uint64(32)) | y if width == 64 else x ^ y
    one = np.ones((), kind).view(words.dtype)
    mantissa = words >> words.dtype.type(width - MANTISSA[kind.name])
    return (mantissa | one).view(kind) - kind.type(1)


def _standard_normal(pairs: Any, dtype: Any) -> Any:
    """√2 erf⁻¹(u) for u in (-1, 1). Shapes: (n, 2) -> (n,)."""
    kind = np.dtype(dtype).type
    low = np.nextafter(kind(-1), kind(0))
    u = np.maximum(_unit(pairs, dtype) * (kind(1) - low) + low, low)
    return kind(np.sqrt(2)) * erf_inverse(u)


# -- gamma -------------------------------------------------------------------------------------------


def _more_by_one(x: Any, c: Any) -> Any:
    """1 + c x, in single precision rounded once. Shapes: (n,), (n,) -> (n,)."""
    return sp.fused(x, c, 1) if c.dtype == np.float32 else 1 + x * c


def _rows_above_zero(pairs: Any, c: Any) -> tuple[Any, Any]:
    """Normal numbers x, drawn again until 1 + c x > 0. Shapes: (n, 2), (n,) -> (n,), (n,)."""
    x, v = np.zeros_like(c), np.full_like(c, -1)
    left = np.arange(len(c))
    while len(left):
        both = _split(pairs[left], 2)
        pairs[left] = both[:, 0]
        x[left] = _standard_normal(both[:, 1], c.dtype)
        v[left] = _more_by_one(x[left], c[left])
        left = left[v[left] <= 0]
    return x, v


def _cubes(pairs: Any, d: Any, c: Any) -> Any:
    """v = (1 + c x)³ such that d v is a gamma number, d = α - 1/3. Shapes: (n, 2), (n,), (n,) -> (n,)."""
    found, left = np.ones_like(d), np.arange(len(d))
    half, squeeze = d.dtype.type(0.5), d.dtype.type(0.0331)
    while len(left):
        three = _split(pairs[left], 3)
        pairs[left] = three[:, 0]
        x, v = _rows_above_zero(three[:, 1].copy(), c[left])
        u = _unit(three[:, 2], d.dtype)
        squared, v = x * x, v * v * v
        with np.errstate(divide="ignore"):
            likely = sp.log(u) >= squared * half + d[left] * (1 - v + sp.log(v))
        found[left] = v
        left = left[(u >= 1 - squeeze * (squared * squared)) & likely]
    return found


def _gamma(keys: Any, alpha: Any, log_space: bool) -> Any:
    """Gamma numbers, or their logarithms. Shapes: keys (*K), alpha (*K, *S) -> (*K, *S)."""
    kind = alpha.dtype.type
    own = _split(ky.words(keys).reshape(-1, 2), prod(alpha.shape[keys.ndim :])).reshape(-1, 2)
    a = alpha.ravel()
    is_large = a >= 1
    d = np.where(is_large, a, a + 1) - kind(1 / 3)
    c = kind(1 / 3) / np.sqrt(d)
    both = _split(own, 2)
    v = _cubes(both[:, 0].copy(), d, c)
    u = _unit(both[:, 1], a.dtype)
    if log_space:
        shares = sp.log1p(-u)
        boost = np.where(is_large | (shares == 0), kind(0), shares * (1 / a))
        return (sp.log(d) + sp.log(v) + boost).astype(a.dtype).reshape(alpha.shape)
    boost = np.where(is_large, kind(1), (1 - u) ** (1 / a))
    return (d * v * boost).astype(a.dtype).reshape(alpha.shape)


gamma_p = Primitive("random_gamma")
gamma_p.compute = _gamma
gamma_p.types = lambda keys, alpha, log_space: Aval(alpha.shape, alpha.dtype)


def _batch(primitive: Primitive, size: int, values: Any, axes: Any, **parameters: Any) -> tuple[Any, int]:
    moved = [at_axis_0(x, axis, size) for x, axis in zip(values, axes, strict=True)]
    return primitive(*moved, **parameters), 0


gamma_p.batch = partial(_batch, gamma_p)  # it has no tangent: gradients for its concentration are refused


def _numbers(name: str, key: Any, a: Any, shape: Any, dtype: Any, log_space: bool) -> Any:
    value = ky.wrapped(name, key)[0]
    given = convert(constant(a), floating(dtype))
    want = shape_of(given) if shape is None else lengths(shape)
    return _jitted(value, broadcast_to(given, want), log_space=log_space)


@library_jit(2, name="_gamma")
def _jitted(key: Any, a: Any, log_space: bool) -> Any:
    return gamma_p(key, a, log_space=log_space)


@named("gamma")
def gamma(key: Any, a: Any, shape: Any = None, dtype: Any = None, **_: Any) -> Any:
    """Numbers of the gamma distribution with rate 1."""
    return _numbers("gamma", key, a, shape, dtype, False)


@named("loggamma")
def loggamma(key: Any, a: Any, shape: Any = None, dtype: Any = None, **_: Any) -> Any:
    """Logarithms of gamma numbers."""
    return _numbers("loggamma", key, a, shape, dtype, True)


@named("beta")
def beta(key: Any, a: Any, b: Any, shape: Any = None, dtype: Any = None, **_: Any) -> Any:
    """x / (x + y) of gamma numbers x and y."""
    x, y = (constant(one) for one in (a, b))
    want = np.broadcast_shapes(shape_of(x), shape_of(y)) if shape is None else lengths(shape)
    pair = ky.split_p(ky.wrapped("beta", key)[0], shape=(2,))
    log_x, log_y = (loggamma(getitem(pair, i), one, want, dtype) for i, one in enumerate((x, y)))
    larger = ar.max_p(log_x, log_y)
    x, y = el.exp(ar.sub(log_x, larger)), el.exp(ar.sub(log_y, larger))
    return ar.div(x, ar.add(x, y))


@named("dirichlet")
def dirichlet(key: Any, alpha: Any, shape: Any = None, dtype: Any = None, **_: Any) -> Any:
    """Shares that sum to 1: gamma numbers, each over their sum."""
    given = constant(alpha)
    have = shape_of(given)
    if not have:
        raise value_error(
            "dirichlet requires alpha.ndim >= 1, got alpha.ndim == 0", "dirichlet 的 alpha 至少要有一个轴。"
        )
    want = have[:-1] if shape is None else lengths(shape)
    return softmax(loggamma(key, given, (*want, have[-1]), dtype), -1)


@named("chisquare")
def chisquare(key: Any, df: Any, shape: Any = None, dtype: Any = None, **_: Any) -> Any:
    """Sums of df squares of normal numbers."""
    half = _halved(df, dtype)
    log_g = loggamma(key, half, shape, dtype)
    return ar.mul(el.exp(log_g), like(log_g, 2))


@named("t")
def student_t(key: Any, df: Any, shape: Any = (), dtype: Any = None, **_: Any) -> Any:
    """Numbers of Student's t distribution."""
    half = _halved(df, dtype)
    want = shape_of(half) if shape is None else np.broadcast_shapes(lengths(shape), shape_of(half))
    pair = ky.split_p(ky.wrapped("t", key)[0], shape=(2,))
    n = normal(getitem(pair, 0), want, dtype)
    g = gamma(getitem(pair, 1), half, want, dtype)
    return ar.mul(n, el.sqrt(ar.div(broadcast_to(half, want), g)))


def _halved(df: Any, dtype: Any) -> Any:
    given = convert(constant(df), floating(dtype))
    return ar.div(given, like(given, 2))


# -- Poisson -----------------------------------------------------------------------------------------


def _counted(pairs: Any, rates: Any) -> Any:
    """Events while the product of uniform numbers is above e⁻ˡ. Shapes: (n, 2), (n, *S) -> (n, *S)."""
    count, total = np.zeros(rates.shape, np.int64), np.zeros_like(rates)
    while np.any(total > -rates):
        both = _split(pairs, 2)
        pairs, own = both[:, 0], both[:, 1]
        count += total > -rates
        with np.errstate(divide="ignore"):
            total = total + np.log(_unit(own, np.float32, rates.shape[1:]))
    return count - 1


def _by_rejection(pairs: Any, rates: Any) -> Any:
    """Hörmann's transformed rejection, for rates of 10 and more. Shapes: (n, 2), (n, *S) -> (n, *S)."""
    f = np.float32
    b = f(0.931) + f(2.53) * np.sqrt(rates)
    a = f(-0.059) + f(0.02483) * b
    inverse_alpha, v_r = f(1.1239) + f(1.1328) / (b - f(3.4)), f(0.9277) - f(3.6224) / (b - 2)
    found, accepted = np.full_like(rates, -1), np.zeros(rates.shape, bool)
    while not np.all(accepted):
        three = _split(pairs, 3)
        pairs = three[:, 0]
        u = _unit(three[:, 1], f, rates.shape[1:]) - f(0.5)
        v = _unit(three[:, 2], f, rates.shape[1:])
        edge = f(0.5) - np.abs(u)
        with np.errstate(divide="ignore", invalid="ignore"):
            k = np.floor((2 * a / edge + b) * u + rates + f(0.43))
            s = np.log(v * inverse_alpha / (a / (edge * edge) + b))
            t = -rates + k * np.log(rates) - log_gamma((k + 1).astype(f))
            reject = (k < 0) | ((edge < f(0.013)) & (v > edge))
            accept = ((edge >= f(0.07)) & (v <= v_r)) | (~reject & (s <= t))
        accept = accept & _open(accepted)
        found = np.where(accept, k, found)
        accepted |= accept
    return found


def _open(accepted: Any) -> Any:
    """Whether a key still draws: all its numbers, until each is accepted. Shapes: (n, *S) -> (n, 1, …)."""
    axes = tuple(range(1, accepted.ndim))
    return ~np.all(accepted, axis=axes, keepdims=True)


def _poisson(keys: Any, rates: Any, dtype: str) -> Any:
    """Shapes: keys (*K), rates (*K, *S) -> (*K, *S)."""
    pairs = ky.words(keys).reshape(-1, 2)
    lam = rates.reshape((len(pairs), *rates.shape[keys.ndim :]))
    is_few = lam < FEW_EVENTS
    few = _counted(pairs, np.where(is_few, lam, np.float32(0)))
    many = _by_rejection(pairs, np.where(is_few, np.float32(1e5), lam)) if not np.all(is_few) else few
    found = np.where(lam == 0, 0, np.where(is_few, few, many))
    return found.astype(dtype).reshape(rates.shape)


poisson_p = Primitive("random_poisson")
poisson_p.compute = _poisson
poisson_p.types = lambda keys, rates, dtype: Aval(rates.shape, dtype)
poisson_p.batch = partial(_batch, poisson_p)
without_tangent(poisson_p)


@named("poisson")
def poisson(key: Any, lam: Any, shape: Any = None, dtype: Any = None, **_: Any) -> Any:
    """How many events there are where lam are expected."""
    value = ky.wrapped("poisson", key)[0]
    given = constant(lam)
    want = shape_of(given) if shape is None else lengths(shape)
    rates = convert(broadcast_to(given, want), "float32")
    return poisson_p(value, rates, dtype=dtype_of(dtype) or default_int())
