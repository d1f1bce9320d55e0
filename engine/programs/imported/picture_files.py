"""An imported graph as a picture."""

from __future__ import annotations

from typing import Any

from engine.execution.budget import Limits
from engine.interchange.reading import read_graph
from engine.programs.answers.graph_files import DETAILS
from engine.programs.answers.picture_files import (
    MOST_NODES,
    MOST_NODES_IN_ALL,
    LayOut,
    Look,
    check_look,
    check_size,
    drawn,
)
from engine.programs.imported.graph_files import constants_of
from engine.programs.imported.rebuilding import rebuilt
from engine.programs.program.result import nodes_json


def draw_imported(data: bytes, look: Look, lay_out: LayOut, limits: Limits) -> bytes:
    """The picture of the graph of a file; values are those that stand in it.

    Raises: FileRefused as `read_graph`; ValueRefused for a look that there is not; LimitError for too much.
    """
    check_look(look, DETAILS)
    imported = read_graph(data, limits)
    check_size(len(imported.nodes), MOST_NODES_IN_ALL)
    graph = rebuilt(imported).graph
    seen = DETAILS[look.detail](graph)
    check_size(len(seen), MOST_NODES)
    values = constants_of(graph)
    whole = {"nodes": nodes_json(graph, values)}
    program: dict[str, Any] = {"graph": whole, "gradients": [], "bindings": [], "target": None}
    return drawn({"program": program, "nodes": nodes_json(graph, values, seen)}, look, lay_out)
