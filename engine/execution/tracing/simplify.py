"""Kernels' calls that come to less, to the bit: x · 1, x / 1, x - 0 and x¹ are x, and x² is a square."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

BESIDE: Mapping[tuple[np.ufunc, float], np.ufunc] = MappingProxyType(
    {
        (np.multiply, 1): np.positive,
        (np.true_divide, 1): np.positive,
        (np.subtract, 0): np.positive,
        (np.power, 1): np.positive,
        (np.power, 2): np.square,
    }
)
REDUCTIONS: Mapping[Any, np.ufunc] = MappingProxyType(
    {
        np.sum: np.add,
        np.prod: np.multiply,
        np.max: np.maximum,
        np.min: np.minimum,
        np.all: np.logical_and,
        np.any: np.logical_or,
    }
)  # numpy's functions that put one ufunc between the elements along axes


def of_one(ufunc: np.ufunc, number: Any) -> np.ufunc | None:
    """The ufunc of x alone that is `ufunc(x, number)` for every float x; None where there is none.

    `numpy.positive` means x itself.
    """
    found = BESIDE.get((ufunc, number))
    keeps_zeros = ufunc is not np.subtract or not np.signbit(number)  # -0 - (-0) is +0
    return found if keeps_zeros else None
