"""Numbers of many distributions from a generator, element by element in PyTorch's order.

Each function takes the generator, the shape and the dtype, and gives an array; programs reach them through
`module.py`. Half precision draws as float32 does, and is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import numpy as np

from engine.languages.surfaces.torch.random.elementary import logarithm, sine_and_cosine
from engine.languages.surfaces.torch.random.generator import Generator
from engine.ops.base.tensors import Array
from engine.ops.common.fused import fused_multiply_add

Shape = tuple[int, ...]
BLOCK = 16  # from so many elements on, normal numbers are made this many at once
LONG_RANGE = 2**28  # from here on a whole number takes 64 bits, so that none is much more likely


def unit(generator: Generator, count: int, dtype: Any) -> Array:
    """Uniform numbers in [0, 1): 53 bits of 64 for float64, else 24 bits of 32. Shapes: () -> (count,)."""
    if np.dtype(dtype) == np.float64:
        return (generator.long_words(count) & np.uint64(2**53 - 1)) * 2.0**-53
    return ((generator.words(count) & np.uint64(2**24 - 1)) * 2.0**-24).astype(np.float32)


def uniform(generator: Generator, shape: Shape, dtype: Any, low: float = 0.0, high: float = 1.0) -> Array:
    """Uniform in [low, high)."""
    wide = np.float64 if np.dtype(dtype) == np.float64 else np.float32
    start, end = wide(low), wide(high)
    numbers = fused_multiply_add(unit(generator, prod(shape), wide), end - start, start, wide)
    kind = np.dtype(dtype).type
    result = rounded(numbers, dtype, shape)
    return np.where(result == kind(high), kind(low), result)


def rounded(numbers: Array, dtype: Any, shape: Shape) -> Array:
    """Numbers in a dtype and a shape; half precision is rounded from float32. Shapes: (n,) -> shape."""
    if np.dtype(dtype) == np.float16:
        numbers = numbers.astype(np.float32)
    return numbers.astype(dtype).reshape(shape)


# -- normal ------------------------------------------------------------------------------------------


def normal(generator: Generator, shape: Shape, dtype: Any, mean: float = 0.0, std: float = 1.0) -> Array:
    """Normal numbers by the method of Box and Muller: in blocks of 16, or in pairs where they are fewer."""
    count = prod(shape)
    if count < BLOCK:
        drawn = [value for _, value in zip(range(count), pairs(generator), strict=False)]
        numbers = fused_multiply_add(np.array(drawn, dtype=np.float64), std, mean, np.float64)
    else:
        numbers = _in_blocks(generator, count, dtype, mean, std)
    return rounded(numbers, dtype, shape)


def pairs(generator: Generator) -> Iterator[float]:
    """Standard normal numbers without end, the second of a pair left for whoever draws next."""
    while True:
        if generator.next_normal is not None:
            ready, generator.next_normal = generator.next_normal, None
            yield ready
            continue
        u1, u2 = unit(generator, 2, np.float64).tolist()
        radius, angle = math.sqrt(-2.0 * math.log1p(-u2)), 2.0 * math.pi * u1
        generator.next_normal = radius * math.sin(angle)
        yield radius * math.cos(angle)


def _in_blocks(generator: Generator, count: int, dtype: Any, mean: float, std: float) -> Array:
    """Whole blocks; where the last is not full, the last 16 are drawn once more."""
    wide = np.float64 if np.dtype(dtype) == np.float64 else np.float32
    full = count - count % BLOCK
    drawn = unit(generator, count if wide == np.dtype(dtype) else full, wide)  # half precision skips the rest
    numbers = np.zeros(count, dtype=wide)
    numbers[:full] = _box_muller(drawn[:full], mean, std)
    if full < count:
        numbers[-BLOCK:] = _box_muller(unit(generator, BLOCK, wide), mean, std)
    return numbers


def _box_muller(drawn: Array, mean: float, std: float) -> Array:
    """Of each block of 16 the first 8 give the radius, the last 8 the angle. Shapes: (16 n,) -> (16 n,)."""
    blocks = drawn.reshape(-1, BLOCK)
    u1, u2 = 1 - blocks[:, :8], blocks[:, 8:]
    if drawn.dtype == np.float64:
        radius = np.sqrt(-2 * _of_each(math.log, u1))
        angle = 2 * math.pi * u2
        sine, cosine = _of_each(math.sin, angle), _of_each(math.cos, angle)
    else:
        radius = np.sqrt(np.float32(-2) * logarithm(u1))
        sine, cosine = sine_and_cosine(np.float32(2 * math.pi) * u2)
    both = np.concatenate([radius * cosine, radius * sine], axis=1)
    return fused_multiply_add(both, std, mean, drawn.dtype).reshape(-1)


def _of_each(function: Callable[[float], float], values: Array) -> Array:
    """A function of the C library, whose roundings differ from numpy's own."""
    return np.array(list(map(function, values.reshape(-1).tolist())), dtype=np.float64).reshape(values.shape)


