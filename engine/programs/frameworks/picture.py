"""What each framework's picture is made of: nodes as in the graph of the API, steps that compute them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.graph import Graph, Node, Tensor
from engine.graph.essentials import SeenNode, essentials
from engine.programs.lesson.sentence import Sentence

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Picture:
    """Nodes as `GET /programs/{id}/graph` has them, and steps as a lesson has them, numbered later."""

    nodes: list[Json] = field(default_factory=list)
    steps: list[Json] = field(default_factory=list)


def forward_part(graph: Graph, chosen: set[Node]) -> list[SeenNode]:
    """The chosen nodes of a graph with what feeds them: one another, and what is given to the program."""
    seen = {one.node: one for one in essentials(graph)}
    given: set[Node] = set()

    def sources(tensor: Tensor) -> list[Tensor]:
        """The tensors, chosen or given, behind a tensor; what lies between is passed over."""
        if tensor.node in chosen:
            return [tensor]
        behind = seen[tensor.node].inputs if tensor.node in seen else tensor.node.inputs
        if not behind:
            given.add(tensor.node)
            return [tensor]
        return [found for each in behind for found in sources(each)]

    fed = {
        node: tuple(found for tensor in _inputs(node, seen) for found in sources(tensor)) for node in chosen
    }
    shown = [node for node in graph.nodes if node in chosen or node in given]
    return [SeenNode(node, fed.get(node, ()), ()) for node in shown]


def _inputs(node: Node, seen: Mapping[Node, SeenNode]) -> tuple[Tensor, ...]:
    return seen[node].inputs if node in seen else node.inputs


def step(phase: str, node: str, of: str | None, sentence: Sentence, **more: Any) -> Json:
    """A step about a node of a picture, with all fields of the API."""
    return {
        "phase": phase,
        "node": node,
        "of": of,
        "sentence": sentence,
        "rule": None,
        "rule_numbers": None,
        "inputs": [],
        "output": {"tensor": f"{node}:0", "value": None},
        "upstream": None,
        "local": [],
        "contributions": [],
        "misconceptions": [],
        **more,
    }
