"""The random numbers of a session: one stream for each random node, the same in every repetition."""

from __future__ import annotations

from collections import Counter

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
