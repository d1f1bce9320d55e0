"""Work in parts sent line by line: what becomes of it when it fails after its first line."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any

import pytest

from engine.errors import GradlensError
from server.answers.progress_lines import ProgressLines
from server.http.problems import overloaded
from server.serialization.answer import Answer
from server.workers.parts import Progress, parts_done


def lines_of(ask: Any) -> list[dict[str, Any]]:
    """All lines of some work."""

    async def read() -> list[dict[str, Any]]:
        lines = ProgressLines("race", ask)
        try:
            await lines.begin()
            return [json.loads(line) async for line in lines]
        finally:
            lines.close()

    return asyncio.run(read())


async def works(progress: Progress) -> Answer:
    progress(parts_done(0, 2))
    await asyncio.sleep(0)
    progress(parts_done(1, 2))
    return Answer("race_1", gzip.compress(b'{"id":"race_1"}'))


async def fails_late(progress: Progress) -> Answer:
    progress(parts_done(0, 2))
    raise overloaded()


async def fails_by_our_fault(progress: Progress) -> Answer:
    progress(parts_done(0, 2))
    raise KeyError("ours")


async def fails_at_once(progress: Progress) -> Answer:
    raise overloaded()


def test_the_last_line_is_the_answer() -> None:
    assert lines_of(works) == [
        {"type": "progress", "sequence": 0, "done": 0, "parts": 2},
        {"type": "progress", "sequence": 1, "done": 1, "parts": 2},
        {"type": "race", "sequence": 2, "id": "race_1"},
    ]


@pytest.mark.parametrize(
    ("work", "code"), [(fails_late, "overloaded"), (fails_by_our_fault, "internal_error")]
)
def test_work_that_fails_on_its_way_ends_with_a_problem(work: Any, code: str) -> None:
    _, last = lines_of(work)
    assert (last["type"], last["sequence"], last["code"]) == ("problem", 1, code)


def test_work_that_fails_at_once_has_no_lines() -> None:
    with pytest.raises(GradlensError, match="Too many programs"):
        lines_of(fails_at_once)
