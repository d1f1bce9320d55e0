"""Optimizers of optax beyond the usual ones: their first step, which one can compute by hand."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

# For params (2) and the gradient 4, a learning rate of 0.5:
FIRST_STEPS = (
    ("optax.lion(0.5, weight_decay=0.0)", -0.5),  # the sign alone
    ("optax.sign_sgd(0.5)", -0.5),
    ("optax.adamax(0.5)", -0.5),  # 4 / max(4, 0)
    ("optax.amsgrad(0.5)", -0.5),
    ("optax.nadam(0.5)", -0.5 * 1.4736842),  # 0.9 · 0.76 / 0.19 … of both moments without bias
    ("optax.radam(0.5)", -2.0),  # the variance is not known yet: 0.5 · 4
    ("optax.chain(optax.clip(1.0), optax.sgd(0.5))", -0.5),
    ("optax.set_to_zero()", 0.0),
    ("optax.chain(optax.normalize_by_update_norm(), optax.scale(-0.5))", -0.5),
    ("optax.masked(optax.sgd(0.5), [False])", 4.0),  # the gradient as it is
)
FIRST = "import jax.numpy as jnp\nimport optax\np, g = [jnp.array(2.0)], [jnp.array(4.0)]\n"


def test_first_steps() -> None:
    source = FIRST + "".join(
        f"o = {name}\nprint(o.update(g, o.init(p), p)[0][0])\n" for name, _ in FIRST_STEPS
    )
    answer = run_program(ProgramRequest(source, dialect="jax"))
    assert answer["status"] == "ok", answer["diagnostics"]
    for (name, wanted), found in zip(FIRST_STEPS, map(float, answer["printed"]), strict=True):
        assert found == pytest.approx(wanted, rel=1e-4), name


def test_a_number_in_the_state_can_be_changed() -> None:
    lines = (
        "o = optax.inject_hyperparams(optax.sgd)(learning_rate=0.5)\ns = o.init(p)\n"
        "s.hyperparams['learning_rate'] = jnp.array(0.25)\nprint(o.update(g, s, p)[0][0])\n"
    )
    answer = run_program(ProgramRequest(FIRST + lines, dialect="jax"))
    assert answer["printed"] == ["-1.0"]  # -0.25 * 4
