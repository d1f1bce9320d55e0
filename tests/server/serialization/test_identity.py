"""Ids follow from content, and a request survives being written down."""

from __future__ import annotations

import json

from engine.programs import ProgramRequest, RunRequest
from server.serialization.identity import canonical, fields_of, program_from_fields, program_id, run_id

REQUEST = ProgramRequest(
    source="y = x", dialect="math", at={"b": 2, "x": [1.5, float("nan")]}, seed=7, wrt=("x",), gradients=False
)


def test_a_request_survives_being_written_down() -> None:
    again = program_from_fields(json.loads(canonical(fields_of(REQUEST))))
    assert repr(again) == repr(REQUEST)  # nan is not equal to itself


def test_the_order_in_which_values_are_given_does_not_matter() -> None:
    one = ProgramRequest(source="y = a + b", at={"a": 1, "b": 2})
    other = ProgramRequest(source="y = a + b", at={"b": 2, "a": 1})
    assert program_id(one, "math") == program_id(other, "math")


def test_every_field_of_a_run_counts() -> None:
    runs = [
        RunRequest(steps=1),
        RunRequest(steps=2),
        RunRequest(steps=1, optimizer={"name": "GradientDescent"}),
        RunRequest(steps=1, process=({"scale": 2},)),
        RunRequest(steps=1, schedule={"name": "ExponentialDecay"}),
        RunRequest(steps=1, start={"x": 1}),
        RunRequest(steps=1, record="variables"),
    ]
    assert len({run_id("p_1", run) for run in runs}) == len(runs)
    assert run_id("p_1", runs[0]) != run_id("p_2", runs[0])


def test_an_id_is_short_and_plain() -> None:
    name = program_id(REQUEST, "math")
    assert len(name) == 22
    assert name.isascii()
    assert name.replace("_", "").isalnum()
