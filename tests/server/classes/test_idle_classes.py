"""A class is deleted after four idle hours; a clock that is set deletes none."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import Connection, text

from server import clock
from server.classes.classes import IDLE_S, Classes
from server.classes.tables import TABLES
from server.classes.wrong_codes import WrongCodes
from server.http.problems import Problem
from tests.server.store.opened import opened

STATE: Any = {"source": "y = x^2", "at": {"x": 3.0}}


def with_classes(database_url: str, use: Callable[[Classes], Awaitable[None]]) -> int:
    """Use classes on a database of their own. Returns: how many rows of classes are left there."""

    def rows(connection: Connection) -> int:
        return sum(connection.execute(text(f"SELECT COUNT(*) FROM {name}")).scalar_one() for name in TABLES)

    async def open_and_close() -> int:
        async with opened(database_url) as database:
            answers: Any = None  # of programs, which no class here asks about
            classes = Classes(database, answers, students=10, classes=10)
            await use(classes)
            left: int = await database.read(rows)
            return left

    return asyncio.run(open_and_close())


def passes(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let so many seconds pass."""
    before = clock.passed
    monkeypatch.setattr(clock, "passed", lambda: before() + seconds)


def is_set(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Set the clock of the machine, forward or back."""
    before = time.time
    monkeypatch.setattr("time.time", lambda: before() + seconds)


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "is_left"), [(IDLE_S - 60, True), (IDLE_S + 60, False)])
def test_after_four_idle_hours_nothing_of_a_class_is_left(
    database_url: str, monkeypatch: pytest.MonkeyPatch, seconds: float, is_left: bool
) -> None:
    async def use(classes: Classes) -> None:
        await classes.start(STATE)
        passes(monkeypatch, seconds)
        await classes.tidy()

    assert (with_classes(database_url, use) > 0) is is_left


@pytest.mark.slow
@pytest.mark.parametrize("days", [-1, 1])
def test_a_clock_that_is_set_deletes_no_class(
    database_url: str, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    async def use(classes: Classes) -> None:
        await classes.start(STATE)
        is_set(monkeypatch, days * 86_400)
        await classes.tidy()

    assert with_classes(database_url, use) > 0


def test_a_clock_that_is_set_back_holds_up_nobody_for_longer_than_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    codes = WrongCodes(lambda events: None)
    for _ in range(10):
        codes.count("192.0.2.1")
    with pytest.raises(Problem):
        codes.check("192.0.2.1")
    codes.check("192.0.2.2")
    is_set(monkeypatch, -86_400)
    codes.check("192.0.2.1")


def test_each_replica_counts_what_the_others_were_asked() -> None:
    sent: list[Any] = []
    here, there = WrongCodes(sent.extend), WrongCodes(sent.extend)
    for _ in range(5):
        here.count("192.0.2.1")
        there.count("192.0.2.1")
    for each in (here, there):
        each.hear(list(sent))
        with pytest.raises(Problem) as refused:
            each.check("192.0.2.1")
        assert refused.value.status == 429
    assert "192.0.2.1" not in str(sent)
