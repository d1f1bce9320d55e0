"""What an imported graph consists of, in numbers."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from engine.interchange.reading.description import outputs_of
from engine.interchange.reading.imported import ImportedGraph
from engine.interchange.reading.pairing import VARIABLES, phases_of

MOST_OPS = 12  # kinds that are counted by name


def statistics_of(graph: ImportedGraph) -> dict[str, Any]:
    """Counts of edges, scopes, phases, variables and ops, and of the numbers that the variables hold."""
    nodes = graph.nodes
    variables = [node for node in nodes if node.op in VARIABLES]
    shapes = [
        outputs_of(node)[0][1] if node.op != "VarHandleOp" else node.attrs.get("shape") for node in variables
    ]
    ops = Counter(node.op for node in nodes)
    return {
        "edges": sum(len(node.inputs) for node in nodes),
        "control_edges": sum(len(node.waits) for node in nodes),
        "scopes": len({node.name[:end] for node in nodes for end in _ends(node.name)}),
        "phases": dict(Counter(phases_of(nodes).phases)),
        "variables": len(variables),
        "parameters": sum(
            math.prod(shape) for shape in shapes if isinstance(shape, tuple) and None not in shape
        ),
        "ops": [{"op": op, "count": count} for op, count in ops.most_common(MOST_OPS)],
        "kinds": len(ops),
    }


def _ends(name: str) -> list[int]:
    """Where the names of the scopes around a node end."""
    return [place for place, letter in enumerate(name) if letter == "/"] if "/" in name else []
