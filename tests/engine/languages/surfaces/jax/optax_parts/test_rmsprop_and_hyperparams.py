"""RMSProp of optax 0.2.8: centered, with the small number inside and outside of the root."""

from __future__ import annotations

import json

import pytest

from engine.programs import ProgramRequest, run_program

PROGRAM = """
import jax, jax.numpy as jnp, optax
p = jnp.array([1.0, -2.0])
tx = {optimizer}
s = tx.init(p)
for _ in range(3):
    u, s = tx.update(jax.grad(lambda p: jnp.sum(p ** 2))(p), s, p)
    p = optax.apply_updates(p, u)
print(p.tolist())
print(type(s[0]).__name__)
"""


@pytest.mark.parametrize(
    ("optimizer", "expected", "kind"),
    [
        (
            "optax.rmsprop(0.1, centered=True)",
            [0.3235693573951721, -1.245341181755066],
            "ScaleByRStdDevState",
        ),
        (
            "optax.rmsprop(0.1, 0.8, 1e-3, 0.1, False, True)",
            [0.4476449489593506, -1.3843600749969482],
            "ScaleByRStdDevState",
        ),
        (
            "optax.rmsprop(0.1, 0.9, 1e-8, 0.0, False)",
            [0.3691805303096771, -1.3087178468704224],
            "ScaleByRmsState",
        ),
        (
            "optax.rmsprop(0.1, momentum=0.9, nesterov=True)",
            [-0.36472153663635254, -0.20456361770629883],
            "ScaleByRmsState",
        ),
    ],
)
def test_steps(optimizer: str, expected: list[float], kind: str) -> None:
    answer = run_program(ProgramRequest(PROGRAM.format(optimizer=optimizer)))
    assert answer["status"] == "ok", answer["diagnostics"]
    assert json.loads(answer["printed"][0]) == pytest.approx(expected, rel=1e-5)
    assert answer["printed"][1] == kind


def test_numbers_in_a_state_stand_in_the_order_of_the_arguments() -> None:
    source = """
import jax.numpy as jnp, optax
tx = optax.inject_hyperparams(optax.adam)(learning_rate=0.02, b2=0.9)
s = tx.init(jnp.ones(2))
u, s = tx.update(jnp.ones(2), s)
print(list(s.hyperparams))
tx = optax.inject_hyperparams(optax.sgd)(optax.linear_schedule(1.0, 0.0, 4))
u, s = tx.update(jnp.ones(2), tx.init(jnp.ones(2)))
print(s.hyperparams_states)
"""
    assert run_program(ProgramRequest(source))["printed"] == [
        "['learning_rate', 'b1', 'b2', 'eps', 'eps_root']",
        "{'learning_rate': WrappedScheduleState(count=Array(1, dtype=int32))}",
    ]
