"""Solutions of an equation, whose gradients come from the equation and not from the solver's steps."""

from engine.programs import ProgramRequest, run_program

ROOT = """
def root(a):
    step = lambda f, x: jax.lax.fori_loop(0, 20, lambda i, x: x - f(x) / (3 * x**2), x)
    return jax.lax.custom_root(lambda x: x**3 - a, 1.0, step, lambda g, y: y / g(1.0))
"""


def printed(source: str) -> list[str]:
    found = run_program(ProgramRequest(source=f"import jax, jax.numpy as jnp\n{source}", dialect="jax"))
    assert found["status"] == "ok", found["diagnostics"]
    return list(found["printed"])


def test_the_gradient_of_a_cube_root_is_that_of_its_equation():
    assert printed(f"{ROOT}print(root(8.0), f'{{jax.grad(root)(8.0):.4f}}')") == [
        "2.0 0.0833"
    ]  # 1 / (3 · 2²)


def test_a_root_has_a_second_derivative():
    assert printed(f"{ROOT}print(f'{{jax.grad(jax.grad(root))(8.0):.5f}}')") == [
        "-0.00694"
    ]  # -2/9 · 8^(-5/3)


def test_conjugate_gradients_solve_a_system_and_are_differentiated_by_it():
    source = """
A, b = jnp.array([[2.0, 0.0], [0.0, 2.0]]), jnp.array([1.0, 2.0])
cg = jax.scipy.sparse.linalg.cg
print(cg(A, b)[0], jax.grad(lambda b: cg(A, b)[0].sum())(b))
"""
    assert printed(source) == ["[0.5 1. ] [0.5 0.5]"]  # x = b / 2; ∂x/∂b = 1 / 2


def test_a_linear_solve_without_a_transpose_says_what_is_missing():
    source = """
solve = lambda b: jax.lax.custom_linear_solve(lambda v: 2.0 * v, b, lambda matvec, b: b / 2.0)
try:
    jax.grad(solve)(1.0)
except TypeError as error:
    print(error)
"""
    assert printed(source) == [
        "transpose_solve required for backwards mode automatic differentiation of custom_linear_solve"
    ]
