"""The operations that a learner wrote: mostly one node each, sometimes several nodes of one call.

What stands on the same stretch of the text and hangs together is one operation: `A @ x` is an ExpandDims, a
MatMul and a Squeeze, `tf.norm(x)` a product, a sum and a root. A line that runs several times, in a loop or
a function, makes an operation each time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.graph import Node, Tensor
from engine.graph.reachability import ancestors
from engine.programs.lesson.words import Words

RESHAPING = frozenset({"ExpandDims", "Squeeze", "Reshape", "BroadcastTo"})
CARRYING = RESHAPING | {"StopGradient", "Identity", "Cast", "Transpose"}
LINEAR = frozenset({"MatMul", "Conv2D"})
MOST_IN_A_LAYER = 4  # ops: a product, a bias and an activation
# Calls of PyTorch that a learner knows as one function, by their node of autograd, and what that is called.
WHOLE_CALLS = {
    "NllLossBackward0": "cross_entropy",
    "ConvolutionBackward0": "conv",
    "NativeLayerNormBackward0": "layer_norm",
    "GeluBackward0": "gelu",
    **dict.fromkeys(("MaxPool2DWithIndicesBackward0", "MaxPool3DWithIndicesBackward0"), "maxpool"),
    **dict.fromkeys(("AdaptiveMaxPool2DBackward0", "AdaptiveMaxPool3DBackward0"), "maxpool"),
}
# Behind what only brings numbers into shape for a call, and the first half of a cross entropy.
WITHIN_A_CALL = frozenset(
    {
        *("ViewBackward0", "UnsafeViewBackward0", "ReshapeAliasBackward0", "ExpandBackward0", "TBackward0"),
        *("SqueezeBackward0", "SqueezeBackward1", "UnsqueezeBackward0", "LogSoftmaxBackward0"),
    }
)
GATHERING = ("GatherV2", "MaxPool")  # what a pooling layer is made of
GIVEN = frozenset({"VariableV2", "Placeholder", "PlaceholderWithDefault"})


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its nodes in order, what it takes from outside, and the node that says what it does.

    core: the one node that computes, or None where several do.
    """

    nodes: tuple[Node, ...]
    inputs: tuple[Tensor, ...]
    core: Node | None

    @property
    def last(self) -> Node:
        """The node whose output is the operation's own."""
        return self.nodes[-1]

    @property
    def output(self) -> Tensor:
        """Its result."""
        return self.last.outputs[0]


def depends_on_given(node: Node) -> bool:
    """Whether a node's value depends on a variable or a placeholder."""
    return any(source.op.name in GIVEN for source in ancestors(node.outputs[:1]))


def operations_of(words: Words, nodes: Iterable[Node]) -> list[Operation]:
    """The nodes gathered into operations, in order."""
    nodes = list(nodes)
    users = _users(words, nodes)
    connected = (part for group in _by_place(words, nodes) for part in _connected(words, group))
    closed = [one for part in connected for one in _closed(part, users)]
    groups = [one for group in closed for one in _layer_by_ops(words, group, users)]
    found = [_operation(words, group) for group in groups]
    return sorted(found, key=lambda operation: operation.last.index)


