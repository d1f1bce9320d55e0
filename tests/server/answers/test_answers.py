"""Answers in memory: those asked for last stay, and many who ask at once share one piece of work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.execution.budget import Limits
from server.answers.answers import Answers
from server.answers.cache import AnswerCache
from server.answers.maker import Maker
from server.answers.single_flight import SingleFlight
from server.answers.store import Store
from server.http.problems import Problem
from server.serialization.answer import Answer
from server.settings import Settings
from server.store.database import Database
from server.store.engines import sqlite_at
from server.workers.parts import Progress
from server.workers.workers import Workers
from tests.limits import ROOMY
from tests.server.hostile import endless, gone

pytestmark = pytest.mark.slow  # starts workers of its own


def test_memory_lets_go_of_what_nobody_asked_for_the_longest() -> None:
    recent = AnswerCache(limit_bytes=10)
    recent.keep("a", Answer("a", b"1234"))
    recent.keep("b", Answer("b", b"1234"))
    recent.get("a")
    recent.keep("c", Answer("c", b"1234"))  # 12 bytes: one too many
    assert [recent.get(key) is not None for key in "abc"] == [True, False, True]


def test_an_answer_that_is_put_twice_counts_once() -> None:
    recent = AnswerCache(limit_bytes=10)
    for _ in range(5):
        recent.keep("a", Answer("a", b"123456"))
    assert recent.get("a") is not None
    assert recent.currsize == 6


def test_an_answer_larger_than_all_memory_takes_no_others_with_it() -> None:
    recent = AnswerCache(limit_bytes=10)
    recent.keep("small", Answer("small", b"1234"))
    recent.keep("large", Answer("large", b"12345678901"))
    assert [recent.get(key) is not None for key in ("small", "large")] == [True, False]


def test_an_answer_that_was_cut_short_is_not_kept() -> None:
    recent = AnswerCache(limit_bytes=10)
    recent.keep("short", Answer("short", b"1234", complete=False))
    assert recent.get("short") is None


def test_work_goes_on_while_somebody_waits_and_ends_with_the_last() -> None:
    async def use() -> None:
        flights, ended = SingleFlight(), asyncio.Event()

        async def make(_: Progress) -> Answer:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            raise AssertionError("unreachable")

        first, second = (asyncio.ensure_future(flights.answer("key", make)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        assert not ended.is_set()
        second.cancel()
        await asyncio.wait_for(ended.wait(), timeout=60)
        assert (await flights.answer("key", quick)).id == "anew"  # asked for again, it is made again

    async def quick(_: Progress) -> Answer:
        return Answer("anew", b"")

    asyncio.run(use())


@pytest.mark.parametrize(
    ("function", "wall_s", "status", "code"),
    [(endless, 1, 422, "wall_time"), (gone, 60, 500, "worker_lost")],
    ids=["endless", "gone"],
)
def test_work_of_which_there_is_no_half_says_what_stopped_it(
    tmp_path: Path, function: Callable[..., Any], wall_s: float, status: int, code: str
) -> None:
    limits = Limits(wall_s=wall_s)

    async def use() -> Problem:
        workers = Workers(Settings(data_dir=tmp_path, workers=2, limits=limits, grace_s=0.5))
        maker = Maker(workers, Store(Database(sqlite_at(tmp_path / "unused")), 1), limits)
        try:
            with pytest.raises(Problem) as alone:
                await maker.by_worker(whatever, function)
            with pytest.raises(Problem) as in_parts:
                await maker.by_workers(whatever, [(function,)], lambda report: None)
            assert alone.value.code == in_parts.value.code
            return alone.value
        finally:
            await workers.stop()

    problem = asyncio.run(use())
    assert (problem.status, problem.code) == (status, code)


def whatever(function: Callable[[], Any], _: Limits) -> Any:
    """What a function makes, whatever the limits."""
    return function()


def test_many_who_ask_at_once_share_one_piece_of_work(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    answers = Answers(Workers(settings), Store(Database(sqlite_at(tmp_path / "unused")), 1), ROOMY, 1_000)
    made: list[str] = []

    async def make(_: Progress) -> Answer:
        await asyncio.sleep(0)
        made.append("once")
        return Answer("p_1", b"bytes")

    async def ask() -> None:
        answered = await asyncio.gather(*(answers.shared("key", make) for _ in range(20)))
        assert {answer.id for answer in answered} == {"p_1"}

    asyncio.run(ask())
    assert made == ["once"]
