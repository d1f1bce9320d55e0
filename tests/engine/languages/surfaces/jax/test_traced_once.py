"""Functions that are traced once for each kind of arguments, checked against the real library."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\nxs = jnp.arange(4.0)\n"


def printed(source: str) -> list[str]:
    """What a program prints."""
    answer = run_program(ProgramRequest(source=HEAD + source))
    return list(answer["printed"])


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        pytest.param("lax.scan(lambda c, x: (c + k * x, c), 0.0, xs)[0]", ["6.0", "60.0"], id="new-function"),
        pytest.param("lax.scan(body, 0.0, xs)[0]", ["6.0", "6.0"], id="scan"),
        pytest.param("lax.fori_loop(0, 3, turn, 0.0)", ["3.0", "3.0"], id="fori"),
        pytest.param("lax.while_loop(lambda v: v < 5, add, 0.0)", ["5.0", "5.0"], id="while"),
        pytest.param("lax.cond(True, add, add, 1.0)", ["2.0", "2.0"], id="cond"),
        pytest.param("lax.map(add, xs)[0]", ["1.0", "10.0"], id="map-makes-its-own"),
        pytest.param("jax.make_jaxpr(add)(1.0).eqns[0].invars[1].val", ["1.0", "1.0"], id="make_jaxpr"),
    ],
)
def test_a_function_keeps_the_global_that_it_was_traced_with(call: str, expected: list[str]) -> None:
    source = (
        "k = 1.0\n"
        "def body(c, x):\n    return c + k * x, c\n"
        "def turn(i, v):\n    return v + k\n"
        "def add(v):\n    return v + k\n"
        f"print({call})\nk = 10.0\nprint({call})"
    )
    assert printed(source) == expected


def test_clear_caches_forgets_what_was_traced() -> None:
    source = (
        "def f(x):\n    print('trace')\n    return x\n"
        "g = jax.jit(f)\ng(1.0)\ng(2.0)\njax.clear_caches()\ng(1.0)\njax.eval_shape(f, 1.0)\n"
        "print(g._cache_size())"
    )
    assert printed(source) == ["trace", "trace", "1"]


def test_what_a_loop_carries_unchanged_is_a_constant_of_its_body() -> None:
    source = (
        "f = lambda k: lax.scan(lambda c, x: ((c[0] + x, c[1]), x), (0.0, k), xs)\n"
        "print(f(0.5))\nprint(jax.make_jaxpr(f)(0.5))"
    )
    assert printed(source) == [
        "((Array(6., dtype=float32), 0.5), Array([0., 1., 2., 3.], dtype=float32))",
        "{ lambda a:f32[4]; b:f32[]. let",
        "    c:f32[] = scan[",
        "      jaxpr={ lambda ; d:f32[] e:f32[] f:f32[]. let",
        "          g:f32[] = convert_element_type[new_dtype=float32 weak_type=False] e",
        "          h:f32[] = add g f",
        "        in (h,) }",
        "      length=4",
        "      num_carry=1",
        "      num_consts=1",
        "      reverse=False",
        "      unroll=1",
        "    ] b 0.0:f32[] a",
        "  in (c, b, a) }",
    ]


def test_gradients_of_whole_numbers_have_no_numbers() -> None:
    source = "g = jax.grad(lambda n, x: n * x, (0, 1), allow_int=True)(3, 2.0)\nprint(g)\nprint(g[0].dtype)"
    assert printed(source) == [
        "(TypedNdArray((b'',), dtype=void), Array(3., dtype=float32, weak_type=True))",
        "[('float0', 'V')]",
    ]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        pytest.param(
            "lambda p, t: (p[0], jnp.ones(2))",
            "Custom JVP rule must produce primal and tangent outputs with corresponding shapes and dtypes. "
            "Expected float32[] (tangent type of float32[]) but got float32[2].",
            id="shape",
        ),
        pytest.param(
            "lambda p, t: (p[0], None)",
            "Custom JVP rule <lambda> for function h must produce primal and tangent outputs with equal "
            "container (pytree) structures, but got PyTreeDef(*) and PyTreeDef(None) respectively.",
            id="none",
        ),
    ],
)
def test_a_tangent_of_a_rule_has_the_type_of_its_value(rule: str, said: str) -> None:
    source = (
        "@jax.custom_jvp\ndef h(x):\n    return x\n"
        f"h.defjvp({rule})\n"
        "try:\n    jax.grad(h)(2.0)\nexcept TypeError as e:\n    print(e)"
    )
    assert printed(source) == [said]


def test_a_partial_is_a_tree_of_its_arguments() -> None:
    source = (
        "from jax.tree_util import Partial\n"
        "print(jax.jit(lambda f, x: f(x))(Partial(lambda a, b: a * b, 3.0), 2.0))"
    )
    assert printed(source) == ["6.0"]


def test_compiled_functions_run_each_time_where_compiling_is_disabled() -> None:
    source = (
        "@jax.jit\ndef f(x):\n    print('run', x)\n    return x * 2\n"
        "print(f(1.0))\nprint(f(2.0))\n"
        "with jax.disable_jit():\n    print(f(3.0))\n    print(f(3.0))\n"
        "with jax.disable_jit(False):\n    print(f(4.0))\n"
    )
    assert printed(source) == [
        *("run JitTracer(~float32[])", "2.0", "4.0"),
        *("run 3.0", "6.0", "run 3.0", "6.0", "8.0"),
    ]
