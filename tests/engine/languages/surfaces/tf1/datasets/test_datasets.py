"""`tf.data` in TensorFlow 1. Whole graphs against TensorFlow's: tests/data/recorded, `datasets`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program
from engine.programs.service import run_and_pack, tell_lesson


def answer(source: str) -> dict[str, Any]:
    return run_program(ProgramRequest("import tensorflow as tf\n" + source, dialect="tf1", gradients=False))


def printed(source: str) -> list[str]:
    found = answer(source)
    assert found["status"] == "ok", found["diagnostics"]
    lines: list[str] = found["printed"]
    return lines


RUN = """
n = d.make_one_shot_iterator().get_next()
with tf.Session() as s:
    try:
        while True:
            print(s.run(n))
    except tf.errors.OutOfRangeError as e:
        print(e.message)
"""


def elements(dataset: str) -> list[str]:
    *found, end = printed(f"d = {dataset}{RUN}")
    assert end == "End of sequence"
    return found


def test_a_generator_is_asked_anew_each_time_and_its_elements_are_filled_up() -> None:
    found = printed(
        """
def numbers():
    for i in range(1, 4):
        yield i, [1.0] * i
shapes = (tf.TensorShape([]), tf.TensorShape([None]))
d = tf.data.Dataset.from_generator(numbers, (tf.int64, tf.float32), shapes).padded_batch(2, ([], [None]))
"""
        + RUN
    )
    assert found == [
        "(array([1, 2]), array([[1., 0.],",
        "       [1., 1.]], dtype=float32))",
        "(array([3]), array([[1., 1., 1.]], dtype=float32))",
        "End of sequence",
    ]


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        ("tf.data.Dataset.range(2, 9, 3)", ["2", "5", "8"]),
        ("tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(7, 8))", ["0", "1", "7"]),
        ("tf.data.Dataset.range(7).shard(3, 1)", ["1", "4"]),
        ("tf.data.Dataset.range(6).filter(lambda v: v % 2 > 0).map(lambda v: v * 10)", ["10", "30", "50"]),
        ("tf.data.Dataset.from_tensors([[1, 2], [3, 4]]).flat_map(tf.data.Dataset.from_tensor_slices)",
         ["[1 2]", "[3 4]"]),
        ("tf.data.Dataset.range(3).apply(lambda d: d.cache().batch(2))", ["[0 1]", "[2]"]),
    ],
)  # fmt: skip
def test_the_steps_of_a_pipeline(dataset: str, expected: list[str]) -> None:
    assert elements(dataset) == expected


def test_what_a_function_of_the_program_uses_from_outside_comes_in_when_the_iterator_begins() -> None:
    assert printed("""
v, k = tf.Variable(5.0), tf.placeholder(tf.float32, [])
it = tf.data.Dataset.range(2).map(lambda n: tf.cast(n, tf.float32) * v + k).make_initializable_iterator()
n = it.get_next()
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    s.run(it.initializer, {k: 3.0})
    print(s.run(n), s.run(n))
    s.run(v.assign(7.0))
    s.run(it.initializer, {k: 1.0})
    print(s.run(n), s.run(n))
""") == ["3.0 8.0", "1.0 8.0"]


def test_a_run_that_asks_twice_takes_two_elements_and_all_else_sees_the_same() -> None:
    assert printed("""
it = tf.data.Dataset.range(10).make_one_shot_iterator()
a, b = it.get_next(), it.get_next()
with tf.Session() as s:
    print(s.run([a, b, a + b, a]))
    print(s.run(a))
    print(s.run(b, {a: 7}))
with tf.Session() as s:
    print(s.run(a))
""") == ["[0, 1, 1, 0]", "2", "3", "0"]


def test_a_seeded_shuffle_has_tensorflows_order_but_where_it_is_repeated_in_the_same_step() -> None:
    shuffled = "d = tf.data.Dataset.range(20).shuffle(20, seed=4)"
    found = answer(f"{shuffled}.batch(20)" + RUN)
    order = " ".join(found["printed"][:-1]).strip("[]").split()
    assert order == [
        "11",
        "5",
        "10",
        "3",
        "2",
        "12",
        "4",
        "17",
        "6",
        "1",
        "18",
        "16",
        "7",
        "8",
        "15",
        "13",
        "19",
        "9",
        "14",
        "0",
    ]
    assert found["diagnostics"] == []
    repeated = answer(f"{shuffled}.repeat(2).batch(20)" + RUN)
    assert "shuffled_differently" in [note["code"] for note in repeated["diagnostics"]]


def test_a_loop_over_a_dataset_trains_as_one_that_feeds_and_its_page_can_go_on() -> None:
    found = answer("""
d = tf.data.Dataset.from_tensor_slices(([1.0, 2.0], [2.0, 4.0])).repeat().batch(2)
x, y = d.make_one_shot_iterator().get_next()
w = tf.Variable(0.0, name="w")
loss = tf.reduce_mean(tf.square(w * x - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for i in range(60):
        s.run(train)
    print(round(float(s.run(w)), 3))
""")
    assert found["printed"] == ["2.0"]


@pytest.mark.parametrize(
    ("source", "kind", "said"),
    [
        ("tf.data.Dataset.from_tensor_slices(([1, 2, 3], [1, 2]))", "ValueError",
         "Dimensions 3 and 2 are not compatible"),
        ("next(iter(tf.data.Dataset.range(3)))", "RuntimeError",
         "__iter__() is only supported inside of tf.function or when eager execution is enabled."),
        ("tf.data.Dataset.from_tensors(tf.placeholder(tf.float32)).make_one_shot_iterator()", "ValueError",
         "Cannot capture a placeholder (name:Placeholder, type:Placeholder) by value."),
        ("tf.data.Dataset.range(3).make_one_shot_iterator().initializer", "ValueError",
         "Iterator does not have an initializer."),
        ("tf.data.Dataset.range(3).flat_map(lambda v: v)", "TypeError",
         "`map_func` must return a `Dataset` object."),
        ("tf.Session().run(tf.data.Dataset.range(3).batch(0).make_one_shot_iterator().get_next())",
         "InvalidArgumentError", "Batch size must be greater than zero."),
    ],
)  # fmt: skip
def test_mistakes_are_caught_with_tensorflows_words(source: str, kind: str, said: str) -> None:
    caught = f"try:\n    {source}\nexcept Exception as e:\n    print(type(e).__name__, str(e), sep='|')"
    assert printed(caught) == [f"{kind}|{said}"]


def test_what_a_page_asks_later_goes_on_from_the_elements_that_were_read_last() -> None:
    source = """
import tensorflow as tf
d = tf.data.Dataset.from_tensor_slices(([1.0, 2.0], [2.0, 4.0])).map(lambda a, b: (a, b)).repeat().batch(2)
x, y = d.make_one_shot_iterator().get_next()
w = tf.Variable(0.0, name="w")
loss = tf.reduce_mean(tf.square(w * x - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    s.run(train)
"""
    request = ProgramRequest(source, dialect="tf1")
    _, packed = run_and_pack(request)
    assert packed
    steps = tell_lesson(request)["steps"]
    assert steps
    assert tell_lesson(replace(request, ran=packed))["steps"] == steps
