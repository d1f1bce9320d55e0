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
