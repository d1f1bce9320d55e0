"""Catalogues: the examples, the ops and the optimizers."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter

from engine.ops import REGISTRY
from engine.ops.definition import OpDef
from engine.optimizers import describe_optimizers, describe_schedules
from server.answer_schemas import ExamplesAnswer, ExampleView, OpsAnswer, OptimizersAnswer, OpView
from server.catalogue import read_examples
from server.pages import find_folder
from server.problems import not_found
from server.routes.shared import problems

router = APIRouter()


@cache
def examples() -> dict[str, dict[str, Any]]:
    """The examples, read once."""
    return read_examples(find_folder("examples"))


@router.get("/examples", tags=["examples"], response_model=ExamplesAnswer)
async def list_examples() -> dict[str, Any]:
    """Every example, with its text, in the order of the gallery."""
    return {"examples": list(examples().values())}


@router.get("/examples/{example_id}", tags=["examples"], response_model=ExampleView, responses=problems(404))
async def get_example(example_id: str) -> dict[str, Any]:
    """One example."""
    if example_id not in examples():
        raise not_found("example", example_id, examples())
    return examples()[example_id]


@router.get("/ops", tags=["ops"], response_model=OpsAnswer)
async def list_ops() -> dict[str, Any]:
    """Every op that a graph may hold, by name."""
    return {"ops": [op_view(REGISTRY[name]) for name in sorted(REGISTRY)]}


@router.get("/ops/{name}", tags=["ops"], response_model=OpView, responses=problems(404))
async def get_op(name: str) -> dict[str, Any]:
    """One op: its formula, its gradient rule as formulas, its documentation."""
    if name not in REGISTRY:
        raise not_found("op", name, REGISTRY)
    return op_view(REGISTRY[name])


@router.get("/optimizers", tags=["optimizers"], response_model=OptimizersAnswer)
async def list_optimizers() -> dict[str, Any]:
    """Every optimizer and schedule that a run may name, with formulas and defaults."""
    return {"optimizers": describe_optimizers(), "schedules": describe_schedules()}


def op_view(op: OpDef) -> dict[str, Any]:
    """An op as it is answered."""
    return {
        "name": op.name,
        "inputs": list(op.input_names),
        "latex": op.latex,
        "adjoints": list(op.adjoints),
        "no_gradient": op.no_gradient,
        "doc": op.doc,
    }
