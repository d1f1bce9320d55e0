"""Landscapes: a program's target over one or two axes, with its critical points."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from server.answer_schemas import LandscapeAnswer
from server.routes.shared import AnswersOf, problems, program_of, send_while_there
from server.schemas import Landscape

router = APIRouter(prefix="/landscapes", tags=["landscapes"])


@router.post("", response_model=LandscapeAnswer, responses=problems(404, 413, 422, 503))
async def draw(request: Request, asked: Landscape, answers: AnswersOf) -> Response:
    """Compute the target on a grid, its slopes where asked, and find minima, maxima and saddle points."""
    program = await program_of(asked.program, answers)
    return await send_while_there(request, answers.landscape(program, asked.to_engine()))
