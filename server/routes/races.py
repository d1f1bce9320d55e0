"""Races: many optimizers, rates or starts of one program, computed together."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request, Response

from server.answers.progress_lines import ProgressLines
from server.http.body_route import BodyRoute
from server.routes.shared import AnswersOf, or_lines, problems, send_with_progress
from server.schemas.answers.runs import RaceAnswer
from server.schemas.requests import Race

LINES = "A JSON object a line: a Progress as parts are done, at last the RaceAnswer, its type `race`."

router = APIRouter(prefix="/races", tags=["races"], route_class=BodyRoute)


@router.post("", response_model=RaceAnswer, responses={200: or_lines(LINES), **problems(404, 413, 422, 503)})
async def race(request: Request, asked: Race, answers: AnswersOf) -> Response:
    """Optimise the target once for each run of the race; each has its own columns and ending."""
    program, wanted = asked.program_to_engine(), asked.to_engine()
    return await send_with_progress(
        request, partial(answers.race, program, wanted), partial(ProgressLines, "race")
    )
