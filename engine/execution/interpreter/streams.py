"""The random numbers of a session: one stream for each random node, the same in every repetition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.graph import Node


class Streams:
    """Hands each draw of each node a generator of its own.

    Key:    session seed, the node's two seeds (or, where it has none, its place in the graph), draw number.
    Source: NumPy's PCG64, seeded by SeedSequence; not TensorFlow's Philox, so the numbers differ from its.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.drawn: Counter[Node] = Counter()  # how often each node has drawn so far

    def generator(self, node: Node) -> np.random.Generator:
        """The generator for the next draw of this node."""
        first, second = node.attrs["seed"], node.attrs["seed2"]
        own = (0, node.index) if (first, second) == (0, 0) else (1, first, second)
        key = [abs(self._seed), int(self._seed < 0), *(abs(int(n)) for n in own), self.drawn[node]]
        self.drawn[node] += 1
        return np.random.default_rng(key)


class EagerStreams(Streams):
    """The streams of eager execution: operations of one kind and seed share one, call after call.

    So two calls with `seed=3` draw different numbers, and `tf.random.set_seed` starts all of them anew.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._calls: Counter[Any] = Counter()  # by the kind of op and its seeds, since these were set
        self._from_the_start = False

    def restart(self) -> None:
        """Begin every seeded stream anew."""
        self._calls.clear()

    @contextmanager
    def at_their_beginning(self) -> Iterator[None]:
        """Calls in this block draw what their stream begins with, and leave it where it stands."""
        before, self._from_the_start = self._from_the_start, True
        try:
            yield
        finally:
            self._from_the_start = before

    def generator(self, node: Node) -> np.random.Generator:
        """The generator for this call."""
        first, second = node.attrs["seed"], node.attrs["seed2"]
        if (first, second) == (0, 0):
            return super().generator(node)
        kind = (node.op.name, first, second)
        call = 0 if self._from_the_start else self._calls[kind]
        self._calls[kind] += not self._from_the_start
        key = [abs(self._seed), int(self._seed < 0), 1, abs(int(first)), abs(int(second)), call]
        return np.random.default_rng(key)
