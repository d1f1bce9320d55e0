"""Work that sends messages while it goes on: in order, within bounds, ended at once without a reader."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from engine.execution.budget import Limits
from server.http.problems import Problem
from server.settings import Settings
from server.workers.streams import BUFFER_BYTES, Stream
from server.workers.workers import CutShort, Workers
from tests.server.hostile import counts, dies, looking, quick, silent, whoami

pytestmark = pytest.mark.slow  # starts workers of its own

PIPE_BYTES = 65_536 + 100_000  # what the kernel's pipe holds, and one message on its way


def with_one_worker(use: Callable[[Workers], Awaitable[None]], **settings: Any) -> None:
    """Call `use` with a single worker, so that what is not freed is missed."""

    async def start_and_stop() -> None:
        limits = Limits(wall_s=settings.pop("wall_s", 60))
        workers = Workers(Settings(workers=1, limits=limits, **settings))
        try:
            await use(workers)
        finally:
            await workers.stop()

    asyncio.run(start_and_stop())


async def read_on(stream: Stream, messages: list[bytes]) -> None:
    """Add every message that is still to come."""
    while (message := await stream.receive()) is not None:
        messages.append(message)


async def rest_of(stream: Stream) -> list[bytes]:
    """Every message that is still to come."""
    messages: list[bytes] = []
    await read_on(stream, messages)
    return messages


def test_messages_arrive_whole_and_in_order_however_slowly_they_are_read() -> None:
    async def use(workers: Workers) -> None:
        stream = await workers.stream(counts, 60, 100_000)  # six times what is kept in memory
        while len(stream._inlet._reader._buffer) <= 2 * BUFFER_BYTES:  # type: ignore[attr-defined]  # asyncio's
            await asyncio.sleep(0)  # nothing is read before the pipe is full
        assert [int(message) for message in await rest_of(stream)] == list(range(60))

    with_one_worker(use)


def test_a_reader_who_does_not_read_fills_no_memory_and_in_the_end_holds_no_worker() -> None:
    async def use(workers: Workers) -> None:
        stream = await workers.stream(counts, 1_000, 100_000)
        assert (await workers.run(quick, "next")).id == "next"  # waits until the worker's patience is over
        messages: list[bytes] = []
        with pytest.raises(CutShort) as cut:
            await read_on(stream, messages)
        assert cut.value.reason == "slow_reader"
        assert 0 < sum(map(len, messages)) <= 3 * BUFFER_BYTES + PIPE_BYTES

    with_one_worker(use, patience_s=0.2)


@pytest.mark.parametrize("work", [silent, counts], ids=["silent", "busy"])
def test_a_stream_that_is_given_up_frees_its_worker(work: Callable[..., None]) -> None:
    async def use(workers: Workers) -> None:
        stream = await workers.stream(work, *([10**9, 1_000] if work is counts else []))
        assert await stream.receive()
        stream.close()
        assert (await workers.run(quick, "next")).id == "next"

    with_one_worker(use)


def test_work_that_looks_whether_somebody_listens_need_not_be_killed() -> None:
    async def use(workers: Workers) -> None:
        stream = await workers.stream(looking)
        process = await stream.receive()
        stream.close()
        assert process is not None
        assert (await workers.run(whoami)).id == process.decode()

    with_one_worker(use)


def test_a_stream_that_is_given_up_while_it_waits_for_a_worker_is_never_begun() -> None:
    async def use(workers: Workers) -> None:
        busy = await workers.stream(silent)
        assert await busy.receive() == b"first"
        waiting = await workers.stream(silent)
        waiting.close()
        busy.close()
        assert (await workers.run(quick, "next")).id == "next"

    with_one_worker(use)


def test_a_worker_that_dies_keeps_what_it_sent_before() -> None:
    async def use(workers: Workers) -> None:
        stream = await workers.stream(dies)
        assert await stream.receive() == b"first"
        with pytest.raises(CutShort) as cut:
            await stream.receive()
        assert cut.value.reason == "worker_lost"
        assert (await workers.run(quick, "next")).id == "next"

    with_one_worker(use)


def test_work_that_never_ends_is_ended_by_the_clock() -> None:
    async def use(workers: Workers) -> None:
        stream = await workers.stream(silent)
        assert await stream.receive() == b"first"
        with pytest.raises(CutShort) as cut:
            await stream.receive()
        assert cut.value.reason == "wall_time"

    with_one_worker(use, wall_s=1, grace_s=0.5, patience_s=0.5)


def test_streams_stand_in_the_same_line_as_everybody() -> None:
    async def use(workers: Workers) -> None:
        stream = await workers.stream(silent)
        with pytest.raises(Problem) as problem:
            await workers.stream(silent)
        assert problem.value.code == "overloaded"
        stream.close()

    with_one_worker(use, pending=1)


def test_no_pipe_is_left_behind() -> None:
    async def use(workers: Workers) -> None:
        folder = workers._folder_of_pipes()
        stream = await workers.stream(counts, 3, 10)
        assert len(await rest_of(stream)) == 3
        stream.close()
        given_up = await workers.stream(silent)
        given_up.close()
        assert list(folder.iterdir()) == []

    with_one_worker(use)
