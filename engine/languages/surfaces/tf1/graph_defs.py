"""A graph's definition, as a program lists and prints it: `[n.name for n in graph.as_graph_def().node]`."""

from __future__ import annotations

from dataclasses import dataclass

from engine.graph import Node
from engine.graph.essentials import SeenNode
from engine.interchange.graphdef import node_to_pbtxt, to_pbtxt
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.surfaces.tensors import GRAPH, OPERATION


@dataclass(frozen=True, slots=True)
class GraphDef:
    """The nodes of a graph at the moment it was asked for, in order of creation."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class NodeDef:
    """One node of a definition: its name, its op, and the tensors that go in, as texts."""

    node: Node


GRAPH_DEF = members_of(GraphDef, "GraphDef")
NODE_DEF = members_of(NodeDef, "NodeDef")

GRAPH.method("as_graph_def")(lambda graph: GraphDef(tuple(graph.nodes)))
OPERATION.fact("node_def")(NodeDef)
GRAPH_DEF.fact("node")(lambda definition: [NodeDef(node) for node in definition.nodes])
NODE_DEF.fact("name")(lambda definition: definition.node.name)
NODE_DEF.fact("op")(lambda definition: definition.node.op.name)
NODE_DEF.fact("device")(lambda definition: definition.node.device)


@NODE_DEF.fact("input")
def inputs_by_name(definition: NodeDef) -> list[str]:
    """The tensors that go in, then the nodes that it waits for, each behind a `^`."""
    node = definition.node
    waited = sorted(other.name for other in node.control_inputs)
    return [tensor.edge_name for tensor in node.inputs] + [f"^{name}" for name in waited]


def _seen(node: Node) -> SeenNode:
    return SeenNode(node, node.inputs, node.control_inputs)


def _graph_text(definition: GraphDef) -> str:
    return to_pbtxt(map(_seen, definition.nodes))


def _node_text(definition: NodeDef) -> str:
    return node_to_pbtxt(_seen(definition.node))


SHOWN[GraphDef] = (_graph_text, _graph_text)
SHOWN[NodeDef] = (_node_text, _node_text)
SHOWN[Node] = (
    lambda node: node_to_pbtxt(_seen(node)),
    lambda node: f"<tf.Operation '{node.name}' type={node.op.name}>",
)
