"""The first passes backward of a program, each as it was: a picture walks through them one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.execution.eager.turns.late import name_of
from engine.interchange.values import dtype_name
from engine.languages.surfaces.torch.autograd.nodes import AccumulateGrad, Edge, Node
from engine.languages.surfaces.torch.state import state
from engine.ops.base.tensors import Array

Kept = Array | dict[str, Any]  # a value, or of a large one what the API says of it
MOST_PASSES = 5  # of a program; a training loop goes on as it has begun
MOST_NODES = 300  # of the graph of one pass
MOST_NUMBERS = 64  # of a value that is kept in full


@dataclass(frozen=True, slots=True)
class PassedNode:
    """A node that a pass went through, without what it keeps for its gradient, which may be large.

    following: for each of its tensors the place of the node where its gradient went on, and of which output.
    """

    name: str
    following: list[list[int] | None]
    forward: Any
    saved_names: tuple[str, ...]
    received: list[Kept | None] | None
    received_as: list[str | None]
    leaf: AccumulateGrad | None


@dataclass(slots=True)
class PassRecord:
    """One pass: its nodes breadth first, what each of them computed or held, and what came to it.

    begun:         the nodes, until it has ended.
    before, after: of leaves, their `.grad` on both sides of the pass; empty: those where it was None or 0.
    """

    begun: list[Node]
    values: list[Kept | None]
    before: dict[AccumulateGrad, Kept | None]
    empty: frozenset[AccumulateGrad]
    after: dict[AccumulateGrad, Kept | None] = field(default_factory=dict)
    nodes: list[PassedNode] = field(default_factory=list)


def has_room() -> bool:
    """Whether further passes are kept."""
    return len(state().parts.get("passes", ())) < MOST_PASSES


def begin_pass(roots: Sequence[Edge]) -> PassRecord | None:
    """A record of a pass that is about to run; None where enough are kept, or its graph is large."""
    records: list[PassRecord] = state().parts.setdefault("passes", [])
    if len(records) >= MOST_PASSES:
        return None
    nodes = walked([edge.node for edge in roots])
    if len(nodes) > MOST_NODES:
        return None
    leaves = [node for node in nodes if isinstance(node, AccumulateGrad)]
    before = {node: _grad(node) for node in leaves}
    return PassRecord(nodes, _values(nodes), before, frozenset(filter(_is_empty, leaves)))


def end_pass(record: PassRecord | None) -> None:
    """The pass of a record has run."""
    if record is None:
        return
    record.after = {node: _grad(node) for node in record.before}
    place = {node: index for index, node in enumerate(record.begun)}
    record.nodes = [_passed(node, place) for node in record.begun]
    record.begun = []
    state().parts["passes"].append(record)


def _passed(node: Node, place: Mapping[Node, int]) -> PassedNode:
    """What is kept of a node once the pass has ended. place: of each node of the pass."""
    leaf = node if isinstance(node, AccumulateGrad) else None
    following = [None if edge is None else [place[edge.node], edge.index] for edge in node.next_edges]
    forward = None if leaf else node.forward
    return PassedNode(
        node.name, following, forward, node.saved_names, _received(node), names_received(node), leaf
    )


def more_passes() -> bool:
    """Whether there were more passes than are kept."""
    kept = len(state().parts.get("passes", ()))
    return MOST_PASSES <= kept < state().graph.passes


def passes_json(names: Mapping[int, str]) -> list[list[dict[str, Any]]]:
    """The nodes of each pass that was kept, with arrays. names: of leaves, by their identity.

    Each node has `name`, `next`, `of`, `saved`, `value`, `received` and `received_as` as those of
    `autograd_graphs`; one of a leaf has `variable`, `before`, `after`, `was_empty` (before the pass), and in
    `now` what the leaf holds when the program has ended.
    """
    records: list[PassRecord] = state().parts.get("passes", [])
    return [_pass_json(record, names) for record in records]


def walked(roots: Iterable[Node]) -> list[Node]:
    """The nodes behind some, breadth first."""
    order = list(dict.fromkeys(roots))
    seen = set(order)
    for one in order:
        for edge in one.next_edges:
            if edge is not None and edge.node not in seen:
                seen.add(edge.node)
                order.append(edge.node)
    return order


def _pass_json(record: PassRecord, names: Mapping[int, str]) -> list[dict[str, Any]]:
    found = []
    for node, value in zip(record.nodes, record.values, strict=True):
        leaf = node.leaf
        forward = node.forward if leaf is None else forward_of(leaf)
        one: dict[str, Any] = {
            "name": node.name,
            "next": node.following,
            "of": None if forward is None else forward.name,
            "saved": list(node.saved_names),
            "value": value,
            "received": node.received,
            "received_as": node.received_as,
        }
        if leaf is not None:
            one |= {"variable": names.get(id(leaf.variable)), "now": _small(leaf.variable.array)}
            one |= {"before": record.before[leaf], "after": record.after[leaf]}
            one |= {"was_empty": leaf in record.empty}
        found.append(one)
    return found


def forward_of(node: Node) -> Any:
    """The node of the graph that computed what a node of autograd is behind, or that holds a leaf."""
    if not isinstance(node, AccumulateGrad):
        return node.forward
    variable = node.variable.storage.variable
    return None if variable is None else variable.node


def _values(nodes: Sequence[Node]) -> list[Kept | None]:
    """What each node computed, or of a leaf what it holds."""
    forwards = [node.forward for node in nodes if node.forward is not None and node.forward.outputs]
    known = state().graph.first_outputs([one for one in forwards if one.graph is state().graph])
    return [
        _small(node.variable.form)
        if isinstance(node, AccumulateGrad)
        else None
        if node.forward not in known
        else _small(known[node.forward])
        for node in nodes
    ]


def _grad(node: AccumulateGrad) -> Kept | None:
    grad = node.variable.grad
    return None if grad is None else _small(grad.form)


def _is_empty(node: AccumulateGrad) -> bool:
    """Whether a leaf's `.grad` holds nothing to which a gradient could be added."""
    grad = node.variable.grad
    return grad is None or not np.any(np.asarray(grad.form))


def _received(node: Node) -> list[Kept | None] | None:
    received = node.metadata.get("received")
    return None if received is None else [None if one is None else _small(one) for one in received]


def names_received(node: Node) -> list[str | None]:
    """The tensors of the graph that are the gradients which came to a node; None where there is none."""
    return [None if one is None else name_of(one) for one in node.metadata.get("received_as", ())]


def _small(array: Any) -> Kept:
    """A copy; of a large array its type and shape alone."""
    known = np.asarray(array)
    if known.size <= MOST_NUMBERS:
        return known.copy()
    return {"dtype": dtype_name(known), "shape": list(known.shape), "data": None}
