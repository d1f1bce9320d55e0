"""int8 and int16 compute as in TensorFlow 1.15: they wrap around, and mix with nothing else."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

SOURCE = """
import tensorflow as tf
a = tf.placeholder(tf.int16)
b = tf.placeholder(tf.int16)
with tf.Session() as sess:
    print(sess.run([tf.add(a, b), a * b, a - b, a > b], {a: 2, b: 3}))
    print(sess.run(a * b, {a: 300, b: 300}), sess.run(tf.cast(a, tf.int8), {a: 300}))
    print(sess.run(tf.reduce_sum(tf.constant([100, 100], tf.int8))), a.dtype)
"""


def test_the_small_integers_of_tensorflow() -> None:
    answer = run_program(ProgramRequest(SOURCE, dialect="tf1"))
    assert answer["printed"] == ["[5, 6, -1, False]", "24464 44", "-56 <dtype: 'int16'>"]


def test_they_do_not_mix() -> None:
    mixed = SOURCE.replace("a * b,", "a * tf.constant(1),")
    assert run_program(ProgramRequest(mixed, dialect="tf1"))["status"] == "error"
