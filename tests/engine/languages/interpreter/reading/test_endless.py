"""A loop whose turns change nothing is stopped at its second turn; every other loop goes on."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY


def answered(source: str, dialect: str = "tf1") -> Any:
    """A program's answer."""
    return run_program(ProgramRequest(source, dialect=dialect), ROOMY)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("while True:\n    pass", 1),
        ("while 1:\n    continue", 1),
        ("x = 3.0\nwhile x > 0.001:\n    x = x / 1", 2),
        ("x = 1e300\nwhile x > 0:\n    x *= 10", 2),  # until x is infinite
        ("x = 1e300 * 1e300 - 1e300 * 1e300\nwhile True:\n    x = x + 1", 2),  # NaN
        ("n = 5\nwhile n:\n    if n > 9:\n        break\n    m = n", 2),
        ("def f():\n    x = 1\n    while x:\n        y = x\nf()", 3),
        ("while True:\n    while True:\n        pass", 2),
        ("import numpy as np\na = np.float32(3)\nwhile a > 1:\n    b = 2", 3),
        ("try:\n    while True:\n        pass\nexcept Exception:\n    print('caught')", 2),
    ],
)
def test_a_loop_that_changes_nothing_is_stopped_at_once(source: str, line: int) -> None:
    answer = answered(source)
    assert answer["status"] == "limit"
    (reported,) = [one for one in answer["diagnostics"] if one["severity"] == "error"]
    assert (reported["code"], reported["line"]) == ("endless_loop", line)
    assert answer["usage"]["steps"] < 200
    assert answer["printed"] == []


def test_it_says_what_to_change() -> None:
    (reported,) = answered("while True:\n    pass")["diagnostics"]
    assert reported["message"] == (
        "This loop never ends: a turn of it changes nothing, so every further turn is the same."
    )
    assert reported["hint"] == "Change in the loop what its condition looks at, or leave it with `break`."
    assert reported["message_zh"].startswith("这个循环不会结束")


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("n = 5\nwhile n:\n    n -= 1\nprint(n)", "0"),
        ("n = 0\nwhile True:\n    if n == 3:\n        break\n    n += 1\nprint(n)", "3"),
        ("n = 0\nwhile n is not True:\n    n = True if n == 1 else n + 1\nprint(n)", "True"),  # 1, then True
        ("x = 0.0\nn = 0\nwhile n < 2:\n    x = -x\n    n += 1\nprint(x)", "0.0"),
        ("a = [3]\nwhile a[0] > 0:\n    a[0] -= 1\nprint(a)", "[0]"),
        (
            "class C:\n    n = 0\n    def __add__(self, other):\n        self.n += other\n"
            "        return self.n\nc = C()\nwhile c + 1 < 3:\n    pass\nprint(c.n)",
            "3",
        ),
        ("import numpy as np\na = np.zeros(1)\nb = a\nwhile b < 3:\n    a += 1\nprint(b)", "[3.]"),
        ("s = ''\nwhile s != 'aaa':\n    s = s + 'a'\nprint(s)", "aaa"),
    ],
)
def test_a_loop_that_changes_something_goes_on(source: str, printed: str) -> None:
    answer = answered(source)
    assert (answer["status"], answer["printed"]) == ("ok", [printed])


def test_a_loop_on_a_variable_that_it_does_not_change_is_stopped_in_tensorflow_2() -> None:
    source = "import tensorflow as tf\nx = tf.Variable(3.)\nwhile x > 0:\n    pass"
    answer = answered(source, "tf2")
    assert answer["diagnostics"][-1]["code"] == "endless_loop"
