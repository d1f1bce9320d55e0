"""A graph of TensorFlow 2 whose shapes follow from a variable's value is not gone on with in silence."""

from __future__ import annotations

import pytest

from engine.errors import ProgramError
from engine.programs import ProgramRequest, RunRequest, optimise

SOURCE = """
import tensorflow as tf
x = tf.Variable([3.0, 0.3, -1.0])
m = tf.boolean_mask(x, {mask} > 0.2)
loss = tf.reduce_sum(x * x) / tf.cast(tf.size(m), tf.float32)
"""
RUN = RunRequest(steps=4, optimizer={"name": "GradientDescent", "learning_rate": 0.3})


def losses(source: str, dialect: str) -> list[float]:
    found: list[float] = optimise(ProgramRequest(source, dialect=dialect), RUN)["loss"]
    return found


def test_a_shape_that_follows_from_a_variable_is_refused() -> None:
    """As the mask of fewer elements would be counted as many as at the start."""
    with pytest.raises(ProgramError, match="follows from values that change"):
        losses(SOURCE.format(mask="x"), "tf2")


def test_in_tensorflow_1_the_count_is_part_of_the_graph() -> None:
    assert losses(SOURCE.format(mask="x"), "tf1") == pytest.approx(
        [5.045, 2.472, 2.4226, 0.3876, 0.062], rel=1e-3
    )


def test_a_mask_of_data_changes_nothing() -> None:
    source = SOURCE.format(mask="tf.constant([1.0, 1.0, 0.0])")
    assert losses(source, "tf2") == pytest.approx(losses(source, "tf1"))
