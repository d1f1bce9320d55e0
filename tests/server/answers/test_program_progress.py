"""A program that takes a while says how far it is, and ends when nobody reads it any more."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.schemas.answers.programs import ProgramAnswer, ProgramProgress
from server.workers.durations import SHORT_S
from tests.server.service import running

pytestmark = pytest.mark.slow  # starts services of its own

COUNTING = {"source": "print('begun')\nn = 0\nwhile True:\n    n = n + 1", "dialect": "tf1"}
LINES = {"accept": "application/x-ndjson"}


def without_end(data_dir: Path) -> AbstractContextManager[httpx.Client]:
    """A service with one worker, whose programs are bounded by nothing that they would meet in a day."""
    return running(
        data_dir,
        GRADLENS_WORKERS="1",
        GRADLENS_LIMITS__WALL_S="36000",
        GRADLENS_LIMITS__STEPS=str(10**12),
    )


def read(client: httpx.Client, body: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines of a program's answer."""
    with client.stream("POST", "/programs", json=body, headers=LINES) as response:
        assert response.status_code == 200
        assert response.headers["content-type"] == "application/x-ndjson"
        return [json.loads(line) for line in response.iter_lines()]


def test_a_program_says_how_far_it_is_until_it_is_answered(tmp_path: Path) -> None:
    with running(tmp_path, GRADLENS_LIMITS__WALL_S="2", GRADLENS_LIMITS__STEPS=str(10**12)) as service:
        *progress, answer = read(service, COUNTING)
        whole = service.post("/programs", json=COUNTING)
    assert progress
    for line in progress:
        ProgramProgress.model_validate(line)
    assert [line["sequence"] for line in (*progress, answer)] == list(range(len(progress) + 1))
    assert [text for line in progress for text in line["printed"]] == ["begun"]
    assert {line["line"] for line in progress} <= {3, 4}
    for one, next_one in pairwise(progress):
        assert one["steps"] < next_one["steps"]
        assert one["elapsed_ms"] < next_one["elapsed_ms"]
    assert answer.pop("type") == "answer"
    del answer["sequence"]
    assert answer == whole.json()
    assert (answer["status"], answer["printed"]) == ("limit", ["begun"])


def test_a_quick_program_is_one_line(client: httpx.Client) -> None:
    (answer,) = read(client, {"source": "y = x^2", "at": {"x": 3}})
    assert (answer.pop("type"), answer.pop("sequence")) == ("answer", 0)
    ProgramAnswer.model_validate(answer)
    assert client.get(f"/programs/{answer['id']}").json() == answer


def test_who_takes_both_is_sent_a_quick_answer_whole_and_a_slow_one_in_lines(tmp_path: Path) -> None:
    both = {"accept": "application/json, application/x-ndjson"}
    with running(tmp_path, GRADLENS_LIMITS__WALL_S="2", GRADLENS_LIMITS__STEPS=str(10**12)) as service:
        quick = service.post("/programs", json={"source": "y = x^2", "at": {"x": 3}}, headers=both)
        slow = service.post("/programs", json=COUNTING, headers=both)
    assert quick.headers["content-type"] == "application/json"
    assert quick.headers["content-encoding"] == "gzip"
    ProgramAnswer.model_validate(quick.json())
    assert slow.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line)["type"] for line in slow.iter_lines()][-2:] == ["progress", "answer"]


def test_a_request_that_does_not_fit_is_a_problem_and_no_lines(client: httpx.Client) -> None:
    response = client.post("/programs", json={"source": "y = x", "sead": 1}, headers=LINES)
    assert (response.status_code, response.json()["code"]) == (422, "unknown_field")


@pytest.mark.parametrize("headers", [LINES, {}], ids=["lines", "whole"])
def test_whoever_closes_the_connection_stops_the_program(tmp_path: Path, headers: dict[str, str]) -> None:
    with without_end(tmp_path) as service:
        if headers:
            with service.stream("POST", "/programs", json=COUNTING, headers=headers) as response:
                assert json.loads(next(response.iter_lines()))["type"] == "progress"
        else:
            with pytest.raises(httpx.ReadTimeout):
                service.post("/programs", json=COUNTING, timeout=SHORT_S)
        answer = service.post("/programs", json={"source": "y = 7 * x"}).json()  # by the only worker
    assert answer["status"] == "ok"


def test_who_comes_later_hears_what_was_printed_before(tmp_path: Path) -> None:
    with (
        without_end(tmp_path) as service,
        service.stream("POST", "/programs", json=COUNTING, headers=LINES) as first,
    ):
        first_lines = first.iter_lines()
        said = json.loads(next(first_lines))
        with service.stream("POST", "/programs", json=COUNTING, headers=LINES) as second:
            assert json.loads(next(second.iter_lines())) == said
        next(first_lines)  # the first one's program goes on
