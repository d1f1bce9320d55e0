"""What flows into what."""

from __future__ import annotations

from engine import ops
from engine.graph import Graph, Node
from engine.graph.control_flow.building import while_loop
from engine.graph.reachability import ancestors, between, closure, descendants, in_order
from engine.ops.base.tensors import FLOATS


def names(nodes: set[Node]) -> list[str]:
    return [node.name for node in in_order(nodes)]


def test_a_closure_goes_on_until_nothing_is_new() -> None:
    assert closure([6], lambda number: [number // 2, number - 1] if number > 1 else []) == {1, 2, 3, 4, 5, 6}


def test_ancestors_are_what_a_tensor_is_computed_by() -> None:
    with Graph().as_default():
        x = ops.constant(2.0, name="x")
        y = ops.sin(x, name="y")
        z = ops.mul(y, ops.constant(3.0, name="c"), name="z")
        ops.cos(z, name="after")
    assert names(ancestors([z])) == ["x", "y", "c", "z"]
    assert names(ancestors([z], lambda tensor: tensor is y)) == ["c", "z"]
    assert names(ancestors([z], lambda tensor: tensor is z)) == []


def test_descendants_are_what_a_node_flows_into() -> None:
    with Graph().as_default() as graph:
        x = ops.constant(2.0, name="x")
        y = ops.sin(x, name="y")
        aside = ops.constant(3.0, name="aside")
        ops.mul(y, aside, name="z")
    assert names(descendants(graph, [x.node])) == ["x", "y", "z"]
    assert names(descendants(graph, [aside.node])) == ["aside", "z"]


def test_a_path_through_an_integer_carries_no_gradient() -> None:
    with Graph().as_default() as graph:
        x = ops.constant(2.0, name="x")
        whole = ops.cast(x, "int32", name="whole")
        y = ops.cast(whole, "float32", name="y")
    assert names(between(graph, [x.node], [y.node])) == ["x", "whole", "y"]
    assert between(graph, [x.node], [y.node], FLOATS) == set()


def test_between_leaves_out_what_only_one_end_sees() -> None:
    with Graph().as_default() as graph:
        x = ops.constant(2.0, name="x")
        y = ops.sin(x, name="y")
        ops.cos(x, name="elsewhere")
        z = ops.mul(y, ops.constant(3.0, name="c"), name="z")
    assert names(between(graph, [x.node], [z.node])) == ["x", "y", "z"]
    assert between(graph, [z.node], [x.node]) == set()


def test_what_enters_a_loop_flows_out_of_it_again() -> None:
    """The edge from NextIteration to Merge runs backwards: Merge was made first."""
    with Graph().as_default() as graph:
        x = ops.constant(2.0, name="x")
        _, total = while_loop(
            graph, lambda i, t: i < 3, lambda i, t: (i + 1, t * x), [ops.constant(0), ops.constant(1.0)]
        )
    assert total.node in descendants(graph, [x.node])
    assert x.node in ancestors([total])


def test_a_deep_graph_needs_no_recursion() -> None:
    with Graph().as_default() as graph:
        x = y = ops.constant(0.5)
        for _ in range(20_000):
            y = ops.sin(y)
    assert len(between(graph, [x.node], [y.node])) == 20_001
