"""Adafactor, Polyak's step, Fromage, and losses along an axis. Expected values are those of optax."""

from engine.programs import ProgramRequest, run_program

LOOP = """
import jax, jax.numpy as jnp, optax
def f(p): return jnp.sum(p ** 2)
def run(opt, rounded=False, **more):
    p = jnp.array([[1., -2.], [0.5, 3.]])
    state = opt.init(p)
    for _ in range(2):
        value, g = jax.value_and_grad(f)(p)
        given = {"value": value} if more else {}
        u, state = opt.update(g, state, p, **given)
        p = optax.apply_updates(p, u)
    print(p[0] if not rounded else " ".join(f"{float(one):.3f}" for one in p[0]))
"""


def printed(lines: str) -> list[str]:
    found = run_program(ProgramRequest(source=LOOP + lines, dialect="jax"))
    assert found["status"] == "ok", found["diagnostics"]
    return list(found["printed"])


def test_steps() -> None:
    lines = """
run(optax.adafactor(0.1))
run(optax.adafactor(0.1, min_dim_size_to_factor=2))
run(optax.polyak_sgd(), value=True)
run(optax.fromage(0.1), rounded=True)
"""
    assert printed(lines) == WANTED


WANTED = ["[ 0.6549127 -1.6460298]", "[ 0.5061065 -1.6761974]", "[ 0.25 -0.5 ]", "0.802 -1.604"]


def test_losses_along_the_first_axis() -> None:
    lines = """
l = jnp.array([[1., 2., 0.5], [0.1, 0.3, -1.]])
y = jnp.array([2, 0])
print(optax.softmax_cross_entropy_with_integer_labels(l.T, y, axis=0))
print(optax.losses.multiclass_hinge_loss(l, y), optax.projections.projection_simplex(l[0]))
"""
    assert printed(lines) == LOSSES


LOSSES = ["[1.9643688 0.937768 ]", "[2.5       1.1999999] [0. 1. 0.]"]
