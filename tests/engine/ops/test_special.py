"""Special functions at their edges, as TensorFlow 2.21 has them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.ops import REGISTRY


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [
        ("Lgamma", -np.inf, np.inf),
        ("Digamma", -np.inf, np.nan),
        *((name, end, end) for name in ("Lgamma", "Digamma") for end in (np.inf, np.nan)),
    ],
)
def test_the_gamma_function_far_out(name: str, x: float, y: float) -> None:
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(REGISTRY[name].forward(np.array([x])), [y])


def test_the_logarithm_of_gamma_overflows_to_infinity() -> None:
    assert REGISTRY["Lgamma"].forward(np.array([1e308])) == np.inf
    assert np.isfinite(REGISTRY["Lgamma"].forward(np.array([2e305])))


@pytest.mark.parametrize(("x", "y"), [(-np.inf, np.inf), (np.inf, 0.0), (np.nan, np.nan), (-2.0, np.inf)])
def test_the_trigamma_function_at_its_edges(x: float, y: float) -> None:
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(REGISTRY["Polygamma"].forward(np.array([1.0]), np.array([x])), [y])


@pytest.mark.parametrize("pole", [0.0, -2.0, -np.inf])
def test_a_pole_with_two_signs_is_no_number(pole: float) -> None:
    with np.errstate(all="ignore"):
        assert np.isnan(REGISTRY["Polygamma"].forward(np.array([2.0]), np.array([pole])))


def test_a_slope_of_digamma_beyond_float64_is_infinite() -> None:
    x = np.array([1e-300, -1e-300])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(REGISTRY["Polygamma"].forward(np.array([1.0]), x), [np.inf, np.inf])
        np.testing.assert_array_equal(REGISTRY["Polygamma"].forward(np.array([2.0]), x), [-np.inf, np.inf])
