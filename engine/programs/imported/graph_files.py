"""An imported graph for other tools, and its essentials."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from google.protobuf import text_format

from engine.execution.budget import Limits
from engine.graph import Graph
from engine.graph.essentials import SeenNode
from engine.interchange.events import events_of
from engine.interchange.graphdef import inputs_of
from engine.interchange.reading import read_graph
from engine.ops.base.tensors import Array, Tensor
from engine.programs.answers.graph_files import DETAILS, WRITERS, check_view
from engine.programs.imported.rebuilding import rebuilt
from engine.programs.program.result import nodes_json


def download_imported(data: bytes, detail: str, form: str, limits: Limits) -> bytes:
    """The graph of a file in one of the forms of MEDIA_TYPES; `essentials` leaves out the plumbing.

    With every node, GraphDefs and event files are what the file holds, field for field.
    Raises: FileRefused as `read_graph`; ValueRefused for a detail or a form that there is not.
    """
    check_view(detail, form)
    imported = read_graph(data, limits)
    if detail == "tensorflow" and form in AS_THEY_ARE:
        return AS_THEY_ARE[form](imported.message)
    graph = rebuilt(imported).graph
    seen = DETAILS[detail](graph)
    if form in AS_THEY_ARE:
        return AS_THEY_ARE[form](_part_of(imported.message, seen))
    if form == "json":
        nodes = nodes_json(graph, constants_of(graph), seen)
        return json.dumps({"nodes": nodes}, allow_nan=False, ensure_ascii=False).encode()
    written = WRITERS[form](seen)
    return written.encode() if isinstance(written, str) else written


def _part_of(message: Any, seen: Sequence[SeenNode]) -> Any:
    """The GraphDef of these nodes: all that the file says of them, but what they take."""
    entries = {entry.name: entry for entry in message.node}
    part = type(message)()
    part.CopyFrom(message)
    del part.node[:]
    for one in seen:
        entry = part.node.add()
        entry.CopyFrom(entries[one.node.name])
        entry.input[:] = inputs_of(one)
    return part


def constants_of(graph: Graph) -> dict[Tensor, Array]:
    """The values that stand in the graph itself."""
    constants = [node for node in graph.nodes if node.op.name == "Const" and node.outputs]
    return {
        node.outputs[0]: node.attrs["value"]
        for node in constants
        if isinstance(node.attrs.get("value"), np.ndarray)
    }


def _as_pb(message: Any) -> bytes:
    return bytes(message.SerializeToString(deterministic=True))


def _as_pbtxt(message: Any) -> bytes:
    return str(text_format.MessageToString(message)).encode()


def _as_events(message: Any) -> bytes:
    return events_of(_as_pb(message))


AS_THEY_ARE: Mapping[str, Callable[[Any], bytes]] = {"pb": _as_pb, "pbtxt": _as_pbtxt, "events": _as_events}
