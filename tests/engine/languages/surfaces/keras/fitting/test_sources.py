"""Batches of the program's own in `fit`. Expected: TensorFlow 2.21 with Keras 3.15."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

BEGIN = """
import numpy as np
import tensorflow as tf
K = tf.keras
K.utils.set_random_seed(5)
seen = []
class Batches(K.utils.PyDataset):
    def __len__(self):
        return 3
    def __getitem__(self, i):
        seen.append(i)
        return np.full((2, 1), i, "float32"), np.ones((2, 1), "float32")
    def on_epoch_begin(self):
        seen.append("begin")
    def on_epoch_end(self):
        seen.append("end")
m = K.Sequential([K.Input((1,)), K.layers.Dense(1, kernel_initializer="ones")])
m.compile("sgd", "mse")
"""


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


def test_an_epoch_ends_before_the_first_one_and_behind_each() -> None:
    source = "m.fit(Batches(), epochs=2, shuffle=False, verbose=0)\nprint(*seen)"
    assert printed(source) == ["0 1 end begin 0 1 2 end begin 0 1 2 end"]


def test_every_validation_begins_with_the_end_of_an_epoch() -> None:
    source = """
m.fit(np.ones((2, 1)), np.ones((2, 1)), epochs=2, validation_data=Batches(), verbose=0)
print(*seen)
seen.clear()
m.predict(Batches(), verbose=0)
print(*seen)
"""
    assert printed(source) == ["0 1 end begin 0 1 2 end end begin 0 1 2 end", "0 1 begin 0 1 2 end"]


def test_batches_come_in_an_order_of_pythons_random_numbers() -> None:
    source = "m.fit(Batches(), epochs=3, verbose=0)\nprint(*[one for one in seen[4:] if one != 'begin'])"
    assert printed(source) == ["0 1 2 end 0 1 2 end 1 0 2 end"]
