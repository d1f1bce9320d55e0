"""Threefry-2x32: random bits of a key and a counter. Source: Salmon et al., Parallel random numbers, 2011."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY = np.uint32(0x1BD11BDA)
ROUNDS = 5  # of four rotations


def _rotated(x: Any, by: int) -> Any:
    return (x << np.uint32(by)) | (x >> np.uint32(32 - by))


def threefry(key: Any, high: Any, low: Any) -> tuple[Any, Any]:
    """Two words for each pair of counters. Shapes: key (..., 2); high, low (*S) -> (*S), (*S)."""
    first, second = key[..., 0], key[..., 1]
    keys = (first, second, first ^ second ^ PARITY)
    x, y = high + keys[0], low + keys[1]
    for turn in range(ROUNDS):
        for by in ROTATIONS[turn % 2]:
            x = x + y
            y = _rotated(y, by) ^ x
        x = x + keys[(turn + 1) % 3]
        y = y + keys[(turn + 2) % 3] + np.uint32(turn + 1)
    return x, y


def counters(shape: Sequence[int]) -> tuple[Any, Any]:
    """The numbers 0, 1, 2, … of the places of a shape, as two words each."""
    count = np.arange(prod(shape), dtype=np.uint64).reshape(tuple(shape))
    return (count >> np.uint64(32)).astype(np.uint32), count.astype(np.uint32)


def bits(key: Any, width: int, shape: Sequence[int]) -> Any:
    """Random bits of a key. Shapes: key (2,) -> (*shape)."""
    x, y = threefry(key, *counters(shape))
    if width == 64:
        return (x.astype(np.uint64) << np.uint64(32)) | y.astype(np.uint64)
    mixed = x ^ y
    return mixed if width == 32 else mixed.astype(f"uint{width}")


def split(key: Any, shape: Sequence[int]) -> Any:
    """New keys of one. Shapes: key (2,) -> (*shape, 2)."""
    return np.stack(threefry(key, *counters(shape)), axis=-1)


def seed(number: Any) -> Any:
    """The key of a whole number."""
    whole = int(number)
    return np.array([(whole >> 32) & 0xFFFFFFFF if abs(whole) >= 2**31 else 0, whole & 0xFFFFFFFF], np.uint32)


def fold_in(key: Any, data: Any) -> Any:
    """The key of a key and a number."""
    word = np.uint32(int(data) & 0xFFFFFFFF)
    return np.array(threefry(key, np.uint32(0), word), np.uint32)
