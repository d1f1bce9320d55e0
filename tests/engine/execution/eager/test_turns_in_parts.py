"""Parts of a turn of PyTorch that run as one function leave behind what their statements would."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.languages.surfaces.torch.looping.body import LoopBody
from engine.languages.surfaces.torch.looping.in_a_row import TurnsInARow
from engine.languages.surfaces.torch.looping.part import Part
from tests.engine.execution.eager.test_repeated_passes import PROGRAMS as LOOPS_BEFORE
from tests.engine.execution.eager.test_repeated_passes import answer
from tests.engine.execution.eager.test_replayed_turns import NEVER, sections
from tests.engine.execution.eager.torch_loops_in_parts import LOOPS

PROGRAMS = sections(LOOPS)
RUN_AS_ONE = {
    "a module of one's own, and a look every now and then": 40,
    "two models with an optimizer each": 40,
    "batches of a loader": 40,
    "arrays that take some time": 25,
    "tensors of each turn that are kept": 25,
    "a function that trains": 100,
}


def parts_run(monkeypatch: pytest.MonkeyPatch, source: str) -> tuple[Any, int]:
    """The answer of a program, and how many parts of its turns ran as one function."""
    found: list[Part] = []
    run, computes = Part.run, Part.computes

    def note(self: Part, chain: Any) -> Any:
        done = run(self, chain)
        found.extend([] if done is None else [self])
        return done

    def note_in_a_row(self: Part, values: list[Any]) -> bool:
        done = computes(self, values)
        found.extend([self] if done else [])
        return done

    with monkeypatch.context() as patch:
        patch.setattr(Part, "run", note)
        patch.setattr(Part, "computes", note_in_a_row)
        return answer(monkeypatch, source, 2)[0], len(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_answer_is_the_same_text_with_parts_that_run_as_one_and_without(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, found = (answer(monkeypatch, PROGRAMS[name], turns)[0] for turns in (NEVER, 2))
    assert json.dumps(found) == json.dumps(expected)


@pytest.mark.parametrize("name", RUN_AS_ONE)
def test_parts_of_a_usual_loop_run_as_one_function(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parts_run(monkeypatch, PROGRAMS[name])[1] >= RUN_AS_ONE[name]


def test_the_answer_is_that_of_statements_that_run_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    program = PROGRAMS["tensors of each turn that are kept"]
    found, count = parts_run(monkeypatch, program)
    monkeypatch.setattr(LoopBody, "__call__", lambda self: self._plain())
    expected, without = parts_run(monkeypatch, program)
    assert count > 0 == without
    assert json.dumps(found) == json.dumps(expected)


@pytest.mark.parametrize(
    ("name", "to_the_end", "left_before_it"),
    [
        ("turns in a row, and a look every now and then", 25, 5),
        ("turns in a row that are left", 25, 1),
        ("a second turn that is like no other", 25, 0),
        ("turns in a row in which a number leaves its domain", 100, 2),
        ("turns in a row inside of another loop, and of a function", 25, 0),
        ("tensors of each turn that are kept", 0, 0),
        ("batches of a loader", 0, 0),
    ],
)
def test_turns_with_nothing_between_them_run_in_a_row(
    name: str, to_the_end: int, left_before_it: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And those in which a condition holds, or a function gives up, go on statement by statement."""
    runs: list[bool] = []
    run = TurnsInARow.runs

    def note(self: TurnsInARow) -> bool:
        runs.append(run(self))
        return runs[-1]

    monkeypatch.setattr(TurnsInARow, "runs", note)
    answer(monkeypatch, PROGRAMS[name], 2)
    assert runs.count(True) >= to_the_end
    assert runs.count(False) >= left_before_it
    assert to_the_end or not runs


@pytest.mark.parametrize("name", ["dropout and noise", "batch normalisation"])
def test_statements_that_draw_or_write_into_buffers_run_one_by_one(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert parts_run(monkeypatch, LOOPS_BEFORE[name])[1] == 0
