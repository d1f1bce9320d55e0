"""What Keras 1 and 2 called arguments, layers and figures."""

from __future__ import annotations

from typing import Any

from engine.execution.budget import Limits
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request

HEAD = (
    "import numpy as np\nfrom keras.models import Sequential, Model\n"
    "from keras.layers import Conv2D, Convolution2D, Dense, Flatten\n"
)


def outcome_of(source: str) -> Any:
    """What a program leaves behind. Fails where it is stopped."""
    outcome = run_request(ProgramRequest(HEAD + source, dialect="tf2"), Limits(wall_s=60.0))
    assert [one.message for one in outcome.diagnostics if one.severity == "error"] == []
    return outcome


def test_arguments_of_keras_1_are_read_as_todays_and_a_note_says_so() -> None:
    source = """
model = Sequential()
model.add(Convolution2D(nb_filter=2, nb_row=3, nb_col=1, border_mode="same", input_shape=(4, 4, 1)))
model.add(Flatten())
model.add(Dense(output_dim=5, init="normal"))
print(model.layers[0].output.shape, [w.shape for w in model.get_weights()])
"""
    outcome = outcome_of(source)
    assert outcome.printed == ["(None, 4, 4, 2) [(3, 1, 1, 2), (2,), (32, 5), (5,)]"]
    assert {one.code for one in outcome.diagnostics} == {"older_name"}


def test_acc_finds_accuracy_and_nb_epoch_is_the_number_of_epochs() -> None:
    source = """
model = Sequential([Dense(1, activation="sigmoid", input_shape=(1,))])
model.compile("sgd", "binary_crossentropy", metrics=["accuracy"])
h = model.fit(np.ones((4, 1)), np.ones(4), nb_epoch=3, verbose=0)
print(len(h.history["acc"]), sorted(h.history))
"""
    assert outcome_of(source).printed == ["3 ['accuracy', 'loss']"]


def test_a_row_of_numbers_is_a_column_for_a_model_of_one_feature() -> None:
    source = """
model = Sequential([Dense(1, use_bias=False, kernel_initializer="ones", input_dim=1)])
model.compile("sgd", "mse")
print(model.predict(np.array([1.0, 2.0]), verbose=0).tolist())
"""
    assert outcome_of(source).printed == ["[[1.0], [2.0]]"]


def test_channels_may_come_first() -> None:
    source = """
how = {"kernel_initializer": "ones", "data_format": "channels_first"}
model = Sequential([Conv2D(1, 2, input_shape=(3, 2, 2), **how)])
print(model.output.shape, float(np.sum(model.predict(np.ones((1, 3, 2, 2)), verbose=0))))
"""
    assert outcome_of(source).printed == ["(None, 1, 1, 1) 12.0"]  # 3 channels of 2 by 2 ones


def test_the_decay_of_keras_2_divides_the_learning_rate_by_1_plus_decay_times_the_steps_taken() -> None:
    source = """
from keras.optimizers import SGD
model = Sequential([Dense(1, use_bias=False, kernel_initializer="zeros", input_dim=1)])
model.compile(SGD(lr=0.5, decay=1.0), lambda t, p: p)
model.fit(np.ones((2, 1)), np.ones((2, 1)), batch_size=1, epochs=1, verbose=0)
print(model.get_weights()[0].item())
"""
    assert outcome_of(source).printed == ["-0.75"]  # 0.5, and then 0.5 / 2


def test_a_function_of_the_program_may_be_a_metric() -> None:
    source = """
def half_of(y_true, y_pred):
    return (y_true + y_pred) / 2
model = Sequential([Dense(1, use_bias=False, kernel_initializer="zeros", input_dim=1)])
model.compile("sgd", "mse", metrics=[half_of])
print(model.evaluate(np.ones((2, 1)), np.ones((2, 1)), verbose=0))
"""
    assert outcome_of(source).printed == ["[1.0, 0.5]"]


def test_texts_of_a_data_set_have_a_shape() -> None:
    source = "from keras.datasets import imdb\n(x, y), _ = imdb.load_data()\nprint(x.shape == y.shape)"
    assert outcome_of(source).printed == ["True"]


def test_names_in_the_third_place_of_compile_are_metrics_and_a_note_says_so() -> None:
    source = """
model = Sequential([Dense(1, activation="sigmoid", input_shape=(1,))])
model.compile("sgd", "binary_crossentropy", ["accuracy"])
h = model.fit(np.ones((4, 1)), np.ones(4), epochs=2, verbose=0)
print(sorted(h.history))
"""
    outcome = outcome_of(source)
    assert outcome.printed == ["['accuracy', 'loss']"]
    assert {one.code for one in outcome.diagnostics} == {"old_argument"}
