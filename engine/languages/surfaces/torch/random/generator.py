"""PyTorch's generator for processors: a Mersenne twister, and the second normal number of each pair."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.state import state, state_or_none
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
        if (run := state_or_none()) is not None:
            run.graph.look()
            if run.parts.get("draws_nothing"):
                raise _draws_nothing()
        return np.asarray(self._twister.random_raw(count), dtype=np.uint64).reshape(count)

    def long_words(self, count: int) -> Array:
        """So many words of 64 bits, the first half of each the upper one. Shapes: () -> (count,) uint64."""
        pairs = self.words(2 * count).reshape(count, 2)
        return np.asarray((pairs[:, 0] << np.uint64(32)) | pairs[:, 1])

    def packed(self) -> Array:
        """Where it is, as bytes. Shapes: () -> (n,) uint8."""
        inner: Any = self._twister.state["state"]
        spare = np.nan if self.next_normal is None else self.next_normal
        numbers = np.array([self.seed % 2**64, inner["pos"]], dtype=np.uint64)
        parts = [
            numbers.tobytes(),
            np.float64(spare).tobytes(),
            np.asarray(inner["key"], np.uint32).tobytes(),
        ]
        return np.frombuffer(b"".join(parts), dtype=np.uint8)

    def unpack(self, packed: Array) -> None:
        """Go back to where it was."""
        content = np.asarray(packed, dtype=np.uint8).tobytes()
        seed, position = np.frombuffer(content[:16], dtype=np.uint64).tolist()
        spare = float(np.frombuffer(content[16:24], dtype=np.float64)[0])
        self.seed, self.next_normal = seed, None if np.isnan(spare) else spare
        key = np.frombuffer(content[24:], dtype=np.uint32)
        state: Any = {"bit_generator": "MT19937", "state": {"key": key, "pos": position}}
        self._twister.state = state


@contextmanager
def drawing(*, may_draw: bool) -> Iterator[None]:
    """Whether random numbers may be drawn inside."""
    parts = state().parts
    before = parts.get("draws_nothing", False)
    parts["draws_nothing"] = not may_draw
    try:
        yield
    finally:
        parts["draws_nothing"] = before


def _draws_nothing() -> Exception:
    return torch_error(
        "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
        "'different' randomness flags on vmap or perform the randomness operation out of vmap",
        "vmap 里默认不能取随机数。",
        hint='Write vmap(f, randomness="different").',
        hint_zh='请写 vmap(f, randomness="different")。',
    )
