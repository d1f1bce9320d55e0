"""`map`, `filter`, `zip` and `enumerate` take an item when it is asked for; expected output is Python's."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = """
import math
log = []
def f(x):
    log.append(x)
    return x * 10
def big(x):
    log.append(x)
    return x > 2
"""
USES = {
    "print(any(map(big, [1, 3, 4])), log)": ["True [1, 3]"],
    "print(all(map(big, [3, 1, 5])), log)": ["False [3, 1]"],
    "print(any(filter(big, [1, 3, 4])), log)": ["True [1, 3]"],
    "print(next(map(f, [1, 2])), log)": ["10 [1]"],
    "print(20 in map(f, [1, 2, 3]), log)": ["True [1, 2]"],
    "for y in map(f, [1, 2]):\n    print(y, log)\n    break": ["10 [1]"],
    "m = map(f, [1, 2])\nprint(log)\nprint(list(m), log, list(m))": ["[]", "[10, 20] [1, 2] []"],
    "for pair in zip(map(f, [1, 2, 3]), [7]):\n    print(pair)\nprint(log)": ["(10, 7)", "[1, 2]"],
    "for pair in zip([7], map(f, [1, 2, 3])):\n    print(pair)\nprint(log)": ["(7, 10)", "[1]"],
    "for i, y in enumerate(filter(big, [3, 4])):\n    break\nprint(i, y, log)": ["0 3 [3]"],
    "xs = [1, 2]\nm = map(f, xs)\nxs.append(3)\nprint(list(m))": ["[10, 20, 30]"],
    "xs = [1, 2, 4]\nfor i, x in enumerate(xs):\n    if x == 2:\n        xs.remove(x)\nprint(i, x, xs)": [
        "1 2 [1, 4]"
    ],
    "xs, ys = [1], [2]\nfor x, y in zip(xs, ys):\n    if len(xs) < 3:\n        xs.append(y)\n"
    "        ys.append(x)\nprint(xs, ys)": ["[1, 2, 1] [2, 1, 2]"],
    "print(bool(map(f, [])), bool(zip()), type(map(f, [])).__name__, zip((1,), (2,)))": [
        "True True map <zip object>"
    ],
}


@pytest.mark.parametrize("use", USES)
def test_functions_are_called_as_often_as_in_python(use: str) -> None:
    assert run_program(ProgramRequest(BEGIN + use))["printed"] == USES[use]


RAISES = """
def f(x):
    if x == 2:
        raise ValueError("two")
    return x
m = map(f, [1, 2, 3])
try:
    for y in m:
        print(y)
except ValueError as error:
    print("caught", error)
print(list(m))
"""


def test_a_mistake_in_the_function_comes_where_the_item_is_asked_for() -> None:
    assert run_program(ProgramRequest(RAISES))["printed"] == ["1", "caught two", "[3]"]


TRACED = """
import tensorflow as tf
w = tf.Variable(3.0)
optimizer = tf.keras.optimizers.SGD(0.5)
def halved(g):
    return g / 2
@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = w * w
    optimizer.apply_gradients(zip(map(halved, tape.gradient(loss, [w])), [w]))
step()
print(w.numpy())
"""


def test_a_traced_function_takes_the_pairs_that_it_gives_an_optimizer() -> None:
    assert run_program(ProgramRequest(TRACED))["printed"] == ["1.5"]
