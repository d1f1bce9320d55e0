"""The graph of a formula is that of the TensorFlow 1 program that says the same, node for node."""

from __future__ import annotations

import pytest

from tests.engine.languages.mathematics.reading import run, shape_of_graph, tf1_graph


@pytest.mark.parametrize(
    ("formula", "program"),
    [
        ("exp(sin(x))^2", "y = tf.exp(tf.sin(x)) ** 2"),
        ("x² + 2x - 1/x", "y = x ** 2 + 2 * x - 1 / x"),
        ("softplus(x) + erf(x)", "y = tf.nn.softplus(x) + tf.erf(x)"),
        ("log10(x) + log2(x)", "y = tf.log(x) / np.log(10) + tf.log(x) / np.log(2)"),
        ("cbrt(x)", "y = tf.sign(x) * tf.abs(x) ** (1 / 3)"),
        ("if(x > 0, x^2, -x)", "y = tf.where(x > 0, x ** 2, -x)"),
        ("if(0 < x < 1, x, 0)", "y = tf.where(tf.logical_and(0 < x, x < 1), x, 0.)"),
        ("if(x >= 1 or x = 2, x, 0)", "y = tf.where(tf.logical_or(x >= 1, tf.equal(x, 2)), x, 0.)"),
        ("if(not x ≠ 2, x, 0)", "y = tf.where(tf.logical_not(tf.not_equal(x, 2)), x, 0.)"),
        ("sum(i, 1, 3, x^i)", "y = x ** 1 + x ** 2 + x ** 3"),
        ("prod(i, 1, 3, x + i)", "y = (x + 1) * (x + 2) * (x + 3)"),
        ("max(x, 2, 3) + min(x, 1)", "y = tf.maximum(tf.maximum(x, 2.), 3.) + tf.minimum(x, 1.)"),
        ("floor(x) + ceil(x) + mod(x, 2)", "y = tf.floor(x) + tf.ceil(x) + x % 2."),
        ("-x^2 sin x", "y = -(x ** 2) * tf.sin(x)"),
        ("f(t) = t^2 + 1\nf(x) + f(3)", "y = (x ** 2 + 1) + (3 ** 2 + 1)"),
        ("cot(x) + sec(x)", "y = 1 / tf.tan(x) + 1 / tf.cos(x)"),
    ],
)
def test_of_one_number(formula: str, program: str) -> None:
    assert shape_of_graph(run(formula, x=3)) == tf1_graph(program, x=3.0)


@pytest.mark.parametrize(
    ("formula", "program"),
    [
        ("sum(v^2) + mean(v)", "y = tf.reduce_sum(v ** 2) + tf.reduce_mean(v)"),
        ("norm(v)", "y = tf.norm(v)"),
        ("‖v‖ + max(v)", "y = tf.norm(v) + tf.reduce_max(v)"),
        ("dot(v, v)", "y = tf.reduce_sum(tf.multiply(v, v))"),
        ("v[2]^2", "y = v[1] ** 2"),
        ("v_1 v_2", "y = v[0] * v[1]"),
        ("sum(i, 1, 2, v_i v_{i+1})", "y = v[0] * v[1] + v[1] * v[2]"),
        ("v^T v", "y = tf.reduce_sum(tf.multiply(v, v))"),
        ("softmax(v)[1]", "y = tf.nn.softmax(v)[0]"),
    ],
)
def test_of_a_vector(formula: str, program: str) -> None:
    assert shape_of_graph(run(f"v = [1, 2, 3]\n{formula}")) == tf1_graph(program, v=[1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("formula", "program"),
    [
        ("sum(A @ A)", "y = tf.reduce_sum(A @ A)"),
        ("sum(A^T @ A)", "y = tf.reduce_sum(tf.transpose(A) @ A)"),
        ("sum(A A)", "y = tf.reduce_sum(tf.matmul(A, A))"),
        ("sum(A * A)", "y = tf.reduce_sum(A * A)"),
        ("trace(A) + det(A)", "y = tf.linalg.trace(A) + tf.linalg.det(A)"),
        ("A[1, 2] A_{2,1}", "y = A[0, 1] * A[1, 0]"),
        ("sum(A @ [1, 2])", "y = tf.reduce_sum(tf.linalg.matvec(A, tf.constant([1., 2.], tf.float64)))"),
        ("sum(A^-1)", "y = tf.reduce_sum(tf.linalg.inv(A))"),
    ],
)
def test_of_a_matrix(formula: str, program: str) -> None:
    rows = [[1.0, 2.0], [3.0, 4.0]]
    assert shape_of_graph(run(f"A = [[1, 2], [3, 4]]\n{formula}")) == tf1_graph(program, A=rows)
