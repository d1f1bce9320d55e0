"""The programs that people paste first, with what TensorFlow gives."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program


def run(source: str, **fields: Any) -> dict[str, Any]:
    return run_program(ProgramRequest(source, **fields))


def codes(answer: dict[str, Any]) -> list[str]:
    return [diagnostic["code"] for diagnostic in answer["diagnostics"]]


P1 = """\
import tensorflow as tf
v = tf.Variable(3.)
target = tf.square(v)
opt = tf.train.GradientDescentOptimizer(learning_rate=0.01)
step_op = opt.minimize(target)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for k in range(100):
        _, target_value, v_value = session.run([step_op, target, v])
        print("step %d: x %f, y %f" % (k, v_value, target_value))
"""


def test_p1_prints_the_square_as_it_was_and_the_variable_as_it_is() -> None:
    printed = run(P1)["printed"]
    assert len(printed) == 100
    assert printed[0] == "step 0: x 2.940000, y 9.000000"
    assert printed[1] == "step 1: x 2.881200, y 8.643600"
    assert printed[99] == "step 99: x 0.397859, y 0.164818"


def test_p1_keeps_the_first_and_the_last_runs() -> None:
    (session,) = run(P1)["sessions"]
    assert session["runs"] == 101  # the initializer, then a hundred steps
    indices = [kept["index"] for kept in session["kept"]]
    assert indices[:21] == [*range(20), indices[20]]
    assert indices[-20:] == list(range(81, 101))
    first_step = session["kept"][1]
    assert first_step["line"] == 9
    (update,) = first_step["updates"]
    assert (update["before"]["data"], update["after"]["data"]) == (3.0, 2.94)
    assert first_step["nodes"]["Square:0"]["data"] == 9.0


P2 = """\
import tensorflow as tf
# 求导
v = tf.Variable(3.)
y = tf.sin(v)
grads = tf.gradients(y, [v])

w = tf.summary.FileWriter("some/folder")
w.add_graph(graph=tf.get_default_graph())
"""


def test_p2_shows_the_sine_and_its_derivative_without_a_session() -> None:
    answer = run(P2)
    assert answer["status"] == "ok"
    assert answer["printed"] == []
    assert answer["target"] == "Sin:0"
    (row,) = answer["gradients"]
    assert row["tensor"] == "gradients/Sin_grad/mul:0"
    assert row["value"]["data"] == pytest.approx(-0.9899925)
    assert codes(answer) == ["summary_not_written"]


def test_p3_shows_the_chain() -> None:
    answer = run(P2.replace("tf.sin(v)", "tf.exp(tf.sin(v))"))
    values = {binding["name"]: binding for binding in answer["bindings"]}
    assert values["y"]["value"]["data"] == pytest.approx(1.1515628)
    assert answer["gradients"][0]["value"]["data"] == pytest.approx(-1.1400385)


def test_p4_each_slip_is_found_with_the_right_suggestion() -> None:
    slips = {
        "tf.tf.train.GradientDescentOptimizer(0.1)": "`tf.` is written twice.",
        "tf.Seesion()": "Did you mean `tf.Session`?",
        "opt.computer_gradients(y)": "Did you mean `.compute_gradients`?",
    }
    for slip, hint in slips.items():
        source = f"import tensorflow as tf\nopt = tf.train.GradientDescentOptimizer(0.1)\nz = {slip}"
        (reported,) = run(source)["diagnostics"]
        assert reported["hint"] == hint
        assert (reported["line"], reported["column"]) == (3, 5)


P4 = """\
import tensorflow as tf
x = tf.Variable(3.)
loss = ...
opt = tf.tf.train.GradientDescentOptimizer(learning_rate=0.01)
train = opt.minimize(loss)
init = tf.initialize_all_variables()
with tf.Seesion() as sess:
    session.run(init)
    session.run(train)
