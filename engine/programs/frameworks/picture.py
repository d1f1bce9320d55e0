"""What each framework's picture is made of: nodes as in the graph of the API, steps that compute them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.errors import Span
from engine.graph import Graph, Node, Tensor
from engine.graph.essentials import SeenNode, essentials
from engine.graph.reachability import descendants
from engine.programs.lesson.sentence import Sentence

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Picture:
    """Nodes as `GET /programs/{id}/graph` has them, and steps as a lesson has them, numbered later."""

    nodes: list[Json] = field(default_factory=list)
    steps: list[Json] = field(default_factory=list)


def forward_part(graph: Graph, chosen: set[Node]) -> list[SeenNode]:
    """The chosen nodes of a graph with what feeds them: one another, and what is given to them.

    Given are sources, and what the program has computed of sources alone, elsewhere in its text than the
    node that takes it: to that it is one tensor, as labels are to a loss.
    """
    seen = {one.node: one for one in essentials(graph)}
    computed_from_chosen = descendants(graph, chosen)
    given: set[Node] = set()

    def is_given(node: Node, place: Span | None) -> bool:
        return node in seen and node not in computed_from_chosen and node.span not in (None, place)

    def sources(tensor: Tensor, place: Span | None) -> list[Tensor]:
        """The tensors, chosen or given, behind a tensor; what lies between is passed over.

        place: of the node in the text that takes them.
        """
        node = tensor.node
        if node in chosen:
            return [tensor]
        behind = seen[node].inputs if node in seen else node.inputs
        if not behind or is_given(node, place):
            given.add(node)
            return [tensor]
        return [found for each in behind for found in sources(each, place)]

    fed = {
        node: tuple(found for tensor in _inputs(node, seen) for found in sources(tensor, node.span))
        for node in chosen
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
