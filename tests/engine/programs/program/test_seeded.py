"""A note on a program whose seed decides numbers that are not TensorFlow's."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

TF1 = "import tensorflow as tf\n"
RUN = "with tf.Session() as s:\n    s.run(tf.global_variables_initializer())\n    s.run(y)\n"


def notes(source: str) -> list[dict[str, Any]]:
    answer = run_program(ProgramRequest(source))
    assert answer["status"] == "ok", answer["diagnostics"]
    return [one for one in answer["diagnostics"] if one["code"] == "own_random_numbers"]


@pytest.mark.parametrize(
    "source",
    [
        f"{TF1}tf.set_random_seed(1)\ny = tf.random_normal([2], dtype=tf.float16)\n{RUN}",
        "import tensorflow as tf\ntf.random.set_seed(1)\nprint(tf.random.normal([2], dtype=tf.float16))",
    ],
    ids=["seed of a graph", "seed of eager execution"],
)
def test_a_seed_is_noted_once(source: str) -> None:
    assert len(notes(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        f"{TF1}y = tf.random_normal([2])\n{RUN}",
        "import tensorflow as tf\nprint(tf.random.normal([2]))",
        "import tensorflow as tf\nprint(tf.random.stateless_uniform([2], seed=[1, 2]))",
        "import tensorflow as tf\ntf.random.set_seed(1)\nprint(tf.ones([2]))",
        "import torch\ntorch.manual_seed(0)\nprint(torch.rand(2))",
        f"{TF1}tf.set_random_seed(1)\ny = tf.random_normal([2])\n{RUN}",
        f"{TF1}y = tf.Variable(tf.random_uniform([2], seed=3))\n{RUN}",
        "import tensorflow as tf\ntf.random.set_seed(1)\nprint(tf.random.normal([2]))",
        "import tensorflow as tf\nprint(tf.keras.initializers.GlorotUniform(seed=4)((2, 2)))",
        "import keras\nkeras.utils.set_random_seed(1)\nm = keras.Sequential([keras.layers.Dense(1)])",
    ],
    ids=[
        *("no seed", "no seed, eager", "stateless", "nothing random", "PyTorch's own numbers"),
        *("seed of a graph", "seed of an op", "seed of eager execution", "seed of an initializer", "Keras"),
    ],
)
def test_what_is_not_compared_or_equal_has_no_note(source: str) -> None:
    assert notes(source) == []
