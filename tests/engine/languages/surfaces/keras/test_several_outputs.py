"""Models with several inputs and outputs, weights of examples and classes: the numbers of Keras 3.15."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed, run

TWO = """
a, b = tf.keras.Input((1,), name="a"), tf.keras.Input((1,), name="b")
both = L.Concatenate()([a, b])
m = tf.keras.Model([a, b], [L.Dense(1, kernel_initializer="ones", name="u")(both), L.Dense(1, name="v",
                            kernel_initializer="zeros")(both)])
x, y = np.array([[1.], [2.]]), np.array([[3.], [4.]])
"""


def test_the_loss_of_several_outputs_is_their_sum_by_shares() -> None:
    """u is x + y, 4 and 6, off by 4 and 6 from 0; v is 0, off by 1 and 2 from x."""
    assert printed(
        TWO
        + """
m.compile("sgd", ["mse", "mae"], loss_weights=[1.0, 10.0])
print(m.evaluate([x, y], [0 * x, x], verbose=0, return_dict=True))
print([one.shape for one in m.predict({"a": x, "b": y}, verbose=0)])
"""
    )[:2] == [
        "{'loss': 41.0, 'u_loss': 26.0, 'v_loss': 1.5}",  # (16 + 36) / 2 + 10 * (1 + 2) / 2
        "[(2, 1), (2, 1)]",
    ]


def test_losses_and_labels_may_be_given_by_name() -> None:
    assert (
        printed(
            TWO
            + """
m.compile("sgd", {"v": "mae", "u": "mse"}, metrics={"v": ["mse"]})
h = m.fit({"a": x, "b": y}, {"u": x + y, "v": x}, verbose=0)
print(list(h.history), h.history["v_mse"])
"""
        )[0]
        == "['loss', 'u_loss', 'v_loss', 'v_mse'] [2.5]"  # (1 + 4) / 2
    )


def test_metrics_for_another_number_of_outputs_are_refused() -> None:
    answer = run(f'{TWO}m.compile("sgd", "mse", metrics=["mae"])\nm.fit([x, y], [x, y])')
    assert answer["diagnostics"][-1]["message"] == "The model has 2 outputs, but 1 metrics were given."


ONE = """
m = tf.keras.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(1,))])
x, y = np.array([[1.], [2.]]), np.array([0, 1])
"""


@pytest.mark.parametrize(
    ("given", "loss"),
    [
        ("class_weight={0: 1.0, 1: 3.0}", 2.0),  # (1 * 1 + 3 * 1) / 2
        ("sample_weight=np.array([2.0, 4.0])", 3.0),  # (2 * 1 + 4 * 1) / 2
    ],
)
def test_each_example_counts_by_its_weight(given: str, loss: float) -> None:
    source = f'{ONE}m.compile("sgd", "mse")\nprint(m.fit(x, y, verbose=0, {given}).history["loss"])'
    assert printed(source)[0] == f"[{loss}]"


def test_with_steps_the_next_epoch_goes_on_behind_the_last_batch() -> None:
    """Two steps of three batches: 0 and 1, then 2 alone, then from the start."""
    assert (
        printed(
            """
m = tf.keras.Sequential([L.Dense(1, kernel_initializer="zeros", trainable=False, input_shape=(1,))])
m.compile("sgd", "mae")
x = np.array([[1.], [2.], [3.]])
h = m.fit(x, x, batch_size=1, epochs=3, steps_per_epoch=2, shuffle=False, verbose=0)
print(h.history["loss"])
"""
        )[0]
        == "[1.5, 3.0, 1.5]"
    )


def test_the_rate_falls_where_the_loss_does_not() -> None:
    assert (
        printed(
            """
m = tf.keras.Sequential([L.Dense(1, kernel_initializer="zeros", trainable=False, input_shape=(1,))])
m.compile(tf.keras.optimizers.SGD(0.5), "mae")
x = np.array([[1.]])
h = m.fit(x, x, epochs=3, verbose=0, callbacks=[tf.keras.callbacks.ReduceLROnPlateau("loss", 0.1, 1, 1)])
print(h.history["learning_rate"][:2])
"""
        )[1]
        == "Epoch 2: ReduceLROnPlateau reducing learning rate to 0.05."
    )


def test_what_is_frozen_in_one_model_is_frozen_in_the_other() -> None:
    assert (
        printed(
            """
