"""The lines of an answer that takes a while: one each time that the work is further, at last the answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from typing import Any

import orjson
import structlog

from engine.errors import GradlensError
from server.http.encoding import unpacked
from server.http.problems import internal_error, problem_document
from server.serialization.answer import Answer, line
from server.workers.parts import Progress
from server.workers.streams import ignore_error

Report = Mapping[str, Any]

log = structlog.get_logger("gradlens")


class ProgressLines:
    """NDJSON for one reader; `begin` before reading, `close` in any case.

    kind: what the last line's type says: `answer`, `race` or `landscape`.
    ask:  asks for the answer, given a progress callback.
    """

    def __init__(self, kind: str, ask: Callable[[Progress], Coroutine[Any, Any, Answer]]) -> None:
        self._kind = kind
        self._progress: asyncio.Queue[Report | None] = asyncio.Queue()  # None: the work has ended
        self._work = asyncio.ensure_future(ask(self._progress.put_nowait))
        self._work.add_done_callback(self._done)
        self._first: Report | None = None

    async def begin(self) -> None:
        """Wait until there is something to report, such as that the work is cut into parts.

        Raises: GradlensError where the request does not fit the program: then there is no stream at all.
        """
        self._first = await self._progress.get()
        if self._first is None:
            await self._work

    @property
    def whole(self) -> Answer | None:
        """The answer, where it was there before anything could be reported."""
        return self._work.result() if self._first is None else None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count, report = 0, self._first
        while report is not None:
            yield await self.written(count, report)
            count, report = count + 1, await self._progress.get()
        try:
            answer = await self._work
        except GradlensError as error:
            yield line(count, {**problem_document(error), "type": "problem"})
        except Exception:  # the head of the answer has gone out: a fault of ours can only end it
            log.exception("work with progress failed")
            yield line(count, {**problem_document(internal_error()), "type": "problem"})
        else:
            async for part in self.last(count, answer):
                yield part

    async def written(self, count: int, report: Report) -> bytes:
        """The line of a report."""
        return line(count, {"type": "progress", **report})

    async def last(self, count: int, answer: Answer) -> AsyncIterator[bytes]:
        """What follows the reports: the answer as one line, in parts."""
        head = orjson.dumps({"type": self._kind, "sequence": count})[:-1] + b","
        async for part in with_head(head, unpacked(answer.packed)):
            yield part

    def close(self) -> None:
        """The reader has gone."""
        self._work.cancel()

    def _done(self, work: asyncio.Task[Answer]) -> None:
        self._progress.put_nowait(None)
        ignore_error(work)


async def with_head(head: bytes, parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """A line in parts: an object that comes in parts, whose first fields are `head`."""
    held = head + (await anext(parts))[1:]
    async for part in parts:
        yield held
        held = part
    yield held + b"\n"
