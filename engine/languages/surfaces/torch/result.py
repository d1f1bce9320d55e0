"""What a run of a PyTorch program leaves behind: its tensors as plain values, and its autograd graphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.graph import Variable
from engine.interchange.values import tensor_json
from engine.languages.surfaces.torch.autograd.calls import as_tuple, remember
from engine.languages.surfaces.torch.autograd.engine import Pass
from engine.languages.surfaces.torch.autograd.history import (
    forward_of,
    names_received,
    passes_json,
    walked,
)
from engine.languages.surfaces.torch.autograd.nodes import AccumulateGrad, Node, gradient_edge
from engine.languages.surfaces.torch.nn.module import is_module, modules_of, own_parameters
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, tensors_in
from engine.ops.base.tensors import Array

MAX_DEPTH = 8  # of lists in lists that are gone through
MOST_NODES = 2_000  # of one autograd graph
MOST_GRAPHS = 100


@dataclass(frozen=True, slots=True, eq=False)
class TensorItem:
    """A tensor as its program left it.

    held:  the variable of the graph that holds it, or the tensor of the graph that is its value.
    """

    held: Any
    array: Array
    grad: Array | None
    requires_grad: bool
    is_leaf: bool
    grad_fn: str | None

    @property
    def value(self) -> Any:
        """The tensor of the graph."""
        return self.held.ref if isinstance(self.held, Variable) else self.held


def item_of(tensor: Tensor) -> TensorItem:
    """A tensor as a plain value."""
    storage, node = tensor.storage, tensor.grad_fn
    held = storage.variable if storage.variable is not None and not tensor.steps else tensor.value
    grad = None if tensor.grad is None else tensor.grad.array
    return TensorItem(
        held,
        tensor.array,
        grad,
        tensor.requires_grad,
        node is None,
        None if node is None else node.name,
    )


def plain_values(value: Any, depth: int = 0) -> Any:
    """The same with every tensor as a plain value, also in lists, tuples and dicts."""
    if isinstance(value, Tensor):
        return item_of(value)
    if depth >= MAX_DEPTH or not tensors_in([value] if isinstance(value, (list, tuple, dict)) else []):
        return value
    if isinstance(value, dict):
        return {key: plain_values(one, depth + 1) for key, one in value.items()}
    parts = [plain_values(one, depth + 1) for one in value]
    return parts if isinstance(value, list) else tuple(parts)


# -- the gradients that the program left out -------------------------------------------------------------


def add_gradients(names: Mapping[str, Any]) -> None:
    """Differentiate the last single float, where the program asked for no gradient itself."""
    run = state()
    if run.workspace.gradient_calls:
        return
    tensors = [one for value in names.values() for one in tensors_in([value])]
    targets = [one for one in tensors if one.grad_fn is not None and one.array.size == 1]
    if not targets:
        return
    root = targets[-1]
    leaves = list(_leaves(root.grad_fn))
    edges = [gradient_edge(leaf) for leaf in leaves]
    sweep = Pass(keep_graph=True, create_graph=False, wanted=edges, accumulate=False)  # type: ignore[arg-type]
    edge = gradient_edge(root)
    assert edge is not None
    with recording(False), run.graph.making("gradient"), run.graph.name_scope("gradients"):
        sweep.run([edge], [OPERATORS["ones_like"](root)])
    found = [sweep.found.get(place) for place in range(len(leaves))]
    remember(run.interpreter, as_tuple(root), leaves, found, is_loss=True, added=True)


def _leaves(node: Node) -> Iterable[Tensor]:
    for one in walked([node]):
        if isinstance(one, AccumulateGrad):
            yield one.variable


# -- autograd graphs -------------------------------------------------------------------------------------


def autograd_graphs(names: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """For each name of a tensor with a `grad_fn` the nodes behind it, breadth first.

    Each has `id`, `name`, `next` (for each input `[id, output]` or null), `saved`, `of` (the node of the
    graph that computed its output) and, where a pass backward came to it, `received`, the gradients that did,
    and `received_as`, the tensors of the graph that are these; an AccumulateGrad
    also has `variable`, what the program calls its leaf, `shape`, and the leaf's `grad`.
    """
    called = _names_of_leaves(names)
    with_nodes = [
        (name, one) for name, one in names.items() if isinstance(one, Tensor) and one.grad_fn is not None
    ]
    found = {}
    for name, tensor in with_nodes[-MOST_GRAPHS:]:
        order = walked([tensor.grad_fn])
        if len(order) <= MOST_NODES:
            found[name] = _graph_json(order, called)
    return found


def passes_of(names: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
    """The first passes backward, each with its nodes and what they held then."""
    return passes_json(_names_of_leaves(names))


def _names_of_leaves(names: Mapping[str, Any]) -> dict[int, str]:
    """What the program calls each tensor: the first name that leads to it, also through lists and modules."""
    called: dict[int, str] = {}
    for name, value in names.items():
        for path, tensor in tensors_behind(name, value):
            called.setdefault(id(tensor), path)
    return called


def tensors_behind(name: str, value: Any) -> Iterable[tuple[str, Tensor]]:
    """What leads from a name to each tensor behind it, also through a list or modules: `model.0.weight`."""
    if isinstance(value, Tensor):
        yield name, value
    elif isinstance(value, (list, tuple)):
        yield from ((f"{name}[{i}]", one) for i, one in enumerate(value) if isinstance(one, Tensor))
    elif isinstance(value, dict):
        yield from ((f"{name}[{key!r}]", one) for key, one in value.items() if isinstance(one, Tensor))
    elif is_module(value):
        for path, module in modules_of(value, name):
            yield from ((f"{path}.{own}", one) for own, one in own_parameters(module))


def _graph_json(order: list[Node], called: Mapping[int, str]) -> list[dict[str, Any]]:
    place = {node: index for index, node in enumerate(order)}
    return [_node_json(node, place, called) for node in order]


def _node_json(node: Node, place: Mapping[Node, int], called: Mapping[int, str]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": place[node],
        "name": node.name,
        "next": [None if edge is None else [place[edge.node], edge.index] for edge in node.next_edges],
    }
    if isinstance(node, AccumulateGrad):
        leaf = node.variable
        found |= {"variable": called.get(id(leaf)), "shape": list(leaf.shape)}
        if leaf.grad is not None:
            found["grad"] = tensor_json(leaf.grad.array)
    forward = forward_of(node)
    found["of"] = None if forward is None else forward.name
    if node.saved_names:
        found["saved"] = list(node.saved_names)
    received = node.metadata.get("received")
    if received is not None:
        found["received"] = [None if one is None else tensor_json(one) for one in received]
        found["received_as"] = names_received(node)
    return found