def _by_place(words: Words, nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """Nodes of one stretch of text, anew each time that the text makes a node of the same name.

    A call of PyTorch inside that stretch, such as a layer of a model, stands by itself.
    """
    ends = _ends_of_calls(words, nodes)
    open_groups: dict[object, list[Node]] = {}
    for node in nodes:
        is_own = node.phase == "forward" and node.span is not None
        place = (_place(words, node), ends.get(node)) if is_own else node
        group = open_groups.get(place)
        is_carrying = node.op.name in CARRYING or node in ends
        if group is None or (not is_carrying and _begins_anew(words, node, group)):
            if group is not None:
                yield group
            group = open_groups[place] = []
        group.append(node)
    yield from open_groups.values()


def _place(words: Words, node: Node) -> object:
    return node.span, words.paths.get(node, ())


def _ends_of_calls(words: Words, nodes: Iterable[Node]) -> dict[Node, Node]:
    """By node, the result of the call of PyTorch's that it is part of, behind which autograd has a node."""
    ends: dict[Node, Node] = {}
    latest: dict[object, Node] = {}
    waiting: dict[object, list[Node]] = {}
    for node in nodes:
        if node.phase != "forward" or node.op.name in GIVEN:
            continue
        place = _place(words, node)
        waiting.setdefault(place, []).append(node)
        if words.function_of(node) not in ("", *WITHIN_A_CALL):
            ends |= dict.fromkeys(waiting.pop(place), node)
            latest[place] = node
    for place, nodes_left in waiting.items():
        if place in latest and all(node.op.name in CARRYING for node in nodes_left):
            ends |= dict.fromkeys(nodes_left, latest[place])
    return ends


def _begins_anew(words: Words, node: Node, group: Sequence[Node]) -> bool:
    """Whether a node belongs to another run of the same text: the group has one of its name already.

    A call of several nodes has a scope of its own, in which an op may stand twice, as in `tf.sort`.
    """
    if _stem(node) not in map(_stem, group):
        return False
    scope = _scope(node)
    kinds = {_stem(other) for other in group if other.op.name not in CARRYING}
    is_one_call = scope and all(_scope(other) == scope for other in group) and len(kinds) > 1
    return not is_one_call or _is_layer(words, group)


def _scope(node: Node) -> str:
    return node.name.rpartition("/")[0]


def _is_layer(words: Words, group: Sequence[Node]) -> bool:
    """Whether a call multiplies by weights of its own, as a layer does."""
    taken = (words.resolved(tensor).node for node in group for tensor in node.inputs)
    has_product = any(node.op.name in LINEAR for node in group)
    return has_product and any(node.op.name == "VariableV2" for node in taken)


def _stem(node: Node) -> str:
    """A node's own name without the number that keeps it apart from others."""
    last = node.name.rpartition("/")[2]
    stem, _, number = last.rpartition("_")
    return stem if number.isdigit() else last


def _connected(words: Words, group: Sequence[Node]) -> Iterator[list[Node]]:
    """The parts of a group that hang together."""
    parts: list[list[Node]] = []
    for node in group:
        sources = {words.resolved(tensor).node for tensor in node.inputs}
        joined = [part for part in parts if not sources.isdisjoint(part)]
        parts = [part for part in parts if part not in joined]
        parts.append([other for part in joined for other in part] + [node])
    yield from parts


def _users(words: Words, nodes: Iterable[Node]) -> dict[Node, set[Node]]:
    """By node, those of the nodes that take something of it."""
    found: dict[Node, set[Node]] = {}
    for node in nodes:
        for tensor in words.kept.get(node, ()):
            found.setdefault(tensor.node, set()).add(node)
    return found


def _closed(part: Sequence[Node], users: Mapping[Node, set[Node]]) -> list[list[Node]]:
    """A part of which only the last result is used elsewhere, or else its nodes one by one."""
    last = max(part, key=lambda node: node.index)
    inside = set(part)
    is_closed = all(users.get(node, inside) <= inside for node in part if node is not last)
    return [list(part)] if is_closed else [[node] for node in part]


def _layer_by_ops(words: Words, group: list[Node], users: Mapping[Node, set[Node]]) -> list[list[Node]]:
    """A layer op by op: its product, its bias, its activation; a matrix is turned over before its product."""
    computing = sum(node.op.name not in CARRYING for node in group)
    turned = any(map(_is_turned, group)) and any(node.op.name == "MatMul" for node in group)
    if not (computing > 1 and computing <= MOST_IN_A_LAYER and _is_layer(words, group)) and not (
        turned and computing == 1
    ):
        return [group]
    parts = _by_computing(words, group)
    inside = [set(part) for part in parts]
    is_sound = all(
        users.get(node, among) <= among
        for part, among in zip(parts, inside, strict=True)
        for node in part[:-1]
    )
    return parts if is_sound else [group]


def _by_computing(words: Words, group: list[Node]) -> list[list[Node]]:
    """Each node that computes, with those that only bring its inputs or its result into shape."""
    parts: list[list[Node]] = []
    waiting: list[Node] = []
    for node in sorted(group, key=lambda node: node.index):
        sources = {words.resolved(tensor).node for tensor in node.inputs}
        if _is_turned(node):
            parts.append([node])
        elif node.op.name not in CARRYING:
            parts.append([*waiting, node])
            waiting = []
        elif parts and not sources.isdisjoint(parts[-1]):
            parts[-1].append(node)
        else:
            waiting.append(node)
    parts[-1] += waiting
    return parts


def _is_turned(node: Node) -> bool:
    """Whether a node turns a matrix over."""
    return node.op.name == "Transpose" and len(node.outputs[0].shape or ()) == 2


def _operation(words: Words, group: Sequence[Node]) -> Operation:
    nodes = tuple(sorted(group, key=lambda node: node.index))
    computing = [node for node in nodes if node.op.name not in CARRYING]
    core = nodes[0] if len(nodes) == 1 else computing[0] if len(computing) == 1 else None
    is_whole = whole_call(words, nodes, core) != ""
    outside: dict[Tensor, None] = {}
    for node in nodes:
        for tensor in words.kept.get(node, ()):
            if tensor.node not in nodes and not (is_whole and _is_own_constant(tensor.node, nodes[-1])):
                outside[tensor] = None
    return Operation(nodes, tuple(outside), core)


def whole_call(words: Words, nodes: Iterable[Node], core: Node | None) -> str:
    """The node of autograd of an operation that a learner knows as one function of PyTorch; "" of others."""
    if core is not None and core.op.name not in GATHERING:
        return ""
    return next((name for name in map(words.function_of, nodes) if name in WHOLE_CALLS), "")


def _is_own_constant(node: Node, last: Node) -> bool:
    """Whether a call itself makes a constant: places that it takes, weights of classes, a count."""
    return node.op.name == "Const" and node.span == last.span


def stays_as_it_is(node: Node) -> bool:
    """Whether a node that turns axes round leaves each in its place."""
    order = node.inputs[1].node.attrs.get("value") if len(node.inputs) > 1 else None
    return order is not None and list(np.ravel(order)) == list(range(np.size(order)))


def is_mean(operation: Operation) -> bool:
    """Whether an operation is a sum divided by the number of its terms, as JAX writes a mean."""
    computing = [node for node in operation.nodes if node.op.name not in CARRYING]
    if [node.op.name for node in computing] != ["Sum", "RealDiv"]:
        return False
    total, mean = computing
    count, terms, means = (
        mean.inputs[1].node.attrs.get("value"),
        *map(_size, (total.inputs[0], mean.outputs[0])),
    )
    if mean.inputs[0].node is not total or count is None or np.ndim(count) or not terms or not means:
        return False
    return bool(count == terms / means)


def _size(tensor: Tensor) -> int:
    """How many numbers a tensor has; 0 where that is not known."""
    shape = tensor.shape
    return 0 if shape is None or None in shape else math.prod(length or 0 for length in shape)
