"""What a program that runs is reported to have done."""

from __future__ import annotations

from typing import Any

import pytest

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, run_and_pack
from engine.programs.program import progress
from tests.limits import ROOMY

DESCENT = """\
import tensorflow as tf
x = tf.Variable(3.)
train = tf.train.GradientDescentOptimizer(0.1).minimize(x * x)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print("a", end=" ")
print("b")
for step in range(3):
    sess.run(train)
print("end", end="")
sess.run(x)
"""


def reports(source: str, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What is reported where every look at the clock is time for it."""
    monkeypatch.setattr(progress, "FIRST_S", -1.0)
    monkeypatch.setattr(progress, "EVERY_S", -1.0)
    found: list[dict[str, Any]] = []
    answer, _ = run_and_pack(ProgramRequest(source), Limits(wall_s=60), found.append)
    assert answer["status"] == "ok"
    return found


def test_each_report_has_what_is_new_since_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    found = reports(DESCENT, monkeypatch)
    assert [(one["line"], one["runs"], one["printed"]) for one in found] == [
        (5, 0, []),
        (9, 1, ["a b"]),
        (9, 2, []),
        (9, 3, []),
        (11, 4, []),  # a line that has not ended is not reported yet
    ]
    assert [one["steps"] for one in found] == sorted({one["steps"] for one in found})


def test_most_programs_end_before_the_first_report() -> None:
    found: list[Any] = []
    run_and_pack(ProgramRequest("y = x^2"), ROOMY, found.append)
    assert found == []
