"""Functions of jnp, jnp.fft and jax.random: what JAX 0.10.2 prints of each line, its errors among them."""

import pytest

from engine.programs import ProgramRequest, run_program

BEFORE = """
import jax
import jax.numpy as jnp
z = jnp.array([1 + 2j, 3 - 1j])
x = jnp.array([1., 3., 8.])
m = jnp.arange(6.).reshape(2, 3)
key = jax.random.key(42)
"""
SEEN = [
    ("z.real, z.imag, jnp.conj(z), jnp.abs(z)", "[1. 3.] [ 2. -1.] [1.-2.j 3.+1.j] [2.236068  3.1622777]"),
    (
        "jnp.angle(z), jnp.isreal(z), jnp.iscomplex(z)",
        "[ 1.1071488  -0.32175055] [False False] [ True  True]",
    ),
    (
        "z / (1 + 1j), z / 2, z.mean(), jnp.vdot(z, z)",
        "[1.5+0.5j 1. -2.j ] [0.5+1.j  1.5-0.5j] (2+0.5j) (15+0j)",
    ),
    (
        "x[:2] * 1j, z + 1.5, 2 - z, jnp.linalg.norm(z)",
        "[0.+1.j 0.+3.j] [2.5+2.j 4.5-1.j] [ 1.-2.j -1.+1.j] 3.8729835",
    ),
    (
        "repr(jnp.array(2.5 - 1j)), jnp.zeros(2, dtype=complex)",
        "Array(2.5-1.j, dtype=complex64, weak_type=True) [0.+0.j 0.+0.j]",
    ),
    (
        "jnp.fft.fft(x[:2]), jnp.fft.rfft(jnp.array([1., 0., -1., 0.]))",
        "[ 4.+0.j -2.+0.j] [0.+0.j 2.+0.j 0.+0.j]",
    ),
    ("jnp.fft.ifft(jnp.fft.fft(jnp.array([1., 0., 2., 0.]))).real", "[1. 0. 2. 0.]"),
    (
        'jnp.fft.irfft(jnp.array([2., 1., 0.]), n=4), jnp.fft.fft(x[:2], norm="ortho")',
        "[1.  0.5 0.  0.5] [ 2.828427 +0.j -1.4142135+0.j]",
    ),
    (
        "jnp.fft.fft2(jnp.eye(2)), jnp.fft.fftshift(jnp.arange(5)), jnp.fft.fftfreq(4)",
        "[[2.+0.j 0.+0.j]\n [0.+0.j 2.+0.j]] [3 4 0 1 2] [ 0.    0.25 -0.5  -0.25]",
    ),
    ('jnp.pad(x, (1, 2), mode="linear_ramp", end_values=(5, -1))', "[ 5.   1.   3.   8.   3.5 -1. ]"),
    (
        'jnp.pad(m, 1, mode="mean")',
        "[[2.5 1.5 2.5 3.5 2.5]\n [1.  0.  1.  2.  1. ]\n [4.  3.  4.  5.  4. ]\n [2.5 1.5 2.5 3.5 2.5]]",
    ),
    ('jnp.pad(x, 2, mode="maximum", stat_length=2)', "[3. 3. 1. 3. 8. 8. 8.]"),
    (
        "jnp.pad(m, ((0, 1), (2, 0)), constant_values=((1, 2), (3, 4)))",
        "[[3. 3. 0. 1. 2.]\n [3. 3. 3. 4. 5.]\n [3. 3. 2. 2. 2.]]",
    ),
    ('jnp.pad(x, 1, mode="foo")', "NotImplementedError: Unimplemented padding mode 'foo' for np.pad."),
    (
        "jnp.pad(x, 1, end_values=2)",
        "ValueError: unsupported keyword arguments for mode 'constant': {'end_values'}",
    ),
    (
        "jax.random.randint(key, (5,), -5, 5, dtype=jnp.int8), jax.random.randint(key, (3,), 0, 256, "
        "dtype=jnp.uint8)",
        "[-1 -1 -4  4  4] [196  18 183]",
    ),
    ("jax.random.f(key, 3., 4., (2,)) > 0.5", "[ True False]"),
    ('jnp.quantile(x, 0.3, method="higher"), jnp.percentile(x, 30, method="midpoint")', "3.0 2.0"),
    ("jnp.unique(jnp.array([5, 2, 5]), size=4, fill_value=-1)", "[ 2  5 -1 -1]"),
    (
        "jnp.unique(jnp.array([5, 2, 5]), size=3, return_counts=True)",
        "(Array([2, 5, 2], dtype=int32), Array([1, 2, 0], dtype=int32))",
    ),
    ("jnp.partition(jnp.array([5, 2, 8, 2, 9, 1]), 2)", "[1 2 2 9 8 5]"),
    (
        "jnp.add.reduce(m), jnp.maximum.accumulate(jnp.array([1, 3, 2])), jnp.multiply.outer(jnp.arange(2), "
        "jnp.arange(3))",
        "[3. 5. 7.] [1 3 3] [[0 0 0]\n [0 1 2]]",
    ),
    (
        "jnp.float32, jnp.iinfo(jnp.int8), x.at",
        "<class 'jax.numpy.float32'> iinfo(min=-128, max=127, dtype=int8) _IndexUpdateHelper(Array([1., 3., "
        "8.], dtype=float32))",
    ),
    ("jnp.array(2**40)", "OverflowError: Python int 1099511627776 too large to convert to int32"),
    (
        "x * 2**40",
        "OverflowError: An overflow was encountered while parsing an argument to a jitted computation, whose "
        "argument path is y. Got <class 'int'> with value 1099511627776",
    ),
    (
        "2**31 - jnp.arange(3)",
        "OverflowError: An overflow was encountered while parsing an argument to a jitted computation, whose "
        "argument path is x. Got <class 'int'> with value 2147483648",
    ),
    ("jnp.array([300], dtype=jnp.uint8)", "OverflowError: Python integer 300 out of bounds for uint8"),
    ("jnp.int8(200)", "OverflowError: Python integer 200 out of bounds for int8"),
    (
        "jnp.where(x > 0, 2**40, 0)",
        "OverflowError: An overflow was encountered while parsing an argument to a jitted computation, whose "
        "argument path is x. Got <class 'int'> with value 1099511627776",
    ),
    (
        "jnp.uint32(2**32 - 1), jnp.full((2,), 2**32 - 1, dtype=jnp.uint32)",
        "4294967295 [4294967295 4294967295]",
    ),
    ("{x: 1}", "TypeError: unhashable type: 'jaxlib._jax.ArrayImpl'"),
    ("jnp.expand_dims(x, 5)", "ValueError: axis 5 is out of bounds for array of dimension 2"),
    ("jnp.take(x, 1.5)", "ValueError: indices must have an integer type"),
    (
        'jnp.einsum("ij,jk", m, m)',
        "ValueError: Size of label 'j' for operand 1 (3) does not match previous terms (2).",
    ),
    (
        'jnp.einsum("ijk", m)',
        "ValueError: Einstein sum subscript 'ijk' does not contain the correct number of indices for operand "
        "0.",
    ),
    ("jnp.split(x, 2)", "ValueError: array split does not result in an equal division: rest is 1"),
    ("jnp.array(None)", "ValueError: None is not a valid value for jnp.array"),
    (
        'jnp.array("abc")',
        "TypeError: Value 'abc' with dtype <U3 is not a valid JAX array type. Only arrays of numeric types "
        "are supported by JAX.",
    ),
    (
        "jnp.transpose(m, (0, 0))",
        "TypeError: transpose permutation isn't a permutation of operand dimensions, got permutation (0, 0) "
        "for operand shape (2, 3).",
    ),
    ("jnp.swapaxes(m, 0, 2)", "IndexError: index 2 is out of bounds for axis 0 with size 2"),
    ("jnp.stack([])", "ValueError: Need at least one array to stack."),
    (
        "jnp.interp(1., jnp.ones(2), jnp.ones(3))",
        "ValueError: xp and fp must be one-dimensional arrays of equal size",
    ),
    ("jnp.diag(jnp.ones((2, 2, 2)))", "ValueError: diag input must be 1d or 2d"),
    (
        "m.reshape(-1, -1)",
        "TypeError: can only specify one unknown axis size with a `-1` value, got (-1, -1)",
    ),
    ("jnp.bincount(x)", "TypeError: x argument to bincount must have an integer type; got float32"),
    ("jnp.linspace(0, 1, -1)", "ValueError: Number of samples, -1, must be non-negative."),
    ("jnp.sum(x, dims=1)", "TypeError: sum() got an unexpected keyword argument 'dims'"),
    ("jnp.zeros()", "TypeError: zeros() missing 1 required positional argument: 'shape'"),
    ("x.at[0].foo(1)", "AttributeError: '_IndexUpdateRef' object has no attribute 'foo'"),
    (
        'x.view(jnp.int32), x.view("f4"), jnp.zeros(2, "u2").dtype',
        "[1065353216 1077936128 1090519040] [1. 3. 8.] uint16",
    ),
    (
        "jax.nn.softmax(jnp.array([1, 2, 3], dtype=jnp.uint8)), jax.nn.log_softmax(jnp.array([1, 2], "
        "dtype=jnp.uint8))",
        "[nan nan  0.] [-inf -inf]",
    ),
    ("jax.nn.softmax(jnp.array([3, 1], dtype=jnp.int8))", "[0.880797   0.11920291]"),
    (
        "jnp.polydiv(jnp.array([2., 5., 1., 7.]), jnp.array([2., 1.]))",
        "(Array([ 1. ,  2. , -0.5], dtype=float32), Array([0. , 0. , 0. , 7.5], dtype=float32))",
    ),
    ("jax.random.randint(key, (2, 2), jnp.array([0, 10]), jnp.array([5, 20]))", "[[ 4 14]\n [ 1 19]]"),
    (
        "jax.random.choice(key, jnp.arange(3), (2,), p=jnp.ones(2))",
        "ValueError: p must be None or a 1D vector with the same size as a.shape[axis]. p has shape (2,) and "
        "a.shape[axis] is 3.",
    ),
    (
        "jax.random.normal(key, dtype=jnp.int32)",
        "ValueError: dtype argument to `normal` must be a float or complex dtype, got int32",
    ),
    (
        "jax.random.uniform(key, dtype=jnp.int32)",
        "ValueError: dtype argument to `uniform` must be a float dtype, got int32",
    ),
    (
        "jax.random.randint(key, (2,), 0, 3, dtype=jnp.float32)",
        "TypeError: randint only accepts integer dtypes, got float32",
    ),
    (
        "jax.random.bits(key, (2,), jnp.float32)",
        "ValueError: dtype argument to `bits` must be an unsigned int dtype, got float32",
    ),
    ("jax.random.normal((2,), key)", "TypeError: unexpected PRNG key type <class 'tuple'>"),
    (
        "jax.random.normal(jax.random.split(jax.random.PRNGKey(0), 3), (2,))",
        "ValueError: normal accepts a single key, but was given a key array of shape (3, 2) != (). Use "
        "jax.vmap for batching.",
    ),
    ("jax.random.gumbel(jax.random.key(0), dtype=jnp.bfloat16)", "0.835938"),
    ('hasattr(jax.random, "shuffle")', "False"),
    (
        "jnp.linspace(-3, 3, 5, endpoint=False)",
        "[-3.         -1.8        -0.6         0.60000014  1.8000002 ]",
    ),
    (
        "jax.scipy.special.gammaln(jnp.array([1., 3., 4.5])), jax.scipy.special.erf(jnp.array([-1., 2.]))",
        "[4.7683716e-07 6.9314742e-01 2.4537382e+00] [-0.84270084  0.9953222 ]",
    ),
    (
        "jnp.power(jnp.array([1.7, 2.3]), 2.5), jnp.geomspace(1., 8., 3)",
        "[3.7680993 8.022682 ] [1.       2.828427 8.      ]",
    ),
]


