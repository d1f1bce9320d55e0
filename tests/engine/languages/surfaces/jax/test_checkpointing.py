"""`jax.checkpoint` in jaxprs and gradients, checked against the real library."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax.ad_checkpoint import checkpoint_name\n"


def printed(source: str) -> list[str]:
    """What a program prints."""
    return list(run_program(ProgramRequest(source=HEAD + source))["printed"])


def test_the_linear_part_begins_with_the_function_again() -> None:
    source = "print(jax.make_jaxpr(jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)))))(2.0))"
    assert printed(source) == [
        "{ lambda ; a:f32[]. let",
        "    b:f32[] = sin a",
        "    _:f32[] = sin b",
        "    c:f32[] = remat2[",
        "      differentiated=True",
        "      jaxpr={ lambda ; d:f32[] e:f32[]. let",
        "          f:f32[] = sin d",
        "          g:f32[] = cos d",
        "          h:f32[] = cos f",
        "          i:f32[] = mul e h",
        "          j:f32[] = mul i g",
        "        in (j,) }",
        "      policy=None",
        "      prevent_cse=True",
        "    ] a 1.0:f32[]",
        "  in (c,) }",
    ]


def test_a_policy_keeps_what_has_a_name() -> None:
    source = (
        "keep = jax.checkpoint_policies.save_only_these_names('s')\n"
        "f = jax.checkpoint(lambda x: jnp.cos(checkpoint_name(jnp.sin(x), 's')), policy=keep)\n"
        "print(jax.make_jaxpr(jax.grad(f))(1.0))"
    )
    assert printed(source) == [
        "{ lambda ; a:f32[]. let",
        "    b:f32[] = sin a",
        "    c:f32[] = name[name=s] b",
        "    d:f32[] = reduce_precision[exponent_bits=8 mantissa_bits=23] c",
        "    _:f32[] = cos d",
        "    e:f32[] = remat2[",
        "      differentiated=True",
        "      jaxpr={ lambda ; f:f32[] g:f32[] h:f32[]. let",
        "          i:f32[] = cos g",
        "          j:f32[] = sin f",
        "          k:f32[] = neg h",
        "          l:f32[] = mul k j",
        "          m:f32[] = mul l i",
        "        in (m,) }",
        "      policy=SaveOnlyTheseNames(saveable_names=frozenset({'s'}))",
        "      prevent_cse=True",
        "    ] d a 1.0:f32[]",
        "  in (e,) }",
    ]


def test_a_policy_that_keeps_all_leaves_products_alone_to_the_linear_part() -> None:
    source = (
        "keep = jax.checkpoint_policies.everything_saveable\n"
        "f = jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)), policy=keep)\n"
        "jaxpr = jax.make_jaxpr(jax.grad(f))(1.0)\n"
        "print([str(e.primitive) for e in jaxpr.eqns])\n"
        "print([str(e.primitive) for e in jaxpr.eqns[-1].params['jaxpr'].eqns])"
    )
    assert printed(source) == ["['sin', 'cos', 'sin', 'cos', 'remat2']", "['mul', 'mul']"]


def test_gradients_pass_through_loops_branches_and_own_rules() -> None:
    source = (
        "from jax import lax\n"
        "scan = lambda x: lax.scan(lambda c, _: (jnp.sin(c), c * x), x, None, length=3)[0]\n"
        "print(jax.grad(jax.checkpoint(scan))(1.0))\n"
        "g = jax.checkpoint(lambda x: jax.jit(jnp.sin)(x) * x + lax.cond(x > 0, jnp.sin, jnp.cos, x))\n"
        "print(jax.grad(g)(1.0), jax.vmap(jax.grad(g))(jnp.arange(3.0)))\n"
        "k = jax.custom_jvp(lambda x: x**2)\nk.defjvps(lambda t, ans, x: 7.0 * x * t)\n"
        "print(jax.hessian(jax.checkpoint(lambda x: k(x) * x))(1.0))\n"
        "print(jax.grad(jax.checkpoint(lambda x, n: x**n, static_argnums=(1,)))(3.0, 2))"
    )
    assert printed(source) == ["0.26450825", "1.9220755 [ 0.          1.9220755  -0.33914313]", "21.0", "6.0"]
