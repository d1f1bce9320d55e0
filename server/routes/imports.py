"""Imports: graphs that other programs wrote, opened from their files, run and differentiated."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response

from server.answers.imports import Imports
from server.http.body_route import BodyRoute
from server.routes.graph_forms import ANY_FORM, FILE_NAMES, TYPES, LookAsked, PlainDetail
from server.routes.shared import problems, send_while_there
from server.schemas.imports import (
    ImportAnswer,
    ImportedGradients,
    ImportedGradientsAnswer,
    ImportedValues,
    ImportedValuesAnswer,
)

FILE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The bytes of a GraphDef (.pb or .pbtxt), a saved_model.pb, a .meta file or an event "
        "file; a gzip of one, or a zip that holds one. At most 32 MB, packed and unpacked.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}

router = APIRouter(prefix="/imports", tags=["imports"], route_class=BodyRoute)


async def imports_of(request: Request) -> Imports:
    """The application's imports."""
    imports: Imports = request.app.state.imports
    return imports


ImportsOf = Annotated[Imports, Depends(imports_of)]


@router.post("", response_model=ImportAnswer, responses=problems(413, 415, 422, 503), openapi_extra=FILE)
async def open_file(request: Request, imports: ImportsOf) -> Response:
    """Open a file; the same bytes have the same id. A file that holds no graph is a problem that says why."""
    return await send_while_there(request, imports.open(await request.body()))


@router.get("/{import_id}", response_model=ImportAnswer, responses=problems(404, 422, 503))
async def get_import(request: Request, import_id: str, imports: ImportsOf) -> Response:
    """The graph of a file that was opened before."""
    return await send_while_there(request, imports.kept(import_id))


@router.get("/{import_id}/graph", responses={200: ANY_FORM, **problems(404, 422, 503)})
async def get_graph(
    request: Request,
    import_id: str,
    imports: ImportsOf,
    look: LookAsked,
    detail: PlainDetail = "tensorflow",
) -> Response:
    """The graph for other tools; with every node, a GraphDef holds all that the file holds."""
    graph = imports.graph(import_id, replace(look, detail=detail))
    return await send_while_there(request, graph, TYPES[look.form], FILE_NAMES.get(look.form))


@router.post(
    "/{import_id}/gradients", response_model=ImportedGradientsAnswer, responses=problems(404, 413, 422, 503)
)
async def add_gradients(
    request: Request, import_id: str, wanted: ImportedGradients, imports: ImportsOf
) -> Response:
    """Grow the graph by the nodes that TensorFlow would add for dy/dx, under the names that it would give."""
    return await send_while_there(request, imports.gradients(import_id, wanted.y, wanted.xs))


@router.post(
    "/{import_id}/values", response_model=ImportedValuesAnswer, responses=problems(404, 413, 422, 503)
)
async def compute_values(
    request: Request, import_id: str, given: ImportedValues, imports: ImportsOf
) -> Response:
    """Compute all that can be computed of what is fed; what is missing is named."""
    return await send_while_there(request, imports.values(import_id, given.feeds, given.variables))
