"""Lengths that are traced, and how types print. Expected texts are JAX's."""

import pytest

from engine.programs import ProgramRequest, run_program

TRACED = "Abstract tracer value encountered where concrete value is expected: traced array with shape "
REPEATS = (
    "When jit-compiling jnp.repeat, the total number of repeats must be static. To fix this, either specify "
    "a static value for `repeats`, or pass a static value to `total_repeat_length`."
)
COUNTED = (
    "The error occurred because of argument 'x' of jnp.bincount. To avoid this error, "
    "pass a static `length` argument."
)


def printed(lines: str) -> list[str]:
    source = "import jax, jax.numpy as jnp\nimport numpy as np\nx = jnp.array([1, 2, 2, 5])\n" + lines
    found = run_program(ProgramRequest(source=source, dialect="jax"))
    assert found["status"] == "ok", found["diagnostics"]
    lines_of: list[str] = found["printed"]
    return lines_of


@pytest.mark.parametrize(
    ("made", "context"),
    [
        ("jnp.linspace(0, 1, n)", "'num' argument of jnp.linspace"),
        ("jnp.logspace(0, 1, n)", "'num' argument of jnp.logspace"),
        ("jnp.geomspace(1, 2, n)", "'num' argument of jnp.geomspace"),
        ("jnp.arange(n)", "It arose in the jnp.arange argument 'stop'"),
        ("jnp.repeat(x, n)", REPEATS),
        ("jax.nn.one_hot(x, n)", "The error arose in jax.nn.one_hot argument `num_classes`."),
        ("jnp.split(x, n)", "in jax.numpy.split argument 1"),
        ("jnp.split(x, [n])", "in jax.numpy.split argument 1"),
        ("jnp.array_split(x, n)", "in jax.numpy.array_split argument 1"),
        ("jnp.vsplit(x.reshape(2, 2), n)", "in jax.numpy.vsplit argument 1"),
        ("jnp.bincount(x, length=n)", "The error occurred because of argument 'length' of jnp.bincount."),
    ],
)
def test_a_traced_length_is_named(made: str, context: str) -> None:
    called = f"jax.jit(lambda n: {made})(2)"
    caught = f"try:\n    {called}\nexcept jax.errors.ConcretizationTypeError as e:\n    print(e)"
    assert "\n".join(printed(caught)).split("\n")[:2] == [f"{TRACED}int32[]", context]


def test_bincount_of_traced_numbers_asks_for_a_length() -> None:
    caught = (
        "try:\n    jax.jit(jnp.bincount)(x)\nexcept jax.errors.ConcretizationTypeError as e:\n    print(e)"
    )
    assert "\n".join(printed(caught)).split("\n")[:2] == [f"{TRACED}int32[4]", COUNTED]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("jax.nn.one_hot(x, x.max() + 1).shape, jnp.linspace(0, 1, jnp.array(3))[1]", "(4, 6) 0.5"),
        ("jax.typeof(x), jax.typeof(1.0), [jax.typeof(x)]", "int32[4] ~float32[] [ShapedArray(int32[4])]"),
        (
            "repr(jax.typeof(1)), jax.typeof(x) == jax.typeof(x + 1)",
            "ShapedArray(int32[], weak_type=True) True",
        ),
        ("jax.typeof(x).shape, jax.typeof(x).dtype, jax.typeof(2).weak_type", "(4,) int32 True"),
        (
            "[jnp.finfo('float32')]",
            "[finfo(resolution=1e-06, min=-3.4028235e+38, max=3.4028235e+38, dtype=float32)]",
        ),
        (
            "[jnp.finfo(jnp.bfloat16)]",
            "[finfo(resolution=0.0100098, min=-3.38953e+38, max=3.38953e+38, dtype=bfloat16)]",
        ),
        ("[np.iinfo('int16')]", "[iinfo(min=-32768, max=32767, dtype=int16)]"),
        ("jnp.promote_types(int, float), jnp.promote_types(bool, int)", "float64 int64"),
        ("jnp.promote_types('int8', int), jnp.promote_types('int8', float)", "int8 float64"),
        ("jnp.promote_types('float16', float), jnp.promote_types(int, int)", "float16 int64"),
        ("jnp.promote_types(complex, 'float32'), jnp.promote_types('int32', 'float32')", "complex64 float32"),
        ("jnp.promote_types(complex, 'int8'), jnp.promote_types(float, complex)", "complex128 complex128"),
    ],
)
def test_prints(expression: str, expected: str) -> None:
    assert printed(f"print({expression})") == [expected]
