"""Optimizers by name and as dictionaries, their count of steps, and Lion, as in Keras 3.15."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed, run


def test_optimizers_by_name_and_from_dictionaries() -> None:
    assert printed(
        """
O = tf.keras.optimizers
made = O.deserialize({"class_name": "Adam", "config": {"learning_rate": 0.25}})
print(type(O.get("adamw")).__name__, made.learning_rate)
one = O.SGD(0.5)
print(O.get(one) is one, O.serialize(one)["config"]["momentum"], O.serialize(one)["class_name"])
"""
    ) == [
        "AdamW <Variable path=adam/learning_rate, shape=(), dtype=float32, value=0.25>",
        "True 0.0 SGD",
    ]
    refused = run("tf.keras.optimizers.get('foo')")["diagnostics"][0]["message"]
    assert refused == "Could not interpret optimizer identifier: foo"


def test_the_count_of_steps_is_a_variable() -> None:
    assert printed(
        """
o, v = tf.keras.optimizers.RMSprop(), tf.Variable(1.)
o.apply_gradients([(tf.constant(1.), v)])
print(o.iterations, o.iterations + 1, int(o.iterations))
"""
    ) == [
        "<Variable path=rm_sprop/iteration, shape=(), dtype=int64, value=1> "
        "tf.Tensor(2, shape=(), dtype=int64) 1"
    ]


def test_lion_steps_by_signs() -> None:
    assert printed(
        """
l, w = tf.keras.optimizers.Lion(0.01, beta_1=.8), tf.Variable([1., 2., 3.])
for g in ([1., -2., 0.], [-.5, 1., 3.], [0.1, 0.1, -.2]):
    l.apply_gradients([(tf.constant(g), w)])
    print(w.numpy())
print(l.variables[2].path, l.variables[2].numpy())
"""
    ) == [
        "[0.99 2.01 3.  ]",
        "[1.   2.   2.99]",
        "[0.99 1.99 3.  ]",
        "lion/Variable_0_momentum [ 0.00585099 -0.00870199  0.02769997]",
    ]
