"""The best figure where another one reaches a bound, and counts of one class: the numbers of Keras 3.15."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed, run

GIVEN = "[0, 0, 1, 1], [0.0, 0.5, 0.3, 0.9]"  # from keras.metrics.SensitivityAtSpecificity's documentation


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("SensitivityAtSpecificity(0.5)", "1.0"),  # at 0.1 both positives are found, and one negative
        ("SpecificityAtSensitivity(0.5)", "1.0"),  # at 0.6 one positive is found, and no negative
        ("PrecisionAtRecall(0.5)", "1.0"),
        ("RecallAtPrecision(0.8)", "0.5"),
        ("Recall(class_id=1)", "0.0"),
    ],
)
def test_the_best_figure_where_another_one_reaches_a_bound(metric: str, value: str) -> None:
    given = "[[0, 1]], [[0.9, 0.2]]" if "class_id" in metric else GIVEN
    program = f"m = tf.keras.metrics.{metric}\nm.update_state({given})\nprint(float(m.result()))"
    assert printed(program) == [value]


def test_a_bound_above_1_is_refused() -> None:
    answer = run("tf.keras.metrics.PrecisionAtRecall(2.0)")
    assert answer["diagnostics"][-1]["message"] == (
        "`recall` of tf.keras.metrics.PrecisionAtRecall is a number from 0 to 1."
    )
