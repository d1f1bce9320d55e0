"""Products of small matrices in machine code, beside numpy's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

numba = pytest.importorskip("numba")

from engine.execution.backends.numba_loops import small_products  # noqa: E402  # it needs numba
from engine.execution.backends.numba_loops.array_code import function_in  # noqa: E402
from engine.execution.backends.numba_loops.small_products import (  # noqa: E402
    lanes_and_registers,
    small_product,
    widths_of,
)

ORDERS = ("rows", "columns")
SHAPES = [
    (1, 1, 2),
    (7, 5, 9),
    (13, 3, 17),
    (2, 256, 16),
    (256, 2, 16),
    (30, 32, 33),
    (6, 1, 40),
    (25, 10, 10),
]


def multiplied(rows: int, inner: int, columns: int, left: str, right: str) -> Callable[..., None]:
    """The product of matrices of that shape and order as compiled code."""
    shape = f"{rows}, {inner}, {columns}, {left!r}, {right!r}"
    text = f"def multiply(a, b, c):\n small_product(a, b, c, {shape})\n"
    compiled: Callable[..., None] = numba.njit(function_in(text, {"small_product": small_product}))
    return compiled


def check(rows: int, inner: int, columns: int, left: str, right: str) -> None:
    """Beside numpy, and that nothing beside the result is written."""
    draw = np.random.default_rng(rows * inner + columns)
    a, b = draw.normal(size=(rows, inner)), draw.normal(size=(inner, columns))
    memory = np.full(rows * columns + 16, 7.0)
    given = [np.ascontiguousarray(m if o == "rows" else m.T) for m, o in ((a, left), (b, right))]
    addresses = [given[0].ctypes.data, given[1].ctypes.data, memory[8:].ctypes.data]
    multiplied(rows, inner, columns, left, right)(*addresses)
    np.testing.assert_allclose(memory[8:-8].reshape(rows, columns), a @ b, rtol=1e-13, atol=1e-14)
    assert (memory[:8] == 7.0).all()
    assert (memory[-8:] == 7.0).all()


@pytest.mark.parametrize("right", ORDERS)
@pytest.mark.parametrize("left", ORDERS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_product_is_that_of_numpy(shape: tuple[int, int, int], left: str, right: str) -> None:
    check(*shape, left, right)


@pytest.mark.parametrize("processor", [(2, 16), (2, 32), (4, 16), (8, 32)], ids=str)
def test_vectors_of_any_processor_give_it(
    processor: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_products, "lanes_and_registers", lambda: processor)
    check(13, 6, 39, "columns", "rows")


def test_the_processor_has_vectors() -> None:
    lanes, registers = lanes_and_registers()
    assert lanes in (2, 4, 8)
    assert registers in (16, 32)


@given(st.integers(1, 200), st.sampled_from([2, 4, 8]))
@settings(deadline=None)
def test_vectors_are_whole_first_and_then_ever_shorter(columns: int, lanes: int) -> None:
    widths = widths_of(columns, lanes)
    assert sum(widths) == columns
    assert widths == sorted(widths, reverse=True)
    assert widths.count(lanes) == columns // lanes
    assert all(widths.count(width) == 1 for width in set(widths) - {lanes})


def test_numbers_that_are_not_finite_stay_so() -> None:
    a, b, c = np.array([[np.inf, 1.0]]), np.array([[1.0, 0.0], [np.nan, 2.0]]), np.empty((1, 2))
    multiplied(1, 2, 2, "rows", "rows")(a.ctypes.data, b.ctypes.data, c.ctypes.data)
    assert np.isnan(c).all()  # inf · 1 + nan and inf · 0 + 2
