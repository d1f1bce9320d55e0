"""Differences: two programs, or graphs from files, before and after a change."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from server.answers.differences import Differences
from server.http.body_route import BodyRoute
from server.routes.shared import problems, send_while_there
from server.schemas.differences import DifferencesAnswer, TwoPrograms

router = APIRouter(prefix="/differences", tags=["differences"], route_class=BodyRoute)


async def differences_of(request: Request) -> Differences:
    """The application's comparisons of two programs."""
    differences: Differences = request.app.state.differences
    return differences


DifferencesOf = Annotated[Differences, Depends(differences_of)]


@router.post("", response_model=DifferencesAnswer, responses=problems(404, 413, 422, 503))
async def find_differences(request: Request, two: TwoPrograms, differences: DifferencesOf) -> Response:
    """Match two graphs by structure, say what came, went and changed, and compare the numbers."""
    work = differences.between(*two.sides_to_engine(), two.detail, two.tolerance_to_engine())
    return await send_while_there(request, work)
