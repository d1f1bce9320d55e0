"""`jax.new_ref`: arrays that change in place. Expected values were printed by JAX 0.10.2."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

HEAD = "import jax\nimport jax.numpy as jnp\ndef put(ref, key, value):\n    ref[key] = value\n"
CELLS = HEAD + "c = jax.new_ref(0.)\no = jax.new_ref(jnp.zeros(3))\n"
DOUBLED = "@jax.jit\ndef h(x):\n    c[...] += x\n    return c[...] * 2\n"
SINE = "def g(x):\n    y = jax.new_ref(0.)\n    y[...] = jnp.sin(x)\n    return y[...] ** 2\n"


def printed(source: str) -> str:
    """What a program prints."""
    answer = run_program(ProgramRequest(source=source), ROOMY)
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            "o[0] = 2.5\no[1] += 1.\nprint(o, o.shape, o.dtype, len(o), o[-1], o[...])",
            "Ref([2.5, 1. , 0. ], dtype=float32) (3,) float32 3 0.0 [2.5 1.  0. ]",
            id="items",
        ),
        pytest.param(
            "M = jax.new_ref(jnp.arange(12.).reshape(3, 4))\nM[1] = M[0]\nM[0, :3] = M[:, 1]\n"
            "M[jnp.array([1, 2, 1]), jnp.array([0, 0, 1])] = M[jnp.array([0, 0, 1]), jnp.array([1, 2, 3])]\n"
            "M[1] *= 2.\nprint(M[...])",
            "[[ 1.  1.  9.  3.]\n [ 2.  6.  4.  6.]\n [ 9.  9. 10. 11.]]",
            id="subscripts",
        ),
        pytest.param(
            "a = jnp.zeros(2)\nq = jax.new_ref(a)\nq[0] = 1.\nprint(a, jax.freeze(q))",
            "[0. 0.] [1. 0.]",
            id="copy",
        ),
        pytest.param(
            "print(jax.ref.swap(o, 0, 9.), jax.ref.get(o, 0))\njax.ref.set(o, 1, 8.)\n"
            "jax.ref.addupdate(o, 2, 1.)\nprint(o)",
            "0.0 9.0\nRef([9., 8., 1.], dtype=float32)",
            id="functions",
        ),
        pytest.param(
            DOUBLED + "print(h(2.), h(3.), c)", "4.0 10.0 Ref(5., dtype=float32)", id="jit-from-outside"
        ),
        pytest.param(
            DOUBLED
            + "@jax.jit\ndef outer(x):\n    h(x)\n    b = jax.new_ref(jnp.zeros(2))\n    b[0] = h(x)\n"
            "    return jax.freeze(b)\nprint(outer(1.), outer(10.), c)",
            "[4. 0.] [44.  0.] Ref(22., dtype=float32)",
            id="jit-in-jit",
        ),
        pytest.param(
            "z = jax.new_ref(jnp.zeros(3, int))\n@jax.jit\ndef count(k):\n    z[k] += 1\n"
            "for k in [0, 2, 2]:\n    count(k)\nprint(z)",
            "Ref([1, 0, 2], dtype=int32)",
            id="jit-at-a-place",
        ),
        pytest.param(
            SINE + "print(jax.grad(g)(1.), jax.jit(jax.grad(g))(1.), jax.vmap(jax.grad(g))(jnp.arange(3.)))",
            "0.90929735 0.90929735 [ 0.          0.90929735 -0.7568025 ]",
            id="gradient",
        ),
        pytest.param(
            SINE + "print(jax.jvp(g, (1.,), (2.,)))",
            "(Array(0.7080734, dtype=float32, weak_type=True), "
            "Array(1.8185947, dtype=float32, weak_type=True))",
            id="jvp",
        ),
        pytest.param(
            "jax.vmap(lambda x, r: put(r, ..., 2 * x))(jnp.arange(3.), o)\nprint(o)\n"
            "jax.jit(lambda x, r: put(r, ..., r[...] + x))(jnp.ones(3), o)\nprint(o)",
            "Ref([0., 2., 4.], dtype=float32)\nRef([1., 3., 5.], dtype=float32)",
            id="arguments",
        ),
        pytest.param(
            "t = jax.new_ref(jnp.zeros((2, 3)))\no[0] = 1.\n"
            "jax.vmap(lambda x, t, o: put(t, 0, x + o[0]), in_axes=(0, 1, None))(jnp.arange(3.), t, o)\n"
            "print(t[...], jax.vmap(lambda x: o[0] + x)(jnp.arange(3.)), jax.grad(lambda x: o[0] * x)(1.))",
            "[[1. 2. 3.]\n [0. 0. 0.]] [1. 2. 3.] 1.0",
            id="axes",
        ),
    ],
)
def test_references_hold_what_is_written(source: str, expected: str) -> None:
    assert printed(CELLS + source) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("put(o, 0, 1)", "ValueError Invalid dtype for `swap`. Ref dtype: float32. Value dtype: int32. "),
        ("put(o, ..., 1.)", "ValueError Invalid shape for `swap`. Ref shape: (3,). Expected shape: (3,)."),
        ("o[5]", "ValueError Out of bound indexer: idx=5, dim=3."),
        ("o + 1", "TypeError unsupported operand type(s) for +: 'Ref' and 'int'"),
        ("jnp.sin(o)", "TypeError sin requires ndarray or scalar arguments"),
        ("jax.new_ref([1., 2.])", "TypeError Error interpreting argument to new_ref as a JAX value."),
        (
            "jax.grad(lambda x: (put(c, ..., x), x)[1])(1.)",
            "Exception performing a set/swap operation with a differentiated value on a non-differentiated",
        ),
        (
            "jax.vmap(lambda x: put(c, ..., x))(jnp.arange(3.))",
            "Exception performing a set/swap operation with vmapped value on an unbatched array reference",
        ),
        (
            "jax.vmap(lambda x: put(c, ..., 7.))(jnp.arange(3.))",
            "Exception performing a set/swap operation with vmapped value on an unbatched array reference",
        ),
        (
            "jax.jit(lambda a, b: put(a, 0, 1.))(o, o)",
            "ValueError only one reference to a mutable array may be",
        ),
    ],
)
def test_what_jax_does_not_write_raises(call: str, expected: str) -> None:
    tried = (
        f"try:\n    {call}\nexcept Exception as error:\n    print(type(error).__name__, error)\nprint(c, o)"
    )
    said, after = printed(CELLS + tried).rsplit("\n", 1)
    assert said.startswith(expected)
    assert after == "Ref(0., dtype=float32, weak_type=True) Ref([0., 0., 0.], dtype=float32)"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("jax.lax.scan(lambda a, x: (put(o, 0, x), x)[::-1], 0., o[...])", "in the body of a loop"),
        ("jax.make_jaxpr(lambda x: put(o, 0, x))(1.)", "no jaxpr"),
        ("jax.make_jaxpr(lambda x, r: put(r, 0, x))(1., o)", "no jaxpr"),
    ],
)
def test_what_is_left_out_is_said(call: str, words: str) -> None:
    answer = run_program(ProgramRequest(source=CELLS + call), ROOMY)
    (reported,) = [one for one in answer["diagnostics"] if one["severity"] == "error"]
    assert reported["code"] == "unsupported"
    assert words in reported["message"]
