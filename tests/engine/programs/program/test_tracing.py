"""The trace of a run: the columns of its answer, as numbers."""

from __future__ import annotations

import pytest

from engine.errors import ProgramError
from engine.programs import ProgramRequest, RunRequest, optimise, trace

DESCENT = {"name": "GradientDescent", "learning_rate": 0.25}
SQUARE = ProgramRequest("y = x^2", at={"x": 3})


def test_each_step_of_a_quarter_halves_x() -> None:
    found = trace(SQUARE, RunRequest(3, DESCENT))
    assert found.columns[found.variables["x"]].tolist() == [3.0, 1.5, 0.75, 0.375]
    assert found.columns[found.loss].tolist() == [9.0, 2.25, 0.5625, 0.140625]
    assert found.columns[found.gradients["x"]].tolist() == [6.0, 3.0, 1.5, 0.75]
    assert (found.status, found.stopped_at) == ("ok", None)


def test_the_columns_are_those_of_the_answer() -> None:
    run = RunRequest(2_000, {"name": "Adam", "learning_rate": 0.01})
    found, answer = trace(SQUARE, run), optimise(SQUARE, run)
    reported = {name: column for name, column in answer["nodes"].items() if name in found.columns}
    assert set(reported) > {found.loss, *found.variables.values(), *found.gradients.values()}
    assert {name: found.columns[name].tolist() for name in reported} == reported


def test_a_run_away_ends_with_the_row_that_shows_it() -> None:
    run = RunRequest(5_000, {**DESCENT, "learning_rate": 3.0})
    found, answer = trace(SQUARE, run), optimise(SQUARE, run)
    assert (found.status, found.stopped_at) == (answer["status"], answer["stopped_at"])
    assert found.status == "diverged"
    assert len(found.columns[found.loss]) == len(answer["loss"]) < 5_000


def test_arrays_are_stacked_along_the_steps() -> None:
    found = trace(ProgramRequest("v = [1, 2]\ny = sum(v^2)"), RunRequest(40, DESCENT))
    assert found.columns[found.variables["v"]].shape == (41, 2)


def test_a_program_that_stops_with_a_mistake_has_no_trace() -> None:
    with pytest.raises(ProgramError, match="The program does not run"):
        trace(ProgramRequest("y = (x"), RunRequest(3, DESCENT))
