"""Summaries and checkpoints: TensorFlow's nodes, values kept while a program runs, nothing written."""

from __future__ import annotations

from typing import Any

from engine.graph.essentials import essentials
from engine.languages.surfaces.tf1.files.summaries import NOTE
from engine.programs import ProgramRequest, run_program
from engine.programs.program.running import run_request
from tests.limits import ROOMY

TRAINED = """
import tensorflow as tf
w = tf.Variable(1., name='w')
loss = tf.square(2. * w - 3., name='loss')
train = tf.train.GradientDescentOptimizer(.1).minimize(loss)
tf.summary.scalar('cost', loss)
merged = tf.summary.merge_all()
saver = tf.train.Saver()
with tf.Session() as sess:
    writer = tf.summary.FileWriter('./logs', sess.graph)
    sess.run(tf.global_variables_initializer())
    for step in range(2):
        _, cost, text = sess.run([train, loss, merged])
        writer.add_summary(text, step)
        print(cost)
    path = saver.save(sess, './model/m', global_step=2)
    sess.run(w.assign(7.))
    saver.restore(sess, path)
    print(path, sess.run(w))
"""


def answer(source: str) -> Any:
    return run_program(ProgramRequest(source, dialect="tf1"))


def test_a_training_loop_with_summaries_and_a_saver_gives_its_numbers() -> None:
    given = answer(TRAINED)
    assert given["status"] == "ok"
    assert given["printed"] == ["1.0", "0.040000018", "./model/m-2 1.48"]
    assert next(note["message"] for note in given["diagnostics"]) == NOTE


def test_a_view_without_plumbing_leaves_out_what_is_for_files() -> None:
    graph = run_request(ProgramRequest(TRAINED, dialect="tf1"), ROOMY).graph
    names = {seen.node.name for seen in essentials(graph)}
    assert {"w", "loss", "GradientDescent/update_w/ApplyGradientDescent"} <= names
    assert not {name for name in names if name.startswith(("save/", "cost", "Merge"))}


def test_a_value_that_only_a_summary_takes_is_still_seen() -> None:
    source = (
        "import tensorflow as tf\nw = tf.Variable(1.)\ny = tf.sin(w, name='y')\ntf.summary.scalar('s', y)"
    )
    graph = run_request(ProgramRequest(source, dialect="tf1"), ROOMY).graph
    assert "y" in {seen.node.name for seen in essentials(graph)}


def test_what_was_not_saved_cannot_be_restored() -> None:
    source = (
        "import tensorflow as tf\nw = tf.Variable(1.)\ns = tf.train.Saver()\n"
        "with tf.Session() as sess:\n    s.restore(sess, './old/m')"
    )
    (error,) = [one for one in answer(source)["diagnostics"] if one["severity"] == "error"]
    assert error["code"] == "no_such_file"
    assert error["message"] == "Nothing was saved as './old/m' while this program ran."


def test_a_saver_keeps_the_latest_checkpoints() -> None:
    source = """
import tensorflow as tf
w = tf.Variable(1.)
s = tf.train.Saver(max_to_keep=2)
with tf.Session() as sess:
    sess.run(w.initializer)
    for step in range(3):
        s.save(sess, 'd/m', global_step=step)
    print(s.last_checkpoints, tf.train.latest_checkpoint('d'), tf.train.checkpoint_exists('d/m-0'))
"""
    assert answer(source)["printed"] == ["['d/m-1', 'd/m-2'] d/m-2 False"]


def test_a_variable_is_loaded_with_a_value() -> None:
    source = """
import tensorflow as tf
v = tf.Variable([1., 2.], name='v')
with tf.Session() as sess:
    sess.run(v.initializer)
    v.load([5., 6.], sess)
    print(sess.run(v))
    v.load([7, 8])
    print(v.eval())
    v.load([1., 2., 3.], sess)
"""
    given = answer(source)
    assert given["printed"] == ["[5. 6.]", "[7. 8.]"]
    assert [one["code"] for one in given["diagnostics"] if one["severity"] == "error"] == ["shape_mismatch"]
