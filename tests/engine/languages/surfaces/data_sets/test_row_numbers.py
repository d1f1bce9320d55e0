"""Numbers that count the rows of the real data set are read in proportion, and a note says so."""

from __future__ import annotations

from typing import Any

from engine.programs import ProgramRequest, run_program

BEGIN = """
import numpy as np
import tensorflow as tf
(x, y), (u, v) = tf.keras.datasets.mnist.load_data()
"""


def answered(source: str) -> dict[str, Any]:
    answer = run_program(ProgramRequest(BEGIN + source))
    assert answer["status"] == "ok", answer["diagnostics"]
    return answer


def notes(answer: dict[str, Any]) -> list[str]:
    return [one["message"] for one in answer["diagnostics"] if one["code"] == "row_numbers"]


def test_a_shape_with_all_rows_of_the_real_set_takes_those_that_are_there() -> None:
    answer = answered("print(x.reshape(60000, 784).shape, np.reshape(u, (10000, 28, 28, 1)).shape)")
    assert answer["printed"] == ["(1200, 784) (400, 28, 28, 1)"]
    assert notes(answer) == [
        "Row numbers are read in proportion: 60,000 rows are counted on, and there are 1,200.",
        "Row numbers are read in proportion: 10,000 rows are counted on, and there are 400.",
    ]


def test_parts_are_as_large_a_share_as_they_are_of_the_real_set() -> None:
    answer = answered(
        "print(len(x[:50000]), len(x[50000:]), len(x[:-10000]), len(y[-10000:]))\n"
        "print(x[:50000].reshape(50000, 784).shape, bool(np.all(x[59999] == x[1199])))\n"
    )
    assert answer["printed"] == ["1000 200 1000 200", "(1000, 784) True"]  # 50,000 / 60,000 of 1,200


def test_numbers_within_the_rows_and_other_arrays_are_what_they_are() -> None:
    answer = answered("print(len(x[:100]), len(x[-7:]), len(np.arange(9)[:5000]), [1, 2][:60000])")
    assert answer["printed"] == ["100 7 9 [1, 2]"]
    assert notes(answer) == []


def test_the_last_batch_of_a_loop_over_the_rows_has_those_that_are_left() -> None:
    answer = answered("print([len(x[k : k + 128]) for k in range(0, 1200, 128)])\nprint(len(x[1000:60000]))")
    assert answer["printed"] == [str([128] * 9 + [48]), "200"]
    assert notes(answer) == []


def test_a_shape_that_fits_neither_way_is_refused() -> None:
    answer = run_program(ProgramRequest(BEGIN + "x.reshape(60000, 783)"))
    [mistake] = [one for one in answer["diagnostics"] if one["severity"] == "error"]
    assert mistake["message"] == (
        "An array of shape (1200, 28, 28) has 940,800 elements, too many or few for (60000, 783)."
    )


def test_texts_and_their_labels_are_split_at_the_same_place() -> None:
    answer = answered(
        "(a, b), _ = tf.keras.datasets.imdb.load_data(num_words=100)\n"
        "print(len(a[:10000]), len(b[:10000]), len(a[10000:]), len(b[10000:]))\n"
    )
    assert answer["printed"] == ["120 120 180 180"]  # 10,000 / 25,000 of 300


def test_steps_for_all_rows_of_the_real_set_are_those_for_the_rows_that_are_there() -> None:
    answer = answered(
        "pairs = tf.data.Dataset.from_tensor_slices((x[:, 14] / 255.0, y)).repeat().batch(120)\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(10)])\n"
        "loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)\n"
        "model.compile('sgd', loss)\n"
        "model.fit(pairs, steps_per_epoch=60000 // 120)\n"
        "model.fit(pairs, steps_per_epoch=3)\n"
    )
    lines = "\n".join(answer["printed"]).split("\n")
    assert [line.split(" ")[0] for line in lines if "loss" in line] == ["10/10", "3/3"]
