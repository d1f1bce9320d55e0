"""Recurrent cells in programs. Whole graphs against TensorFlow's: tests/data/recorded, `recurrent_…`."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

START = """
import tensorflow as tf
x = tf.constant([[1.0, 2.0]])
"""


def answer(source: str) -> dict[str, Any]:
    return run_program(ProgramRequest(START + source, dialect="tf1", gradients=False))


def mistake(source: str) -> dict[str, Any]:
    diagnostics = answer(source)["diagnostics"]
    found: dict[str, Any] = next(d for d in diagnostics if d["severity"] == "error")
    return found


def test_a_turn_of_a_plain_cell_is_tanh_of_the_weighted_inputs_and_state() -> None:
    found = answer("""
cell = tf.nn.rnn_cell.BasicRNNCell(1, activation=lambda v: v)
with tf.variable_scope("", initializer=tf.ones_initializer()):
    y, state = cell(x, tf.constant([[4.0]]))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y), y is state)
""")
    assert found["printed"] == ["[[7.]] True"]  # 1 + 2 + 4


def test_cells_in_both_directions_add_up_from_either_end() -> None:
    """The names are those of TensorFlow 1.15.5's graph."""
    found = answer("""
cells = [tf.contrib.rnn.BasicRNNCell(1, activation=tf.identity) for _ in range(2)]
with tf.variable_scope("net", initializer=tf.ones_initializer()):
    turns = [x, x, 2 * x]
    outputs, last, first = tf.contrib.rnn.static_bidirectional_rnn(*cells, turns, dtype=tf.float32)
print(len(outputs), last.name, [v.name for v in tf.global_variables()][2])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print([row.tolist() for row in sess.run(outputs)])
""")
    assert found["printed"] == [
        "3 net/bidirectional_rnn/fw/fw/basic_rnn_cell/Identity_2:0 "
        "net/bidirectional_rnn/bw/basic_rnn_cell/kernel:0",
        "[[[3.0, 12.0]], [[6.0, 9.0]], [[12.0, 6.0]]]",  # 3, 3 + 3, 6 + 6 and from the end 6, 9, 12
    ]


def test_static_rnn_adds_up_along_the_turns() -> None:
    found = answer("""
cell = tf.contrib.rnn.BasicRNNCell(1, activation=tf.identity)
with tf.variable_scope("net", initializer=tf.ones_initializer()):
    outputs, state = tf.contrib.rnn.static_rnn(cell, [x, x, x], dtype=tf.float32)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(outputs)[1], sess.run(state))
""")
    assert found["printed"] == ["[[6.]] [[9.]]"]


