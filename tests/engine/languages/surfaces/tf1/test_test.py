"""`tf.test.compute_gradient` in a program."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

CHECK = """import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float64, [3])
y = tf.stack([tf.reduce_sum(x * x), tf.reduce_prod(x)])
with tf.Session():
    theory, numeric = tf.test.compute_gradient(x, [3], y, [2], x_init_value=np.array([1., 2., 3.]))
    print(theory)
    print(tf.test.compute_gradient_error(x, [3], y, [2], x_init_value=np.array([1., 2., 3.])) < 1e-9)
"""


def test_the_check_prints_what_tensorflow_prints() -> None:
    answer = run_program(ProgramRequest(CHECK))
    assert answer["printed"] == ["[[2. 6.]", " [4. 3.]", " [6. 2.]]", "True"]


def test_without_a_session_the_program_hears_where_to_call_it() -> None:
    source = CHECK.replace("with tf.Session():", "if True:")
    (mistake,) = run_program(ProgramRequest(source))["diagnostics"]
    assert mistake["message"] == "tf.test.compute_gradient needs a default session."
    assert mistake["line"] == 6
