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


# Three steps down x · sum(y) + x²/2 from x = 1, y = [0.5, 2], printed by optax 0.2.8:
THREE_STEPS = (
    ("optax.optimistic_gradient_descent(0.1)", 0.175, 0.353),
    ("optax.optimistic_gradient_descent(0.1, alpha=0.5, beta=0.2)", 0.52418745, 0.3819025),
    ("optax.optimistic_gradient_descent(optax.linear_schedule(0.1, 0.0, 4))", 0.345, 0.363),
    ("optax.optimistic_adam(0.05, 0.5, nesterov=False)", 0.8521228, 0.3525743),
    ("optax.optimistic_adam(0.05)", 0.83731216, 0.33787364),
    ("optax.optimistic_adam_v2(0.05, alpha=0.7)", 0.8914926, 0.3917719),
    ('optax.chain(optax.adam(0.1), optax.freeze({"x": True, "y": False}))', 1.0, 0.20000204),
    ('optax.selective_transform(optax.sgd(0.1), freeze_mask={"x": False, "y": True})', 0.051499, 0.5),
    ("optax.flatten(optax.sgd(0.1, momentum=0.9))", -0.712, 0.1015),
    ("optax.flatten(optax.clip_by_global_norm(0.5))", 2.3522122, 0.9564212),
)
STEPPING = """
import jax, jax.numpy as jnp, optax
from optax import transforms
def loss(p):
    return jnp.sum(p["x"] * p["y"]) + 0.5 * p["x"] ** 2
def stepped(o):
    p = {"x": jnp.array(1.0), "y": jnp.array([0.5, 2.0])}
    s = o.init(p)
    for _ in range(3):
        u, s = o.update(jax.grad(loss)(p), s, p)
        p = optax.apply_updates(p, u)
    return p, s
"""


@pytest.mark.parametrize(("optimizer", "x", "y"), THREE_STEPS)
def test_optimistic_and_freezing_optimizers_step_as_optax_does(optimizer: str, x: float, y: float) -> None:
    source = f"{STEPPING}p, _ = stepped({optimizer})\nprint(p['x'])\nprint(p['y'][0])"
    answer = run_program(ProgramRequest(source, dialect="jax"))
    assert answer["status"] == "ok", answer["diagnostics"]
    assert [float(line) for line in answer["printed"]] == pytest.approx([x, y], rel=2e-5)


def test_the_states_of_freezing_and_flat_optimizers_are_optax_s() -> None:
    source = STEPPING + (
        'print(stepped(optax.selective_transform(optax.sgd(0.1), freeze_mask={"x": False, "y": True}))[1])\n'
        'print(stepped(transforms.freeze({"x": True, "y": False}))[1])\n'
        "print(stepped(transforms.flatten(optax.adam(0.1)))[1][0].count)\n"
        "print(stepped(optax.scale_by_optimistic_gradient())[1])"
    )
    assert run_program(ProgramRequest(source, dialect="jax"))["printed"] == [
        "PartitionState(inner_states={'train': MaskedState(inner_state=(EmptyState(), EmptyState())), "
        "'freeze': MaskedState(inner_state=EmptyState())})",
        "MaskedState(inner_state=EmptyState())",
        "3",
        "ScaleByOptimisticGradientState(is_initial_step=Array(False, dtype=bool), previous_gradient="
        "{'x': Array(39.5, dtype=float32), 'y': Array([19., 19.], dtype=float32)})",
    ]


def test_a_tree_without_leaves_has_a_norm_of_zero() -> None:
    source = (
        "import optax\no = optax.inject_hyperparams(optax.clip_by_global_norm)(max_norm=1.0)\n"
        "s = o.init(None)\n"
        "u, s = o.update(None, s)\nprint(u, s.hyperparams['max_norm'], optax.global_norm({}))"
    )
    assert run_program(ProgramRequest(source, dialect="jax"))["printed"] == ["None 1.0 0.0"]
