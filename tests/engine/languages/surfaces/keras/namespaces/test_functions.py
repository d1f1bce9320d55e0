"""`keras.ops`, where it is not TensorFlow's function of that name: what Keras 3.15 printed."""

from __future__ import annotations

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
