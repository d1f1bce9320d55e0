"""Arguments that are rarely written and that TensorFlow takes: as 1.15.5 and 2.21 told."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

HEAD = """\
import numpy as np
import tensorflow as tf
v = tf.constant([1., 2., 3.])
m = tf.constant([[1., 2.], [3., 4.]])
"""


def printed(expression: str, dialect: str) -> list[str]:
    """What the value of an expression is printed as."""
    shown = f"print(tf.Session().run({expression}))" if dialect == "tf1" else f"print(np.array({expression}))"
    answer = run_program(ProgramRequest(f"{HEAD}{shown}\n", dialect))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize("dialect", ["tf1", "tf2"])
@pytest.mark.parametrize(
    ("expression", "lines"),
    [
        ("tf.reduce_sum(m, axis=range(2))", ["10.0"]),
        ("tf.transpose(m, perm=range(1, -1, -1))", ["[[1. 3.]", " [2. 4.]]"]),
        ("tf.expand_dims(v, [0])", ["[[1. 2. 3.]]"]),
        ("tf.linspace(0., 1., tf.constant(3))", ["[0.  0.5 1. ]"]),
        ("tf.shape(tf.random.normal([2], seed=1.0))", ["[2]"]),
        ("tf.zeros(2)", ["[0. 0.]"]),
    ],
)
def test_what_both_versions_take(expression: str, lines: list[str], dialect: str) -> None:
    assert printed(expression, dialect) == lines


def test_what_version_1_takes_besides() -> None:
    assert printed("tf.placeholder_with_default(v, None)", "tf1") == ["[1. 2. 3.]"]
    layer = "h = tf.layers.dense(m, 4 / 2, kernel_initializer=tf.ones_initializer())\nprint(h.shape)\n"
    assert run_program(ProgramRequest(HEAD + layer, "tf1"))["printed"] == ["(2, 2)"]


@pytest.mark.parametrize(
    ("expression", "node"),
    [
        ("tf.transpose(m, perm=np.arange(2)[::-1])", ("transpose/perm", "Const", "int32", [2])),
        ("tf.tile(v, np.array([2]))", ("Tile/multiples", "Const", "int32", [1])),
        ("tf.reshape(m, np.array([4, 1]))", ("Reshape/shape", "Const", "int32", [2])),
        ("tf.cumsum(v, np.int64(0))", ("Cumsum/axis", "Const", "int32", [])),
        ("tf.zeros(3)", ("zeros/shape_as_tensor", "Const", "int32", [1])),
        ("tf.zeros([3])", ("zeros", "Const", "float32", [3])),
    ],
)
def test_the_nodes_are_those_of_version_1(expression: str, node: tuple[str, str, str, list[int]]) -> None:
    answer = run_program(ProgramRequest(f"{HEAD}y = {expression}\n", "tf1", gradients=False))
    nodes = [
        (one["name"], one["op"], one["outputs"][0]["dtype"], one["outputs"][0]["shape"])
        for one in answer["graph"]["nodes"]
    ]
    assert node in nodes


def test_a_tuple_waits_for_its_control_inputs_too_all_in_the_order_of_making() -> None:
    source = """
a = tf.constant(1., name="a")
b = tf.constant(2., name="b")
c = tf.no_op(name="c")
t = tf.tuple([b, a], control_inputs=[c, a], name="t")
"""
    answer = run_program(ProgramRequest(HEAD + source, "tf1", gradients=False))
    nodes = {node["name"]: node for node in answer["graph"]["nodes"]}
    assert nodes["t/group_deps"]["control_inputs"] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (
            "i, s = tf.while_loop(lambda i, s: i < 9, lambda i, s: (i + 1, 2. * s),\n"
            "                     (tf.constant(0), tf.constant(1.)), maximum_iterations=3)\n"
            "print(int(i), float(s))",
            ["3 8.0"],
        ),
        (
            "print(tf.while_loop(lambda i: i < 9, lambda i: (i + 1,), (tf.constant(0),), "
            "maximum_iterations=0))",
            ["(<tf.Tensor: shape=(), dtype=int32, numpy=0>,)"],
        ),
        (
            "x, z = tf.Variable([1., 2.]), tf.Variable([[3., 4.]])\n"
            "with tf.GradientTape() as t:\n    y = x * x\n"
            'print(t.jacobian(y, [x, z], unconnected_gradients="zero")[1].numpy().tolist())',
            ["[[[0.0, 0.0]], [[0.0, 0.0]]]"],
        ),
        (
            "x, z = tf.Variable([[1.], [2.]]), tf.Variable([[3., 5.], [4., 6.]])\n"
            "with tf.GradientTape() as t:\n    y = x * x\n"
            "print(t.batch_jacobian(y, z).numpy().tolist())",  # zeros, where jacobian gives None
            ["[[[0.0, 0.0]], [[0.0, 0.0]]]"],
        ),
        (
            "x = tf.Variable(1.)\ntf.keras.optimizers.SGD(1.).minimize(lambda: x * x, [x], grad_loss=3.)\n"
            "print(float(x))",  # 1 - 2 * 3
            ["-5.0"],
        ),
        (
            "d = tf.data.Dataset.range(9).shuffle(9, reshuffle_each_iteration=False)\n"
            "print([int(i) for i in d] == [int(i) for i in d])",
            ["True"],
        ),
    ],
)
def test_what_version_2_takes_besides(source: str, lines: list[str]) -> None:
    answer = run_program(ProgramRequest(f"{HEAD}{source}\n", "tf2"))
    assert (answer["status"], answer["printed"]) == ("ok", lines), answer["diagnostics"]


def test_losses_and_figures_are_found_in_the_collections_that_a_program_names() -> None:
    source = """
with tf.name_scope("a"):
    tf.losses.mean_squared_error([1.], [2.])
with tf.name_scope("b"):
    tf.losses.mean_squared_error([1.], [3.])
print([loss.name for loss in tf.losses.get_losses("a/")], len(tf.losses.get_losses()))
tf.layers.dense(m, 1, kernel_regularizer=tf.reduce_sum, name="q")
print(len(tf.losses.get_regularization_losses("q/")), tf.losses.get_regularization_losses("z/"))
figure, update = tf.metrics.mean(v, metrics_collections=["first", "second"], updates_collections="updates")
print(tf.get_collection("first") == tf.get_collection("second") == [figure])
print(tf.get_collection("updates") == [update])
"""
    answer = run_program(ProgramRequest(HEAD + source, "tf1", gradients=False))
    assert answer["printed"] == ["['a/mean_squared_error/value:0'] 2", "1 []", "True", "True"]
