"""Metrics that a model holds itself stand beside those of `compile`, as in Keras 3.15."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed

NET = """
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = L.Dense(1, kernel_initializer="ones")
        self.seen = tf.keras.metrics.Mean(name="NAME")
    def call(self, x):
        y = self.dense(x)
        self.seen.update_state(y)
        return y
m = Net()
m.compile("sgd", "mse", metrics=["mae"])
x, y = np.array([[1.], [3.]]), np.array([[0.], [0.]])
found = m.evaluate(x, y, verbose=0, return_dict=True)
print(found, [one.name for one in m.metrics])
"""


def test_a_metric_that_the_model_holds_is_shown_under_its_name() -> None:
    assert printed(NET.replace("NAME", "seen")) == [
        "{'loss': 5.0, 'mae': 2.0, 'seen': 2.0} ['loss', 'compile_metrics', 'seen']"
    ]  # (1 + 9) / 2; (1 + 3) / 2


def test_one_of_the_name_loss_stands_in_place_of_the_loss() -> None:
    assert printed(NET.replace("NAME", "loss"))[0].startswith("{'loss': 2.0, 'mae': 2.0}")


def test_a_property_metrics_of_the_programs_own_says_all_that_there_is() -> None:
    own = "    @property\n    def metrics(self):\n        return [self.seen]\nm = Net()"
    assert printed(NET.replace("NAME", "seen").replace("m = Net()", own)) == ["{'seen': 2.0} ['seen']"]


def test_a_step_of_the_programs_own_feeds_the_metrics_of_compile() -> None:
    source = """
from tensorflow import keras
keras.utils.set_random_seed(1)
class Own(keras.Model):
    def train_step(self, data):
        x, y, weights = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred, sample_weight=weights)
        kept = self.trainable_variables
        self.optimizer.apply(tape.gradient(loss, kept), kept)
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred, sample_weight=weights)
        return {m.name: m.result() for m in self.metrics}
inputs = keras.Input(shape=(4,))
model = Own(inputs, keras.layers.Dense(1)(inputs))
model.compile(optimizer="adam", loss="mse", metrics=["mae"], weighted_metrics=["mse"])
x, y, weights = np.random.random((40, 4)), np.random.random((40, 1)), np.random.random((40, 1))
found = model.fit(x, y, sample_weight=weights, verbose=0).history
print(list(found), *[f"{one[0]:.4f}" for one in found.values()])
model.optimizer.learning_rate = model.optimizer.learning_rate
print(f"{float(model.optimizer.learning_rate):.4f}")
"""
    assert printed(source) == ["['mae', 'mse', 'loss'] 0.3522 0.1934 0.0968", "0.0010"]


def test_a_mean_shows_what_it_has_added_up() -> None:
    """0.2 · 1 + 0.8 · 2 + 5 = 6.8 over weights of 2."""
    assert printed(
        """
m = tf.keras.metrics.Mean()
m.update_state([1., 2.], sample_weight=[0.2, 0.8])
m.update_state(5.)
print(m.result().numpy(), m.count.numpy(), m.total.numpy())
"""
    ) == ["3.4 2.0 6.8"]
