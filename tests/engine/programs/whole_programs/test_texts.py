"""A program that holds texts has every answer that another one has."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.programs import ProgramRequest, RunRequest, optimise, run_program, tell_lesson
from engine.programs.answers.code import written_code
from engine.programs.answers.comparison import compare_ways
from engine.programs.answers.graph_files import download_graph, download_tensor
from engine.programs.program.packing import pack_outcome, unpack_outcome
from engine.programs.program.running import run_request
from tests.limits import ROOMY

LIMITS = ROOMY
TF2 = """
import tensorflow as tf
label = tf.constant("loss")
names = tf.constant(["w", "b"])
w = tf.Variable(2.0)
title = tf.Variable("Elephant")
many = tf.fill([5000], "x")
optimizer = tf.keras.optimizers.SGD(0.01)
for step in range(3):
    with tf.GradientTape() as tape:
        word = tf.strings.upper(label) + tf.strings.as_string(w)
        y = w * w * tf.cast(tf.strings.length(label), tf.float32)
    slopes = tape.gradient(y, [w, title])
    optimizer.apply_gradients([(slopes[0], w)])
print(label, slopes[1])
"""
TF1 = """
import tensorflow as tf
label = tf.constant("loss")
names = tf.placeholder(tf.string, [None], name="names")
w = tf.Variable(2.0)
title = tf.Variable("Elephant")
many = tf.fill([5000], "x")
word = tf.strings.join([label, names], separator=" ")
y = w * w * tf.cast(tf.strings.length(label), tf.float32)
train = tf.train.GradientDescentOptimizer(0.01).minimize(y)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(30):
        sess.run([train, y, word, title], {names: ["a", "b"]})
    print(sess.run(label), tf.gradients(y, [title]))
"""
ANSWERS: dict[str, Callable[[ProgramRequest], object]] = {
    "lesson": lambda request: tell_lesson(request, LIMITS, "beginner"),
    "graph": lambda request: download_graph(request, "tensorflow", "json", LIMITS),
    "pbtxt": lambda request: download_graph(request, "tensorflow", "pbtxt", LIMITS),
    "events": lambda request: download_graph(request, "essentials", "events", LIMITS),
    "code": lambda request: written_code(request, "tf2", LIMITS),
    "comparison": lambda request: compare_ways(request, LIMITS),
    "run": lambda request: optimise(request, RunRequest(steps=3), LIMITS),
}
PROGRAMS = {"tf1": TF1, "tf2": TF2}


@pytest.mark.parametrize("dialect", PROGRAMS)
@pytest.mark.parametrize("answer", ANSWERS)
def test_every_answer_is_there(answer: str, dialect: str) -> None:
    assert ANSWERS[answer](ProgramRequest(PROGRAMS[dialect], dialect=dialect))


@pytest.mark.parametrize("dialect", PROGRAMS)
def test_texts_are_shown_as_they_read_and_many_by_their_shape(dialect: str) -> None:
    answer = run_program(ProgramRequest(PROGRAMS[dialect], dialect=dialect))
    assert answer["status"] == "ok"
    values = {binding["name"]: binding.get("value") for binding in answer["bindings"]}
    assert values["label"] == {"dtype": "string", "shape": [], "data": "loss"}
    assert values["title"]["data"] == "Elephant"
    assert values["many"] == {"dtype": "string", "shape": [5000], "data": None}
    assert "b'loss'" in answer["printed"][0]
    assert "None" in answer["printed"][0]  # a text has no gradient


def test_a_large_tensor_of_texts_is_there_in_full() -> None:
    whole = download_tensor(ProgramRequest(TF1, dialect="tf1"), "Fill", LIMITS)
    assert (whole["dtype"], whole["data"]) == ("string", ["x"] * 5000)


@pytest.mark.parametrize("dialect", PROGRAMS)
def test_a_program_with_texts_is_kept_for_what_is_asked_next(dialect: str) -> None:
    packed = pack_outcome(run_request(ProgramRequest(PROGRAMS[dialect], dialect=dialect), LIMITS))
    assert packed
    assert unpack_outcome(packed, LIMITS).names["label"].dtype == "string"


def test_texts_that_grow_from_turn_to_turn_meet_a_limit() -> None:
    growing = "import tensorflow as tf\nt = tf.constant('ab')\nwhile True:\n    t = tf.strings.join([t, t])\n"
    answer = run_program(ProgramRequest(growing, dialect="tf2"))
    assert answer["diagnostics"][-1]["code"] == "text_limit"


def test_a_numpy_array_of_texts_does_not_grow() -> None:
    source = "import tensorflow as tf\na = tf.constant(['a']).numpy()\nprint(a == b'a', a[0])\na * 1000000\n"
    answer = run_program(ProgramRequest(source, dialect="tf2"))
    assert answer["printed"] == ["[ True] b'a'"]
    assert answer["diagnostics"][-1]["code"] == "type_mismatch"
