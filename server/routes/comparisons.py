"""Comparisons: one derivative by automatic, symbolic and numerical differentiation."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from server.http.body_route import BodyRoute
from server.routes.shared import AnswersOf, problems, send_while_there
from server.schemas.answers.derivatives import ComparisonAnswer
from server.schemas.requests import Comparison

router = APIRouter(prefix="/comparisons", tags=["comparisons"], route_class=BodyRoute)


@router.post("", response_model=ComparisonAnswer, responses=problems(404, 413, 422, 503))
async def compare(request: Request, comparison: Comparison, answers: AnswersOf) -> Response:
    """Differentiate a program's target three ways: values, errors against δ, cost, and a verdict."""
    work = answers.comparison(comparison.program_to_engine(), comparison.by, comparison.derivative)
    return await send_while_there(request, work)
