"""`Lambda` with its settings, and models inside models, as Keras 3 under TensorFlow 2.21 computes them."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed, run


def test_a_function_of_two_inputs_with_its_arguments() -> None:
    assert printed(
        """
f = lambda v, k=1.0: tf.keras.ops.sum(v[0] - k * v[1], axis=1, keepdims=True)
a, b = tf.keras.Input((3,)), tf.keras.Input((3,))
y = L.Lambda(f, output_shape=(1,), arguments={"k": 2.0})([a, b])
m = tf.keras.Model([a, b], y)
print(y.shape, m.predict([np.ones((2, 3)), np.eye(3)[:2]], verbose=0).tolist())
"""
    ) == ["(None, 1) [[1.0], [1.0]]"]


def test_another_shape_than_the_one_that_was_said_is_refused() -> None:
    source = "a = tf.keras.Input((3,))\ny = L.Lambda(lambda x: x + x, output_shape=(2,))(a)"
    (found,) = run(source)["diagnostics"]
    assert found["message"].startswith(
        "The function of the layer lambda gives examples of the shape (3,), but output_shape says (2,)."
    )


def test_a_model_that_flattens_is_called_on_two_inputs() -> None:
    assert printed(
        """
tf.keras.utils.set_random_seed(0)
i = tf.keras.Input((4, 4, 1))
n = tf.keras.Model(i, L.Dense(2)(L.Flatten()(L.Reshape((2, -1))(i))))
a, b = tf.keras.Input((4, 4, 1)), tf.keras.Input((4, 4, 1))
m = tf.keras.Model([a, b], L.Dense(1)(L.Subtract()([n(a), n(b)])))
m.compile("sgd", "mse")
x = np.arange(64.0).reshape(4, 4, 4, 1) / 64
h = m.fit([x, x[::-1]], np.ones((4, 1)), epochs=2, verbose=0)
print(n(a).shape, np.round(h.history["loss"], 5).tolist())
"""
    ) == ["(None, 2) [1.47346, 1.33759]"]
