"""Optimizers of Keras on embeddings whose rows a batch takes repeatedly: the figures of Keras 3.15."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.optimizers.rules import keras
from engine.programs import ProgramRequest, run_program

PROGRAM = """
import numpy as np
from tensorflow import keras
last = keras.layers.Dense(1, trainable=False,
    kernel_initializer=keras.initializers.Constant([[0.5], [0.2], [-0.1], [0.3], [0.7], [0.4]]))
rows = keras.layers.Embedding(4, 2, embeddings_initializer='ones')
model = keras.Sequential([keras.Input((3,)), rows, keras.layers.Flatten(), last])
model.compile({optimizer}, 'mse')
for batch in ([[0, 1, 1], [1, 0, 2]], [[1, 2, 1], [3, 3, 3]]):
    model.train_on_batch(np.array(batch), np.array([[0.0], [1.0]]))
print(' '.join(f'{{number:.4f}}' for number in rows.get_weights()[0].ravel()))
"""


def numbers(optimizer: str) -> list[float]:
    request = ProgramRequest(PROGRAM.format(optimizer=f"keras.optimizers.{optimizer}"), dialect="tf2")
    answer: Any = run_program(request)
    assert answer["status"] == "ok", answer["diagnostics"]
    return [float(number) for number in answer["printed"][-1].split()]


@pytest.mark.parametrize(
    ("optimizer", "expected"),
    [
        ("Adam(0.1)", "0.8504 0.7662 0.7595 0.6989 0.8531 0.8002 0.9055 0.8756"),
        ("AdamW(0.1)", "0.8497 0.7655 0.7588 0.6982 0.8523 0.7994 0.9047 0.8748"),
        ("RMSprop(0.1)", "0.7168 0.5573 0.3813 0.2969 0.7404 0.4653 0.5983 0.4715"),
        ("Adagrad(0.1)", "0.9146 0.8817 0.7910 0.7705 0.9312 0.8496 0.8807 0.8559"),
        ("Adadelta(1.0)", "0.9987 0.9980 0.9963 0.9960 0.9991 0.9969 0.9982 0.9976"),
        ("Adamax(0.1)", "0.8794 0.8526 0.8296 0.8166 0.8663 0.8127 0.9555 0.9474"),
        ("Nadam(0.1)", "0.8984 0.8411 0.7732 0.7413 0.9113 0.8083 0.8702 0.8293"),
        ("Ftrl(0.1)", "0.6144 0.3472 0.6052 0.4940 0.5125 0.2439 0.1193 0.1441"),
        ("Adam(0.1, global_clipnorm=0.3)", "0.8330 0.8330 0.8004 0.8020 0.8555 0.8008 0.9256 0.9256"),
    ],
)
def test_gradients_of_a_row_and_their_squares_are_added_up_each_for_itself(
    optimizer: str, expected: str
) -> None:
    assert numbers(optimizer) == pytest.approx([float(one) for one in expected.split()], abs=1.1e-4)


def test_adagrad_divides_by_the_root_of_both_squares_and_not_of_the_square_of_the_sum() -> None:
    rule = keras.Adagrad(learning_rate=1.0, initial_accumulator_value=0.0, epsilon=0.0)
    theta, g, squares = np.array([1.0]), np.array([3.0 + 4.0]), np.array([9.0 + 16.0])
    theta, slots = rule.step(theta, g, squares, {"accumulator": np.array([0.0])})
    assert theta == pytest.approx(1.0 - 7.0 / 5.0)
    assert slots["accumulator"] == 25.0


def test_adamax_compares_with_the_sum_of_the_sizes_of_a_rows_gradients() -> None:
    rule = keras.Adamax(learning_rate=1.0)
    _, slots = rule.step(
        np.array([0.0]), np.array([1.0 - 3.0]), np.array([1.0 + 3.0]), rule.init(np.zeros(1))
    )
    assert slots["u"] == 4.0


@pytest.mark.parametrize("seed", ["1337", "keras.random.SeedGenerator(1337)"])
def test_a_seed_generator_is_a_seed(seed: str) -> None:
    draw = f"keras.random.dropout(keras.ops.ones((50,)), 0.5, seed={seed})"
    source = f"import keras\nprint(float(keras.ops.max({draw})))"
    answer: Any = run_program(ProgramRequest(source, dialect="auto"))
    assert answer["status"] == "ok", answer["diagnostics"]
    assert answer["printed"] == ["2.0"]  # 1 / (1 - 0.5)
