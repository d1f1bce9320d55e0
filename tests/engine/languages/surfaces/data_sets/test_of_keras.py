"""Stand-ins for Keras' data sets: their shapes and kinds, one note, and something that can be learned."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


def answered(source: str) -> dict[str, object]:
    answer: dict[str, object] = run_program(ProgramRequest("import tensorflow as tf\n" + source))
    assert answer["status"] == "ok", answer["diagnostics"]
    return answer


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mnist", "(1200, 28, 28) uint8 (400,) uint8 True"),
        ("fashion_mnist", "(1200, 28, 28) uint8 (400,) uint8 True"),
        ("cifar10", "(300, 32, 32, 3) uint8 (100, 1) uint8 True"),
        ("cifar100", "(300, 32, 32, 3) uint8 (100, 1) int64 True"),
        ("boston_housing", "(404, 13) float64 (102,) float64 True"),
        ("california_housing", "(404, 8) float32 (102,) float32 True"),
    ],
)
def test_each_has_the_shapes_and_kinds_of_the_real_one(name: str, expected: str) -> None:
    answer = answered(
        f"(x, y), (u, v) = tf.keras.datasets.{name}.load_data()\n"
        "print(x.shape, x.dtype, v.shape, v.dtype, v.max() > 8)\n"
    )
    assert answer["printed"] == [expected]
    [note] = [one for one in answer["diagnostics"] if one["code"] == "stand_in_data"]  # type: ignore[attr-defined]
    assert "Nothing is downloaded here" in note["message"]
    assert "不下载" in note["message_zh"]


def test_texts_are_lists_of_word_numbers_below_the_limit() -> None:
    answer = answered(
        "from tensorflow.keras.datasets import imdb\n"
        "(x, y), (u, v) = imdb.load_data(num_words=500)\n"
        "print(len(x), len(u), x[0][0], max(max(row) for row in x) < 500, sorted(set(y.tolist())))\n"
        "(x, y), _ = imdb.load_data(start_char=None, index_from=0, maxlen=50)\n"
        "print(max(len(row) for row in x) < 50, len(x) == len(y))\n"
    )
    assert answer["printed"] == ["300 100 1 True [0, 1]", "True True"]


def test_digits_are_learned_and_what_was_learned_holds_for_others() -> None:
    answer = answered(
        "(x, y), (u, v) = tf.keras.datasets.mnist.load_data()\n"
        "x, u = (one[:, 4::4, 4::4].reshape(-1, 36) / 255.0 for one in (x, u))\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(10, 'softmax')])\n"
        "model.compile(tf.keras.optimizers.SGD(1.0), 'sparse_categorical_crossentropy', ['accuracy'])\n"
        "model.fit(x, y, epochs=2, batch_size=40, verbose=0)\n"
        "print(model.evaluate(u, v, verbose=0)[1] > 0.7)\n"
    )
    assert answer["printed"] == ["True"]


def test_the_kind_of_a_striped_picture_can_be_read_off() -> None:
    answer = answered(
        "import numpy as np\n"
        "(x, y), (u, v) = tf.keras.datasets.cifar10.load_data()\n"
        "hues = np.array([x[y[:, 0] == kind].mean(axis=(0, 1, 2)) for kind in range(10)])\n"
        "found = ((u.mean(axis=(1, 2))[:, None] - hues) ** 2).sum(axis=-1).argmin(axis=1)\n"
        "print((found == v[:, 0]).mean() > 0.8)\n"
    )
    assert answer["printed"] == ["True"]


def test_a_number_of_rows_that_is_not_there_is_a_mistake_with_the_way_out() -> None:
    source = (
        "import tensorflow as tf\n(x, y), _ = tf.keras.datasets.mnist.load_data()\nx = x.reshape(50000, 784)"
    )
    mistake = run_program(ProgramRequest(source))["diagnostics"][-1]
    assert (mistake["line"], mistake["code"]) == (3, "wrong_arguments")
    assert "(1200, 28, 28) has 940,800 elements" in mistake["message"]
    assert "-1 in place of their number" in mistake["hint"]
