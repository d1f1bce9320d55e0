"""`stax` and `optimizers`: shapes that one can count, and steps that one can compute by hand."""

from __future__ import annotations

from typing import Any

from engine.programs import ProgramRequest, run_program

FIRST = (
    "import jax\nimport jax.numpy as jnp\nfrom jax.example_libraries import optimizers, stax\n"
    "key = jax.random.PRNGKey(0)\n"
)


def printed(lines: str) -> Any:
    """What a program prints."""
    return run_program(ProgramRequest(FIRST + lines, dialect="jax"))["printed"]


def test_a_network_says_its_shapes() -> None:
    lines = (
        "init, apply = stax.serial(stax.Conv(4, (3, 3)), stax.Relu, stax.Flatten, stax.Dense(2))\n"
        "shape, params = init(key, (5, 6, 6, 1))\n"
        "print(shape, [p.shape for layer in params for p in layer])\n"
    )
    # 6 - 3 + 1 = 4 places along each axis: 4 * 4 * 4 numbers go into the last layer
    assert printed(lines) == ["(5, 2) [(3, 3, 1, 4), (1, 1, 1, 4), (64, 2), (2,)]"]


def test_gradient_descent_takes_a_step_of_the_rate() -> None:
    lines = (
        "init, update, get = optimizers.sgd(0.5)\nstate = init({'w': jnp.array([1.0])})\n"
        "print(get(jax.jit(update)(0, {'w': jnp.array([2.0])}, state)))\n"
    )
    assert printed(lines) == ["{'w': Array([0.], dtype=float32)}"]  # 1 - 0.5 * 2