@pytest.mark.parametrize(("line", "wanted"), SEEN)
def test_prints_what_jax_prints(line: str, wanted: str) -> None:
    source = (
        f"{BEFORE}try:\n    print({line})\nexcept Exception as e:\n"
        "    print(type(e).__name__ + ': ' + str(e).split('\\n')[0])\n"
    )
    answer = run_program(ProgramRequest(source, dialect="jax"))
    assert "\n".join(answer["printed"]) == wanted, answer["diagnostics"]


LEFT_OUT = ("jnp.linalg.svd(jnp.outer(z, z))", "jnp.linalg.cholesky(jnp.outer(z, z))")


@pytest.mark.parametrize("line", LEFT_OUT)
def test_refuses_what_is_left_out_of_complex_numbers(line: str) -> None:
    answer = run_program(ProgramRequest(f"{BEFORE}print({line})", dialect="jax"))
    assert [one["code"] for one in answer["diagnostics"]] == ["refused_name"]
    assert answer["printed"] == []


def test_complex_numbers_have_both_parts_in_an_answer() -> None:
    answer = run_program(
        ProgramRequest("import jax.numpy as jnp\nz = jnp.array([1 + 2j, 3.0])", dialect="jax")
    )
    assert answer["bindings"][0]["value"] == {"dtype": "complex64", "shape": [2], "data": ["1+2j", "3+0j"]}


