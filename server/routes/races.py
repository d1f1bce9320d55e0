"""Races: many optimizers, rates or starts of one program, computed together."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from server.http.body_route import BodyRoute
from server.routes.shared import AnswersOf, or_lines, problems, program_of, send_in_parts
from server.schemas.answers import RaceAnswer
from server.schemas.requests import Race
from server.workers.parts import Told
from server.workers.tasks import Answer

LINES = "A JSON object a line: a Progress as parts are done, at last the RaceAnswer, its type `race`."

router = APIRouter(prefix="/races", tags=["races"], route_class=BodyRoute)


@router.post("", response_model=RaceAnswer, responses={200: or_lines(LINES), **problems(404, 413, 422, 503)})
async def race(request: Request, asked: Race, answers: AnswersOf) -> Response:
    """Optimise the target once for each member; each has the columns and the ending of a run of its own."""

    async def raced(told: Told) -> Answer:
        return await answers.race(await program_of(asked.program, answers), asked.to_engine(), told)

    return await send_in_parts(request, "race", raced)
