"""The labels that metrics of the program's own are given: as they were given to `fit`, in Keras 3."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed


@pytest.mark.parametrize(("labels", "rank"), [("np.arange(4.0)", 1), ("np.arange(4.0)[:, None]", 2)])
def test_metrics_of_ones_own_see_the_labels_as_they_are(labels: str, rank: int) -> None:
    assert printed(
        f"""
class Seen(tf.keras.metrics.Metric):
    def __init__(self, name="seen", **k):
        super().__init__(name=name, **k)
        self.rank = self.add_weight(name="rank", initializer="zeros")
    def update_state(self, y_true, y_pred, sample_weight=None):
        self.rank.assign(10.0 * len(y_true.shape) + len(y_pred.shape))
    def result(self):
        return self.rank
def ranks(y_true, y_pred):
    return 10.0 * len(y_true.shape) + len(y_pred.shape) + 0 * tf.reduce_sum(y_pred)
m = tf.keras.Sequential([tf.keras.Input((2,)), L.Dense(1)])
m.compile("sgd", "mse", metrics=[Seen(), ranks])
h = m.fit(np.ones((4, 2)), {labels}, verbose=0)
print(h.history["seen"], h.history["ranks"], m.evaluate(np.ones((4, 2)), {labels}, verbose=0)[1:])
"""
    ) == [f"[{rank}2.0] [{rank}2.0] [{rank}2.0, {rank}2.0]"]


def test_a_loss_of_ones_own_sees_a_column() -> None:
    assert printed(
        """
f = lambda y_true, y_pred: 10.0 * len(y_true.shape) + len(y_pred.shape) + 0 * tf.reduce_sum(y_pred)
m = tf.keras.Sequential([tf.keras.Input((2,)), L.Dense(1)])
m.compile("sgd", f)
print(m.fit(np.ones((4, 2)), np.arange(4.0), verbose=0).history)
"""
    ) == ["{'loss': [22.0]}"]
