"""Updates that are alike, such as an optimizer's of several variables of one shape: made in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.graph import Node


@dataclass(frozen=True, slots=True)
class Family:
    """Nodes with the same op, attributes, shapes and types, none of which depends on another.

    variables: for each input that is written, the variables of the nodes, in the order of the nodes.
    """

    nodes: tuple[Node, ...]
    variables: Mapping[int, tuple[Node, ...]]


def families(steps: Sequence[Node], sees: Mapping[Node, frozenset[Node]]) -> dict[Node, Family]:
    """For each node that belongs to a family of two or more, the family; it runs where its last node does."""
    alike: dict[Any, list[Node]] = {}
    for node in steps:
        if node.op.writes:
            alike.setdefault(_kind(node), []).append(node)
    found: dict[Node, Family] = {}
    for nodes in alike.values():
        family = Family(tuple(nodes), _variables(nodes))
        if len(nodes) > 1 and _independent(family, steps, sees):
            found.update(dict.fromkeys(nodes, family))
    return found


def _kind(node: Node) -> Any:
    inputs = tuple((tensor.shape, tensor.dtype) for tensor in node.inputs)
    return node.op.name, tuple(sorted((key, repr(value)) for key, value in node.attrs.items())), inputs


def _variables(nodes: Sequence[Node]) -> dict[int, tuple[Node, ...]]:
    return {place: tuple(node.inputs[place].node for node in nodes) for place in nodes[0].op.writes}


def _independent(family: Family, steps: Sequence[Node], sees: Mapping[Node, frozenset[Node]]) -> bool:
    """Whether nothing between the first node and the last one asks for what they make or write."""
    written = {variable for variables in family.variables.values() for variable in variables}
    if len(written) != len(family.nodes) * len(family.variables):
        return False
    nodes = set(family.nodes)
    first, last = steps.index(family.nodes[0]), steps.index(family.nodes[-1])
    between = steps[first : last + 1]
    return not any(
        written & sees[node] or any(tensor.node in nodes for tensor in node.inputs) for node in between
    )
