"""What the routes share: where answers come from, how they are sent, which problems they document."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Annotated, Any, Protocol, TypeVar

from fastapi import Depends, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from server.answers.answers import Answers
from server.answers.progress_lines import ProgressLines
from server.http.encoding import PackedResponse
from server.http.repeats import remembered
from server.schemas.answers.common import ProblemDocument
from server.serialization.answer import Answer
from server.workers.parts import Progress

T = TypeVar("T")

AskWithProgress = Callable[[Progress | None], Coroutine[Any, Any, Answer]]

JSON = "application/json"
NDJSON = "application/x-ndjson"
CLIENT_GONE = 499  # what logs call a request whose sender has gone


async def answers_of(request: Request) -> Answers:
    """The application's answers (`async`, or each request would be handed to a thread for it)."""
    answers: Answers = request.app.state.answers
    return answers


AnswersOf = Annotated[Answers, Depends(answers_of)]


async def send_while_there(
    request: Request,
    work: Coroutine[Any, Any, Answer],
    media_type: str = JSON,
    file_name: str | None = None,
) -> Response:
    """An answer's own bytes once they are there; with `file_name`, to be kept under that name.

    A reader who goes away meanwhile takes their part in the work along.
    """
    answer = await while_there(request, work)
    if answer is None:
        return Response(status_code=CLIENT_GONE)
    headers = {"content-disposition": f'attachment; filename="{file_name}"'} if file_name else {}
    return remembered(
        request.scope, PackedResponse(answer.packed, media_type, headers, lasting=answer.complete)
    )


async def while_there(request: Request, work: Coroutine[Any, Any, T]) -> T | None:
    """What the work gives; None where the reader has gone meanwhile, and then the work is cancelled."""
    working = asyncio.ensure_future(work)
    leaving = None
    try:
        await asyncio.sleep(0)  # an answer in memory is there at once
        if not working.done():
            leaving = asyncio.ensure_future(gone(request))
            await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        working.cancel()
        if leaving is not None:
            leaving.cancel()


async def gone(request: Request) -> None:
    """Wait until the reader has gone; the request's body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Document the problems that a route may answer with."""
    content = {"application/problem+json": {"schema": ProblemDocument.model_json_schema()}}
    return {status: {"description": "A problem document.", "content": content} for status in statuses}


# -- answers line by line ----------------------------------------------------------------------------------


class Lines(Protocol):
    """NDJSON for one reader, who may go away: `close` in any case."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...

    def close(self) -> None:
        """The reader has gone."""


class Streamed(StreamingResponse):
    """Lines as they come; however the answer ends, the workers are let go."""

    def __init__(self, lines: Lines) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}  # the latter for nginx
        super().__init__(lines, media_type=NDJSON, headers=headers)
        self.lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.lines.close()


async def stream_while_there(request: Request, lines: Coroutine[Any, Any, Lines]) -> Response:
    """Lines once the first of them are there; a reader who goes away meanwhile ends the work."""
    begun = await while_there(request, lines)
    return Streamed(begun) if begun else Response(status_code=CLIENT_GONE)


async def send_with_progress(
    request: Request, ask: AskWithProgress, lines_of: Callable[[AskWithProgress], ProgressLines]
) -> Response:
    """An answer that may take a while: whole, or for who wants lines with its progress.

    Who takes both is sent lines only where there is progress to report: a whole answer is compressed.
    """
    if not wants_lines(request):
        return await send_while_there(request, ask(None))
    lines = await while_there(request, begun(lines_of(ask)))
    if lines is None:
        return Response(status_code=CLIENT_GONE)
    if lines.whole is not None and JSON in request.headers["accept"]:
        response = PackedResponse(lines.whole.packed, JSON, lasting=lines.whole.complete)
        return remembered(request.scope, response)
    return Streamed(lines)


async def begun(lines: ProgressLines) -> ProgressLines:
    """The lines of such an answer, the first of which is there."""
    try:
        await lines.begin()
    except BaseException:
        lines.close()
        raise
    return lines


def wants_lines(request: Request) -> bool:
    """Whether the reader asks for NDJSON."""
    return NDJSON in request.headers.get("accept", "")


def or_lines(described: str) -> dict[str, Any]:
    """Document that an answer comes as NDJSON, too."""
    return {"content": {NDJSON: {"schema": {"type": "string", "description": described}}}}
