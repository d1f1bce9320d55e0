"""Graphs that TensorFlow itself built, and all examples: what is the same, and what was put into them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.graph.matching import PlainGraph
from engine.programs import ProgramRequest
from engine.programs.differences import compare_programs
from engine.programs.differences.plain_graphs import plain_graph
from engine.programs.differences.sides import side_of
from tests.data import FOLDER
from tests.engine.graph.matching.graphs import compared, shuffled, with_insertions
from tests.limits import ROOMY

RECORDED = sorted(path.stem for path in FOLDER.glob("*.pbtxt"))
EXAMPLES = sorted(
    path for path in (Path(__file__).parents[4] / "examples").rglob("*.py") if "__" not in path.name
)


def recorded(name: str) -> PlainGraph:
    """A graph that TensorFlow built, every node of it."""
    return plain_graph(side_of("before", (FOLDER / f"{name}.pbtxt").read_bytes(), "tensorflow", ROOMY))


@pytest.mark.parametrize("name", RECORDED)
def test_a_graph_of_tensorflows_is_the_same_in_another_order_under_other_names(name: str) -> None:
    graph = recorded(name)
    assert compared(graph, graph).is_same_structure
    found = compared(graph, shuffled(graph, 7))
    assert found.is_same_structure
    assert len(found.renamed) == len(graph)


@pytest.mark.parametrize("name", RECORDED)
def test_two_nodes_on_edges_of_a_graph_of_tensorflows_are_found(name: str) -> None:
    graph = recorded(name)
    found = compared(graph, with_insertions(graph, 2, 5))
    assert [len(found.added), len(found.removed), len(found.changed)] == [2, 0, 0]


@pytest.mark.parametrize("name", RECORDED)
def test_a_constant_of_a_graph_of_tensorflows_with_another_value_is_one_change(name: str) -> None:
    graph = recorded(name)
    constants = [place for place, node in enumerate(graph.nodes) if "value" in node.facts]
    place = constants[len(constants) // 2]
    found = compared(graph, with_another(graph, place, facts={**graph.nodes[place].facts, "value": "other"}))
    assert (found.added, found.removed, found.changed) == ([], [], [(place, place)])
    assert [change.kind for change in found.changes[place, place]] == ["constant"]


@pytest.mark.parametrize("name", RECORDED)
def test_a_node_of_a_graph_of_tensorflows_with_another_input_is_one_change(name: str) -> None:
    graph = recorded(name)
    place = max(place for place, node in enumerate(graph.nodes) if len(node.inputs) > 1)
    first, second, *rest = graph.nodes[place].inputs
    other = next((n, 0) for n in range(place) if (n, 0) not in (first, second))
    found = compared(graph, with_another(graph, place, inputs=(first, other, *rest)))
    assert (found.added, found.removed, found.changed) == ([], [], [(place, place)])


def with_another(graph: PlainGraph, place: int, **fields: Any) -> PlainGraph:
    """The same graph with something else about one node."""
    nodes = list(graph.nodes)
    nodes[place] = replace(nodes[place], **fields)
    return PlainGraph(nodes)


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_does_not_differ_from_itself(path: Path) -> None:
    request = ProgramRequest(path.read_text(encoding="utf-8"))
    body = compare_programs(request, request, ROOMY)
    assert body["equal"]
    assert body["values"] == []
