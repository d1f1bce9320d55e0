"""Landscapes: a program's target over one or two axes, with its critical points."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from server.http.body_route import BodyRoute
from server.routes.shared import AnswersOf, or_lines, problems, program_of, send_in_parts
from server.schemas.answers import LandscapeAnswer
from server.schemas.requests import Landscape
from server.workers.parts import Told
from server.workers.tasks import Answer

LINES = (
    "A JSON object a line: a Progress as parts are done, at last the LandscapeAnswer, its type `landscape`."
)

router = APIRouter(prefix="/landscapes", tags=["landscapes"], route_class=BodyRoute)


@router.post(
    "", response_model=LandscapeAnswer, responses={200: or_lines(LINES), **problems(404, 413, 422, 503)}
)
async def draw(request: Request, asked: Landscape, answers: AnswersOf) -> Response:
    """Compute the target on a grid, its slopes where asked, and find minima, maxima and saddle points."""

    async def drawn(told: Told) -> Answer:
        return await answers.landscape(await program_of(asked.program, answers), asked.to_engine(), told)

    return await send_in_parts(request, "landscape", drawn)
