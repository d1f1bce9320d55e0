"""TensorFlow 1's sessions as programs use them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.interchange.values import Outline
from engine.languages.surfaces.tf1 import program_session as session
from engine.programs import ProgramRequest, run_program
from engine.programs.program.result import session_json
from engine.programs.program.running import run_request
from tests.limits import ROOMY

HEAD = "import tensorflow as tf\n"


def run(source: str, **fields: Any) -> dict[str, Any]:
    return run_program(ProgramRequest(HEAD + source, **fields))


def printed(source: str, **fields: Any) -> list[str]:
    answer = run(source, **fields)
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


COUNTER = "n = tf.Variable(0, name='n')\nup = tf.assign(n, n + 1)\ninit = tf.global_variables_initializer()\n"


def test_each_session_has_values_of_its_own() -> None:
    source = COUNTER + (
        "for _ in range(2):\n    with tf.Session() as s:\n        s.run(init)\n"
        "        print(s.run(n), s.run(up), s.run(n))"
    )
    assert printed(source) == ["0 1 1", "0 1 1"]


def test_fetches_come_back_in_their_form() -> None:
    source = (
        "a = tf.constant(1.)\nb = tf.constant([2., 3.])\nwith tf.Session() as s:\n"
        "    print(s.run([a, (b, a)]))\n    print(s.run({'a': a, 'op': a.op}))\n    print(s.run('Const:0'))"
    )
    assert printed(source) == [
        "[1.0, (array([2., 3.], dtype=float32), 1.0)]",
        "{'a': 1.0, 'op': None}",
        "1.0",
    ]


def test_placeholders_are_fed_by_tensor_and_by_name() -> None:
    source = (
        "x = tf.placeholder(tf.float32, [None, 2], name='x')\ny = tf.reduce_sum(x, 1)\n"
        "with tf.Session() as s:\n    print(s.run(y, feed_dict={x: [[1, 2], [3, 4]]}))\n"
        "    print(s.run(y, {'x:0': [[5, 6]]}))"
    )
    assert printed(source) == ["[3. 7.]", "[11.]"]


def test_an_intermediate_tensor_can_be_fed() -> None:
    source = (
        "x = tf.constant(2.)\ny = x * x\nz = y + 1.\nwith tf.Session() as s:\n    print(s.run(z, {y: 10.}))"
    )
    assert printed(source) == ["11.0"]


def test_the_request_feeds_what_the_program_leaves_open() -> None:
    source = "x = tf.placeholder(tf.float32, name='ph')\ny = x * x\nz = 3. * y"
    for key in ("x", "ph", "ph:0"):
        answer = run(source, feeds={key: 4})
        assert {b["name"]: b["value"]["data"] for b in answer["bindings"]} == {"x": 4.0, "y": 16.0, "z": 48.0}
    blank = run(source)
    assert [b["value"] for b in blank["bindings"]] == [None, None, None]


def test_the_request_replaces_an_initial_value() -> None:
    source = "x = tf.Variable(3., name='v')\ny = x * x"
    for key in ("x", "v", "v:0"):
        assert run(source, at={key: 5})["bindings"][1]["value"]["data"] == 25.0
    reported = run(source, at={"w": 5})["diagnostics"]
    assert reported[0]["message"] == "A value was given for `w`, but the program has no such variable."


def test_eval_and_run_use_the_default_session() -> None:
    source = COUNTER + (
        "s = tf.InteractiveSession()\ninit.run()\nprint(n.eval(), up.eval(), (n * 2).eval())\ns.close()"
    )
    assert printed(source) == ["0 1 2"]


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("s = tf.Session()\ntf.constant(1.).eval()", "no_default_session"),
        ("s = tf.Session()\ns.close()\ns.run(tf.constant(1.))", "closed_session"),
        ("tf.Session().run(None)", "cannot_fetch"),
        ("tf.Session().run(tf.constant(1.), feed_dict=3)", "bad_feed"),
        ("x = tf.placeholder(tf.int32)\ntf.Session().run(x, {x: 2.5})", "bad_feed"),
        ("x = tf.placeholder(tf.float32, [2])\ntf.Session().run(x, {x: [1, 2, 3]})", "shape_mismatch"),
        ("x = tf.placeholder(tf.float32)\ntf.Session().run(x, {x: tf.constant(1.)})", "bad_feed"),
        ("g = tf.Graph()\nx = tf.constant(1.)\ntf.Session(graph=g).run(x)", "other_graph"),
    ],
)
def test_a_run_that_cannot_be_is_reported(source: str, code: str) -> None:
    answer = run(source)
    assert answer["status"] == "error"
    assert answer["diagnostics"][-1]["code"] == code


def test_a_variables_value_is_its_state_in_the_last_session() -> None:
    source = COUNTER + "with tf.Session() as s:\n    s.run(init)\n    s.run(up)\n    s.run(up)"
    assert run(source)["bindings"][0]["value"]["data"] == 2


def test_tensors_print_as_in_tensorflow() -> None:
    source = (
        "x = tf.placeholder(tf.float32, [None, 2])\nv = tf.Variable([1., 2.], name='v')\n"
        "print(x)\nprint([x])\nprint(v)\nprint(x.shape, v.get_shape().as_list(), v.dtype, x.dtype)\n"
        "print(tf.placeholder(tf.int32))"
    )
    assert printed(source) == [
        'Tensor("Placeholder:0", shape=(?, 2), dtype=float32)',
        "[<tf.Tensor 'Placeholder:0' shape=(?, 2) dtype=float32>]",
        "<tf.Variable 'v:0' shape=(2,) dtype=float32_ref>",
        "(?, 2) [2] <dtype: 'float32_ref'> <dtype: 'float32'>",
        'Tensor("Placeholder_1:0", dtype=int32)',
    ]


def test_graphs_and_scopes_name_their_nodes() -> None:
    source = (
        "with tf.Graph().as_default() as g:\n    with tf.name_scope('net'):\n"
        "        x = tf.constant(1., name='x')\n    print(x.name, x.graph is g)\n"
        "with tf.device('/gpu:0'):\n    y = tf.constant(2.)\nprint(y.name, y.device)"
    )
    assert printed(source) == ["net/x:0 True", "Const:0 /device:GPU:0"]


def test_changing_an_array_later_leaves_the_graph_alone() -> None:
    source = (
        "import numpy as np\na = np.ones(2, dtype=np.float32)\nc = tf.constant(a)\nv = tf.Variable(a)\n"
        "a[0] = 5.\nwith tf.Session() as s:\n    s.run(tf.global_variables_initializer())\n"
        "    print(s.run([c, v]))"
    )
    assert printed(source) == ["[array([1., 1.], dtype=float32), array([1., 1.], dtype=float32)]"]


def test_no_ops_can_be_fetched_and_entered() -> None:
    source = (
        "merged = tf.summary.text('t', 'words')\nx = tf.constant(1.)\nconfig = tf.ConfigProto()\n"
        "config.gpu_options.allow_growth = True\nwith tf.Session(config=config) as s:\n"
        "    print(s.run([merged, x]))"
    )
    assert printed(source) == ["[None, 1.0]"]


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ("[None, 2]", "with dtype float and shape [?,2]"),
        ("[]", "with dtype float"),
        ("None", "with dtype float"),
    ],
)
def test_a_missing_feed_is_caught_with_tensorflows_words(shape: str, said: str) -> None:
    source = (
        f"import tensorflow as tf\np = tf.placeholder(tf.float32, {shape}, name='p')\n"
        "with tf.Session() as sess:\n    try:\n        sess.run(p + 1.0)\n"
        "    except tf.errors.InvalidArgumentError as e:\n        print(e.message)"
    )
    answer = run_program(ProgramRequest(source))
    assert answer["printed"] == [f"You must feed a value for placeholder tensor 'p' {said}"]


def test_a_variable_without_a_value_and_a_closed_session_are_caught_with_tensorflows_words() -> None:
    source = (
        "import tensorflow as tf\nv = tf.Variable(1.0, name='v')\nwith tf.Session() as sess:\n    try:\n"
        "        sess.run(v * 2.0)\n    except tf.errors.FailedPreconditionError as e:\n"
        "        print(e.message)\n"
        "try:\n    sess.run(v)\nexcept RuntimeError as e:\n    print(e)"
    )
    assert run_program(ProgramRequest(source))["printed"] == [
        "Attempting to use uninitialized value v",
        "Attempted to use a closed Session.",
    ]


def test_of_large_tensors_the_first_and_the_latest_run_are_kept_and_of_small_ones_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session, "MAX_LARGE_BYTES", 100_000)
    source = HEAD + (
        "w = tf.Variable(1.)\nlarge = tf.fill([50, 50], w)\nup = tf.assign_add(w, tf.reduce_mean(large))\n"
        "with tf.Session() as s:\n    s.run(w.initializer)\n    for _ in range(30):\n        s.run(up)\n"
    )
    outcome = run_request(ProgramRequest(source), ROOMY)
    kept = [kept.run for kept in outcome.workspace.sessions[0].kept]
    assert len(kept) == 31
    assert [float(run.updates[0].after) for run in kept] == [2.0**k for k in range(31)]
    large = [any(array.size == 2500 for array in run.values.values()) for run in kept]
    assert large[-1]
    assert sum(large) < 12  # of 10,000 bytes each


def test_where_updates_are_large_earlier_runs_keep_their_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MAX_LARGE_BYTES", 100_000)
    source = HEAD + (
        "w = tf.Variable(tf.ones([50, 50]))\nup = tf.assign_add(w, w)\n"
        "with tf.Session() as s:\n    s.run(w.initializer)\n    for _ in range(60):\n        s.run(up)\n"
    )
    outcome = run_request(ProgramRequest(source), ROOMY)
    made = outcome.workspace.sessions[0]
    assert [each.index for each in made.kept] == list(range(61))
    assert sum(session.large_bytes(each.run) for each in made.kept) == made.large_bytes <= 100_000
    (update,) = session_json(made)["kept"][30]["updates"]
    assert [update[when]["summary"]["mean"] for when in ("before", "after")] == [2.0**29, 2.0**30]
    assert [update[when]["data"] for when in ("before", "after")] == [None, None]


def test_a_large_first_run_keeps_its_figures_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MAX_LARGE_BYTES", 15_000)  # one array of 2,500 numbers and a half
    source = HEAD + (
        "w = tf.Variable(tf.ones([50, 50]))\nup = tf.assign_add(w, w)\n"
        "with tf.Session() as s:\n    s.run(w.initializer)\n    for _ in range(3):\n        s.run(up)\n"
    )
    kept = run_request(ProgramRequest(source), ROOMY).workspace.sessions[0].kept
    assert [each.large_bytes > 0 for each in kept] == [False, False, False, True]


def test_what_was_fed_last_is_known_though_its_run_keeps_no_large_arrays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session, "MAX_LARGE_BYTES", 15_000)
    source = HEAD + (
        "import numpy as np\np = tf.placeholder(tf.float32, [2500])\nq = tf.placeholder(tf.float32, [])\n"
        "with tf.Session() as s:\n    s.run(p * 2., {p: np.full(2500, 7.)})\n"
        "    for k in range(5):\n        s.run(tf.fill([2500], q), {q: k})\n"
    )
    made = run_request(ProgramRequest(source), ROOMY).workspace.sessions[0]
    fed = {tensor.name: array for tensor, array in made.last_feeds.items()}
    assert fed["Placeholder:0"].tolist() == [7.0] * 2500
    assert isinstance(made.kept[0].run.feeds[0][1], Outline)
