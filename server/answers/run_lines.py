"""The lines of a streamed run: a worker's, and whatever becomes of it, a last one that says how it ended."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import structlog

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest
from server.answers.cut_short import footer_cut_short, header_cut_short
from server.workers.streams import Stream
from server.workers.workers import CutShort

Keep = Callable[[bytes], Awaitable[None]]

FOOTER = b'{"type":"footer"'

log = structlog.get_logger("gradlens")


class RunLines:
    """NDJSON, some lines at a time, for one reader; `begin` before reading, `close` in any case.

    keep: takes the run's checkpoints when it has come to its end.
    """

    def __init__(
        self,
        stream: Stream,
        program: str,
        request: ProgramRequest,
        run: RunRequest,
        limits: Limits,
        keep: Keep,
    ) -> None:
        self.program = program
        self._stream = stream
        self._keep = keep
        self._asked = program, request, run
        self._limits = limits
        self._first = b""
        self._count = 0
        self._has_footer = False

    async def begin(self) -> None:
        """Wait for the header and the first rows.

        Raises: GradlensError where the request does not fit the program: then there is no stream at all.
        """
        header = b""
        try:
            header = await self._receive() or b""
            self._first = header + (await self._receive() or b"")
        except CutShort as cut:
            header = header or header_cut_short(*self._asked, cut.reason, self._limits)
            self._first = header + footer_cut_short(1, cut.reason, self._limits)
            self._has_footer = True

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._first
        reason = ""
        try:
            while lines := await self._receive():
                yield lines
            await self._keep(await self._stream.result())
        except CutShort as cut:
            reason = cut.reason
        except Exception:  # the head of the answer has gone out: a fault of ours can only end it
            log.exception("run failed")
            reason = "worker_lost"
        if reason and not self._has_footer:  # else it has gone out already
            yield footer_cut_short(self._count, reason, self._limits)

    def close(self) -> None:
        """Let the worker go."""
        self._stream.close()

    async def _receive(self) -> bytes | None:
        lines = await self._stream.receive()
        if lines:
            self._count += lines.count(b"\n")
            self._has_footer = lines.startswith(FOOTER)
        return lines
