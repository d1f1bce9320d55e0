"""A pass backward of a training loop that is like those before it: one call of its turn, which only computes.

All that a pass depends on is written down before it runs: its nodes with their edges and what they keep, and
the tensors whose values it takes. Where that, and every tensor's place in the turn, is as it was in an
earlier turn, the pass does the same again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.execution.eager.immediate import value_of
from engine.languages.surfaces.torch.autograd.function import FunctionNode
from engine.languages.surfaces.torch.autograd.history import walked
from engine.languages.surfaces.torch.autograd.nodes import (
    AccumulateGrad,
    Edge,
    Node,
    SavedTensor,
    gradient_edge,
)
from engine.languages.surfaces.torch.dtypes import DType
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import (
    Tensor,
    Unheld,
    check_without_node,
    held_now,
    of_value,
    without_node,
)

BACKWARD = "backward"
MOST_SHAPES = 200  # of passes that are remembered
PLAIN = (bool, int, float, str, np.generic, DType)
OF_A_PASS = frozenset({"received", "received_as"})  # what a pass itself notes of a node


class NotAlike(Exception):  # not a mistake: a pass that runs as always
    """Something that a pass depends on cannot be written down."""


@dataclass(frozen=True, slots=True, eq=False)
class PassShape:
    """All that a pass depends on beside the values of tensors. Passes that are alike have the same object.

    reached: the leaves that get a gradient, by their places among the nodes, in order; known after one pass.
    calls:   what was kept of it for the answer.
    """

    reached: list[int] = field(default_factory=list)
    calls: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Described:
    """A pass before it runs: its shape, its nodes from the oldest on, and what it takes the values of.

    ends: the tensors where it begins, and what was given for them.
    """

    shape: PassShape
    nodes: list[Node]
    taken: tuple[Any, ...]
    ends: tuple[Tensor | None, ...]


def described(roots: Sequence[Tensor], given: Sequence[Tensor | None]) -> Described | None:
    """What a pass from these tensors, with these gradients, depends on; None where it runs as always."""
    edges = [gradient_edge(root) for root in roots]
    if state().graph.turn is None or None in edges:
        return None
    nodes = sorted(walked([edge.node for edge in edges if edge is not None]), key=lambda node: node.sequence)
    place = {node: index for index, node in enumerate(nodes)}
    taken: list[Any] = []
    try:
        facts = [_leaf(node, taken) or _facts(node, place, taken) for node in nodes]
        ends = [_placed(edge, place) for edge in edges]
        taken += [_taken_of(root) for root in roots]
        taken += [None if one is None else _taken_of(one) for one in given]
        shape = _shape((*ends,), (*facts,))
    except NotAlike:
        return None
    return None if shape is None else Described(shape, nodes, tuple(taken), (*roots, *given))


def _shape(*key: Any) -> PassShape | None:
    shapes: dict[Any, PassShape] = state().parts.setdefault("passes_alike", {})
    if key not in shapes and len(shapes) < MOST_SHAPES:
        shapes[key] = PassShape()
    return shapes.get(key)


def _placed(edge: Edge | None, place: Mapping[Node, int]) -> Any:
    return None if edge is None else (place[edge.node], edge.index)


def _leaf(node: Node, taken: list[Any]) -> Any:
    """Of a leaf: that it takes a gradient as it comes, and what it has so far. None: it is none."""
    if type(node) is not AccumulateGrad:
        return None
    leaf, grad = node.variable, node.variable.grad
    if _is_hooked(node) or leaf.post_hooks or leaf.steps or not leaf.requires:
        raise NotAlike
    taken.append(_taken_of(leaf))
    if grad is None:
        return (None,)
    if grad.steps or grad.base is not None or grad.requires_grad or grad.storage.variable is not None:
        raise NotAlike
    taken.append(_taken_of(grad))
    return grad.wrapped, grad.storage.place


def _facts(node: Node, place: Mapping[Node, int], taken: list[Any]) -> Any:
    """Of a function: where its gradients go, and what it keeps."""
    if type(node) is not FunctionNode or node.released or _is_hooked(node):
        raise NotAlike
    edges = [_placed(edge, place) for edge in node.next_edges]
    kept = [(name, _saved_value(value, taken)) for name, value in node.kept.items()]
    rest = [(name, _typed(value)) for name, value in node.metadata.items() if name not in OF_A_PASS]
    return node.function, node.forward, (*node.outputs,), (*edges,), (*kept,), (*rest,)


def _is_hooked(node: Node) -> bool:
    return bool(node.pre_hooks or node.node_pre_hooks or node.post_hooks or node.retaining)


def _saved_value(value: Any, taken: list[Any]) -> Any:
    """What a node keeps under a name, without the values of its tensors."""
    if isinstance(value, SavedTensor):
        tensor = value.tensor
        is_changed = tensor.version.number != value.version or (value.is_made and tensor.node is None)
        if is_changed or value.packed is not None or (value.is_output and tensor.steps):
            raise NotAlike
        taken.append(_taken_of(tensor))
        return value.is_output, value.output, tensor.wrapped, len(tensor.steps)
    if type(value) is list:
        return tuple([_saved_value(one, taken) for one in value])
    return _typed(value)


def _taken_of(tensor: Tensor) -> Any:
    """What decides a tensor's value."""
    held = held_now(tensor)
    if isinstance(held, Unheld):
        raise NotAlike
    return held


