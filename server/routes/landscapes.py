"""Landscapes: a program's target over one or two axes, with its critical points."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request, Response

from server.answers.landscape_lines import LandscapeLines
from server.http.body_route import BodyRoute
from server.routes.shared import AnswersOf, or_lines, problems, send_with_progress
from server.schemas.answers.landscapes import LandscapeAnswer
from server.schemas.requests import Landscape

LINES = (
    "A JSON object a line: a LandscapeHeader, LandscapeBands as they are computed, at last a LandscapeFooter."
)

router = APIRouter(prefix="/landscapes", tags=["landscapes"], route_class=BodyRoute)


@router.post(
    "", response_model=LandscapeAnswer, responses={200: or_lines(LINES), **problems(404, 413, 422, 503)}
)
async def draw(request: Request, asked: Landscape, answers: AnswersOf) -> Response:
    """Compute the target on a grid, its slopes where asked, and find minima, maxima and saddle points.

    With `Accept: application/x-ndjson` the answer is a header, bands of the grid's rows as they are
    computed, in any order, and a footer with what was found. Who accepts JSON, too, has a small one whole.
    """
    program, wanted = asked.program_to_engine(), asked.to_engine()
    return await send_with_progress(request, partial(answers.landscape, program, wanted), LandscapeLines)
