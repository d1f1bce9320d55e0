"""`keras.ops`, where it is not TensorFlow's function of that name: what Keras 3.15 printed."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed


def test_running_sums_and_products_go_over_all_of_it_where_no_axis_is_given() -> None:
    assert printed(
        """
from keras import ops
x = tf.constant([[1., 2.], [3., 4.]])
print(ops.cumsum(x).numpy(), ops.cumprod(x).numpy())
print(ops.cumsum(x, axis=1).numpy().tolist(), ops.cumprod(x, axis=0).numpy().tolist())
"""
    ) == ["[ 1.  3.  6. 10.] [ 1.  2.  6. 24.]", "[[1.0, 3.0], [3.0, 7.0]] [[1.0, 2.0], [3.0, 8.0]]"]


def test_gelu_is_the_nearly_equal_one_by_default() -> None:
    assert printed(
        """
from keras import ops
x = tf.constant([-1., 1.])
print(ops.gelu(x).numpy().round(5), ops.gelu(x, approximate=False).numpy().round(5))
"""
    ) == ["[-0.15881  0.84119] [-0.15866  0.84134]"]


def test_edges_and_triangles() -> None:
    assert printed(
        """
from keras import ops
x = np.array([[1., 2., 3.], [4., 5., 6.]], "float32")
print(ops.pad(x, ((1, 0), (0, 1))).numpy().tolist(), int(ops.size(x)))
print(ops.tril(x).numpy().tolist(), ops.triu(x, k=1).numpy().tolist())
"""
    ) == [
        "[[0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 3.0, 0.0], [4.0, 5.0, 6.0, 0.0]] 6",
        "[[1.0, 0.0, 0.0], [4.0, 5.0, 0.0]] [[0.0, 2.0, 3.0], [0.0, 0.0, 6.0]]",
    ]


# -- names of arguments, types, and what numpy has -----------------------------------------------------

BEGIN = """
from keras import ops
i, v = ops.array([1, 2, 3]), ops.array([1., 2., 3.])
a = ops.array([[1., 2., 3.], [4., 5., 6.]])
"""


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("ops.identity(2)", "[[1.0, 0.0], [0.0, 1.0]]"),
        ("ops.eye(3, k=1)", "[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]"),
        ("ops.trace(a, 1)", "8.0"),
        ("ops.one_hot(x=[0, 2], num_classes=3, axis=0)", "[[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]"),
        ("ops.linspace(0., 1., 4, endpoint=False)", "[0.0, 0.25, 0.5, 0.75]"),
        ("ops.reshape(v, newshape=(3, 1))", "[[1.0], [2.0], [3.0]]"),
        ("ops.leaky_relu(-v, negative_slope=0.5)", "[-0.5, -1.0, -1.5]"),
        ("ops.tile(v, 2)", "[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]"),
        ("ops.matmul(a, v)", "[14.0, 32.0]"),
        ("ops.take_along_axis(a, ops.argsort(-a, axis=1), axis=1)", "[[3.0, 2.0, 1.0], [6.0, 5.0, 4.0]]"),
        ("ops.average(a, axis=1, weights=ops.array([1., 0., 1.]))", "[2.0, 5.0]"),
        ("ops.diag(v, 1)[0]", "[0.0, 1.0, 0.0, 0.0]"),
        ("ops.moveaxis(a, 0, 1)", "[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]"),
        ("ops.flip(a, axis=1)", "[[3.0, 2.0, 1.0], [6.0, 5.0, 4.0]]"),
        ("ops.roll(a, 1)", "[[6.0, 1.0, 2.0], [3.0, 4.0, 5.0]]"),
        ("ops.vstack([v, v])", "[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]"),  # unlike numpy's
        ("ops.nonzero(a > 4)[1]", "[1, 2]"),
        ("ops.where(v > 1, 1, 0)", "[0, 1, 1]"),
    ],
)
def test_functions_as_numpy_has_them(call: str, shown: str) -> None:
    assert printed(f"{BEGIN}print(({call}).numpy().tolist())") == [shown]


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("ops.mean(i)", "2.0 float32"),
        ("ops.mean(np.array([1, 2, 4]))", "2.3333333 float32"),
        ("ops.divide(3, 2)", "1.5 float32"),
        ("ops.sqrt(4)", "2.0 float32"),
        ("ops.sum(i > 1)", "2 int32"),
        ("ops.max(ops.add(i, 0.5))", "3.5 float32"),
        ("ops.sum(ops.multiply(i, v))", "14.0 float32"),
        ("ops.max(ops.add(np.array([1., 2.]), [1., 2.]))", "4.0 float64"),
        ("ops.max(ops.maximum(i, True))", "3 int32"),
        ("ops.max(ops.linspace(0, 1, 5))", "1.0 float32"),
        ("ops.max(ops.full((2,), 3))", "3.0 float32"),
        ("ops.max(ops.concatenate([i, v]))", "3.0 float32"),
    ],
)
def test_types_are_keras_own(call: str, shown: str) -> None:
    assert printed(f"{BEGIN}r = {call}\nprint(r.numpy(), r.dtype.name)") == [shown]


def test_functions_of_symbolic_tensors_are_operations_and_no_layers() -> None:
    assert printed(
        """
from keras import ops
x = tf.keras.Input((2,))
m = tf.keras.Model(x, ops.mean(x, axis=1, keepdims=True) * ops.one_hot(ops.argmax(x, axis=-1), 2))
print([layer.name for layer in m.layers], m(np.array([[1., 3.]])).numpy())
"""
    ) == ["['input_layer'] [[0. 2.]]"]


def test_the_gradient_goes_through_what_is_brought_to_one_type() -> None:
    assert printed(
        """
from keras import ops
w = tf.Variable([1., 2.])
with tf.GradientTape() as tape:
    y = ops.sum(ops.square(ops.multiply(w, 3))) + ops.mean(ops.where(w > 1, w, 0))
print(tape.gradient(y, w).numpy())
"""
    ) == ["[18.  36.5]"]  # 18 w, and 1 / 2 where w counts
