"""The small libraries of courses: miniflow and autodiff."""

from __future__ import annotations

from typing import Any

from engine.programs import ProgramRequest, run_program


def run(source: str) -> dict[str, Any]:
    return run_program(ProgramRequest(source))


def printed(source: str) -> list[str]:
    answer = run(source)
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


LOSS = """\
y = tf.Variable(1., name="y")
w = tf.Variable(2., name="w")
x = tf.Variable(3., name="x")
b = tf.Variable(4., name="b")
loss = (y - w * x - b) ** 2
"""


def test_miniflow_evaluates_and_differentiates_without_a_session() -> None:
    source = (
        "import miniflow as tf\n" + LOSS + 'print(loss.forward())\nprint(loss.grad())\nprint(loss.grad("w"))'
    )
    assert printed(source) == ["81.0", "{'y': -18.0, 'w': 54.0, 'x': 36.0, 'b': 18.0}", "54.0"]


def test_miniflow_runs_a_tensorflow_program() -> None:
    source = (
        "import miniflow as tf\na = tf.constant(3.)\nx = tf.placeholder(tf.float32)\nw = tf.Variable(0.)\n"
        "train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.square(w * x - a))\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    sess.run(train, feed_dict={x: 1.})\n    print(sess.run(w), w.forward())"
    )
    assert printed(source) == ["3.0 3.0"]


def test_without_miniflow_the_missing_methods_are_explained() -> None:
    (reported,) = run("import tensorflow as tf\n" + LOSS + "loss.forward()")["diagnostics"]
    assert reported["message"] == "A TensorFlow tensor has no method `.forward()`."
    assert "import miniflow as tf" in reported["hint"]


def test_a_variable_that_is_not_there_is_reported() -> None:
    (reported,) = run("import miniflow as tf\n" + LOSS + "loss.grad('ww')")["diagnostics"]
    assert reported["message"] == "There is no variable named `ww`."


def autodiff(body: str) -> list[str]:
    return printed("import autodiff as ad\nimport numpy as np\n" + body)


def test_autodiff_sums_and_products() -> None:
    body = (
        'x = ad.Variable(name="x")\nz = ad.Variable(name="z")\ny = x * z + 5 + x\n'
        "gx, gz = ad.gradients(y, [x, z])\nexecutor = ad.Executor([y, gx, gz])\n"
        "print(executor.run(feed_dict={x: 2 * np.ones(3), z: 3 * np.ones(3)}))"
    )
    assert autodiff(body) == ["[array([13., 13., 13.]), array([4., 4., 4.]), array([2., 2., 2.])]"]


def test_autodiff_gradient_of_a_gradient() -> None:
    body = (
        'x = ad.Variable(name="x")\ny = x * x * x\n(g,) = ad.gradients(y, [x])\n(h,) = ad.gradients(g, [x])\n'
        "print(ad.Executor([y, g, h]).run(feed_dict={x: 2.0}))"
    )
    assert autodiff(body) == ["[8.0, 12.0, 12.0]"]


def test_autodiff_matrix_products() -> None:
    body = (
        'a = ad.Variable(name="a")\nb = ad.Variable(name="b")\ny = ad.matmul_op(a, b)\n'
        "ga, gb = ad.gradients(y, [a, b])\n"
        "values = ad.Executor([y, ga, gb]).run(feed_dict={a: [[1., 2.]], b: [[3.], [4.]]})\n"
        "print([v.tolist() for v in values])"
    )
    assert autodiff(body) == ["[[[11.0]], [[3.0, 4.0]], [[1.0], [2.0]]]"]


def test_autodiff_gradient_of_what_is_not_connected_is_zero() -> None:
    body = (
        'x = ad.Variable(name="x")\nz = ad.Variable(name="z")\n(g,) = ad.gradients(x + 1, [z])\n'
        "print(ad.Executor([g]).run(feed_dict={x: 1.0, z: [1.0, 2.0]}))"
    )
    assert autodiff(body) == ["[array([0., 0.])]"]
