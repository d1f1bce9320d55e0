"""Products of small matrices to the last digit, checked against the real library on a processor."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

from engine.languages.surfaces.jax.lax.numerics.products_in_order import product


def numbers(*shape: int, step: int) -> np.ndarray:
    """Fractions between -1/2 and 1/2 in no order. Shapes: -> shape."""
    return ((np.arange(prod(shape)) * step % 101 - 50) / 97).reshape(1, *shape).astype(np.float32)


@pytest.mark.parametrize(
    ("m", "k", "n", "rows", "expected"),
    [
        pytest.param(
            *(3, 3, 1, True, [0.14677433669567108, 0.04899562895298004, -0.048783086240291595]), id="chain"
        ),
        pytest.param(
            *(3, 10, 1, True, [0.10830053687095642, 0.016473591327667236, 0.30035072565078735]), id="halves"
        ),
        pytest.param(
            *(9, 16, 1, True, [0.09820383787155151, -0.07025188207626343, -0.30311405658721924]), id="blocks"
        ),
        pytest.param(
            *(1, 12, 3, True, [0.4435114860534668, -0.44106706976890564, 0.4025932848453522]), id="from-left"
        ),
        pytest.param(
            *(2, 8, 3, True, [0.19151869416236877, -0.004463814198970795, 0.15378889441490173]), id="by-fours"
        ),
        pytest.param(
            *(2, 8, 3, False, [0.19151873886585236, -0.004463827703148127, 0.15378893911838531]), id="columns"
        ),
        pytest.param(*(3, 10, 2, True, [0.31034114956855774, 0.04559464007616043]), id="two-left-over"),
        pytest.param(*(8, 4, 4, True, [0.32947176694869995, -0.1155276745557785]), id="once-by-fours"),
        pytest.param(*(1, 20, 1, True, [0.1699436753988266]), id="two-vectors"),
    ],
)
def test_products_are_added_in_xlas_order(m: int, k: int, n: int, rows: bool, expected: list[float]) -> None:
    found = product(numbers(m, k, step=37), numbers(k, n, step=53), rows, False)
    assert found.ravel()[: len(expected)].tolist() == expected


def test_products_of_other_types_are_numpys() -> None:
    a, b = numbers(3, 5, step=37).astype("f8"), numbers(5, 2, step=53).astype("f8")
    np.testing.assert_array_equal(product(a, b, True, False), np.matmul(a, b))


def test_a_sum_of_zeros_is_no_minus_zero_but_of_a_vector_with_columns() -> None:
    zeros, minus = np.zeros((1, 2, 3), "f4"), -np.ones((1, 3, 2), "f4")
    signs = [
        bool(np.signbit(found).any())
        for found in (
            product(zeros, minus, True, False),
            product(zeros, minus[..., :1], True, True),
            product(zeros[:, :1], minus, True, False),  # the columns lie apart
            product(zeros[..., :1], minus[:, :1], True, False),  # one product each
        )
    ]
    assert signs == [False, False, True, True]
