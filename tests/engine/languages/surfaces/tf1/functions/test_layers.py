"""Layers in programs. Whole graphs against TensorFlow's: tests/data/recorded, `fully_connected`."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

START = "import tensorflow as tf\nx = tf.constant([[1.0, -2.0]])\nlayer = tf.contrib.layers.fully_connected\n"


def test_a_fully_connected_layer_is_relu_of_the_weighted_inputs() -> None:
    source = """
y = layer(x, 2, weights_initializer=tf.ones_initializer(), biases_initializer=tf.constant_initializer(3.0))
z = layer(x, 2, weights_initializer=tf.ones_initializer())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y), sess.run(z))
"""
    assert run_program(ProgramRequest(START + source))["printed"] == ["[[2. 2.]] [[0. 0.]]"]  # 1 - 2 + 3


@pytest.mark.parametrize("argument", ["normalizer_fn", "weights_regularizer", "biases_regularizer"])
def test_what_a_fully_connected_layer_leaves_out_is_refused_by_name(argument: str) -> None:
    answer = run_program(ProgramRequest(f"{START}y = layer(x, 2, {argument}=tf.nn.l2_loss)"))
    assert f"tf.contrib.layers.fully_connected has no `{argument}` here." in [
        d["message"] for d in answer["diagnostics"]
    ]
