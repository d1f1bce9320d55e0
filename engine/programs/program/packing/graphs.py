"""A graph as bytes: a list of its nodes, each of which names others by their places."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.errors import Span
from engine.execution.eager.immediate import EagerTensor
from engine.execution.eager.passing import WatchedTensor
from engine.execution.eager.repeating_graph import RepeatingGraph
from engine.execution.eager.turns.late import LateTensor
from engine.graph import Graph, Node, Tensor
from engine.graph.lazy_nodes import LazyNodes
from engine.ops.base.definition import REGISTRY, OpDef
from engine.ops.base.tensors import Array
from engine.programs.program.packing.arrays import bare, whole
from engine.programs.program.packing.small_file import NotPackable

PROGRAMS_WORLD = ("engine.languages.interpreter.", "engine.languages.surfaces.")  # whose objects stay behind
OF_A_GRAPH = {
    "engine.languages.interpreter.decisions",
    "engine.languages.interpreter.reading.diagnostics",
    "engine.languages.interpreter.builtins.records",
    "engine.languages.surfaces.keras.optimizers.optimizer",
    "engine.languages.surfaces.keras.layer",
    "engine.languages.surfaces.keras.seeds",
    "engine.languages.surfaces.keras.weights",
    "engine.languages.surfaces.tf2.variables",
    "engine.languages.surfaces.torch.result",
}  # but for these

Reduced = tuple[Any, ...]


class Packer(pickle.Pickler):
    """Writes a graph as a list: each node and tensor by its place in it, so that no chain of them is deep."""

    def reducer_override(self, thing: Any) -> Any:
        """How to write what is more than plain data; `NotImplemented` leaves it to pickle."""
        kind = type(thing)
        reduced = REDUCED.get(kind)
        if reduced is not None:
            return reduced(thing)
        if isinstance(thing, Graph):
            return _reduced_graph(thing)
        home = kind.__module__ + "."
        if home.startswith(PROGRAMS_WORLD) and kind.__module__ not in OF_A_GRAPH:
            raise NotPackable(kind.__name__)
        return NotImplemented


# What a graph finds again, and what an eager one needs only while its program runs.
LEFT_EMPTY = (
    "_by_name",
    "_asked",
    "_carried",
    "_costs",
    "_examples",
    "_from_before",
    "_nodes_before",
    "_paths",
    "_ran",
    "_repeats_of",
    "_run",
    "_taken",
)
# Of a graph's fields: what is written apart, or is of one process.
LEFT_OUT = {"_nodes", "lazy", "meter", "observe", "variables"}


def _reduced_graph(graph: Graph) -> Reduced:
    """A graph: first its nodes without anything that leads to other nodes, then the rest."""
    nodes = graph.nodes
    outlines = [(n.name, n.op.name, [(type(t), t.dtype, t.shape) for t in n.outputs]) for n in nodes]
    fields = {name: value for name, value in vars(graph).items() if name not in LEFT_OUT}
    fields.update((name, type(fields[name])()) for name in LEFT_EMPTY if name in fields)
    state = fields, [_rest_of(node) for node in nodes], (type(graph.lazy), graph.lazy.limit)
    return bare_graph, (type(graph), outlines), state, None, None, fill_in


def bare_graph(kind: type[Graph], outlines: Sequence[Any]) -> Graph:
    """A graph whose nodes are not joined yet."""
    graph = kind.__new__(kind)
    nodes: list[Node] = []
    vars(graph).update(_nodes=nodes, observe=None)
    for index, (name, op, outputs) in enumerate(outlines):
        node = Node(graph, index, name, REGISTRY[op], {})
        node.outputs = tuple([cls(node, n, dtype, shape) for n, (cls, dtype, shape) in enumerate(outputs)])
        nodes.append(node)
    return graph


def _rest_of(node: Node) -> Reduced:
    """What a bare node lacks. Other nodes stand in it by their places: pickle would ask about each."""
    value = node.attrs.get("value")
    attrs = {**node.attrs, "value": bare(value)} if isinstance(value, np.ndarray) else node.attrs
    inputs = tuple([_place_of(tensor, node.graph) for tensor in node.inputs])
    arrays = [
        None if tensor.array is value else bare(tensor.array)
        for tensor in node.outputs
        if isinstance(tensor, EagerTensor)
    ]
    of = node.of.index if node.of is not None and node.of.graph is node.graph else node.of
    return (
        attrs,
        inputs,
        node.control_inputs,
        node.colocate,
        node.context,
        node.device,
        node.phase,
        of,
        node.span,
        arrays,
    )


def _place_of(tensor: Tensor, graph: Graph) -> Any:
    """The place of a tensor in its graph; one of an earlier turn, or of another graph, as it is."""
    node = tensor.node
    is_here = node.graph is graph and node.outputs[tensor.index] is tensor
    return (node.index, tensor.index) if is_here else tensor


def fill_in(graph: Graph, state: tuple[dict[str, Any], Sequence[Any], tuple[type[LazyNodes], int]]) -> None:
    """Join the nodes of a bare graph, and give it all that it knew."""
    fields, rests, (lazy, limit) = state
    vars(graph).update(fields)
    nodes: list[Node] = vars(graph)["_nodes"]
    graph.lazy = lazy(graph, nodes, limit)  # one list: what is made later is in both
    if isinstance(graph, RepeatingGraph):
        graph.take_names(nodes)
    for node, rest in zip(nodes, rests, strict=True):
        (
            attrs,
            inputs,
            node.control_inputs,
            node.colocate,
            node.context,
            node.device,
            node.phase,
            of,
            node.span,
            arrays,
        ) = rest
        node.attrs = {**attrs, "value": whole(attrs["value"])} if "value" in attrs else attrs
        node.inputs = tuple([nodes[one[0]].outputs[one[1]] if type(one) is tuple else one for one in inputs])
        node.of = nodes[of] if type(of) is int else of
        for tensor, array in zip(node.outputs, arrays, strict=bool(arrays)):
            tensor.array = node.attrs["value"] if array is None else whole(array)  # type: ignore[attr-defined]  # only eager tensors have arrays


def node_at(graph: Graph, index: int) -> Node:
    """A node by its place."""
    node: Node = vars(graph)["_nodes"][index]
    return node


def tensor_at(graph: Graph, index: int, output: int) -> Tensor:
    """An output of a node."""
    return node_at(graph, index).outputs[output]


def op_named(name: str) -> OpDef:
    """An op of the registry."""
    return REGISTRY[name]


def _reduced_tensor(tensor: Tensor) -> Any:
    node = tensor.node
    if node.outputs[tensor.index] is not tensor:
        return NotImplemented  # of an earlier turn of an eager program
    return tensor_at, (node.graph, node.index, tensor.index)


def _reduced_array(array: Array) -> Any:
    """An array, laid out in memory as it is: sums of another layout could have other last digits."""
    if array.flags.forc:
        return NotImplemented
    repeated = [n > 1 and step == 0 for n, step in zip(array.shape, array.strides, strict=True)]
    if not any(repeated):
        raise NotPackable("a view of an array")
    return np.broadcast_to, (array[tuple(slice(0, 1) if r else slice(None) for r in repeated)], array.shape)


def _reduced_span(span: Span) -> Reduced:
    return Span, (span.line, span.column, span.end_line, span.end_column)


REDUCED: dict[type, Callable[[Any], Any]] = {
    Span: _reduced_span,
    Node: lambda node: (node_at, (node.graph, node.index)),
    Tensor: _reduced_tensor,
    EagerTensor: _reduced_tensor,
    LateTensor: _reduced_tensor,
    WatchedTensor: _reduced_tensor,
    OpDef: lambda op: (op_named, (op.name,)),
    np.ndarray: _reduced_array,
}
