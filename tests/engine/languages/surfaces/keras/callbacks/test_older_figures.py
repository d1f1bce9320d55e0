"""What callbacks look at, under the names of Keras 3 and of Keras before 2.3."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

PROGRAM = """
import numpy as np
from tensorflow import keras
x = np.arange(8.0).reshape(4, 2).astype('float32')
y = np.array([0, 1, 0, 1])
model = keras.Sequential([keras.layers.Dense(2, activation='softmax', kernel_initializer='ones')])
model.compile('sgd', 'sparse_categorical_crossentropy', metrics=[METRIC])
watch = keras.callbacks.CALLBACK
history = model.fit(x, y, epochs=3, verbose=0, callbacks=[watch], validation_data=(x, y))
print(len(history.history['loss']))
"""


def answer_of(callback: str, metric: str) -> tuple[list[str], list[str]]:
    """What is printed, and the messages about older names."""
    program = PROGRAM.replace("CALLBACK", callback).replace("METRIC", repr(metric))
    answer = run_program(ProgramRequest(program, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    older = [one["message"] for one in answer["diagnostics"] if one["code"] == "older_figure_name"]
    return answer["printed"], older


@pytest.mark.parametrize(("metric", "figure"), [("accuracy", "val_accuracy"), ("acc", "val_acc")])
def test_a_figure_by_its_own_name_needs_no_note(metric: str, figure: str) -> None:
    # TensorFlow 2.21 stops after two epochs, too: the accuracy stays as it is
    assert answer_of(f"EarlyStopping(monitor='{figure}')", metric) == (["2"], [])


def test_a_note_says_that_an_older_name_is_the_accuracy() -> None:
    printed, older = answer_of("EarlyStopping(monitor='val_acc', mode='max')", "accuracy")
    assert printed == ["2"]  # Keras before 2.3; Keras 3 does not find it, and takes three epochs
    assert older == [
        "EarlyStopping looks at `val_acc`, which is the accuracy here, as before Keras 2.3; Keras 3 finds no "
        "such figure, so that the training differs there."
    ]
