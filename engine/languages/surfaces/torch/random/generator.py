"""PyTorch's generator for processors: a Mersenne twister, and the second normal number of each pair."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.tensors import Array

DEFAULT_SEED = 67280421310721  # of `torch.Generator()`


class Generator:
    """Words of 32 and of 64 random bits, in PyTorch's order.

    seed:        what it was started with.
    next_normal: the normal number that was made together with the last one, and not used yet.
    Source:      Matsumoto & Nishimura (1998), seeded by their init_genrand, as numpy's RandomState is.
    """

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self.manual_seed(seed)

    def manual_seed(self, seed: int) -> None:
        """Start again from a seed; its lower 32 bits count."""
        self.seed = seed
        self.next_normal: float | None = None
        self._twister = np.random.MT19937()
        state: Any = np.random.RandomState(seed % 2**32).get_state(legacy=False)
        self._twister.state = state

    def words(self, count: int) -> Array:
        """So many words of 32 bits. Shapes: () -> (count,) uint64."""
        return np.asarray(self._twister.random_raw(count), dtype=np.uint64).reshape(count)

    def long_words(self, count: int) -> Array:
        """So many words of 64 bits, the first half of each the upper one. Shapes: () -> (count,) uint64."""
        pairs = self.words(2 * count).reshape(count, 2)
        return np.asarray((pairs[:, 0] << np.uint64(32)) | pairs[:, 1])
