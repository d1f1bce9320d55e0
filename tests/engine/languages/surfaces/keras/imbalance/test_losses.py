"""Losses for rare classes: the numbers of Keras 3.15."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.keras.test_fitting import printed, run


@pytest.mark.parametrize(
    ("loss", "value"),
    [
        ("BinaryFocalCrossentropy(gamma=1.0)", 0.3466),  # (1 - 0.5) * log 2
        ("BinaryFocalCrossentropy(apply_class_balancing=True, alpha=0.5, gamma=0.0)", 0.3466),
        ("CategoricalFocalCrossentropy(alpha=1.0, gamma=1.0)", 0.3466),
        ("Dice()", 0.5),  # 1 - 2 * 1 / (2 + 2)
        ("Tversky(alpha=1.0, beta=0.0)", 0.5),  # 1 - 1 / (1 + 1)
    ],
)
def test_a_loss_for_rare_classes(loss: str, value: float) -> None:
    given = "np.array([[1., 0.], [0., 1.]]), np.full((2, 2), 0.5)"
    assert float(printed(f"print(float(tf.keras.losses.{loss}({given})))")[0]) == pytest.approx(
        value, abs=1e-4
    )


def test_a_loss_is_found_by_its_name() -> None:
    assert printed('print(tf.keras.losses.get("mse")([[1., 3.]], [[0., 0.]]).numpy())') == ["[5.]"]


def test_an_unknown_reduction_is_refused() -> None:
    answer = run('tf.keras.losses.MeanSquaredError(reduction="median")')
    assert answer["diagnostics"][-1]["message"].startswith("`reduction` of a loss is one of 'sum_over")
