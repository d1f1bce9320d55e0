"""What stands in for data sets that are too large to ship: their shapes and kinds, with fewer rows.

Each is the same on every machine, and something can be learned from it. No number of the real set is in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.data_sets.shipped_sets import digits

SIDE = 28  # pixels of MNIST's pictures
DRAWN = 20  # of which so many are drawn upon
BRIGHTEST = 255
WAVES = 3.0  # stripes across a picture of the first kind
NOISE = 24.0  # in a picture, of 255
RULE = 0.4  # how often a word comes from those of its text's kind
COMMON_WORDS = 2_000
WORDS_OF_A_KIND = 20


def handwritten(start: int, stop: int) -> tuple[Any, Any]:
    """Some of the digits as MNIST's pictures are: (n, 28, 28) uint8 from 0 to 255, with labels (n,) uint8.

    The 8 by 8 pixels are drawn as 20 by 20, each a weighted mean of its neighbours, within a margin of 4.
    """
    small, labels = digits()
    weights = _weights(small.shape[1], DRAWN)
    large = weights @ small[start:stop].astype(np.float64) @ weights.T * (BRIGHTEST / 16.0)
    margin = (SIDE - DRAWN) // 2
    pictures = np.zeros((stop - start, SIDE, SIDE), np.uint8)
    pictures[:, margin:-margin, margin:-margin] = np.rint(large)
    return pictures, labels[start:stop].copy()


def _weights(few: int, many: int) -> Any:
    """How much of each of `few` pixels is in each of `many` over the same width: (many, few)."""
    places = (np.arange(many) + 0.5) * few / many - 0.5
    weights = np.maximum(0.0, 1.0 - np.abs(places[:, None] - np.arange(few)[None, :]))
    return weights / weights.sum(axis=1, keepdims=True)


def striped(count: int, kinds: int, side: int, channels: int, seed: int) -> tuple[Any, Any]:
    """Pictures of stripes, (count, side, side, channels) uint8; a kind is their angle and, in colour, hue.

    Returns also the kinds, (count,) int64.
    """
    random = np.random.RandomState(seed)
    labels = random.randint(0, kinds, count)
    angle = np.pi * labels / kinds
    shift = random.uniform(0.0, 2.0 * np.pi, count)
    row, column = np.mgrid[0:side, 0:side] / side
    across = np.cos(angle)[:, None, None] * column + np.sin(angle)[:, None, None] * row
    light = 0.5 + 0.5 * np.sin(2.0 * np.pi * WAVES * across + shift[:, None, None])
    hue = 0.5 + 0.5 * np.cos(2.0 * angle[:, None] + np.arange(channels)[None, :] * 2.0 * np.pi / 3.0)
    tint = hue if channels > 1 else np.ones((count, 1))
    pictures = light[..., None] * tint[:, None, None, :] * BRIGHTEST
    pictures += random.normal(0.0, NOISE, pictures.shape)
    return np.clip(np.rint(pictures), 0, BRIGHTEST).astype(np.uint8), labels


def texts(count: int, kinds: int, shortest: int, longest: int, seed: int) -> tuple[list[list[int]], Any]:
    """Texts as numbers of words from 0, frequent words first; those of a kind have some words more often.

    Returns also the kinds, (count,) int64.
    """
    random = np.random.RandomState(seed)
    labels = random.randint(0, kinds, count)
    found = []
    for kind in labels:
        length = int(random.randint(shortest, longest))
        common = np.floor(np.exp(random.uniform(0.0, np.log(COMMON_WORDS), length))).astype(np.int64) - 1
        own = 10 + WORDS_OF_A_KIND * int(kind) + random.randint(0, WORDS_OF_A_KIND, length)
        found.append([int(word) for word in np.where(random.uniform(size=length) < RULE, own, common)])
    return found, labels


def measured(count: int, columns: int, seed: int) -> tuple[Any, Any]:
    """Rows of measurements, (count, columns), and a price of each, (count,), from 5 to 50; float64."""
    random = np.random.RandomState(seed)
    scale = 10.0 ** random.randint(-1, 3, columns)
    rows = random.normal(size=(count, columns))
    price = 22.0 + rows @ np.linspace(3.0, -3.0, columns) + random.normal(size=count)
    return (rows + 3.0) * scale, np.clip(np.round(price, 1), 5.0, 50.0)
