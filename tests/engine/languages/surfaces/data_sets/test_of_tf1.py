"""`input_data.read_data_sets`: three parts, handed out in batches."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

HOMES = [
    "from tensorflow.examples.tutorials.mnist import input_data",
    "import tensorflow.examples.tutorials.mnist.input_data as input_data",
    "import input_data",
]


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest("import tensorflow as tf\n" + source, dialect="tf1"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize("home", HOMES)
def test_images_are_rows_of_numbers_from_0_to_1(home: str) -> None:
    assert printed(
        f"{home}\ndata = input_data.read_data_sets('MNIST_data/', one_hot=True)\n"
        "print(data.train.images.shape, data.test.labels.shape, data.validation.num_examples)\n"
        "print(data.train.images.dtype, data.train.images.max(), data.test.labels.sum(axis=1).min())\n"
    ) == ["(1200, 784) (400, 10) 100", "float32 1.0 1.0"]


def test_an_epoch_hands_out_every_row_once() -> None:
    assert printed(
        "from tensorflow.examples.tutorials.mnist import input_data\n"
        "data = input_data.read_data_sets('.', reshape=False).validation\n"
        "seen = []\n"
        "for i in range(3):\n"
        "    x, y = data.next_batch(40)\n"
        "    seen += x.sum(axis=(1, 2, 3)).tolist()\n"
        "    print(x.shape, data.epochs_completed)\n"
        "print(sorted(seen[:100]) == sorted(data.images.sum(axis=(1, 2, 3)).tolist()))\n"
    ) == ["(40, 28, 28, 1) 0", "(40, 28, 28, 1) 0", "(40, 28, 28, 1) 1", "True"]


def test_a_batch_of_more_rows_than_there_are_is_a_mistake() -> None:
    answer = run_program(
        ProgramRequest(
            "from tensorflow.examples.tutorials.mnist import input_data\n"
            "input_data.read_data_sets('.').train.next_batch(2000)\n"
        )
    )
    assert "A batch of 2000 does not fit: there are 1,200 rows." in answer["diagnostics"][-1]["message"]


@pytest.mark.parametrize("home", ["keras.datasets", "tensorflow.keras.datasets"])
def test_keras_data_feeds_a_graph_of_tensorflow_1(home: str) -> None:
    assert printed(
        f"from {home} import mnist\n"
        "(x, y), _ = mnist.load_data()\n"
        "images = tf.placeholder(tf.float32, [None, 28, 28])\n"
        "with tf.Session() as sess:\n"
        "    print(sess.run(tf.reduce_max(images), {images: x[:10]}))\n"
    ) == ["255.0"]
