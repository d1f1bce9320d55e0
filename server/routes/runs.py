"""Runs: optimise a program's target, step by step."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from server.answer_schemas import RunAnswer
from server.routes.shared import AnswersOf, problems, send
from server.schemas import Run

router = APIRouter(prefix="/runs", tags=["runs"])


@router.post("", response_model=RunAnswer, responses=problems(404, 413, 422, 503))
async def optimise(request: Request, run: Run, answers: AnswersOf) -> Response:
    """Optimise the target; the answer's columns have a row for the start and one for each update."""
    if isinstance(run.program, str):
        program = await answers.kept_program(run.program)
    else:
        program = await answers.program(run.program.to_engine())
    return send(request, await answers.run(program, run.to_engine()))
