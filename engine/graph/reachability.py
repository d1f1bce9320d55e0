"""What flows into what: the ancestors and the descendants of nodes, and the nodes between.

Found by loops alone, each edge looked at once: a graph may be 100,000 nodes deep.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from engine.graph.graph import Graph
from engine.ops.base.tensors import FIXED, Node, Tensor

T = TypeVar("T")


def closure(starts: Iterable[T], next_of: Callable[[T], Iterable[T]]) -> set[T]:
    """The starts, what comes next of each, what comes next of that, and so on."""
    found: set[T] = set()
    pending = [*starts]
    while pending:
        one = pending.pop()
        if one not in found:
            found.add(one)
            pending.extend(next_of(one))
    return found


def ancestors(ends: Iterable[Any], is_known: Callable[[Tensor], bool] = lambda tensor: False) -> set[Node]:
    """The nodes that the ends are computed by, their own included.

    ends:     tensors, or whatever else has a node.
    is_known: of a tensor, whether it is given, so that nothing is needed to compute it.
    """
    return closure(
        (end.node for end in ends if not is_known(end)),
        lambda node: [tensor.node for tensor in node.inputs if not is_known(tensor)],
    )


def descendants(graph: Graph, starts: Iterable[Node], dtypes: Collection[str] = FIXED) -> set[Node]:
    """The starts, and all nodes that they flow into through tensors of these types.

    Nodes stand in order of creation, so one pass finds them; only the edges of loops run backwards.
    """
    reached = set(starts)
    for node in graph.nodes:
        if node not in reached and any(t.node in reached and t.dtype in dtypes for t in node.inputs):
            reached.add(node)
    return closure(reached, users(graph.nodes, dtypes).__getitem__) if graph.out_of_order else reached


def users(nodes: Collection[Node], dtypes: Collection[str] = FIXED) -> dict[Node, list[Node]]:
    """For each node those that take an output of it of these types, once for each time."""
    found: dict[Node, list[Node]] = {node: [] for node in nodes}
    for node in nodes:
        for tensor in node.inputs:
            if tensor.dtype in dtypes:
                found[tensor.node].append(node)
    return found


def between(
    graph: Graph, starts: Iterable[Node], ends: Iterable[Node], dtypes: Collection[str] = FIXED
) -> set[Node]:
    """The nodes on a path from a start to an end, both included, through tensors of these types."""
    reached = descendants(graph, starts, dtypes)
    return closure(
        (end for end in ends if end in reached),
        lambda node: [tensor.node for tensor in node.inputs if tensor.node in reached],
    )


def in_order(nodes: Iterable[Node]) -> list[Node]:
    """Nodes in order of creation."""
    return sorted(nodes, key=lambda node: node.index)
