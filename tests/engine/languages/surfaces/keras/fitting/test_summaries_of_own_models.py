"""What a summary says of layers that a model of one's own holds, and callbacks of figures that there are not.

Expected: TensorFlow 2.21 with Keras 3.15.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = """
import numpy as np
import tensorflow as tf
K = tf.keras
L = K.layers
"""

OWN_MODEL = """
class Own(K.Model):
    def __init__(self):
        super().__init__()
        i = K.Input((4,))
        self.between = K.Model(i, L.Dense(2)(i))
        self.given = K.Sequential([K.Input((4,)), L.Dense(2)])
        self.open = K.Sequential([L.Dense(4)])
        self.leaky = L.LeakyReLU()
        self.largest = L.GlobalMaxPooling1D()
        self.flat = L.Flatten()
        self.larger = L.UpSampling1D(2)
    def call(self, x):
        return self.between(self.flat(self.leaky(self.open(x))))
m = Own()
"""

TRAINING = """
x = np.ones((8, 3), "float32")
y = np.ones((8, 1), "float32")
m = K.Sequential([K.Input((3,)), L.Dense(1)])
m.compile("sgd", "mse", metrics=["mse"])
m.fit(x, y, epochs=2, verbose=0, callbacks=[K.callbacks.%s])
print("done")
"""


def answered(source: str) -> Any:
    return run_program(ProgramRequest(BEGIN + source, dialect="tf2"))


def cells(answer: Any) -> list[str]:
    assert answer["status"] == "ok", answer["diagnostics"]
    lines = "\n".join(answer["printed"]).split("\n")
    rows = [[cell.strip() for cell in line.split("│")[2:4]] for line in lines if line.count("│") == 4]
    return [" ".join(row) for row in rows if row[0]]


def test_a_layer_without_build_is_ready_and_has_no_shape() -> None:
    found = cells(answered(OWN_MODEL + "m(np.ones((5, 4)))\nm.summary()"))
    assert found == ["(None, 2) 10", "(None, 2) 10", "(5, 4) 20", "? 0", "? 0", "(5, 4) 0", "? 0 (unbuilt)"]


def test_after_a_fit_the_number_of_examples_is_open() -> None:
    fit = "m.compile('sgd', 'mse')\nm.fit(np.ones((5, 4)), np.ones((5, 2)), verbose=0)\nm.summary()"
    assert cells(answered(OWN_MODEL + fit))[2] == "(None, 4) 20"


def test_layers_without_build_are_built_as_soon_as_they_are_made() -> None:
    kinds = (
        "L.Dropout(0.1), L.ELU(), L.Masking(), L.Reshape((2,)), L.Flatten(), L.Permute((2, 1)), L.Dense(1)"
    )
    answer = answered(f"print([one.built for one in ({kinds})])")
    assert answer["printed"] == ["[True, True, True, True, False, False, False]"]


@pytest.mark.parametrize(
    "callback", ["EarlyStopping('foo')", "ReduceLROnPlateau('foo')", "EarlyStopping('mean_squared_error')"]
)
def test_a_figure_that_the_model_has_not_is_refused_without_a_mode(callback: str) -> None:
    answer = answered(TRAINING % callback)
    assert answer["status"] == "error"
    assert "whether more or less of" in answer["diagnostics"][0]["message"]


@pytest.mark.parametrize("callback", ["EarlyStopping('val_loss')", "EarlyStopping('foo', mode='max')"])
def test_a_figure_that_is_missing_is_passed_over_where_its_direction_is_known(callback: str) -> None:
    assert answered(TRAINING % callback)["printed"] == ["done"]
