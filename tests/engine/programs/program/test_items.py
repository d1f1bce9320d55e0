"""An answer stays readable: of very many numbers the larger tensors are reported by their summary."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine.interchange.values import FULL_UP_TO
from engine.programs import ProgramRequest, run_program
from engine.programs.program.items import MAX_NUMBERS, ListedValues, Summarised, value_json, within_room
from tests.limits import ROOMY


def tensors(value: Any) -> Iterator[dict[str, Any]]:
    """Every tensor anywhere in an answer."""
    if isinstance(value, dict):
        if {"dtype", "shape", "data"} <= value.keys():
            yield value
        for item in value.values():
            yield from tensors(item)
    elif isinstance(value, list):
        for item in value:
            yield from tensors(item)


@pytest.mark.slow
def test_the_jacobian_of_hundreds_of_numbers_makes_an_answer_of_a_megabyte() -> None:
    source = """
import tensorflow as tf
x = tf.Variable(tf.ones([300]))
with tf.GradientTape() as tape:
    y = tf.sin(x) * x
rows = tape.jacobian(y, x)
"""
    body = run_program(ProgramRequest(source), ROOMY)
    assert body["status"] == "ok"
    assert len(json.dumps(body)) < 2_000_000  # 4 MB if every number were reported
    assert (
        sum(np.size(reported["data"]) for reported in tensors(body) if reported["data"] is not None)
        <= 2 * MAX_NUMBERS
    )
    row = next(reported for reported in tensors(body["graph"]) if reported["shape"] == [300])
    assert row["data"] is None
    assert (row["summary"]["min"], row["summary"]["max"]) == (1, 1)
    assert len(row["summary"]["histogram"]["counts"]) == 8


def test_an_ordinary_answer_has_every_number() -> None:
    body = run_program(ProgramRequest("import numpy as np\na = np.ones((60, 60))\nrows = [a, a, a]"))
    assert all(reported["data"] is not None for reported in tensors(body))


def test_many_arrays_in_a_list_share_its_room() -> None:
    source = """
import numpy as np
rows = [np.ones(1000) for i in range(900)]
few = [np.ones(9) for i in range(900)]
"""
    bindings = run_program(ProgramRequest(source))["bindings"]
    reported = {binding["name"]: list(tensors(binding)) for binding in bindings}
    assert {tensor["data"] is None for tensor in reported["rows"]} == {True}
    assert {tensor["data"] is None for tensor in reported["few"]} == {False}


@pytest.mark.parametrize(
    ("sizes", "whole"),
    [
        ([4096] * 4, [4096] * 4),
        ([4096] * 60, []),  # all alike: none is reported at another's expense
        ([4096] * 60 + [100] * 9, [100] * 9),
        ([16] * 20_000, [16] * 20_000),  # however many, small ones are shorter than their summary
    ],
)
def test_the_larger_ones_give_way(sizes: list[int], whole: list[int]) -> None:
    shown = within_room({number: np.zeros(size) for number, size in enumerate(sizes)})  # type: ignore[misc]
    assert [np.size(value) for value in shown.values() if not isinstance(value, Summarised)] == whole


def test_a_value_that_is_listed_often_is_written_once_and_as_each_alone() -> None:
    row, number, texts = np.array([0.1, 0.2], np.float32), np.array(0.1, np.float32), np.array(["a"], object)
    large = np.zeros(FULL_UP_TO + 1)
    listed = ListedValues([row, number, texts, large])
    values: list[Any] = [row, number, texts, large]
    for value in values:
        assert listed.json(value) == value_json(value)
        assert listed.json(value) is listed.json(value)
    assert listed.json(row, in_full=False) == value_json(Summarised(row))
    assert listed.json(None) is None


def test_a_value_added_again_keeps_its_json() -> None:
    row, other = np.array([1.5], np.float32), np.array([1.5, 2.5], np.float32)
    listed = ListedValues([row])
    before = listed.json(row)
    listed.add([row, other], room=1)  # the other one is larger than there is room for
    assert listed.json(row) is before
    assert listed.json(other) == {"dtype": "float32", "shape": [2], "data": [1.5, 2.5]}
