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
from server.http.encoding import respond
from server.schemas.answers import ProblemDocument
from server.schemas.requests import Program
from server.workers.parts import Told, nobody
from server.workers.tasks import Answer

T = TypeVar("T")

NDJSON = "application/x-ndjson"
NOBODY_THERE = 499  # what logs call a request whose sender has gone


async def answers_of(request: Request) -> Answers:
    """The application's answers (`async`, or each request would be handed to a thread for it)."""
    answers: Answers = request.app.state.answers
    return answers


AnswersOf = Annotated[Answers, Depends(answers_of)]


async def program_of(given: str | Program, answers: Answers) -> Answer:
    """The answer of the program that a request names by its id or brings along."""
    if isinstance(given, str):
        return await answers.kept_program(given)
    return await answers.program(given.to_engine())


def send(
    request: Request, answer: Answer, media_type: str = "application/json", file_name: str | None = None
) -> Response:
    """An answer's own bytes, tagged; with `file_name`, to be kept under that name."""
    headers = {"content-disposition": f'attachment; filename="{file_name}"'} if file_name else None
    return respond(request, answer.packed, media_type, headers)


async def send_while_there(
    request: Request,
    work: Coroutine[Any, Any, Answer],
    media_type: str = "application/json",
    file_name: str | None = None,
) -> Response:
    """An answer once it is there; a reader who goes away meanwhile takes their part in the work along."""
    answer = await while_there(request, work)
    return send(request, answer, media_type, file_name) if answer else Response(status_code=NOBODY_THERE)


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
        """Nobody listens any more."""


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
    return Streamed(begun) if begun else Response(status_code=NOBODY_THERE)


async def send_in_parts(
    request: Request, kind: str, ask: Callable[[Told], Coroutine[Any, Any, Answer]]
) -> Response:
    """An answer that is computed in parts: whole, or for who wants lines with its progress."""
    if not wants_lines(request):
        return await send_while_there(request, ask(nobody))
    return await stream_while_there(request, progress_lines(kind, ask))


async def progress_lines(kind: str, ask: Callable[[Told], Coroutine[Any, Any, Answer]]) -> ProgressLines:
    """The lines of such an answer, the first of which is there."""
    lines = ProgressLines(kind, ask)
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
