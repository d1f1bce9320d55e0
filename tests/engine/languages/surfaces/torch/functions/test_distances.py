"""Numbers at even distances, to the last bit: each asked of PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from engine.languages.surfaces.torch.functions.further.distances import between, stepped


@pytest.mark.parametrize(
    ("ends", "dtype", "place", "number"),
    [
        ((-1, 1, 21), "float32", 10, -1.4901161193847656e-08),  # counted from the end: 1 - 10 * 0.1
        ((-10, 10, 201), "float64", 100, -5.551115123125783e-16),
        ((0, 1, 1000), "float32", 777, float.fromhex("0x1.8e38e4p-1")),
        ((3, 5, 1), "float32", 0, 3.0),
    ],
)
def test_numbers_between_two_ends_are_rounded_once(
    ends: tuple[int, ...], dtype: str, place: int, number: float
) -> None:
    start, end, count = ends
    assert between(start, end, count, dtype)[place] == number


def test_steps_are_counted_from_the_first_number_of_their_vector() -> None:
    numbers = stepped(0, 0.3, 34, "float32")
    assert [float(one).hex() for one in numbers[[9, 17, 33]]] == [
        "0x1.59999a0000000p+1",
        "0x1.4666680000000p+2",  # 16 * 0.3 in float32, and 0.3: 17 * 0.3 ends in 66
        "0x1.3ccccc0000000p+3",
    ]
    assert numbers.dtype == np.float32
