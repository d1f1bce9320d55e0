"""Catalogues of examples, ops and optimizers: each is written and packed once, for none ever changes."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response

from engine.interchange.code.spellings import spellings
from engine.ops import REGISTRY
from engine.ops.base.definition import OpDef
from engine.optimizers import describe_optimizers, describe_schedules
from server.examples import examples, read_course
from server.http.encoding import PackedResponse
from server.http.problems import not_found
from server.http.repeats import remembered
from server.page_folder import find_folder
from server.routes.shared import problems
from server.schemas.catalogues import OpsAnswer, OptimizersAnswer, OpView
from server.schemas.examples import ExamplesAnswer, ExampleView

MOST_RELATED = 12

router = APIRouter()


CATALOGUES: dict[str, Callable[[], dict[str, Any]]] = {
    "examples": lambda: {"examples": list(examples().values()), **read_course(find_folder("examples"))},
    "ops": lambda: {"ops": [op_view(REGISTRY[name]) for name in sorted(REGISTRY)]},
    "optimizers": lambda: {"optimizers": describe_optimizers(), "schedules": describe_schedules()},
}


@cache
def compressed(name: str) -> bytes:
    """A catalogue as it is sent."""
    return gzip.compress(orjson.dumps(CATALOGUES[name]()), mtime=0)


def sent(request: Request, name: str) -> Response:
    """A catalogue for who asks for it."""
    return remembered(request.scope, PackedResponse(compressed(name), "application/json", lasting=True))


@router.get("/examples", tags=["examples"], response_model=ExamplesAnswer)
async def list_examples(request: Request) -> Response:
    """Every example, with its text and how it is worked on; their groups, and the ready lessons."""
    return sent(request, "examples")


@router.get(
    "/examples/{example_id}",
    tags=["examples"],
    response_model=ExampleView,
    response_model_exclude_unset=True,
    responses=problems(404),
)
async def get_example(example_id: str) -> dict[str, Any]:
    """One example: its text, and how it is worked on."""
    if example_id not in examples():
        raise not_found("example", example_id, examples())
    return examples()[example_id]


@router.get("/ops", tags=["ops"], response_model=OpsAnswer)
async def list_ops(request: Request) -> Response:
    """Every op that a graph may hold, by name."""
    return sent(request, "ops")


@router.get("/ops/{name}", tags=["ops"], response_model=OpView, responses=problems(404))
async def get_op(name: str) -> dict[str, Any]:
    """One op: its formula, its gradient rule as formulas, its documentation."""
    if name not in REGISTRY:
        raise not_found("op", name, REGISTRY)
    return op_view(REGISTRY[name])


@router.get("/optimizers", tags=["optimizers"], response_model=OptimizersAnswer)
async def list_optimizers(request: Request) -> Response:
    """Every optimizer and schedule that a run may name, with formulas and defaults."""
    return sent(request, "optimizers")


def op_view(op: OpDef) -> dict[str, Any]:
    """An op as it is answered."""
    kink = op.kink
    return {
        "name": op.name,
        "inputs": list(op.input_names),
        "latex": op.latex,
        "adjoints": list(op.adjoints),
        "no_gradient": op.no_gradient,
        "no_gradient_zh": op.no_gradient_zh,
        "doc": op.doc,
        "doc_zh": op.doc_zh,
        "derivative": list(op.derivative),
        "derivative_zh": list(op.derivative_zh),
        "attributes": {name: plain(value) for name, value in op.attributes.items()},
        "kink": None if kink is None else {"en": kink.note, "zh": kink.note_zh},
        "names": spellings(op),
        "related": related(op),
    }


def plain(value: Any) -> Any:
    """A default as JSON has it."""
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


@cache
def families() -> dict[str, list[str]]:
    """The ops of each module, which belong together."""
    found: dict[str, list[str]] = {}
    for name in sorted(REGISTRY):
        found.setdefault(REGISTRY[name].kernel.__module__, []).append(name)
    return found


def related(op: OpDef) -> list[str]:
    """Ops to look at next: its own gradient's, those that its documentation names, those of its module."""
    gradients = [f"{op.name}Grad", op.name.removesuffix("Grad")]
    named = re.findall(r"[A-Z][a-z0-9]+[A-Z]\w*", op.doc)
    near = [*gradients, *named, *families()[op.kernel.__module__]]
    return [name for name in dict.fromkeys(near) if name != op.name and name in REGISTRY][:MOST_RELATED]
