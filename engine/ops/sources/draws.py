"""What a random operation draws from: TensorFlow's numbers where it has a seed, numpy's where it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from engine.ops.base.tensors import Array
from engine.ops.sources import philox

AT_ONCE = 64  # groups of four numbers of 32 bits
COMPARED_AT_ONCE = 1_000_000  # numbers, with a class each
UNORDERED = (5387, 933199)  # how Keras' global source of seeds moves on
SEEDS = 2**31 - 2  # Keras takes seeds modulo this number
Lengths = tuple[int, ...]


class OpSeed(int):
    """An operation's seed that knows from which stream it draws.

    source: where it comes from Keras, what gives the seed of each draw; owner: the function that it is in.
    """

    source: SeedGenerator | None = None
    owner: Any = None


class SeedGenerator:
    """Keras' source of seeds: two numbers, of which the second counts the draws.

    ordered: whether it does; else both move on in leaps.
    """

    def __init__(self, seed: int, *, ordered: bool = True) -> None:
        self.seed = seed
        self.ordered = ordered
        self.state = (seed, 0)

    def next(self) -> philox.Start:
        """The key and the counter of one draw."""
        first, second = self.state
        factor, modulus = UNORDERED
        if self.ordered:
            self.state = (first, second + 1)
        else:
            self.state = ((first + 1) * factor % modulus, (second + 1) * factor % modulus)
        return philox.key_and_counter((first % SEEDS, second % SEEDS))


class FixedSeed(SeedGenerator):
    """A source that gives the same draws each time."""

    def next(self) -> philox.Start:
        """The key and the counter of any draw."""
        return philox.key_and_counter((self.seed % SEEDS, 0))


def seeded_by(source: SeedGenerator) -> dict[str, int]:
    """The seeds of an operation that takes its draws from a source of seeds."""
    own = OpSeed(0)
    own.source = source
    return {"seed": source.seed, "seed2": own}


@dataclass(frozen=True, slots=True)
class PhiloxDraws:
    """TensorFlow's draws.

    start: the key and the counter of the operation; reserve: how far the counter has moved on, given how many
    numbers are to be drawn.
    """

    key: tuple[int, int]
    counter: int
    reserve: Callable[[int], int] = lambda count: 0

    def _start(self, count: int) -> philox.Start:
        return self.key, (self.counter + self.reserve(count)) % 2**128

    def uniform(self, lengths: Lengths, dtype: str) -> Array:
        """Numbers spread evenly over [0, 1)."""
        count = prod(lengths)
        return philox.uniform_of(self._start(count * philox.PER_SAMPLE), count, dtype).reshape(lengths)

    def normal(self, lengths: Lengths, dtype: str) -> Array:
        """Standard normal numbers."""
        count = prod(lengths)
        return philox.normal_of(self._start(count * philox.PER_SAMPLE), count, dtype).reshape(lengths)

    def truncated_normal(self, lengths: Lengths, dtype: str) -> Array:
        """Standard normal numbers within two deviations."""
        count = prod(lengths)
        return philox.truncated_of(self._start(count * philox.PER_SAMPLE), count, dtype).reshape(lengths)

    def integers(self, low: int, high: int, lengths: Lengths, dtype: str) -> Array:
        """Whole numbers from low up to, without, high."""
        count = prod(lengths)
        start = self._start(count * philox.PER_SAMPLE)
        return philox.whole_of(start, count, (low, high), dtype).reshape(lengths)

    def words(self) -> Iterator[int]:
        """Numbers of 32 bits, one after the other."""
        counter = self.counter
        while True:
            yield from philox.words_of((self.key, counter % 2**128), 4 * AT_ONCE).tolist()
            counter += AT_ONCE

    def order(self, count: int) -> Array:
        """The places of so many rows in another order."""
        return philox.places_of(self._start((max(count - 1, 0) + 3) // 4), count)

    def classes(self, logits: Array, samples: int) -> Array:
        """Classes with the probabilities softmax(logits). Shapes: logits (n, classes) -> (n, samples)."""
        reserved = len(logits) * -(-samples // 4) * 8 * philox.PER_SAMPLE  # two words for each number
        return philox.classes_of(self._start(reserved), logits, samples)


def draws_of(first: int, second: int, reserve: Callable[[int], int] = lambda count: 0) -> PhiloxDraws:
    """The draws of an operation with these two seeds: the one is the key, the other half of the counter."""
    key = (int(first) & 0xFFFFFFFF, int(first) >> 32 & 0xFFFFFFFF)
    return PhiloxDraws(key, (int(second) & (2**64 - 1)) << 64, reserve)


@dataclass(frozen=True, slots=True)
class OwnDraws:
    """Draws of an operation without a seed, which TensorFlow makes anew in each run of a program."""

    generator: np.random.Generator

    def uniform(self, lengths: Lengths, dtype: str) -> Array:
        """Numbers spread evenly over [0, 1)."""
        values = self.generator.random(lengths).astype(dtype)
        below: Array = np.minimum(values, np.nextafter(np.asarray(1, dtype), np.asarray(0, dtype)))
        return below

    def normal(self, lengths: Lengths, dtype: str) -> Array:
        """Standard normal numbers."""
        return np.asarray(self.generator.standard_normal(lengths), dtype=dtype)

    def truncated_normal(self, lengths: Lengths, dtype: str) -> Array:
        """Standard normal numbers, those beyond two deviations drawn again."""
        values = self.generator.standard_normal(lengths)
        outside = np.abs(values) > philox.FURTHEST
        while outside.any():
            values = np.where(outside, self.generator.standard_normal(values.shape), values)
            outside = np.abs(values) > philox.FURTHEST
        return np.asarray(values, dtype=dtype)

    def integers(self, low: int, high: int, lengths: Lengths, dtype: str) -> Array:
        """Whole numbers from low up to, without, high."""
        return np.asarray(self.generator.integers(low, high, lengths), dtype=dtype)

    def order(self, count: int) -> Array:
        """The places of so many rows in another order."""
        order: Array = self.generator.permutation(count)
        return order

    def classes(self, logits: Array, samples: int) -> Array:
        """Classes with the probabilities softmax(logits). Shapes: logits (n, classes) -> (n, samples)."""
        weights = np.exp(logits - logits.max(axis=1, keepdims=True)).cumsum(axis=1)
        drawn = self.generator.random((len(logits), samples)) * weights[:, -1:]
        at_once = max(COMPARED_AT_ONCE // max(weights.size, 1), 1)
        found = [
            (drawn[:, start : start + at_once, None] >= weights[:, None, :]).sum(axis=2)
            for start in range(0, drawn.shape[1], at_once)
        ]
        return np.concatenate([np.zeros((len(logits), 0), int), *found], axis=1)
