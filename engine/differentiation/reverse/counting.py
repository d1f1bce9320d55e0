"""How often the nodes of a backward sweep are used, and where it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.graph import Node, Tensor


def pending_counts(between: set[Node]) -> Counter[Node]:
    """How many uses of each node's outputs have yet to report."""
    return Counter(tensor.node for node in between for tensor in node.inputs if tensor.node in between)


def stopping_nodes(xs: Iterable[Tensor], stops: set[Node], between: set[Node]) -> set[Node]:
    """The xs that depend on no other x, and what the caller wants treated as constant."""
    ends = {x.node for x in xs}
    return {node for node in ends if not any(t.node in between for t in node.inputs)} | stops