i = tf.keras.Input((2,))
e = L.Dense(1)(i)
whole, part = tf.keras.Model(i, L.Dense(1)(e)), tf.keras.Model(i, e)
part.trainable = False
print(len(whole.trainable_weights), len(whole.non_trainable_weights))
"""
        )[0]
        == "2 2"
    )


def test_a_mask_leaves_out_the_turns_that_are_filled_up() -> None:
    """The mean of rows 1 and 3 of the embedding, whose rows are their numbers."""
    assert (
        printed(
            """
e = L.Embedding(4, 1, mask_zero=True, weights=[np.array([[9.], [1.], [2.], [3.]])])
m = tf.keras.Sequential([e, L.GlobalAveragePooling1D()])
print(m.predict(np.array([[1, 3, 0, 0]]), verbose=0))
"""
        )[0]
        == "[[2.]]"
    )


def test_large_outputs_cost_by_example() -> None:
    """0.5 * (1 + 2) over two examples, beside a loss of 0."""
    assert (
        printed(
            """
m = tf.keras.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(1,),
                                 activity_regularizer=tf.keras.regularizers.l1(0.5))])
m.compile("sgd", "mse")
x = np.array([[1.], [2.]])
print(m.evaluate(x, x, verbose=0))
"""
        )[0]
        == "0.75"
    )


def test_a_constraint_holds_behind_each_step() -> None:
    assert (
        printed(
            """
m = tf.keras.Sequential([L.Dense(1, kernel_initializer="ones", use_bias=False, input_shape=(1,),
                                 kernel_constraint=tf.keras.constraints.NonNeg())])
m.compile(tf.keras.optimizers.SGD(10.0), "mse")
m.fit(np.array([[1.]]), np.array([[0.]]), verbose=0)
print(abs(m.get_weights()[0]))
"""
        )[0]
        == "[[0.]]"
    )


# Keras 3.15 knows no names for what a class of the program's own gives in a list: losses are called after
# themselves (of two with one name the last is shown), metrics have nothing before their names.
OWN = """
class Two(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.a, self.b = (L.Dense(1, kernel_initializer=one) for one in ("ones", "zeros"))
    def call(self, x):
        return self.a(x), self.b(x)
x, y = np.ones((4, 2)), [np.ones((4, 1)), 3 * np.ones((4, 1))]
def shown(**given):
    model = Two()
    model.compile(tf.keras.optimizers.SGD(0.0), **given)
    print({name: value[0] for name, value in model.fit(x, y, verbose=0).history.items()})
    print(model.evaluate(x, y, verbose=0), model.metrics_names)
"""


def test_losses_of_outputs_without_names_are_called_after_themselves() -> None:
    assert printed(OWN + 'shown(loss=["mse", tf.keras.losses.MeanAbsoluteError()])') == [
        "{'loss': 4.0, 'mean_absolute_error_loss': 3.0, 'mse_loss': 1.0}",
        "[4.0, 1.0, 3.0] ['loss', 'mse_loss', 'mean_absolute_error_loss']",
    ]


def test_of_two_losses_with_one_name_the_last_is_shown() -> None:
    assert printed(OWN + 'shown(loss="mse")') == [
        "{'loss': 10.0, 'mse_loss': 9.0}",
        "[10.0, 9.0, 9.0] ['loss', 'mse_loss', 'mse_loss']",
    ]


def test_metrics_of_outputs_without_names_stand_before_the_losses() -> None:
    assert printed(OWN + 'shown(loss=["mse", "mae"], metrics=[["mae", "mse"], ["mae"]])') == [
        "{'loss': 4.0, 'mae': 1.0, 'mae_1': 3.0, 'mae_loss': 3.0, 'mse': 1.0, 'mse_loss': 1.0}",
        "[4.0, 1.0, 1.0, 1.0, 1.0, 3.0, 3.0] ['loss', 'compile_metrics', 'mse_loss', 'mae_loss']",
    ]
