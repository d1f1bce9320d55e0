"""Random numbers of layers, rules and `fit` under a seed: those of Keras 3.15 with TensorFlow 2.21."""

from __future__ import annotations

import json

import pytest

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, run_program

BEGIN = """
import keras
import numpy as np
import tensorflow as tf
from keras import layers
keras.utils.set_random_seed(42)
"""


def printed(source: str) -> list[object]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"), Limits(wall_s=60))
    assert answer["status"] == "ok", answer["diagnostics"]
    return [json.loads(line) for line in answer["printed"]]


def test_a_kernel_begins_with_the_numbers_of_keras() -> None:
    (kernel,) = printed("d = layers.Dense(3)\nd.build((None, 2))\nprint(d.get_weights()[0].tolist())")
    assert kernel == [
        [0.7847530841827393, 0.35630130767822266, -0.3095492124557495],
        [0.9858777523040771, -0.9244218468666077, 0.3337433338165283],
    ]


def test_each_layer_takes_its_seeds_when_it_is_made() -> None:
    source = """
found = [layers.Dense(3), layers.Conv2D(4, 3), layers.Embedding(10, 4), layers.LSTM(3), layers.GRU(3)]
found += [layers.SimpleRNN(3), layers.Bidirectional(layers.LSTM(2))]
shapes = [(None, 2), (None, 8, 8, 3), (None, 5), *[(None, 5, 2)] * 4]
for layer, shape in zip(found, shapes):
    layer.build(shape)
    print([float(w.reshape(-1)[0]) for w in layer.get_weights()])
"""
    firsts = [
        [0.7847530841827393, 0.0],
        [0.295741468667984, 0.0],
        [0.03428487852215767],
        [0.4136725664138794, 0.028604745864868164, 0.0],
        [0.5891661047935486, 0.09781432151794434, 0.0],
        [0.6086158752441406, 0.6145058870315552, 0.0],
        [0.3186044692993164, -0.37333405017852783, 0.0, -0.29050663113594055, 0.10250329971313477, 0.0],
    ]
    for here, there in zip(printed(source), firsts, strict=True):
        assert here == pytest.approx(there, rel=3e-6)


def test_attention_counts_the_numbers_of_a_head_together() -> None:
    source = """
keras.utils.set_random_seed(1)
q = layers.MultiHeadAttention(2, 3, dropout=0.1)
r = q(tf.ones((1, 4, 5)), tf.ones((1, 4, 5)), training=True)
print([float(w.reshape(-1)[0]) for w in q.get_weights()[::2]])
"""
    assert printed(source) == [
        [0.13480126857757568, 0.0036093592643737793, -0.019571900367736816, 0.15935933589935303]
    ]


def test_a_training_has_the_figures_of_keras() -> None:
    source = """
keras.utils.set_random_seed(1)
m = keras.Sequential([layers.Dense(8, activation="relu"), layers.Dropout(0.5), layers.Dense(1)])
m.compile("adam", "mse", metrics=["mae"])
X = np.random.rand(50, 3)
h = m.fit(X, X.sum(1), epochs=3, batch_size=8, verbose=0, validation_split=0.2)
print(h.history["loss"])
print(h.history["val_mae"])
"""
    losses, errors = printed(source)
    assert losses == pytest.approx([5.345651149749756, 6.116854190826416, 4.6123247146606445], rel=1e-6)
    assert errors == pytest.approx([1.6746705770492554, 1.6561311483383179, 1.6380714178085327], rel=1e-6)


def test_fit_takes_the_rows_in_the_order_of_the_seed_in_every_epoch() -> None:
    source = """
tf.random.set_seed(7)
class Seen(keras.Model):
    def call(self, x):
        print([int(v) for v in tf.reshape(x, [-1])])
        return x
m = Seen()
m.compile("sgd", "mse", run_eagerly=True)
x = np.arange(10.0, dtype="float32").reshape(10, 1)
m.fit(x, x, batch_size=5, epochs=2, verbose=0)
"""
    rows = [[7, 5, 4, 0, 3], [6, 9, 2, 8, 1]]
    assert printed(source)[-4:] == rows * 2


def test_the_functions_of_keras_random_draw_what_keras_draws() -> None:
    source = """
print(keras.random.normal((3,)).numpy().tolist())
print(keras.random.uniform((3,)).numpy().tolist())
print(keras.random.normal((2,), seed=1).numpy().tolist())
g = keras.random.SeedGenerator(5)
print(keras.random.normal((2,), seed=g).numpy().tolist() + keras.random.normal((2,), seed=g).numpy().tolist())
print(keras.random.randint((4,), 0, 10).numpy().tolist())
"""
    for here, there in zip(
        printed(source),
        [
            [-0.47178375720977783, -0.2885856330394745, -0.44258609414100647],
            [0.7820243835449219, 0.8425230979919434, 0.06922471523284912],
            [0.12665030360221863, -0.4930165708065033],
            [-2.0553784370422363, 1.158187747001648, -0.2986454665660858, 0.9386168718338013],
            [7, 6, 3, 5],
        ],
        strict=True,
    ):
        assert here == pytest.approx(there, rel=3e-6)


def test_noise_is_that_of_keras() -> None:
    source = """
print(layers.GaussianNoise(0.5)(tf.ones((1, 4)), training=True).numpy().tolist()[0])
print(layers.Dropout(0.5)(tf.ones((1, 8)), training=True).numpy().tolist()[0])
print(layers.AlphaDropout(0.5)(tf.ones((1, 4)), training=True).numpy().tolist()[0])
x = tf.reshape(tf.range(8.0), (2, 2, 2, 1))
print(layers.RandomFlip("horizontal")(x, training=True).numpy().reshape(-1).tolist())
"""
    for here, there in zip(
        printed(source),
        [
            [0.7641081213951111, 0.8557071685791016, 0.778706967830658, 1.6809176206588745],
            [2.0, 0.0, 2.0, 2.0, 2.0, 0.0, 2.0, 2.0],
            [1.6655988693237305, -0.7791938185691833, -0.7791938185691833, -0.7791938185691833],
            [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
        ],
        strict=True,
    ):
        assert here == pytest.approx(there, rel=3e-6)


def test_pictures_are_changed_as_keras_changes_them() -> None:
    source = """
keras.utils.set_random_seed(5)
x = tf.reshape(tf.range(32.0), (2, 4, 4, 1)) * 5
for layer in (layers.RandomContrast(0.3), layers.RandomBrightness(0.2), layers.RandomFlip()):
    print(layer(x, training=True).numpy().reshape(-1)[:6].tolist())
    layer(x, training=True)
"""
    wanted = [
        [0.0, 0.0, 3.8856658935546875, 9.997364044189453, 16.109060287475586, 22.22075653076172],
        [
            44.016597747802734,
            49.016597747802734,
            54.016597747802734,
            59.016597747802734,
            64.0166015625,
            69.0166015625,
        ],
        [75.0, 70.0, 65.0, 60.0, 55.0, 50.0],
    ]
    for here, there in zip(printed(source), wanted, strict=True):
        assert here == pytest.approx(there, rel=1e-5)
