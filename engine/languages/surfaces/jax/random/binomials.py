"""`jax.random`'s binomial and multinomial distributions, drawn by inversion or by rejection.

Source: Devroye, Non-uniform random variate generation (1986), for few expected successes; Hörmann, The
        generation of binomial random variates (1993), for many.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import without_tangent
from engine.languages.surfaces.jax.core.values import constant
from engine.languages.surfaces.jax.lax.basics import convert, shape_of
from engine.languages.surfaces.jax.numpy.making.broadcasting import broadcast_to
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.random import keys as ky
from engine.languages.surfaces.jax.random.gammas import _batch, _open, _split, _unit
from engine.languages.surfaces.jax.random.table import floating, named

FEW = 10  # up to so many expected successes, gaps between them are added up
TAILS = (
    *(0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509),
    *(0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720),
    *(0.00925546218271273, 0.00833056343336287),
)


def _by_gaps(pairs: Any, n: Any, p: Any) -> Any:
    """Geometric gaps between successes, until they are n together. Shapes: (n, 2), (n, *S) -> (n, *S)."""
    kind = p.dtype.type
    count, total = np.zeros_like(p), np.zeros_like(p)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_failure = np.log1p(-p)
        while np.any(total <= n):
            both = _split(pairs, 2)
            own, pairs = both[:, 0], both[:, 1]
            count = np.where(total <= n, count + kind(1), count)
            total = total + np.ceil(np.log(_unit(own, p.dtype, p.shape[1:])) / log_failure)
    return count - 1


def _tail(k: Any) -> Any:
    """What Stirling's formula leaves out of log k!."""
    near = np.asarray(TAILS, k.dtype)[np.clip(k, 0, 9).astype(int)]
    square = (k + 1) * (k + 1)
    kind = k.dtype.type
    far = (kind(1 / 12) - (kind(1 / 360) - kind(1 / 1260) / square) / square) / (k + 1)
    return np.where(k <= 9, near, far)


def _by_rejection(pairs: Any, n: Any, p: Any) -> Any:
    """Hörmann's transformed rejection with squeeze. Shapes: (n, 2), (n, *S) -> (n, *S)."""
    f = p.dtype.type
    spread = np.sqrt(n * p * (1 - p))
    b = f(1.15) + f(2.53) * spread
    a = f(-0.0873) + f(0.0248) * b + f(0.01) * p
    c, v_r, r = n * p + f(0.5), f(0.92) - f(4.2) / b, p / (1 - p)
    alpha, m = (f(2.83) + f(5.1) / b) * spread, np.floor((n + 1) * p)
    found, accepted = np.full_like(p, -1), np.zeros(p.shape, bool)
    while not np.all(accepted):
        three = _split(pairs, 3)
        pairs = three[:, 0]
        u = _unit(three[:, 1], p.dtype, p.shape[1:]) - f(0.5)
        v = _unit(three[:, 2], p.dtype, p.shape[1:])
        edge = f(0.5) - np.abs(u)
        with np.errstate(divide="ignore", invalid="ignore"):
            k = np.floor((2 * a / edge + b) * u + c)
            squeezed = (edge >= f(0.07)) & (v <= v_r)
            height = np.log(v * alpha / (a / (edge * edge) + b))
            bound = (m + f(0.5)) * np.log((m + 1) / (r * (n - m + 1)))
            bound = bound + (n + 1) * np.log((n - m + 1) / (n - k + 1))
            bound = bound + (k + f(0.5)) * np.log(r * (n - k + 1) / (k + 1))
            bound = bound + _tail(m) + _tail(n - m) - _tail(np.maximum(k, 0)) - _tail(np.maximum(n - k, 0))
            accept = squeezed | (height <= bound)
            accept = accept & ~((k < 0) | (k > n))
        accept = accept & _open(accepted)
        found = np.where(accept, k, found)
        accepted |= accept
    return found


def _binomial(keys: Any, n: Any, p: Any) -> Any:
    """Shapes: keys (*K), n and p (*K, *S) -> (*K, *S)."""
    pairs = ky.words(keys).reshape(-1, 2)
    shape = (len(pairs), *p.shape[keys.ndim :])
    count, chance = n.reshape(shape), p.reshape(shape)
    bad = np.isnan(count) | np.isnan(chance) | (count < 0) | (chance < 0) | (chance > 1)
    is_more = chance >= 0.5
    q = np.where(bad, p.dtype.type(0.5), np.where(is_more, 1 - chance, chance))
    few = bad | (count * q <= FEW)
    by_gaps = _by_gaps(pairs, np.where(few & ~bad, count, 0), q)
    rest = (np.where(few, p.dtype.type(1e4), count), np.where(few, p.dtype.type(0.5), q))
    found = by_gaps if np.all(few) else np.where(few, by_gaps, _by_rejection(pairs, *rest))
    found = np.where(is_more, count - found, found)
    return np.where(bad, np.nan, found).astype(p.dtype).reshape(p.shape)


binomial_p = Primitive("random_binomial")
binomial_p.compute = _binomial
binomial_p.types = lambda keys, n, p: Aval(p.shape, p.dtype)
binomial_p.batch = partial(_batch, binomial_p)
without_tangent(binomial_p)


@named("binomial")
def binomial(key: Any, n: Any, p: Any, shape: Any = None, dtype: Any = None) -> Any:
    """How many of n trials succeed, each with probability p."""
    value, kind = ky.wrapped("binomial", key)[0], floating(dtype)
    count, chance = convert(constant(n), kind), convert(constant(p), kind)
    full = np.broadcast_shapes(shape_of(count), shape_of(chance)) if shape is None else tuple(lengths(shape))
    return binomial_p(value, broadcast_to(count, full), broadcast_to(chance, full))
