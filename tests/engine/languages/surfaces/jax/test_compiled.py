"""Digits of compiled functions, checked against the real library on a processor."""

from __future__ import annotations

import numpy as np
import pytest

from engine.languages.surfaces.jax.lax.numerics.sums_in_order import sum_in_order, sum_of_products
from engine.programs import ProgramRequest, run_program

HEAD = (
    "import jax\nimport jax.numpy as jnp\n"
    "a, b = jnp.array([0.1, 0.7, 1.9]), jnp.array([0.3, 1.7, 0.9])\n"
    "c, d = jnp.array([-0.03, -1.2, 0.4]), jnp.array([2.3, 0.6, -0.7])\n"
)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        pytest.param(
            "lambda a, b, c, d: a * b + c",
            [2.309680002809955e-09, -0.010000034235417843, 2.109999895095825],
            id="with-a-sum",
        ),
        pytest.param(
            "lambda a, b, c, d: c - a * b",
            [-0.06000000238418579, -2.390000104904175, -1.309999942779541],
            id="with-a-difference",
        ),
        pytest.param(
            "lambda a, b, c, d: a * b + c * d",
            [-0.038999997079372406, 0.4699999988079071, 1.4299999475479126],
            id="the-first-of-two",
        ),
        pytest.param(
            "lambda a, b, c, d: a**2 + c",
            [-0.019999999552965164, -0.7100000381469727, 4.009999752044678],
            id="a-square",
        ),
        pytest.param(
            "lambda a, b, c, d: (a * b + c) * (a * b - d)",
            [-4.228204453227136e-09, -0.005899994634091854, 5.085099220275879],
            id="needed-twice",
        ),
        pytest.param(
            "lambda a, b, c, d: a / 3 + c",
            [0.0033333355095237494, -0.9666666984558105, 1.0333333015441895],
            id="by-a-number",
        ),
        pytest.param(
            "lambda a, b, c, d: jax.grad(lambda a: jnp.mean((a * b - c) ** 2))(a)",
            [0.012000001035630703, 2.708667039871216, 0.7859999537467957],
            id="gradient",
        ),
    ],
)
def test_a_product_is_rounded_together_with_its_sum_where_nothing_else_needs_it(
    function: str, expected: list[float]
) -> None:
    source = HEAD + f"f = jax.jit({function})\nfor _ in range(3):\n    y = f(a, b, c, d)\nprint(y.tolist())"
    assert run_program(ProgramRequest(source=source))["printed"] == [str(expected)]


def test_a_sum_of_products_is_a_chain_and_of_squares_begins_with_the_second() -> None:
    x = np.array([0.1, 0.7, 1.9], np.float32)
    y = np.array([0.3, 1.7, 0.9], np.float32)
    assert sum_of_products(x, y, (0,)) == np.float32(2.930000066757202)
    assert sum_of_products(x, x, (0,)) == np.float32(4.109999656677246)


def test_a_sum_is_taken_one_after_the_other_up_to_32_elements() -> None:
    x = (np.arange(20) * 37 % 101 / 97).astype(np.float32)
    assert sum_in_order(x, (0,)) == np.float32(9.999999046325684)
    assert sum_in_order(np.ones(33, np.float32), (0,)) is None
