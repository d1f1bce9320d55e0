"""`tf.autodiff.ForwardAccumulator`, as TensorFlow 2.21 computes it."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed, run


def test_derivatives_are_carried_forward_through_a_tape_as_well() -> None:
    assert printed(
        """
a = tf.constant([1., 2., 3.])
with tf.autodiff.ForwardAccumulator(a, tf.constant([0., 1., 0.])) as acc:
    with tf.GradientTape() as tape:
        tape.watch(a)
        z = tf.reduce_sum(tf.exp(a) * a)
    g = tape.gradient(z, a)
    y = tf.reduce_sum(a ** 3) * a
print(acc.jvp(z).numpy().round(4), acc.jvp(g).numpy().round(4).tolist(), acc.jvp(y).numpy())
print(acc.jvp(tf.constant(1.)), acc.jvp(tf.constant(1.), unconnected_gradients="zero").numpy())
"""
    ) == ["22.1672 [0.0, 29.55620002746582, 0.0] [12. 60. 36.]", "None 0.0"]


def test_a_variable_goes_out_in_its_direction() -> None:
    assert printed(
        """
v = tf.Variable([[1., 2.], [3., 4.]])
with tf.autodiff.ForwardAccumulator(v, tf.ones((2, 2))) as acc:
    out = tf.matmul(v, v)
print(acc.jvp(out).numpy().tolist())
"""
    ) == ["[[7.0, 9.0], [11.0, 13.0]]"]


def test_a_tangent_has_the_shape_of_its_primal() -> None:
    refused = run("tf.autodiff.ForwardAccumulator(tf.ones(3), tf.ones(2))")["diagnostics"][0]
    assert "does not fit a primal" in refused["message"]
