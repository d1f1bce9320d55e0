"""The forms in which loops and data sets give their values. Expected: TensorFlow 2.21."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(f"import tensorflow as tf\n{source}", dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize(
    ("body", "given", "expected"),
    [
        ("lambda i: (i + 1,)", "[0]", "tuple"),
        ("lambda i: [i + 1]", "(0,)", "list"),
        ("lambda i: [i + 1]", "[0]", "list"),
        ("lambda i: (i + 1,)", "[9]", "list"),  # no turn: as it was given
    ],
)
def test_a_loop_gives_its_values_in_the_form_of_the_last_turn(body: str, given: str, expected: str) -> None:
    assert printed(f"print(type(tf.while_loop(lambda i: i < 3, {body}, {given})).__name__)") == [expected]


def test_a_padded_batch_takes_shapes_of_each_part() -> None:
    source = """
def rows():
    for i in range(3):
        yield i, [1.0] * i
kinds = (tf.TensorSpec((), tf.int32), tf.TensorSpec((None,), tf.float32))
data = tf.data.Dataset.from_generator(rows, output_signature=kinds)
for i, v in data.padded_batch(3, padded_shapes=([], [None])):
    print(i.numpy(), v.numpy().tolist())
"""
    assert printed(source) == ["[0 1 2] [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]"]


def test_random_numbers_in_a_mapped_function_begin_anew_each_time() -> None:
    source = """
tf.random.set_seed(5)
data = tf.data.Dataset.from_tensor_slices([0.0, 0.0, 0.0])
plain = data.map(lambda v: v + tf.random.normal(()))
seeded = data.map(lambda v: tf.random.uniform((), seed=7))
for made in (plain, plain, seeded, seeded):
    print([round(float(v), 4) for v in made])
"""
    first, second = "[-1.7139, 0.2361, -0.2951]", "[0.4475, 0.0483, 0.4175]"
    assert printed(source) == [first, first, second, second]
