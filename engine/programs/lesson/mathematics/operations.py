"""The operations that a learner wrote: mostly one node each, sometimes several nodes of one call.

What stands on the same stretch of the text and hangs together is one operation: `A @ x` is an ExpandDims, a
MatMul and a Squeeze, `tf.norm(x)` a product, a sum and a root. A line that runs several times, in a loop or
a function, makes an operation each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.graph import Node, Tensor
from engine.graph.reachability import ancestors
from engine.programs.lesson.words import Words

RESHAPING = frozenset({"ExpandDims", "Squeeze", "Reshape", "BroadcastTo"})
CARRYING = RESHAPING | {"StopGradient", "Identity", "Cast", "Transpose"}
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
    groups = [closed for part in connected for closed in _closed(part, users)]
    found = [_operation(words, group) for group in groups]
    return sorted(found, key=lambda operation: operation.last.index)


def _by_place(words: Words, nodes: Iterable[Node]) -> Iterator[list[Node]]:
    """Nodes of one stretch of text, anew each time that the text makes a node of the same name."""
    open_groups: dict[object, list[Node]] = {}
    for node in nodes:
        is_own = node.phase == "forward" and node.span is not None
        place = (node.span, words.paths.get(node, ())) if is_own else node
        group = open_groups.get(place)
        if group is None or (node.op.name not in CARRYING and _stem(node) in map(_stem, group)):
            if group is not None:
                yield group
            group = open_groups[place] = []
        group.append(node)
    yield from open_groups.values()


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


def _operation(words: Words, group: Sequence[Node]) -> Operation:
    nodes = tuple(sorted(group, key=lambda node: node.index))
    outside: dict[Tensor, None] = {}
    for node in nodes:
        for tensor in words.kept.get(node, ()):
            if tensor.node not in nodes:
                outside[tensor] = None
    computing = [node for node in nodes if node.op.name not in CARRYING]
    core = nodes[0] if len(nodes) == 1 else computing[0] if len(computing) == 1 else None
    return Operation(nodes, tuple(outside), core)
