"""Philox 4x32-10, TensorFlow's random numbers: a key and a counter decide them.

Uniform and whole numbers are TensorFlow's bit for bit, normal ones but for the last digit of sine and log.

Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011.
"""

from __future__ import annotations

import numpy as np

from engine.ops.base.tensors import Array

MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
WEYL = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
Start = tuple[tuple[int, int], int]  # a key, and a counter
FIRST_KEY = (0x3EC8F720, 0x02461E29)  # of what makes a key and a counter of a seed
SMALLEST = 1e-7  # under the logarithm of a normal draw
PER_SAMPLE = 256  # draws that TensorFlow leaves room for
FURTHEST = 2.0  # a truncated normal number, in deviations


def philox(counters: Array, key: tuple[int, int]) -> Array:
    """Four numbers of 32 bits for each counter. Shapes: counters (n, 4) -> (n, 4)."""
    c0, c1, c2, c3 = (counters[:, place].astype(np.uint64) for place in range(4))
    k0, k1 = key
    for _ in range(ROUNDS):
        first, second = MULTIPLIERS[0] * c0, MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = (
            (second >> HALF) ^ c1 ^ np.uint64(k0),
            second & LOW,
            (first >> HALF) ^ c3 ^ np.uint64(k1),
            first & LOW,
        )
        k0, k1 = (k0 + WEYL[0]) & 0xFFFFFFFF, (k1 + WEYL[1]) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=1).astype(np.uint32)


def _words(number: int) -> tuple[int, int]:
    """The lower and the upper half of 64 bits."""
    return number & 0xFFFFFFFF, (number >> 32) & 0xFFFFFFFF


def key_and_counter(seed: tuple[int, int]) -> Start:
    """What a seed of two numbers begins with: the key, and the counter of 128 bits."""
    start = np.array([[*_words(seed[0]), *_words(seed[1])]], dtype=np.uint64)
    mixed = [int(word) for word in philox(start, FIRST_KEY)[0]]
    return (mixed[0], mixed[1]), (mixed[2] << 64) | (mixed[3] << 96)


def _draws(key: tuple[int, int], counter: int, groups: int) -> Array:
    """So many groups of four numbers, from a counter of 128 bits on. Shapes: -> (groups, 4)."""
    return philox(_counters(counter, np.arange(groups, dtype=np.uint64)), key)


def _counters(counter: int, further: Array) -> Array:
    """A counter of 128 bits, moved on by each of these. Shapes: further (n,) -> (n, 4)."""
    begin = np.uint64(counter & (2**64 - 1))
    low = begin + further
    high = np.uint64(counter >> 64) + (low < begin).astype(np.uint64)
    return np.stack([low & LOW, low >> HALF, high & LOW, high >> HALF], axis=1)


def _unit(words: Array) -> Array:
    """Numbers from 0 up to 1 of 32 bits each: 23 of them are kept."""
    return ((words & np.uint32(0x7FFFFF)) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1)


def _unit64(words: Array) -> Array:
    """The same in float64, of two words each: 52 bits are kept."""
    pairs = words.reshape(-1, 2).astype(np.uint64)
    upper = ((pairs[:, 0] & np.uint64(0xFFFFF)) | np.uint64(0x3FF00000)) << HALF
    return (upper | pairs[:, 1]).view(np.float64) - 1.0


def _normal(units: Array) -> Array:
    """Pairs of uniform numbers as pairs of normal ones (Box and Muller).

    Sine, cosine and logarithm are rounded once, as TensorFlow's nearly always are.
    """
    kind = units.dtype.type
    first, second = np.maximum(units[0::2], kind(SMALLEST)), units[1::2]
    angle = (2 * np.pi * second.astype(np.float64)).astype(kind).astype(np.float64)
    radius = np.sqrt(kind(-2) * np.log(first.astype(np.float64)).astype(kind))
    return np.stack(
        [np.sin(angle).astype(kind) * radius, np.cos(angle).astype(kind) * radius], axis=1
    ).reshape(-1)


def uniform_of(start: Start, count: int, dtype: str) -> Array:
    """Uniform numbers from 0 up to 1."""
    if dtype == "float64":
        return _unit64(_draws(*start, -(-count // 2)).reshape(-1))[:count]
    return _unit(_draws(*start, -(-count // 4)).reshape(-1))[:count]


def normal_of(start: Start, count: int, dtype: str) -> Array:
    """Standard normal numbers."""
    if dtype == "float64":
        return _normal(_unit64(_draws(*start, -(-count // 2)).reshape(-1)))[:count]
    return _normal(_unit(_draws(*start, -(-count // 4)).reshape(-1)))[:count]


def whole_of(start: Start, count: int, ends: tuple[int, int], dtype: str) -> Array:
    """Whole numbers from low up to, without, high."""
    if dtype == "int64":
        pairs = _draws(*start, -(-count // 2)).reshape(-1, 2).astype(np.uint64)
        words = pairs[:, 0] | (pairs[:, 1] << HALF)
    else:
        words = _draws(*start, -(-count // 4)).reshape(-1).astype(np.uint64)
    low, high = ends
    return (np.int64(low) + (words[:count] % np.uint64(high - low)).astype(np.int64)).astype(dtype)


def truncated_of(start: Start, count: int, dtype: str) -> Array:
    """Standard normal numbers, those from 2 deviations on drawn again.

    The numbers come in groups, each of which has draws of its own, however many it takes.
    """
    key, counter = start
    size = 2 if dtype == "float64" else 4
    groups, apart = -(-count // size), np.uint64(size * PER_SAMPLE // 4)
    found = np.zeros((groups, size), dtype)
    taken, turn = np.zeros(groups, int), 0
    while (taken < size).any():
        rows = np.flatnonzero(taken < size)
        words = philox(_counters(counter, rows.astype(np.uint64) * apart + np.uint64(turn)), key).reshape(-1)
        units = _unit64(words) if dtype == "float64" else _unit(words)
        for column in _normal(units).reshape(len(rows), -1).T:
            fits = (np.abs(column) < FURTHEST) & (taken[rows] < size)
            found[rows[fits], taken[rows[fits]]] = column[fits]
            taken[rows[fits]] += 1
        turn += 1
    return found.reshape(-1)[:count]


def places_of(start: Start, count: int) -> Array:
    """The places of so many things in another order: each changes places with one that is not before it."""
    order = np.arange(count)
    words = words_of(start, max(count - 1, 0)).tolist()
    for place, word in enumerate(words):
        other = place + word % (count - place)
        order[place], order[other] = order[other], order[place]
    return order


def words_of(start: Start, count: int) -> Array:
    """So many numbers of 32 bits."""
    return _draws(*start, -(-count // 4)).reshape(-1)[:count]


def classes_of(start: Start, logits: Array, samples: int) -> Array:
    """Classes drawn with the probabilities softmax(logits). Shapes: logits (n, classes) -> (n, samples)."""
    found = np.zeros((len(logits), samples), np.int64)
    units = _unit64(words_of(start, 2 * found.size)).reshape(found.shape)
    for row, (own, counts) in enumerate(zip(logits.astype(np.float64), np.isfinite(logits), strict=True)):
        most = own[counts].max() if counts.any() else 0.0
        sums = np.where(counts, np.exp(np.where(counts, own, 0.0) - most), 0.0).cumsum()
        found[row] = np.searchsorted(sums, units[row] * sums[-1], side="right")
    return found
