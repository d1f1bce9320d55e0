"""A jaxpr as a program sees it: what the documentation of JAX does with equations and primitives."""

from engine.programs import ProgramRequest, run_program


def printed(source: str) -> list[str]:
    found = run_program(ProgramRequest(source=f"import jax, jax.numpy as jnp\n{source}", dialect="jax"))
    assert found["status"] == "ok", found["diagnostics"]
    return list(found["printed"])


def test_an_equation_has_its_primitive_its_variables_and_its_parameters():
    source = "e = jax.make_jaxpr(jnp.sum)(jnp.ones(3)).eqns[0]\nprint(e.primitive, e.params, len(e.invars))"
    assert printed(source) == ["reduce_sum {'axes': (0,), 'out_sharding': None} 1"]


def test_an_interpreter_of_the_program_computes_what_the_function_does():
    source = """
from jax.extend import core
closed = jax.make_jaxpr(lambda x: jnp.tanh(x) * 2.0 + 1.0)(0.0)
held = dict(zip(closed.jaxpr.invars, [0.0]))
for e in closed.jaxpr.eqns:
    values = [v.val if isinstance(v, core.Literal) else held[v] for v in e.invars]
    held[e.outvars[0]] = e.primitive.bind(*values, **e.params)
print(held[closed.jaxpr.outvars[0]])
"""
    assert printed(source) == ["1.0"]  # tanh 0 = 0, times 2, plus 1


def test_a_primitive_is_the_key_of_a_table_of_the_program():
    source = "table = {jax.lax.exp_p: 'log'}\nprint(table[jax.make_jaxpr(jnp.exp)(1.0).eqns[0].primitive])"
    assert printed(source) == ["log"]


def test_a_jaxpr_is_evaluated_at_other_values():
    source = "j = jax.make_jaxpr(lambda x: x * x)(1.0)\nprint(jax.core.eval_jaxpr(j.jaxpr, j.consts, 3.0)[0])"
    assert printed(source) == ["9.0"]
