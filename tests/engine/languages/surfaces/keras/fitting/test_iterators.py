"""Which order a shuffled data set has in each epoch of `fit`: what Keras 3.15 printed."""

from __future__ import annotations

from tests.engine.languages.surfaces.keras.test_fitting import printed

SHOWN = """
tf.keras.utils.set_random_seed(1234)
class Shows(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.d = L.Dense(1)
    def call(self, x): return self.d(x)
    def train_step(self, data):
        tf.print(data)
        self(tf.cast(data, tf.float32)[:, None])
        return {"loss": tf.constant(0.)}
m = Shows()
m.compile("sgd", "mse")
"""


def test_fit_makes_one_more_iterator_behind_each_epoch() -> None:
    """So its second epoch has the order of the third time that the data are gone through."""
    assert printed(
        SHOWN
        + """
ds = tf.data.Dataset.range(12).shuffle(12, seed=3).batch(4)
for _ in range(3): print([b.numpy().tolist() for b in ds])
ds = tf.data.Dataset.range(12).shuffle(12, seed=3).batch(4)
m.fit(ds, epochs=2, verbose=0)
"""
    ) == [
        "[[4, 10, 0, 6], [5, 2, 3, 7], [9, 8, 11, 1]]",
        "[[3, 7, 2, 6], [1, 11, 9, 10], [5, 0, 8, 4]]",
        "[[11, 2, 7, 3], [4, 9, 1, 5], [6, 0, 8, 10]]",
        *("[4 10 0 6]", "[5 2 3 7]", "[9 8 11 1]"),
        *("[11 2 7 3]", "[4 9 1 5]", "[6 0 8 10]"),
    ]


def test_a_second_fit_goes_on_with_the_orders_of_the_data_set() -> None:
    assert printed(
        SHOWN
        + """
ds = tf.data.Dataset.range(12).shuffle(12, seed=3).batch(4)
m.fit(ds, epochs=3, verbose=0)
print("again")
m.fit(ds, epochs=1, verbose=0)
"""
    )[-4:] == ["again", "[4 10 0 5]", "[2 1 7 6]", "[8 9 11 3]"]


def test_what_was_cached_has_the_order_of_the_first_epoch() -> None:
    assert (
        printed(
            """
ds = tf.data.Dataset.range(12).shuffle(12, seed=3).cache()
tf.random.set_seed(1234)
ds = tf.data.Dataset.range(12).shuffle(12, seed=3).batch(4).cache()
for _ in range(2): print([b.numpy().tolist() for b in ds])
"""
        )
        == ["[[4, 10, 0, 6], [5, 2, 3, 7], [9, 8, 11, 1]]"] * 2
    )
