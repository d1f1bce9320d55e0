"""Graphs as files: the small ones of `tests/data/graphs`, and large ones of layers with their gradients."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from engine.interchange.messages import DATA_TYPES, GraphDef
from tests.data import FOLDER

SMALL = sorted((FOLDER.parent / "graphs").glob("*.json"))
FLOAT = DATA_TYPES["DT_FLOAT"]


def message_of(nodes: Sequence[Any]) -> Any:
    """The GraphDef of nodes `{"id", "op", "inputs", "shape"}`, with the shapes as TensorBoard takes them."""
    message = GraphDef()
    for node in nodes:
        entry = message.node.add(name=node["id"], op=node["op"], input=node.get("inputs", []))
        entry.attr["T"].type = FLOAT
        if node.get("shape") is not None:
            shape = entry.attr["_output_shapes"].list.shape.add()
            for length in node["shape"]:
                shape.dim.add(size=length)
    return message


def small(name: str) -> Any:
    """The GraphDef of one of the small cases."""
    path = FOLDER.parent / "graphs" / f"{name}.json"
    return message_of(json.loads(path.read_text())["nodes"])


def layers(count: int) -> Any:
    """A GraphDef of so many nodes: layers of a Sin each, and for each the two nodes of its gradient."""
    nodes: list[Any] = [
        {"id": "x", "op": "Placeholder", "shape": [2]},
        {"id": "gradients/Fill", "op": "Fill", "shape": [2]},
    ]
    before = "x"
    while len(nodes) + 3 <= count:
        name = f"block_{len(nodes) // 300}/layer_{len(nodes)}/Sin"
        rule = f"gradients/{name}_grad"
        nodes += [
            {"id": name, "op": "Sin", "inputs": [before], "shape": [2]},
            {"id": f"{rule}/Cos", "op": "Cos", "inputs": [before], "shape": [2]},
            {"id": f"{rule}/mul", "op": "Mul", "inputs": ["gradients/Fill", f"{rule}/Cos"], "shape": [2]},
        ]
        before = name
    nodes += [
        {"id": f"rest_{i}", "op": "Neg", "inputs": ["x"], "shape": [2]} for i in range(count - len(nodes))
    ]
    return message_of(nodes)


def two(
    first: str = "x",
    second: str = "y",
    *,
    into_first: Sequence[str] = (),
    into_second: Sequence[str] = ("x",),
) -> Any:
    """A Placeholder and an Exp of it, or of what else goes into either."""
    message = GraphDef()
    message.node.add(name=first, op="Placeholder", input=into_first)
    message.node.add(name=second, op="Exp", input=into_second)
    return message
