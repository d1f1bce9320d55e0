"""What files are called that Keras saves, and what ModelCheckpoint says; the texts are Keras 3.15's."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed, run

MODEL = """
m = tf.keras.Sequential([tf.keras.Input((1,)), L.Dense(1, kernel_initializer="zeros")])
m.compile("sgd", "mse")
def fit(**settings):
    m.fit(np.ones((2, 1)), np.ones((2, 1)), epochs=2, verbose=0,
          callbacks=[tf.keras.callbacks.ModelCheckpoint(**settings)])
"""


def test_a_checkpoint_says_when_it_begins_and_when_it_has_finished() -> None:
    assert printed(f'{MODEL}\nfit(filepath="m{{epoch}}.keras", verbose=1)') == [
        "",
        "Epoch 1: saving model to m1.keras",
        "",
        "Epoch 1: finished saving model to m1.keras",
        "",
        "Epoch 2: saving model to m2.keras",
        "",
        "Epoch 2: finished saving model to m2.keras",
    ]


def test_a_checkpoint_without_the_figure_that_it_watches_saves_each_time() -> None:
    assert printed(f'{MODEL}\nfit(filepath="m.keras", save_best_only=True, verbose=1)') == [
        "",
        "Epoch 1: finished saving model to m.keras",
        "",
        "Epoch 2: finished saving model to m.keras",
    ]


def test_the_whole_model_of_a_checkpoint_is_loaded() -> None:
    source = f"{MODEL}\nfit(filepath='m.keras')\nprint(tf.keras.models.load_model('m.keras').count_params())"
    assert printed(source) == ["2"]


WEIGHTS = "The filename must end in `.weights.h5`. Received: filepath="


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('m.save_weights("w")', f"{WEIGHTS}w"),
        ('m.save_weights("d/w.h5")', f"{WEIGHTS}d/w.h5"),
        (
            'm.save("m")',
            "Invalid filepath extension for saving. Please add either a `.keras` extension for the native "
            "Keras format (recommended) or a `.h5` extension. Use `model.export(filepath)` if you want to "
            "export a SavedModel for use with TFLite/TFServing/etc. Received: filepath=m.",
        ),
        (
            'fit(filepath="m.hdf5")',
            "The filepath provided must end in `.keras` (Keras model format). Received: filepath=m.hdf5",
        ),
        (
            'fit(filepath="m.h5", save_weights_only=True)',
            "When using `save_weights_only=True` in `ModelCheckpoint`, the filepath provided must end in "
            "`.weights.h5` (Keras weights format). Received: filepath=m.h5",
        ),
    ],
)
def test_other_names_are_refused_in_keras_words(call: str, message: str) -> None:
    (error,) = [one for one in run(f"{MODEL}\n{call}")["diagnostics"] if one["severity"] == "error"]
    assert error["message"] == message


def test_a_refused_name_comes_with_one_that_fits() -> None:
    (error,) = [one for one in run(f'{MODEL}\nm.save_weights("d/w.h5")')["diagnostics"] if "hint" in one]
    assert error["hint"] == 'Write "w.weights.h5".'
