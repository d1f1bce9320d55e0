"""The graph without its plumbing: what a learner needs of it, with the same names.

Nothing is rebuilt. Some nodes only pass a value on (a variable's `read`, a gate between gradients, a
Sum and a Reshape where nothing was broadcast): whoever takes their output takes what stands behind
them. Others compute shapes and axes, or fill variables with their initial values: they are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.graph.graph import Graph
from engine.graph.reachability import users
from engine.ops.base.tensors import INDEX_TYPES, Node, Tensor
from engine.ops.control_flow.filing import FILE_OPS

SHAPE_OPS = frozenset(
    {
        "BroadcastGradientArgs",
        "ConcatOffset",
        "DynamicStitch",
        "InvertPermutation",
        "ListDiff",
        "Range",
        "Rank",
        "Shape",
        "Size",
    }
)

CARRIES_TEXT = frozenset({"Const", "Identity", "PlaceholderWithDefault"})


class SeenNode(NamedTuple):
    """A node as one of the two views shows it: with the tensors that feed it there."""

    node: Node
    inputs: tuple[Tensor, ...]
    control_inputs: tuple[Node, ...]


def everything(graph: Graph) -> list[SeenNode]:
    """All nodes, as TensorFlow has them."""
    return [SeenNode(node, node.inputs, node.control_inputs) for node in graph.nodes]


def essentials(graph: Graph) -> list[SeenNode]:
    """The nodes that carry the mathematics, in order of creation."""
    passing = {node: behind for node in graph.nodes if (behind := _stands_behind(node)) is not None}
    dropped = _dropped(graph.nodes, passing)
    kept = [node for node in graph.nodes if node not in passing and node not in dropped]
    staying = set(kept)
    return [_essential(node, passing, staying) for node in kept]


def _essential(node: Node, passing: dict[Node, Tensor], staying: set[Node]) -> SeenNode:
    inputs = [_resolved(tensor, passing) for tensor in _mathematical_inputs(node)]
    waits = [other for other in node.control_inputs if other in staying]
    return SeenNode(node, tuple(t for t in inputs if t.node in staying), tuple(waits))


def _resolved(tensor: Tensor, passing: dict[Node, Tensor]) -> Tensor:
    while tensor.node in passing:
        tensor = passing[tensor.node]
    return tensor


def _stands_behind(node: Node) -> Tensor | None:
    """The tensor that a node only passes on, or None where it does something of its own."""
    kind = _kind(node)
    if kind == "Identity" and (_is_read(node) or _is_gate(node)):
        return node.inputs[0]
    if kind == "Fill" and node.phase == "gradient" and node.of is None:
        return node.inputs[1]  # the seed: the number 1 instead of a tensor full of it
    if kind in ("Sum", "Reshape") and node.phase == "gradient" and _undoes_nothing(node):
        return node.inputs[0]
    return None


def _kind(node: Node) -> str:
    """The name of its op; nothing where that is an op of another program's, about which nothing is known."""
    name: str = node.op.name
    return name if node.op.is_known else ""


def _is_read(node: Node) -> bool:
    return bool(node.inputs[0].node.op.name == "VariableV2")


def _is_gate(node: Node) -> bool:
    return any(waited.name.endswith("/tuple/group_deps") for waited in node.control_inputs)


def _undoes_nothing(node: Node) -> bool:
    """A Sum over no axis, or a Reshape to the shape at hand, as the gradient of a broadcast adds them."""
    before, after = node.inputs[0].shape, node.outputs[0].shape
    return before is not None and None not in before and before == after


def _mathematical_inputs(node: Node) -> list[Tensor]:
    """The inputs that are numbers of the mathematics rather than shapes, axes and positions."""
    if _kind(node) in SHAPE_OPS:
        return []
    kinds = node.op.types
    if len(kinds) != len(node.inputs):
        return list(node.inputs)
    return [tensor for tensor, kind in zip(node.inputs, kinds, strict=True) if kind not in INDEX_TYPES]


def _dropped(nodes: Iterable[Node], passing: dict[Node, Tensor]) -> set[Node]:
    """Shape arithmetic, gates, initial values, and whatever served nothing else."""
    every = list(nodes)
    files = _for_files(every)
    nodes = [node for node in every if node not in files]
    dropped = {node for node in nodes if _kind(node) in SHAPE_OPS or _fills_a_variable(node)}
    dropped |= {node for node in nodes if node.op.name == "NoOp" and node.name.endswith("/group_deps")}
    uses = users(nodes)
    for node in reversed(nodes):
        if node in dropped or node in passing or _is_result(node, uses[node]):
            continue
        if all(_is_plumbing_use(user, node, dropped) for user in uses[node]):
            dropped.add(node)
    return dropped | files


def _for_files(nodes: Sequence[Node]) -> set[Node]:
    """Summaries, what saves and restores variables, and the texts that only these take."""
    found: set[Node] = set()
    for node in nodes:
        restores = _kind(node) == "Assign" and node.inputs[1].node in found
        waits = _kind(node) == "NoOp" and bool(node.control_inputs) and found.issuperset(node.control_inputs)
        if node.op.name in FILE_OPS or restores or waits:
            found.add(node)
    uses = users(nodes) if found else {}
    for node in reversed(nodes if found else []):
        taken = bool(uses[node]) or not found.isdisjoint(node.control_inputs)
        is_text = _kind(node) in CARRIES_TEXT and node.outputs[0].dtype == "string"
        if is_text and taken and found.issuperset(uses[node]):
            found.add(node)
    return found


def _is_result(node: Node, users: Sequence[Node]) -> bool:
    """Whether a node was computed for its own sake; its gradient may ask for its shape all the same."""
    return not users or (node.phase == "forward" and all(user.phase == "gradient" for user in users))


def _fills_a_variable(node: Node) -> bool:
    return _kind(node) == "Assign" and node.inputs[0].node.name + "/Assign" == node.name


def _is_plumbing_use(user: Node, node: Node, dropped: set[Node]) -> bool:
    if node.op.name == "VariableV2":
        return False
    if user in dropped:
        return True
    return all(tensor.node is not node for tensor in _mathematical_inputs(user))
