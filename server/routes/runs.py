"""Runs: optimise a program's target, step by step."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from engine.programs.answers.run_tables import TABLE_TYPES
from engine.programs.runs.optimise import MAX_STEPS
from server.http.body_route import BodyRoute
from server.routes.graph_forms import ANY_FORM, FILE_NAMES, TYPES, GraphDetail, LookAsked
from server.routes.shared import (
    AnswersOf,
    or_lines,
    problems,
    send_while_there,
    stream_while_there,
    wants_lines,
)
from server.schemas.answers.programs import CodeAnswer
from server.schemas.answers.runs import RunAnswer, RunStepAnswer
from server.schemas.requests import Run

LINES = "A JSON object a line: first a RunHeader, then RunChunks as they are computed, at last a RunFooter."

TABLES: dict[str, Any] = {"content": {kind: {} for kind in TABLE_TYPES.values()}}

router = APIRouter(prefix="/runs", tags=["runs"], route_class=BodyRoute)


@router.post("", response_model=RunAnswer, responses={200: or_lines(LINES), **problems(404, 413, 422, 503)})
async def optimise(request: Request, run: Run, answers: AnswersOf) -> Response:
    """Optimise the target; the answer's columns have a row for the start and one for each update.

    With `Accept: application/x-ndjson` the answer is a line for each event while it is computed: a header,
    chunks of the same columns, a footer. Either way, a reader who goes away ends the run.
    """
    asked = run.program_to_engine(), run.to_engine()
    if wants_lines(request):
        return await stream_while_there(request, answers.run_lines(*asked))
    return await send_while_there(request, answers.run(*asked))


@router.get("/{run_id}", response_model=RunAnswer, responses={200: TABLES, **problems(404, 422, 503)})
async def get_run(
    request: Request,
    run_id: str,
    answers: AnswersOf,
    form: Annotated[Literal["json", "csv", "parquet"], Query(alias="format")] = "json",
) -> Response:
    """The answer to a run that was asked for before; computed again unless it is still in memory.

    As `csv` or `parquet` it is a table: a row for the start and one for each update, a column for a number.
    """
    if form != "json":
        table = answers.run_table(run_id, form)
        return await send_while_there(request, table, TABLE_TYPES[form], f"run.{form}")
    return await send_while_there(request, answers.kept_run(run_id))


@router.get("/{run_id}/graph", responses={200: ANY_FORM, **problems(404, 422, 503)})
async def get_run_graph(
    request: Request,
    run_id: str,
    answers: AnswersOf,
    look: LookAsked,
    detail: GraphDetail = "tensorflow",
) -> Response:
    """The graph with what the run's optimizer has added, in the forms of a program's."""
    graph = answers.run_graph(run_id, replace(look, detail=detail))
    return await send_while_there(request, graph, TYPES[look.form], FILE_NAMES.get(look.form))


@router.get("/{run_id}/code", response_model=CodeAnswer, responses=problems(404, 422, 503))
async def get_run_code(
    request: Request,
    run_id: str,
    answers: AnswersOf,
    language: Annotated[Literal["generated"], Query(alias="as")] = "generated",
) -> Response:
    """How the run runs here: the text of the function that Gradlens generates for its optimizer's steps."""
    return await send_while_there(request, answers.run_code(run_id))


@router.get("/{run_id}/steps/{k}", response_model=RunStepAnswer, responses=problems(404, 422, 503))
async def get_step(
    request: Request, run_id: str, k: Annotated[int, Path(ge=0, le=MAX_STEPS)], answers: AnswersOf
) -> Response:
    """Every tensor in full at one step of a run, computed again from the state that was kept nearest."""
    return await send_while_there(request, answers.step(run_id, k))
