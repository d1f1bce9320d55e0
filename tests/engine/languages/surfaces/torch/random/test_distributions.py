"""Random numbers against those that PyTorch 2.13.0 drew, bit for bit.

A case: a seed, a draw of some shape and dtype, its first two numbers and the SHA-256 of all of
them as float64, and the uniform float32 number that comes next.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.languages.surfaces.torch.random import distributions as drawn
from engine.languages.surfaces.torch.random.choices import multinomial, permutation
from engine.languages.surfaces.torch.random.generator import Generator

RECORDED = Path(__file__).parents[5] / "data" / "torch" / "random.json"
CASES = json.loads(RECORDED.read_text(encoding="utf-8"))
SEEDS = sorted({case["seed"] for case in CASES})
DRAWS = {
    "rand": drawn.uniform,
    "uniform": drawn.uniform,
    "randn": drawn.normal,
    "normal": drawn.normal,
    "exponential": drawn.exponential,
    "bernoulli": drawn.bernoulli,
    "geometric": drawn.geometric,
    "cauchy": drawn.cauchy,
    "lognormal": drawn.log_normal,
    "random": drawn.any_integers,
    "randint": drawn.integers,
}
WEIGHTS = np.array([[0.1, 10, 3, 0.5, 2.2], [2.2, 0.5, 3, 10, 0.1]], dtype=np.float32)


def values_of(generator: Generator, case: dict[str, Any]) -> Any:
    arguments = case.get("arguments", ())
    if case["draw"] == "randperm":
        return permutation(generator, *arguments)
    if case["draw"] == "multinomial":
        return multinomial(generator, WEIGHTS, *arguments)
    if case["draw"] == "mixed":
        return np.concatenate(
            [
                drawn.normal(generator, (3,), np.float32),
                drawn.uniform(generator, (2,), np.float32),
                drawn.normal(generator, (17,), np.float32),
                drawn.normal(generator, (2,), np.float32),
                permutation(generator, 4),
            ]
        )
    draw: Any = DRAWS[case["draw"]]
    return draw(generator, tuple(case["shape"]), np.dtype(case["dtype"]), *arguments)


@pytest.mark.parametrize("draw", sorted({case["draw"] for case in CASES}))
@pytest.mark.parametrize("seed", SEEDS)
def test_every_number_is_pytorchs_own(draw: str, seed: int) -> None:
    cases = [case for case in CASES if (case["draw"], case["seed"]) == (draw, seed)]
    assert cases
    for case in cases:
        generator = Generator(seed)
        drawn_now = np.asarray(values_of(generator, case))
        values = drawn_now.astype(np.float64)
        assert drawn_now.reshape(-1)[:2].tolist() == case["first"], case
        assert hashlib.sha256(values.tobytes()).hexdigest()[:16] == case["digest"], case
        assert drawn.uniform(generator, (), np.float32) == case["next"], case


def test_a_seed_gives_the_numbers_that_the_documentation_of_pytorch_shows() -> None:
    numbers = drawn.normal(Generator(0), (3,), np.float32)
    np.testing.assert_allclose(numbers, [1.5410, -0.2934, -2.1788], atol=5e-5)


def test_from_16_numbers_on_they_are_made_in_another_way() -> None:
    few, many = (drawn.normal(Generator(0), (count,), np.float32) for count in (15, 16))
    assert few[0] != many[0]


def test_the_second_of_a_pair_waits_for_the_next_draw() -> None:
    generator = Generator(7)
    drawn.normal(generator, (1,), np.float32)
    assert generator.next_normal is not None
    drawn.normal(generator, (1,), np.float32)
    assert generator.next_normal is None
