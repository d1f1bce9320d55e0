"""Runs: optimise a program's target, step by step."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from server.answer_schemas import RunAnswer, RunStepAnswer
from server.routes.shared import AnswersOf, problems, program_of, send, send_while_there
from server.run_lines import RunLines
from server.schemas import MAX_RUN_STEPS, Run

NDJSON = "application/x-ndjson"
LINES = "A JSON object a line: first a RunHeader, then RunChunks as they are computed, at last a RunFooter."
EITHER_FORM: dict[str, Any] = {"content": {NDJSON: {"schema": {"type": "string", "description": LINES}}}}

router = APIRouter(prefix="/runs", tags=["runs"])


@router.post("", response_model=RunAnswer, responses={200: EITHER_FORM, **problems(404, 413, 422, 503)})
async def optimise(request: Request, run: Run, answers: AnswersOf) -> Response:
    """Optimise the target; the answer's columns have a row for the start and one for each update.

    With `Accept: application/x-ndjson` the answer is a line for each event while it is computed: a header,
    chunks of the same columns, a footer. Either way, a reader who goes away ends the run.
    """
    program = await program_of(run.program, answers)
    if NDJSON in request.headers.get("accept", ""):
        return StreamedRun(await answers.run_lines(program, run.to_engine()))
    return await send_while_there(request, answers.run(program, run.to_engine()))


@router.get("/{run_id}", response_model=RunAnswer, responses=problems(404, 422, 503))
async def get_run(request: Request, run_id: str, answers: AnswersOf) -> Response:
    """The answer to a run that was asked for before; computed again unless it is still in memory."""
    return send(request, await answers.kept_run(run_id))


@router.get("/{run_id}/steps/{k}", response_model=RunStepAnswer, responses=problems(404, 422, 503))
async def get_step(
    request: Request, run_id: str, k: Annotated[int, Path(ge=0, le=MAX_RUN_STEPS)], answers: AnswersOf
) -> Response:
    """Every tensor in full at one step of a run, computed again from the state that was kept nearest."""
    return send(request, await answers.step(run_id, k))


class StreamedRun(StreamingResponse):
    """Lines as they come; however the answer ends, the worker is let go."""

    def __init__(self, lines: RunLines) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}  # the latter for nginx
        super().__init__(lines, media_type=NDJSON, headers=headers)
        self.lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.lines.close()