def log_normal(generator: Generator, shape: Shape, dtype: Any, mean: float = 1.0, std: float = 2.0) -> Array:
    """e to the power of a normal number."""
    drawn = [value * std + mean for _, value in zip(range(prod(shape)), pairs(generator), strict=False)]
    return rounded(_of_each(math.exp, np.array(drawn, dtype=np.float64)), dtype, shape)


# -- whole numbers, and what is made of one uniform number ---------------------------------------------


def integers(generator: Generator, shape: Shape, dtype: Any, low: int, high: int) -> Array:
    """Whole numbers from low up to, without, high: the rest of a word."""
    span, count = high - low, prod(shape)
    words = generator.long_words(count) if span >= LONG_RANGE else generator.words(count)
    return ((words % np.uint64(span)).astype(np.int64) + low).astype(dtype).reshape(shape)


def any_integers(generator: Generator, shape: Shape, dtype: Any) -> Array:
    """`random_()` without bounds: up to the largest whole number that the dtype holds exactly."""
    kind, count = np.dtype(dtype), prod(shape)
    if kind.kind == "f":
        largest = 2 ** (np.finfo(kind).nmant + 1)
    else:
        largest = 1 if kind.kind == "b" else int(np.iinfo(kind).max)
    long = kind in (np.dtype(np.float64), np.dtype(np.int64))
    words = generator.long_words(count) if long else generator.words(count)
    return np.asarray(words % np.uint64(largest + 1)).astype(kind).reshape(shape)


def bernoulli(generator: Generator, shape: Shape, dtype: Any, p: Any) -> Array:
    """1 with probability p, else 0. p is one number (compared as float64) or an array (in its own dtype)."""
    kind = p.dtype if isinstance(p, np.ndarray) else np.float64
    drawn = unit(generator, prod(shape), kind).reshape(shape)
    return np.asarray((drawn < p).astype(dtype))


def exponential(generator: Generator, shape: Shape, dtype: Any, rate: float = 1.0) -> Array:
    """Exponential with a rate."""
    drawn = _of_each(lambda u: -1.0 / rate * math.log1p(-u), unit(generator, prod(shape), np.float64))
    return rounded(drawn, dtype, shape)


def geometric(generator: Generator, shape: Shape, dtype: Any, p: float) -> Array:
    """How many trials until the first success."""
    drawn = unit(generator, prod(shape), np.float64)
    trials = _of_each(lambda u: float(math.ceil(math.log(u) / math.log1p(-p))), drawn)
    return rounded(trials, dtype, shape)


def cauchy(generator: Generator, shape: Shape, dtype: Any, median: float = 0.0, sigma: float = 1.0) -> Array:
    """Cauchy numbers around a median."""
    drawn = unit(generator, prod(shape), np.float64)
    values = _of_each(lambda u: median + sigma * math.tan(math.pi * (u - 0.5)), drawn)
    return rounded(values, dtype, shape)
