"""Runs: optimise a program's target, step by step."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from server.answer_schemas import RunAnswer, RunStepAnswer
from server.routes.shared import AnswersOf, problems, send
from server.schemas import MAX_RUN_STEPS, Run

router = APIRouter(prefix="/runs", tags=["runs"])


@router.post("", response_model=RunAnswer, responses=problems(404, 413, 422, 503))
async def optimise(request: Request, run: Run, answers: AnswersOf) -> Response:
    """Optimise the target; the answer's columns have a row for the start and one for each update."""
    if isinstance(run.program, str):
        program = await answers.kept_program(run.program)
    else:
        program = await answers.program(run.program.to_engine())
    return send(request, await answers.run(program, run.to_engine()))


@router.get("/{run_id}/steps/{k}", response_model=RunStepAnswer, responses=problems(404, 422, 503))
async def get_step(
    request: Request, run_id: str, k: Annotated[int, Path(ge=0, le=MAX_RUN_STEPS)], answers: AnswersOf
) -> Response:
    """Every tensor in full at one step of a run of late, computed again up to there."""
    return send(request, await answers.step(run_id, k))
