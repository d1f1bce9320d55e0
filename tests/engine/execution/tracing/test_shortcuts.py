"""What both recorders of kernels write in a simpler way is the same to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from engine.execution.tracing.simplify import BESIDE, of_one

AT_THE_EDGES = [0.0, -0.0, 1.0, -1.5, 3.7e-310, 1e200, -1e200, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("ufunc", "number"), BESIDE, ids=lambda part: getattr(part, "__name__", str(part)))
def test_a_shortcut_gives_the_same_bits(ufunc: np.ufunc, number: float, dtype: str) -> None:
    shorter = of_one(ufunc, number)
    assert shorter is not None
    with np.errstate(all="ignore"):
        x = np.array(AT_THE_EDGES).astype(dtype)
        assert shorter(x).tobytes() == ufunc(x, np.asarray(number, dtype)).tobytes()


def test_taking_away_minus_zero_changes_minus_zero() -> None:
    assert of_one(np.subtract, -0.0) is None
    assert not np.signbit(np.subtract(-0.0, -0.0))


def test_other_numbers_have_no_shortcut() -> None:
    assert of_one(np.multiply, 2.0) is None
    assert of_one(np.add, 0.0) is None  # -0 + 0 is +0
    assert of_one(np.power, np.nan) is None
