"""Metrics that count give what Keras 3 under TensorFlow 2.21 gave."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = """
import tensorflow as tf
import numpy as np
M = tf.keras.metrics
y, p = [0, 0, 1, 1, 1, 0], [0.0, 0.5, 0.3, 0.9, 0.6, 0.55]
def of(metric):
    metric.update_state(y, p)
    return metric.name + " " + str(round(float(metric.result()), 6))
"""


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source))
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"]).split("\n")


def test_what_is_found_and_what_of_it_is_right() -> None:
    """Above one half: 0.9 and 0.6 rightly, 0.55 wrongly; 0.3 is missed."""
    assert printed(
        "for metric in (M.Precision(), M.Recall(), M.TruePositives(), M.FalsePositives(), M.TrueNegatives(),"
        " M.FalseNegatives(), M.Precision(thresholds=0.4)):\n    print(of(metric))\n"
    ) == [
        "precision 0.666667",
        "recall 0.666667",
        "true_positives 2.0",
        "false_positives 1.0",
        "true_negatives 2.0",
        "false_negatives 1.0",
        "precision_1 0.5",
    ]


def test_the_area_is_how_often_a_positive_stands_above_a_negative() -> None:
    """Of nine pairs of a positive and a negative, seven are in the right order."""
    assert printed("print(of(M.AUC()))\nprint(of(M.AUC(curve='PR')))\n") == ["auc 0.777778", "auc_1 0.851238"]


def test_the_root_is_taken_of_the_mean_of_all_squares() -> None:
    assert printed("print(of(M.RootMeanSquaredError()))") == ["root_mean_squared_error 0.449537"]


def test_weights_count_an_example_several_times_and_a_reset_forgets_all() -> None:
    assert printed(
        "m = M.Precision()\nm.update_state([1, 0], [0.9, 0.8], sample_weight=[3.0, 1.0])\n"
        "print(float(m.result()))\nm.reset_state()\nprint(float(m.result()))\n"
    ) == ["0.75", "0.0"]


def test_compile_knows_them_by_name() -> None:
    assert printed(
        "x = np.linspace(0, 1, 40).reshape(20, 2).astype('f')\nt = (x.sum(1) > 1).astype('f')\n"
        "dense = tf.keras.layers.Dense(1, 'sigmoid', kernel_initializer='ones')\n"
        "model = tf.keras.Sequential([tf.keras.Input((2,)), dense])\n"
        "model.compile('sgd', 'binary_crossentropy', metrics=['AUC', 'Precision', M.Recall()])\n"
        "print([round(one, 4) for one in model.evaluate(x, t, verbose=0)])\n"
        "print(sorted(model.fit(x, t, verbose=0).history))\n"
    ) == ["[0.5909, 1.0, 0.5, 1.0]", "['AUC', 'Precision', 'loss', 'recall']"]


def test_what_is_no_chance_is_refused() -> None:
    answer = run_program(ProgramRequest(BEGIN + "M.AUC().update_state([1], [1.5])"))
    assert answer["diagnostics"][0]["message"] == "AUC takes predictions from 0 to 1."


@pytest.mark.parametrize("thresholds", ["1.5", "'0.5'", "[0.2, None]", "[]", "tf.nn"])
def test_a_threshold_is_a_number_from_0_to_1(thresholds: str) -> None:
    answer = run_program(ProgramRequest(BEGIN + f"M.Precision(thresholds={thresholds})"))
    [refused] = answer["diagnostics"]
    assert refused["message"] == "`thresholds` of tf.keras.metrics.Precision takes numbers from 0 to 1."
    assert "thresholds=0.5" in refused["hint"]
