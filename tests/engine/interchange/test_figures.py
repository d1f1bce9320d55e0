"""Figures of an array that is gone through in blocks."""

from __future__ import annotations

import numpy as np
import pytest

from engine.interchange.figures import BLOCK, figures_of


def test_the_figures_of_several_blocks_are_those_of_the_whole() -> None:
    array = np.arange(4 * BLOCK, dtype=np.float32).reshape(4, BLOCK)
    found = figures_of(array, 8)
    assert (found.low, found.high) == (0.0, 4 * BLOCK - 1)
    assert found.mean == (4 * BLOCK - 1) / 2
    assert found.std == pytest.approx(np.sqrt(((4 * BLOCK) ** 2 - 1) / 12))  # of 0, 1 ... n - 1
    assert found.counts.tolist() == [BLOCK // 2] * 8


def test_what_is_not_finite_is_counted_in_every_block() -> None:
    array = np.full(3 * BLOCK, 2.0)
    array[[0, BLOCK, 2 * BLOCK]] = np.nan, np.inf, -np.inf
    found = figures_of(array, 2)
    assert (found.nan_count, found.inf_count) == (1, 2)
    assert (found.low, found.high, found.mean, found.std) == (2.0, 2.0, 2.0, 0.0)
    assert found.counts.sum() == 3 * BLOCK - 3


def test_where_nothing_is_finite_the_figures_are_those_of_a_zero() -> None:
    found = figures_of(np.full(BLOCK + 1, np.nan), 4)
    assert (found.low, found.high, found.mean, found.nan_count) == (0.0, 0.0, 0.0, BLOCK + 1)
    assert found.counts.sum() == 1
