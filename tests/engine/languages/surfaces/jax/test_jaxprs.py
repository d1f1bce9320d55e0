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


def test_lists_of_an_interpreter_of_jaxprs_have_one_length():
    source = """
from jax._src.util import safe_map, safe_zip, unzip2
print(safe_map(lambda a, b: a + b, [1, 2], (3, 4)), safe_zip([1, 2], (3, 4)), unzip2([(1, 2), (3, 4)]))
try:
    safe_map(lambda a, b: a + b, [1, 2], (3,))
except ValueError as wrong:
    print(wrong)
"""
    assert printed(source) == [
        "[4, 6] [(1, 3), (2, 4)] ((1, 3), (2, 4))",
        "safe_map() argument 2 is shorter than argument 1",
    ]


def test_a_whole_number_in_a_list_says_its_type():
    source = "print(jax.make_jaxpr(lambda x: x + 1)(5).eqns[0].invars[1:])"
    assert printed(source) == ["[Literal(TypedInt(1, dtype=int32))]"]


def test_each_item_of_a_list_is_converted_and_placed_before_the_next():
    source = "print(jax.make_jaxpr(lambda a, b: jnp.array([a, b, 3.0]))(jnp.float32(1.0), 2))"
    assert printed(source) == [
        "{ lambda ; a:f32[] b:i32[]. let",
        "    c:f32[1] = broadcast_in_dim a",
        "    d:f32[] = convert_element_type[new_dtype=float32 weak_type=False] b",
        "    e:f32[1] = broadcast_in_dim d",
        "    f:f32[1] = broadcast_in_dim 3.0:f32[]",
        "    g:f32[3] = concatenate[dimension=0] c e f",
        "  in (g,) }",
    ]


def test_an_array_lies_whole_on_the_one_device():
    source = "print(jnp.ones(2).sharding, jnp.ones(2).sharding.is_fully_replicated)"
    assert printed(source) == ["SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device) True"]


def test_where_broadcasts_what_holds_before_what_stands_elsewhere():
    source = "print(jax.make_jaxpr(lambda c: jnp.where(c > 0, 1.0, 0.1))(jnp.ones(3)))"
    assert [line.strip() for line in printed(source)[5:8]] == [
        "f:f32[3] = broadcast_in_dim d",
        "g:f32[3] = broadcast_in_dim e",
        "c:f32[3] = select_n b g f",
    ]


def test_the_gradient_of_softplus_multiplies_by_the_slope_of_its_zero_as_a_number():
    source = "print(jax.make_jaxpr(jax.grad(lambda v: jax.nn.softplus(v).sum()))(jnp.ones(2)))"
    assert "    bd:f32[2] = mul 0.0:f32[] bc" in printed(source)