def test_a_joined_tensor_knows_the_lengths_that_any_of_its_parts_knows() -> None:
    found = answer("""
p = tf.placeholder(tf.float32, [None, 2])
print(tf.concat([p, x], 1).shape, tf.concat([p, x], 0).shape)
""")
    assert found["printed"] == ["(1, 4) (?, 2)"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("BasicRNNCell(2, dtype=tf.float64)", "tf.nn.rnn_cell.BasicRNNCell has no `dtype` here."),
        ("BasicRNNCell(2, activation='relu')", "A cell's activation is a function here."),
        ("BasicLSTMCell(2, state_is_tuple=False)", "The state of an LSTM cell is always a tuple here."),
        ("LSTMCell(2, use_peepholes=True)", "tf.nn.rnn_cell.LSTMCell has no `use_peepholes` here."),
        ("LSTMCell(2, num_proj=3)", "tf.nn.rnn_cell.LSTMCell has no `num_proj` here."),
        ("LSTMCell(2)(x, tf.zeros([1, 2]))", "The state of an LSTM cell has two parts, c and h."),
        ("GRUCell(2)(x)", "A cell takes its inputs and its state."),
        (
            "GRUCell(2)(tf.zeros([2, 3, 4]), 0)",
            "A cell takes (examples, features) with a known number of features, not (2, 3, 4).",
        ),
        ("GRUCell(2)(tf.cast(x, tf.int32), x)", "A cell takes floats, not int32."),
        (
            "DropoutWrapper(tf.nn.rnn_cell.GRUCell(2), 2)",
            "input_keep_prob is a share between 0 and 1, not 2.",
        ),
        (
            "DropoutWrapper(tf.nn.rnn_cell.GRUCell(2), variational_recurrent=True)",
            "tf.nn.rnn_cell.DropoutWrapper has no `variational_recurrent` here.",
        ),
        ("DropoutWrapper(3, 0.5)", "DropoutWrapper takes one of the cells of tf.nn.rnn_cell."),
        ("MultiRNNCell([])", "MultiRNNCell takes a list of cells, at least one."),
        (
            "MultiRNNCell([tf.nn.rnn_cell.GRUCell(2)])(x, x)",
            "The state needs one part for each of the 1 cells.",
        ),
        ("GRUCell(2).zero_state(1, None)", "If no initial_state is provided, dtype must be specified"),
    ],
)
def test_what_a_cell_does_not_take_is_refused_by_name_in_both_languages(source: str, message: str) -> None:
    found = mistake(f"y = tf.nn.rnn_cell.{source}")
    assert found["message"] == message
    assert found["message_zh"] != message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("cell, [x]", "If no initial_state is provided, dtype must be specified"),
        ("cell, []", "inputs must not be empty"),
        ("cell, x", "inputs must be a sequence"),
        ("3, [x]", "static_rnn takes one of the cells of tf.nn.rnn_cell."),
        (
            "cell, [x], sequence_length=[1], dtype=tf.float32",
            "tf.nn.static_rnn has no `sequence_length` here.",
        ),
    ],
)
def test_a_row_that_static_rnn_cannot_take_is_refused(arguments: str, message: str) -> None:
    found = mistake(f"cell = tf.nn.rnn_cell.GRUCell(2)\ntf.nn.static_rnn({arguments})")
    assert found["message"] == message
    assert found["message_zh"] != message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("cell, z", "If no initial_state is provided, dtype must be specified"),
        ("3, z", "dynamic_rnn takes one of the cells of tf.nn.rnn_cell."),
        ("cell, z, [1]", "tf.nn.dynamic_rnn has no `sequence_length` here."),
        ("cell, tf.zeros([3], name='row')", "Expected input tensor row:0 to have rank at least 2"),
    ],
)
def test_what_dynamic_rnn_cannot_take_is_refused(arguments: str, message: str) -> None:
    start = "z = tf.zeros([1, 2, 3])\ncell = tf.nn.rnn_cell.GRUCell(2)\n"
    found = mistake(f"{start}tf.nn.dynamic_rnn({arguments})")
    assert found["message"].startswith(message)
    assert found["message_zh"] != found["message"]


def test_a_loop_gives_the_numbers_that_its_turns_one_by_one_give() -> None:
    found = answer("""
import numpy as np
z = tf.constant(np.linspace(-1, 1, 24).reshape(2, 4, 3), tf.float32)
with tf.variable_scope("net", initializer=tf.constant_initializer(0.3), reuse=tf.AUTO_REUSE):
    outputs, last = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), z, dtype=tf.float32)
    row, cell = tf.unstack(z, axis=1), tf.nn.rnn_cell.GRUCell(2)
    ones, end = tf.nn.static_rnn(cell, row, dtype=tf.float32, scope="rnn")
w = tf.trainable_variables()[0]
d = tf.gradients(last, w)[0] - tf.gradients(end, w)[0]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    apart = sess.run([outputs - tf.stack(ones, 1), last - end, d])
    print(len(tf.trainable_variables()), [bool(abs(a).max() < 1e-6) for a in apart], sess.run(end)[0, 0] != 0)
""")
    assert found["printed"] == ["4 [True, True, True] True"]
