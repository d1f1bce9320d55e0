"""What holds of every pair of graphs, on graphs drawn at random."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from engine.graph.matching import PlainGraph, match
from tests.engine.graph.matching.graphs import compared, drawn, shuffled, summary, with_insertions

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_graph_does_not_differ_from_itself(seed: int) -> None:
    graph = drawn(seed, 120)
    assert summary(compared(graph, graph)) == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_order_and_names_are_no_structure(seed: int) -> None:
    graph = drawn(seed, 120)
    found = compared(graph, shuffled(graph, seed + 1))
    assert found.is_same_structure
    assert len(found.renamed) == 120


@pytest.mark.parametrize("count", [1, 3, 8])
@pytest.mark.parametrize("seed", SEEDS)
def test_nodes_put_on_edges_are_found_and_nothing_else(seed: int, count: int) -> None:
    graph = drawn(seed, 120)
    names = summary(compared(graph, with_insertions(graph, count, seed + 2)))
    assert sorted(names) == ["added"]
    assert sorted(names["added"]) == [f"new{number}" for number in range(count)]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_is_found_from_either_side(seed: int) -> None:
    before = drawn(seed, 80)
    after = with_insertions(drawn(seed, 86), 5, seed)
    there, back = match(before, after), match(after, before)
    assert (there.forth, there.back) == (back.back, back.forth)


def calls_for(before: PlainGraph, after: PlainGraph) -> int:
    """How many Python functions matching two graphs calls."""
    count = 0

    def note(_: FrameType, event: str, __: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        match(before, after)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.slow
def test_twice_as_many_nodes_take_about_twice_the_work() -> None:
    small, large = (drawn(1, count) for count in (2_500, 5_000))
    calls = [calls_for(one, with_insertions(one, 40, 3)) for one in (small, large)]
    assert calls[1] < 2.3 * calls[0]
