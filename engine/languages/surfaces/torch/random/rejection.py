"""Gamma, Poisson and binomial numbers of a generator, each drawn by rejection in PyTorch's order.

Source: Marsaglia & Tsang, A simple method for generating gamma variables (2000); Hörmann, The transformed
rejection method (1993), for Poisson's distribution, and The generation of binomial random variates (1993).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from engine.languages.surfaces.torch.random.distributions import pairs, unit
from engine.languages.surfaces.torch.random.generator import Generator
from engine.ops.base.tensors import Array

MANY_EVENTS = 10  # from so many expected ones on they are not counted one by one
SMALL_TAILS = 10  # up to here the rest of Stirling's series is computed exactly


def _u(generator: Generator) -> float:
    """One number in [0, 1) of 53 bits."""
    return float(unit(generator, 1, np.float64)[0])


def _each(draw: Callable[..., float], generator: Generator, *parameters: Array) -> Array:
    """A number for every element of the parameters. Shapes: (*S), … -> (*S) float64."""
    rows = zip(*(one.astype(np.float64).ravel().tolist() for one in parameters), strict=True)
    found = [draw(generator, *row) for row in rows]
    return np.array(found, dtype=np.float64).reshape(parameters[0].shape)


# -- gamma -------------------------------------------------------------------------------------------


def _gamma(generator: Generator, alpha: float) -> float:
    """d v with v = (1 + c x)³, x normal; below 1 with α + 1, times u^(1/α)."""
    if alpha == 0:
        return 0.0
    scale = 1.0
    if alpha < 1:
        scale, alpha = (1 - _u(generator)) ** (1 / alpha), alpha + 1
    d = alpha - 1 / 3
    c = 1 / math.sqrt(9 * d)
    while True:
        x = next(pairs(generator))
        while 1 + c * x <= 0:
            x = next(pairs(generator))
        v, u, squared = (1 + c * x) ** 3, 1 - _u(generator), x * x
        if u < 1 - 0.0331 * squared * squared:
            return scale * d * v
        if math.log(u) < 0.5 * squared + d * (1 - v + math.log(v)):
            return scale * d * v


def standard_gamma(generator: Generator, concentration: Array) -> Array:
    """Gamma numbers with rate 1, in float64. Shapes: (*S) -> (*S)."""
    return _each(_gamma, generator, concentration)


# -- Poisson -----------------------------------------------------------------------------------------


def _poisson(generator: Generator, rate: float) -> float:
    if rate == 0:
        return 0.0
    if rate >= MANY_EVENTS:
        return _many_events(generator, rate)
    least, count, product = math.exp(-rate), 0.0, _u(generator)
    while product > least:
        count, product = count + 1, product * _u(generator)
    return count


def _many_events(generator: Generator, rate: float) -> float:
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha, v_r = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = _u(generator) - 0.5, _u(generator)
        edge = 0.5 - abs(u)
        k = math.floor((2 * a / edge + b) * u + rate + 0.43)
        if edge >= 0.07 and v <= v_r:
            return k
        if k < 0 or (edge < 0.013 and v > edge):
            continue
        likely = -rate + k * math.log(rate) - math.lgamma(k + 1)
        if math.log(v) + math.log(inverse_alpha) - math.log(a / (edge * edge) + b) <= likely:
            return k


def poisson(generator: Generator, rate: Array) -> Array:
    """How many events there are where so many are expected. Shapes: (*S) -> (*S)."""
    return _each(_poisson, generator, rate)


# -- binomial ----------------------------------------------------------------------------------------


def _binomial(generator: Generator, count: float, p: float) -> float:
    if count <= 0 or p <= 0:
        return 0.0
    if p >= 1:
        return count
    if p > 0.5:
        return count - _binomial(generator, count, 1 - p)
    draw = _many_successes if count * p >= MANY_EVENTS else _few_successes
    return draw(generator, count, p)


def _few_successes(generator: Generator, count: float, p: float) -> float:
    """As many as geometric waits fit into count trials."""
    total, found = 0.0, 0.0
    while True:
        total += math.ceil(math.log(_u(generator)) / math.log1p(-p))
        if total > count:
            return found
        found += 1


def _many_successes(generator: Generator, count: float, p: float) -> float:
    spread = math.sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    v_r, r = 0.92 - 4.2 / b, p / (1 - p)
    alpha, m = (2.83 + 5.1 / b) * spread, math.floor((count + 1) * p)
    while True:
        u, v = _u(generator) - 0.5, _u(generator)
        edge = 0.5 - abs(u)
        k = math.floor((2 * a / edge + b) * u + count * p + 0.5)
        if edge >= 0.07 and v <= v_r:
            return k
        if not 0 <= k <= count:
            continue
        bound = (
            (m + 0.5) * math.log((m + 1) / (r * (count - m + 1)))
            + (count + 1) * math.log((count - m + 1) / (count - k + 1))
            + (k + 0.5) * math.log(r * (count - k + 1) / (k + 1))
            + _tail(m)
            + _tail(count - m)
            - _tail(k)
            - _tail(count - k)
        )
        if math.log(v * alpha / (a / (edge * edge) + b)) <= bound:
            return k


def _tail(k: float) -> float:
    """log k! less Stirling's formula for it."""
    if k < SMALL_TAILS:
        return math.lgamma(k + 1) - ((k + 0.5) * math.log(k + 1) - k - 1 + 0.5 * math.log(2 * math.pi))
    squared = (k + 1) ** 2
    return (1 / 12 - (1 / 360 - 1 / 1260 / squared) / squared) / (k + 1)


def binomial(generator: Generator, count: Array, p: Array) -> Array:
    """How many of count trials succeed. Shapes: (*S), (*S) -> (*S)."""
    return _each(_binomial, generator, count, p)
