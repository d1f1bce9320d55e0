"""Fresh numbers at which wrong answers can be told from right ones."""

from __future__ import annotations

import math

import pytest

from engine.programs import ProgramRequest, other_numbers


def test_numbers_are_short_the_same_each_time_and_others_when_asked_again() -> None:
    request = ProgramRequest("y = exp(sin(x))", at={"x": 3})
    first = other_numbers(request)
    assert other_numbers(request) == first
    assert other_numbers(request, again=1)["at"] != first["at"]
    assert len(str(first["at"]["x"])) <= 4


def test_no_number_is_the_one_that_is_there() -> None:
    for again in range(12):
        found = other_numbers(ProgramRequest("y = tanh(x)/x", at={"x": 0.5}), again=again)
        assert found["at"]["x"] != 0.5
    found = other_numbers(ProgramRequest("x = [1,-1]\ny = sum(x^2)", at={"x": [2.0, -1.0]}))
    assert set(found["at"]["x"]).isdisjoint([2.0, -1.0])


def test_a_point_outside_of_the_domain_is_passed_over() -> None:
    for again in range(4):
        assert other_numbers(ProgramRequest("y = ln(x) * sqrt(x)", at={"x": 1}), again=again)["at"]["x"] > 0


def test_every_way_to_be_wrong_is_told_from_the_right_one_where_that_is_possible() -> None:
    found = other_numbers(ProgramRequest("f = (a*b)*(a+b)", at={"a": -2, "b": 3}))
    assert found["alike"] == 0
    assert len(set(map(abs, found["at"].values()))) == 2 or math.prod(found["at"].values()) != 1


def test_arrays_keep_their_shape() -> None:
    found = other_numbers(ProgramRequest("A = [[1,2],[3,4]]\nx = [1,-1]\ny = A @ x"))
    assert [len(row) for row in found["at"]["A"]] == [2, 2]
    assert len(found["at"]["x"]) == 2


@pytest.mark.parametrize("source", ["import tensorflow as tf\nx = tf.constant(2.)", "y = 1 +"])
def test_without_variables_there_are_none(source: str) -> None:
    assert other_numbers(ProgramRequest(source)) == {"at": {}, "alike": 0}
