"""What metrics hold, and metrics that are given it: as Keras 3.15 prints it."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed, run


def test_a_mean_shows_its_total_and_its_count() -> None:
    assert printed(
        """
m = tf.keras.metrics.Mean(name="loss")
m.update_state([1., 3.])
print(m.variables)
print([one.name for one in tf.keras.metrics.Sum().variables], m.variables[0].dtype)
"""
    ) == [
        "[<Variable path=loss/total, shape=(), dtype=float32, value=4.0>, "
        "<Variable path=loss/count, shape=(), dtype=float32, value=2.0>]",
        "['total'] float32",
    ]


def test_a_metric_is_given_what_it_holds_and_gives_it_back() -> None:
    assert printed(
        """
m = tf.keras.metrics.SparseCategoricalAccuracy()
labels, scores = np.array([0, 1, 2]), np.array([[1., 0, 0], [0, 1, 0], [1, 0, 0]])
held = m.stateless_update_state(m.variables, labels, scores)
print([one.numpy() for one in held], m.stateless_result(held).numpy(), m.result().numpy())
print([one.numpy() for one in m.stateless_reset_state()])
"""
    ) == ["[2.0, 3.0] 0.6666667 0.0", "[0.0, 0.0]"]


def test_a_metric_that_holds_something_else_refuses_to_show_it() -> None:
    (error,) = [
        one for one in run("tf.keras.metrics.AUC().variables")["diagnostics"] if one["severity"] == "error"
    ]
    assert error["message"] == "The variables of AUC are not given out."
