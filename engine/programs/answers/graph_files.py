"""A program for other tools: its graph (`GET /programs/{id}/graph`), a run's, and one tensor in full."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from engine.errors import ProgramError, ValueRefused
from engine.execution.budget import Limits
from engine.graph import Graph
from engine.graph.essentials import SeenNode, essentials, everything
from engine.interchange.drawing import to_dot, to_graphml
from engine.interchange.events import to_events
from engine.interchange.graphdef import to_pb, to_pbtxt
from engine.interchange.values import dtype_name, nested_json
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.ops.base.tensors import Array, Tensor
from engine.programs.answers.pictures import for_framework, names_of
from engine.programs.frameworks import PICTURES, framework_picture
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest, RunRequest
from engine.programs.program.result import nodes_json
from engine.programs.program.static_values import all_values
from engine.programs.runs.optimise import check_ran
from engine.programs.service import differentiated
from engine.programs.training.training import training_for

AUTOGRAD = "torch"  # PyTorch's own graph, in JSON alone
JAXPRS = "jax"  # the jaxprs of what a JAX program differentiated, in JSON alone
DETAILS = {"tensorflow": everything, "essentials": essentials}
MEDIA_TYPES = {
    "json": "application/json",
    "pbtxt": "text/plain; charset=utf-8",
    "pb": "application/octet-stream",
    "dot": "text/vnd.graphviz; charset=utf-8",
    "graphml": "application/xml",
    "events": "application/octet-stream",
}
WRITERS: Mapping[str, Callable[[list[SeenNode]], str | bytes]] = {
    "pbtxt": to_pbtxt,
    "pb": to_pb,
    "dot": to_dot,
    "graphml": to_graphml,
    "events": to_events,
}


def download_graph(request: ProgramRequest, detail: str, form: str, limits: Limits) -> bytes:
    """The graph in one of the forms of MEDIA_TYPES; `essentials` leaves out the plumbing.

    Raises: ValueRefused for a detail or a form that there is not.
    """
    if detail in PICTURES and form == "json":
        return _json(framework_graph(request, detail, limits))
    check_view(detail, form)
    outcome, values = differentiated(request, limits)
    return _written(outcome.graph, values, detail, form)


def framework_graph(request: ProgramRequest, detail: str, limits: Limits) -> dict[str, Any]:
    """The graph that a framework itself would build of the program, for which it is written where it is not.

    Returns: its nodes, target and names, and `tensors` of PyTorch or `functions` of JAX.
    """
    other = for_framework(request, detail, limits)
    outcome, values = differentiated(other, limits)
    picture = framework_picture(outcome, detail, values)
    own = {AUTOGRAD: "tensors", JAXPRS: "functions"}[detail]
    found = outcome.workspace.autograd if detail == AUTOGRAD else outcome.workspace.jaxprs
    nodes = picture.nodes if picture else []
    target = outcome.target.name if outcome.target is not None else None
    names = names_of(outcome, nodes, written=other is not request)
    return {own: found, "nodes": nodes, "target": target, "names": names}


def download_run_graph(
    request: ProgramRequest, run: RunRequest, detail: str, form: str, limits: Limits
) -> bytes:
    """The same of the graph that a run's optimizer has grown.

    Raises: ValueRefused for a detail or a form that there is not.
    """
    check_view(detail, form)
    outcome = outcome_of(request, limits)
    check_ran(outcome)
    training_for(outcome, run)
    return _written(outcome.graph, all_values(outcome), detail, form)


def _written(graph: Graph, values: Mapping[Tensor, Array], detail: str, form: str) -> bytes:
    seen = DETAILS[detail](graph)
    if form == "json":
        nodes = nodes_json(graph, values, seen)
        return _json({"nodes": nodes})
    written = WRITERS[form](seen)
    return written.encode() if isinstance(written, str) else written


def _json(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, allow_nan=False, ensure_ascii=False).encode()


def download_tensor(request: ProgramRequest, name: str, limits: Limits) -> dict[str, Any]:
    """One tensor's whole value, however large; `name` may leave `:0` out.

    Raises: ProgramError where there is no such tensor, or no value of it.
    """
    _, values = differentiated(request, limits)
    known = {tensor.name: value for tensor, value in values.items()}
    wanted = name if ":" in name else f"{name}:0"
    if wanted not in known:
        raise _no_such_tensor(name, known)
    array = np.asarray(known[wanted])
    return {
        "tensor": wanted,
        "dtype": dtype_name(array),
        "shape": list(array.shape),
        "data": nested_json(array),
    }


def _no_such_tensor(name: str, known: Iterable[str]) -> ProgramError:
    hint, hint_zh = did_you_mean(name, known)
    return ProgramError(
        f"The program has no tensor `{name}` with a value.",
        hint=hint or "Names are as in the graph, such as gradients/Sin_grad/mul:0.",
        message_zh=f"程序中没有带值的张量 `{name}`。",
        hint_zh=hint_zh or "名称与图中一致，例如 gradients/Sin_grad/mul:0。",
        code="unknown_tensor",
    )


def check_view(detail: str, form: str) -> None:
    """Raises: ValueRefused for a detail or a form that there is not."""
    if detail not in DETAILS or form not in MEDIA_TYPES:
        raise _no_such_view(detail, form)


def _no_such_view(detail: str, form: str) -> ValueRefused:
    details, forms = ", ".join(DETAILS), ", ".join(MEDIA_TYPES)
    return ValueRefused(
        f"There is no graph with detail {detail!r} and format {form!r}.",
        hint=f"detail is one of {details}; format is one of {forms}.",
        message_zh=f"没有 detail 为 {detail!r}、format 为 {form!r} 的图。",
        hint_zh=f"detail 可以是 {details}；format 可以是 {forms}。",
        code="no_such_format",
    )
