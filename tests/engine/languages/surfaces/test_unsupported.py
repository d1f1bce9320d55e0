"""What stays refused, or does nothing here, says so, and what to use instead."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program


def diagnostic(program: str, dialect: str = "tf1") -> dict[str, Any]:
    answer = run_program(ProgramRequest(f"import tensorflow as tf\n{program}\n", dialect))
    (found,) = answer["diagnostics"]
    known: dict[str, Any] = found
    return known


def test_a_saver_says_that_nothing_is_written() -> None:
    program = """\
v = tf.Variable(2.)
saver = tf.train.Saver()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(saver.save(session, 'model.ckpt'), session.run(v), tf.train.latest_checkpoint('.'))"""
    reported = diagnostic(program)
    assert reported["code"] == "kept_in_memory"
    assert reported["severity"] != "error"
    assert reported["message"].startswith("Nothing is written to a file")


def test_a_python_function_in_a_graph_is_refused_with_what_to_write_instead() -> None:
    reported = diagnostic("y = tf.py_func(lambda x: x, [tf.constant(1.)], tf.float32)")
    assert reported["message"] == "`tf.py_func` is not supported."
    assert reported["hint"].endswith("@tf.custom_gradient.")


@pytest.mark.parametrize("call", ["tf.add_n(x)", "tf.stack(x, axis=1)"])
def test_a_symbolic_tensor_has_no_items_for_a_list(call: str) -> None:
    reported = diagnostic(f"x = tf.constant([1., 2.])\n{call}")
    assert reported["message"] == "A symbolic tensor cannot be gone through item by item. Here x is (2,)."
    assert reported["hint"] == "Take it apart with tf.unstack(…), or put it into a list: [x]."


def test_a_constant_of_a_tensor_names_what_to_use() -> None:
    reported = diagnostic("x = tf.constant(1., name='x')\ntf.constant(x)")
    assert reported["message"] == "A constant is made of plain numbers, but x:0 is a tensor already."


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("tf.ones([2, 4]), axis=2", "Batch normalization along [2] does not fit inputs of the shape (2, 4)."),
        (
            "tf.placeholder(tf.float32, [None, None])",
            "Batch normalization needs inputs whose length along [-1] is known, not (?, ?).",
        ),
        ("tf.ones([2, 4], tf.int32)", "Batch normalization takes only floats, but ones:0 is int32."),
        (
            "tf.ones([2, 4], tf.float32), renorm=True",
            "tf.layers.batch_normalization has no `renorm` here.",
        ),
        (
            "tf.ones([2, 4]), training='yes'",
            "`training` of tf.layers.batch_normalization() takes True, False or a tensor, not 'yes'.",
        ),
        (
            "tf.ones([2, 3, 3, 2]), axis=1",
            "The channels stand last here (NHWC), as without a GPU; 'NCHW' is not supported.",
        ),
    ],
)
def test_batch_normalization_says_what_does_not_fit(call: str, message: str) -> None:
    assert diagnostic(f"tf.layers.batch_normalization({call})")["message"] == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "0.9).apply([tf.Variable(1, name='n')])",
            "An average takes only floats, but n:0 is int32.",
        ),
        (
            "0.9).apply([tf.placeholder(tf.float32, [None])])",
            "The average of Placeholder:0 needs a shape that is known, not (?,).",
        ),
        (
            "'slow')",
            "`decay` of tf.train.ExponentialMovingAverage() takes a number or a tensor, not 'slow'.",
        ),
        (
            "0.9).average(3.0)",
            "`var` of ExponentialMovingAverage.average() takes a tensor, not 3.0.",
        ),
    ],
)
def test_an_average_says_what_it_cannot_follow(call: str, message: str) -> None:
    assert diagnostic(f"tf.train.ExponentialMovingAverage({call}")["message"] == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("mean=[1.]", "While training, mean and variance are those of the batch: give none."),
        ("is_training=False", "Without training, mean and variance have to be given."),
    ],
)
def test_an_op_that_normalizes_images_takes_a_mean_only_without_training(call: str, message: str) -> None:
    reported = diagnostic(f"tf.nn.fused_batch_norm(tf.ones([2, 3, 3, 1]), [1.], [0.], {call})")
    assert reported["message"] == message


def test_a_layer_without_the_channels_axis_says_how_to_bring_it_there() -> None:
    reported = diagnostic("tf.layers.conv2d(tf.ones([1, 4, 4]), 2, 3)")
    assert (
        reported["message"]
        == "Images are of the shape (batch, rows, columns, channels), but this is (1, 4, 4)."
    )


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        ("tf.Variable(1., constraint=lambda v: tf.clip_by_value(v, 0., 1.))", "constraint"),
        ("tf.layers.dense(tf.ones([1, 4]), 2, activity_regularizer=tf.abs)", "activity_regularizer"),
        (
            "tf.layers.conv2d(tf.ones([1, 4, 4, 1]), 2, 3, activity_regularizer=tf.abs)",
            "activity_regularizer",
        ),
        ("tf.layers.batch_normalization(tf.ones([1, 4]), renorm=True)", "renorm"),
        ("tf.while_loop(lambda i: i < 2, lambda i: i + 1, [tf.constant(0)], back_prop=False)", "back_prop"),
        ("tf.map_fn(tf.square, tf.ones([2]), back_prop=False)", "back_prop"),
        ("tf.foldl(lambda a, b: a * b, tf.ones([2]), back_prop=False)", "back_prop"),
    ],
)
def test_an_argument_that_would_change_the_numbers_is_not_passed_over(call: str, argument: str) -> None:
    assert diagnostic(call)["message"] == f"{call.split('(')[0]} has no `{argument}` here."


MODEL = "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"


@pytest.mark.parametrize(
    ("call", "message", "hint"),
    [
        (
            "tf.keras.layers.StringLookup()",
            "`tf.keras.layers.StringLookup` is not supported.",
            "Here are Activation, ",
        ),
    ],
)
def test_what_keras_has_and_is_not_here_is_refused_with_what_to_write(
    call: str, message: str, hint: str
) -> None:
    reported = diagnostic(MODEL + call, "tf2")
    assert reported["message"] == message
    assert reported["hint"].startswith(hint)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("model(tf.ones([3]))", "Layer dense takes rows of features, but its input is (3,)."),
        (
            "model(tf.ones([1, 2]))\nmodel(tf.ones([1, 3]))",
            "The layer dense was made for 2 features, but its input is (1, 3).",
        ),
        ("tf.keras.layers.Dense(1, activation='rleu')", "There is no activation named 'rleu'."),
        ("model.add(3)", "A Sequential model holds layers."),
    ],
)
def test_what_does_not_fit_a_layer_is_reported(call: str, message: str) -> None:
    assert diagnostic(MODEL + call, "tf2")["message"].startswith(message)


@pytest.mark.parametrize("name", ["tf.keras.Model", "tf.Module", "tf.keras.layers.Dense"])
def test_a_class_that_all_programs_share_cannot_be_changed(name: str) -> None:
    reported = diagnostic(f"{name}.call = lambda self, x: x", "tf2")
    assert reported["message"] == f"The class {name.rpartition('.')[2]} of the library cannot be changed."


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "tf.debugging.assert_equal([1, 2], [1, 3], message='labels')",
            "labels x == y does not hold for every element: x = [1, 2], y = [1, 3].",
        ),
        (
            "tf.debugging.assert_positive([1., -2.])",
            "x > 0 does not hold for every element: x = [1.0, -2.0].",
        ),
        (
            "tf.debugging.assert_near(1., 1.1)",
            "|x - y| <= atol + rtol · |y| does not hold for every element: x = 1.0, y = 1.100000023841858.",
        ),
        ("tf.debugging.assert_rank([1.], 2)", "This tensor was to have 2 axes, but its shape is (1,)."),
        (
            "tf.debugging.assert_less([1, 2], [1, 2, 3])",
            "(2,) and (3,) cannot be compared element by element.",
        ),
        (
            "len(tf.data.Dataset.range(3).filter(lambda x: x > 1))",
            "The dataset length is unknown.",
        ),
    ],
)
def test_a_condition_that_fails_is_reported_with_its_values(call: str, message: str) -> None:
    assert diagnostic(call, "tf2")["message"] == message


@pytest.mark.parametrize(
    ("call", "dialect", "hint"),
    [
        ("tf.train.ExponentialMovingAverage(0.9)", "tf2", "Keep the average in a variable of its own"),
        ("tf.layers.batch_normalization(tf.ones([2, 4]))", "tf2", "Write mean, variance = tf.nn.moments("),
    ],
)
def test_what_is_left_out_says_what_to_write_instead(call: str, dialect: str, hint: str) -> None:
    reported = diagnostic(call, dialect)
    assert reported["code"] == "refused_name"
    assert reported["hint"].startswith(hint)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("tf.keras.layers.Dense(0)", "`units` is at least 1, not 0."),
        (
            "tf.keras.layers.Dense(2, kernel_initializer=3)",
            "An initializer is a name such as 'ones', or a function of a shape.",
        ),
        (
            "start = lambda shape, dtype=None: tf.ones([3])\n"
            "tf.keras.layers.Dense(2, kernel_initializer=start)(tf.ones([1, 2]))",
            "The initializer was to give the shape (2, 2), but gave (3,).",
        ),
        (
            "class M(tf.keras.Model):\n    pass\nM()(tf.ones([1, 2]))",
            "M has no method `call`, which computes what the layer gives.",
        ),
        (
            "class M(tf.keras.Model):\n    def __init__(self):\n        self.n = 1\nM()(tf.ones([1, 2]))",
            "M.__init__ has not called super().__init__().",
        ),
        ("tf.keras.layers.Dense.build(3, [1])", "A method of a layer is called on a layer: layer(x)."),
    ],
)
def test_a_layer_that_is_not_whole_says_what_is_missing(call: str, message: str) -> None:
    assert diagnostic(call, "tf2")["message"] == message


def test_parts_that_hold_one_another_are_gone_through_once() -> None:
    program = "layer = tf.keras.layers.Dense(2)\nlayer.own = [layer]\nlayer(tf.ones([1, 2]))\n"
    answer = run_program(
        ProgramRequest(f"import tensorflow as tf\n{program}print(len(layer.variables))", "auto")
    )
    assert answer["printed"] == ["2"]


@pytest.mark.parametrize(
    "call",
    ["tf.nn.dropout(x, rate=1.5)", "tf.nn.dropout(x, -0.5)", "tf.layers.dropout(x, 1.5, training=True)"],
)
def test_a_rate_that_is_no_share_is_explained(call: str) -> None:
    reported = diagnostic(f"x = tf.ones([3])\n{call}")
    assert reported["message"] == "The rate of dropout is at least 0 and less than 1, not 1.5."
    assert reported["hint"] == "It is the share that is dropped; keep_prob is the share that stays."


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("jax.pmap", "There is one machine with one device here: jax.vmap computes the same."),
        ("jax.array_ref", "This is jax.new_ref now."),
        (
            "jax.lax.gather",
            "Write a subscript: x[i, j] takes elements at computed places, x.at[i, j].set(v) puts",
        ),
    ],
)
def test_what_is_refused_of_jax_says_what_to_write(name: str, hint: str) -> None:
    (reported,) = run_program(ProgramRequest(f"import jax\nf = {name}\n"))["diagnostics"]
    assert reported["message"] == f"`{name}` is not supported."
    assert reported["hint"].startswith(hint)