def test_a_transform_of_each_row_is_one_of_the_last_axis() -> None:
    source = "import jax\nimport jax.numpy as jnp\nprint(jax.vmap(jnp.fft.fft)(jnp.eye(2)))\n"
    source += "print(jax.make_jaxpr(lambda a: jnp.abs(jnp.fft.fft(a)))(jnp.ones(3)))"
    answer = run_program(ProgramRequest(source, dialect="jax"))
    assert "\n".join(answer["printed"]) == (
        "[[ 1.+0.j  1.+0.j]\n [ 1.+0.j -1.+0.j]]\n"
        "{ lambda ; a:f32[3]. let\n    b:c64[3] = jit[\n      name=fft\n"
        "      jaxpr={ lambda ; a:f32[3]. let\n"
        "          c:c64[3] = convert_element_type[new_dtype=complex64 weak_type=False] a\n"
        "          b:c64[3] = fft[fft_lengths=(3,) fft_type=0] c\n        in (b,) }\n    ] a\n"
        "    d:f32[3] = abs b\n  in (d,) }"
    )


def test_running_sums_are_added_up_in_the_order_of_jax() -> None:
    source = "import jax\nimport jax.numpy as jnp\nx = (jnp.arange(40.) * 37 % 19 - 9) / 7\n"
    source += "print(jnp.cumsum(x)[::7])\nprint(jax.lax.cumsum(x, reverse=True)[:22:7])\n"
    source += "print(jnp.cumprod(1 + x / 50)[::9])"
    assert run_program(ProgramRequest(source, dialect="jax"))["printed"] == [
        "[-1.2857144  4.714286   3.7142856  1.1428574  5.1428576  2.1428576]",
        "[ 4.7683716e-07 -4.2857141e+00 -4.2857141e+00  0.0000000e+00]",
        "[0.9742857 1.1066892 0.9976755 1.1009712 1.0186396]",
    ]
