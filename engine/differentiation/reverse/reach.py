"""Which nodes a backward sweep visits, found by loops alone: a graph may be 100,000 nodes deep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.graph import Graph, Node, Tensor
from engine.ops.base.tensors import FLOATS


def nodes_between(graph: Graph, ys: Sequence[Tensor], xs: Sequence[Tensor]) -> set[Node]:
    """The nodes on a path from an x to a y; only floats carry a path on."""
    reached = _reached_from(graph, xs)
    between: set[Node] = set()
    pending = [y.node for y in ys]
    while pending:
        node = pending.pop()
        if node in reached and node not in between:
            between.add(node)
            pending.extend(tensor.node for tensor in node.inputs)
    return between


def _reached_from(graph: Graph, xs: Sequence[Tensor]) -> set[Node]:
    """All nodes that some x flows into.

    Nodes stand in order of creation, so one pass is enough; loops, whose edges run backwards, take more.
    """
    reached = {x.node for x in xs}
    grown = True
    while grown:
        before = len(reached)
        for node in graph.nodes:
            if node not in reached and any(carries(tensor, reached) for tensor in node.inputs):
                reached.add(node)
        grown = graph.out_of_order and len(reached) > before
    return reached


def carries(tensor: Tensor, reached: set[Node]) -> bool:
    """Whether a path arrives with this tensor: its node is reached and it is a float."""
    return tensor.node in reached and tensor.dtype in FLOATS


def pending_counts(between: set[Node]) -> Counter[Node]:
    """How many uses of each node's outputs have yet to report."""
    return Counter(tensor.node for node in between for tensor in node.inputs if tensor.node in between)


def stopping_nodes(xs: Iterable[Tensor], stops: set[Node], between: set[Node]) -> set[Node]:
    """The xs that depend on no other x, and what the caller wants treated as constant."""
    ends = {x.node for x in xs}
    return {node for node in ends if not any(t.node in between for t in node.inputs)} | stops