"""


def test_p4_all_slips_are_reported_at_once_each_at_its_place() -> None:
    reported = run(P4)["diagnostics"]
    assert [(d["line"], d["column"], d["hint"]) for d in reported] == [
        (4, 7, "`tf.` is written twice."),
        (7, 6, "Did you mean `tf.Session`?"),
        (8, 5, "Did you mean `sess`?"),
    ]


def test_p4_an_ellipsis_is_explained() -> None:
    source = "import tensorflow as tf\nloss = ...\ntf.train.GradientDescentOptimizer(0.1).minimize(loss)"
    (reported,) = run(source)["diagnostics"]
    assert reported["hint"] == "`...` stands for something left out: write the loss there."


P5 = """\
a = tf.Variable(initial_value=50., dtype='float32')
b = tf.Variable(initial_value=10., dtype='float32')
pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(b * a, [b, a])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(pairs))
"""


def test_p5_prints_pairs_and_notes_the_missing_import() -> None:
    answer = run(P5)
    assert answer["printed"] == ["[(50.0, 10.0), (10.0, 50.0)]"]
    (note,) = answer["diagnostics"]
    assert note["code"] == "assumed_import"
    assert note["severity"] == "note"
    assert (note["line"], note["column"], note["end_column"]) == (1, 5, 7)


P6 = """\
import tensorflow as tf
with tf.Graph().as_default():
    x = tf.Variable(initial_value=3., dtype='float32')
    w = tf.Variable(initial_value=4., dtype='float32')
    y = w * x
    grads = tf.gradients(y, [w])
    print(grads)
    opt = tf.train.GradientDescentOptimizer(0.1)
    grads_vals = opt.compute_gradients(y, [w])
    print(grad_vals)
"""


def test_p6_prints_handles_and_finds_the_name_that_was_never_assigned() -> None:
    answer = run(P6)
    assert answer["printed"] == ["[<tf.Tensor 'gradients/mul_grad/Mul:0' shape=() dtype=float32>]"]
    (reported,) = answer["diagnostics"]
    assert reported["message"] == "The name `grad_vals` is not defined."
    assert reported["hint"] == "Did you mean `grads_vals`?"
    assert (reported["line"], reported["column"], reported["end_column"]) == (10, 11, 20)


def test_p6_prints_the_pair_of_handles() -> None:
    assert run(P6.replace("print(grad_vals)", "print(grads_vals)"))["printed"][1] == (
        "[(<tf.Tensor 'gradients_1/mul_grad/tuple/control_dependency:0' shape=() dtype=float32>, "
        "<tf.Variable 'Variable_1:0' shape=() dtype=float32_ref>)]"
    )


P7 = """\
import tensorflow as tf
x = tf.Variable(initial_value=3., dtype='float32')
w = tf.Variable(initial_value=4., dtype='float32')
y = w * x
opt = tf.train.GradientDescentOptimizer(0.1)
pairs = opt.compute_gradients(y, [w])
for i, (g, v) in enumerate(pairs):
    if g is not None:
        pairs[i] = (tf.clip_by_norm(g, 5), v)
train_op = opt.apply_gradients(pairs)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(pairs))
    print(sess.run([x, w, y]))
"""


def test_p7_prints_an_unclipped_gradient_and_says_why() -> None:
    answer = run(P7)
    assert answer["printed"] == ["[(3.0, 4.0)]", "[3.0, 4.0, 12.0]"]
    assert [reported["message"] for reported in answer["diagnostics"]] == [
        "Norm 3 is within 5: nothing was clipped.",
        "The update `GradientDescent` was built but never run: the variables kept their values.",
    ]


def test_p7_marks_what_stands_between_the_gradient_and_the_update() -> None:
    phases = {node["name"]: node["phase"] for node in run(P7)["graph"]["nodes"]}
    assert phases["mul"] == "forward"
    assert phases["gradients/mul_grad/tuple/control_dependency"] == "gradient"
    assert phases["clip_by_norm"] == "process"
    assert phases["GradientDescent/update_Variable_1/ApplyGradientDescent"] == "update"


def test_p9_plain_functions() -> None:
    source = (
        "def square(x):\n    return x * x\n\ndef square_grad(x):\n    return 2 * x\n"
        "print(square(10))\nprint(square_grad(10))"
    )
    assert run(source)["printed"] == ["100", "20"]


def test_the_version_printed_is_the_one_whose_behaviour_we_give() -> None:
    source = "import tensorflow as tf\nprint(tf.__version__)"
    assert run(source)["printed"] == ["2.21.0"]
    assert run(f"{source}\nwith tf.Session() as sess:\n    pass")["printed"] == ["1.15.5"]
