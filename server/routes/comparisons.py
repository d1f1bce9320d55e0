"""Comparisons: one derivative by automatic, symbolic and numerical differentiation."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from server.answer_schemas import ComparisonAnswer
from server.routes.shared import AnswersOf, problems, send
from server.schemas import Comparison

router = APIRouter(prefix="/comparisons", tags=["comparisons"])


@router.post("", response_model=ComparisonAnswer, responses=problems(404, 413, 422, 503))
async def compare(request: Request, comparison: Comparison, answers: AnswersOf) -> Response:
    """Differentiate a program's target three ways: values, errors against δ, cost, and a verdict."""
    if isinstance(comparison.program, str):
        program = await answers.kept_program(comparison.program)
    else:
        program = await answers.program(comparison.program.to_engine())
    return send(request, await answers.comparison(program))
