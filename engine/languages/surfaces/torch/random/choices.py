"""Orders and choices drawn from a generator, as PyTorch draws them."""

from __future__ import annotations

import numpy as np

from engine.languages.surfaces.torch.random.distributions import exponential, unit
from engine.languages.surfaces.torch.random.generator import Generator
from engine.ops.base.tensors import Array


def permutation(generator: Generator, count: int) -> list[int]:
    """The numbers below count in a random order (Fisher and Yates, from the front).

    PyTorch takes another way from 2**32 / 20 numbers on, which no program here may hold.
    """
    order = list(range(count))
    for i, word in enumerate(generator.words(max(count - 1, 0)).tolist()):
        j = i + word % (count - i)
        order[i], order[j] = order[j], order[i]
    return order


def multinomial(generator: Generator, weights: Array, count: int, replacement: bool) -> Array:
    """Indices drawn in proportion to the weights of each row. Shapes: (*R, n) -> (*R, count) int64."""
    rows = weights.reshape(-1, weights.shape[-1])
    if replacement and count > 1:
        chosen = np.stack([_with_replacement(generator, row, count) for row in rows])
    else:
        chosen = _without_replacement(generator, rows, count)
    return chosen.reshape(*weights.shape[:-1], count)


def _with_replacement(generator: Generator, row: Array, count: int) -> Array:
    """Where uniform numbers fall among the running shares."""
    sums = np.cumsum(row, dtype=row.dtype)
    shares = (sums / sums[-1]).astype(row.dtype)
    shares[-1] = 1
    return np.searchsorted(shares.astype(np.float64), unit(generator, count, np.float64), side="left")


def _without_replacement(generator: Generator, rows: Array, count: int) -> Array:
    """The largest of weight over an exponential number: each is first in proportion to its weight."""
    waits = exponential(generator, rows.shape, rows.dtype)
    with np.errstate(divide="ignore", invalid="ignore"):
        ranks = rows / waits
    return np.argsort(-ranks, axis=-1, kind="stable")[:, :count].astype(np.int64)
