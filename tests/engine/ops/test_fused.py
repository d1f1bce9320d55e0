"""Products and sums that are rounded once, against exact fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from engine.ops import multiply_add
from engine.ops.common.fused import fused_multiply_add


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_product_and_a_sum_are_rounded_once(kind: type) -> None:
    random = np.random.RandomState(3)
    a: Any = random.standard_normal(500).astype(kind)
    b: Any = random.standard_normal(500).astype(kind)
    c = (-a * b * (1 + random.standard_normal(500) * 1e-7)).astype(kind)  # most of the product goes away
    found = fused_multiply_add(a, b, c, kind)
    exact = [
        Fraction(x) * Fraction(y) + Fraction(z)
        for x, y, z in zip(*(v.tolist() for v in (a, b, c)), strict=True)
    ]
    nearest = [kind(np.float64(float(one))) for one in exact]
    assert found.dtype == kind
    assert found.tolist() == [one.item() for one in nearest]


def test_a_tiny_product_still_tips_the_balance() -> None:
    one, half_a_digit = np.float32(1), np.float32(2**-24)  # 1 + 2**-24 lies between two float32 numbers
    tiny = np.float32(2**-60)
    assert fused_multiply_add(one, half_a_digit, one, np.float32) == 1  # to even
    assert fused_multiply_add(tiny, 1, one, np.float32) == 1
    above = fused_multiply_add(np.float32(1 + 2**-23), half_a_digit, one, np.float32)
    assert above == np.float32(1 + 2**-23)  # just above the middle


def test_an_op_multiplies_and_adds_with_one_rounding_in_both_precisions() -> None:
    for kind in (np.float32, np.float64):
        digit = np.finfo(kind).eps
        above, below = (np.asarray(one, kind) for one in (1 + digit, -1 - 2 * digit))
        assert multiply_add.forward(above, above, below) == digit**2


def test_infinite_and_very_large_numbers_stay_what_they_are() -> None:
    with np.errstate(all="ignore"):
        found = fused_multiply_add([np.inf, 1e300, 1.0], [2.0, 2.0, np.nan], [1.0, 1.0, 1.0], np.float64)
    assert found[:2].tolist() == [np.inf, 2e300]
    assert np.isnan(found[2])