def _typed(value: Any) -> Any:
    """A plain value with its type, so that 1, 1.0 and True differ, and 0.0 and -0.0."""
    if isinstance(value, tuple) or type(value) is list:
        return type(value), tuple([_typed(one) for one in value])
    if not (value is None or isinstance(value, PLAIN)):
        raise NotAlike
    return type(value), repr(value) if isinstance(value, (float, np.floating)) else value


def repeat_pass(known: Described, keep_graph: bool, run: Callable[[], Iterable[Node]]) -> bool:
    """Run a pass, or do what it did in an earlier turn. Returns: whether it was done without running it.

    run: runs it, and gives the leaves that it has reached, in order.
    """
    has_run = False

    def make() -> Any:
        nonlocal has_run
        has_run = True
        loose = without_node([*known.ends, *_saved_by(known.nodes)])
        known.shape.reached[:] = [known.nodes.index(node) for node in run()]
        check_without_node(loose)
        leaves = [known.nodes[index] for index in known.shape.reached]
        return [_grad_of(leaf) for leaf in leaves], [_received(node) for node in known.nodes]

    found = state().graph.call(BACKWARD, (known.shape, keep_graph, known.taken), make)
    if not has_run:
        _leave(known, keep_graph, *found)
    return not has_run


def _saved_by(nodes: Iterable[Any]) -> Iterator[Tensor]:
    """The tensors that functions keep."""
    for node in nodes:
        for value in () if type(node) is AccumulateGrad else node.kept.values():
            for one in value if type(value) is list else (value,):
                if isinstance(one, SavedTensor):
                    yield one.tensor


def _grad_of(leaf: Any) -> Any:
    return leaf.variable.grad.value


def _received(node: Node) -> Any:
    """The tensors of the graph that are what came to a node. (Where one has none, a call cannot give it.)"""
    pairs = zip(node.metadata["received"], node.metadata["received_as"], strict=True)
    return [NotAlike if shown is None and array is not None else shown for array, shown in pairs]


def _leave(known: Described, keep_graph: bool, grads: Sequence[Any], received: Sequence[Any]) -> None:
    """Leave nodes and leaves behind as the pass would have, which gave these tensors of the graph."""
    for index, value in zip(known.shape.reached, grads, strict=True):
        _accumulate(known.nodes[index].variable, value)  # type: ignore[attr-defined]  # a leaf's node
    for node, shown in zip(known.nodes, received, strict=True):
        node.metadata["received"] = [None if one is None else value_of(one) for one in shown]
        node.metadata["received_as"] = shown
        if not keep_graph:
            node.release()


def _accumulate(leaf: Tensor, value: Any) -> None:
    """Let a leaf have this gradient: a new one, or the one that it has, changed."""
    if leaf.grad is None:
        leaf.grad = of_value(value)
        return
    storage = leaf.grad.storage
    storage.writes += 1
    storage.hold(value)
    leaf.grad.version.number += 1
