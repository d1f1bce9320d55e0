"""What a turn of a training loop has made of autograd's nodes, as an example for the same turns after it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.execution.eager.immediate import value_of
from engine.execution.eager.turns.arguments import NotRecorded
from engine.execution.eager.turns.replay import Replay
from engine.languages.surfaces.torch.autograd.function import FunctionNode
from engine.languages.surfaces.torch.autograd.history import walked
from engine.languages.surfaces.torch.autograd.nodes import AccumulateGrad, Node, SavedTensor
from engine.languages.surfaces.torch.sizes import Size
from engine.languages.surfaces.torch.tensor import Tensor, held_by

PLAIN = (bool, int, float, str, Size)
Place = int | None


@dataclass(frozen=True, slots=True)
class NodeExample:
    """A node of autograd as it was at one moment of a turn.

    part:   which part of the turn made it; number: how many nodes that part had made before.
    fields: its attributes. kept: what it keeps.
    received: the places of what came to it, where a pass came by.
    since:  how often what it keeps had been changed since its part began, by the identity of its version.
    """

    node: FunctionNode
    part: int
    number: int
    fields: Mapping[str, Any]
    kept: Mapping[str, Any]
    received: tuple[Place, ...] | None
    since: Mapping[int, int]

    @property
    def described(self) -> Any:
        """What is the same of the same node of another turn."""
        kept = [(name, _described(one)) for name, one in self.kept.items()]
        node = self.node
        since = sorted(self.since.items())
        return self.part, self.number, node.name, node.forward, node.released, kept, self.received, since


def _described(value: Any) -> Any:
    if isinstance(value, SavedTensor):
        return value.is_output, value.output, len(value.tensor.steps), value.tensor.wrapped
    return [_described(one) for one in value] if type(value) is list else (type(value), repr(value))


@dataclass(frozen=True, slots=True)
class PartBegun:
    """When a part of a turn began and ended, in counts of nodes, and the versions of tensors when it began.

    versions: by their identity.
    """

    first: int
    until: int
    versions: Mapping[int, int]


def example_of(node: FunctionNode, turn: Replay, part: int, begun: PartBegun) -> NodeExample:
    """A node as it is now. Raises: NotRecorded where it cannot be made again."""
    hooks = (node.pre_hooks, node.node_pre_hooks, node.post_hooks, node.retaining)
    if type(node) is not FunctionNode or any(hooks) or set(node.metadata) - {"received", "received_as"}:
        raise NotRecorded
    since = {}
    for one in _each_kept(node.kept):
        _check_kept(one)
        if isinstance(one, SavedTensor):
            version = one.tensor.version
            before = begun.versions.get(id(version))
            if before is not None:
                since[id(version)] = one.version - before
            elif one.version:
                raise NotRecorded
    kept = {name: list(one) if type(one) is list else one for name, one in node.kept.items()}
    received = received_by(node, turn)
    number = node.sequence - begun.first
    return NodeExample(node, part, number, dict(node.__dict__), kept, received, since)


def _each_kept(kept: Mapping[str, Any]) -> Iterable[Any]:
    for value in kept.values():
        yield from value if type(value) is list else (value,)


def _check_kept(value: Any) -> None:
    if isinstance(value, SavedTensor):
        if value.packed is not None or value.tensor.hooks or value.tensor.retains:
            raise NotRecorded
    elif not (value is None or isinstance(value, PLAIN)):
        raise NotRecorded


def received_by(node: Node, turn: Replay) -> tuple[Place, ...] | None:
    """The places of what came to a node in the turn's pass; None where none came by. Raises: NotRecorded."""
    shown = node.metadata.get("received_as")
    if shown is None:
        return None
    return tuple([None if one is None else place_of(one, turn) for one in shown])


def place_of(value: Any, turn: Replay) -> int:
    """The place of a tensor of the graph in its turn. Raises: NotRecorded where it has none."""
    for place, one in enumerate(turn.tensors):
        if one is value:
            return place
    raise NotRecorded


def leave_received(node: Node, received: tuple[Place, ...], turn: Replay) -> None:
    """Note what came to a node."""
    shown = [None if place is None else turn.tensor(place) for place in received]
    node.metadata["received"] = [None if one is None else value_of(one) for one in shown]
    node.metadata["received_as"] = shown


def leaves_behind(tensors: Iterable[Tensor], turn: Replay) -> list[Tensor]:
    """The leaves to which gradients of tensors go, and what their functions keep from before the turn."""
    known = {id(one) for one in turn.tensors if one is not None}
    nodes = walked([tensor.node for tensor in tensors if tensor.node is not None])
    kept = [one.tensor for node in nodes for one in _each_kept(kept_by(node)) if isinstance(one, SavedTensor)]
    before = [one for one in kept if one.node is None and not one.wrapped and id(held_by(one)) not in known]
    return [node.variable for node in nodes if isinstance(node, AccumulateGrad)] + before


def kept_by(node: Node) -> Mapping[str, Any]:
    """What a node keeps."""
    return node.kept if isinstance(node, FunctionNode) else {}


def examples_behind(
    tensors: Iterable[Tensor], turn: Replay, parts: Mapping[int, PartBegun]
) -> dict[Node, NodeExample]:
    """The nodes behind tensors that parts of the turn have made.

    Raises: NotRecorded where some of the turn's nodes were made elsewhere.
    """
    found: dict[Node, NodeExample] = {}
    first = min(part.first for part in parts.values())
    waiting = [tensor.node for tensor in tensors if tensor.node is not None]
    while waiting:
        node = waiting.pop()
        if node in found or isinstance(node, AccumulateGrad):
            continue
        part = next((key for key, one in parts.items() if one.first <= node.sequence < one.until), None)
        if part is None:
            if node.sequence >= first:
                raise NotRecorded
            continue
        found[node] = example_of(node, turn, part, parts[part])
        waiting += [edge.node for edge in node.next_edges if edge is not None]
    return found


def places_of_kept(examples: Iterable[NodeExample], turn: Replay) -> dict[int, int]:
    """The places of tensors of this turn that nodes keep, by their identity. Raises: NotRecorded."""
    found: dict[int, int] = {}
    known = {id(one): place for place, one in enumerate(turn.tensors) if one is not None}
    for example in examples:
        for one in _each_kept(example.kept):
            if isinstance(one, SavedTensor):
                place = known.get(id(held_by(one.tensor)))
                if place is not None:
                    found[id(one.tensor)] = place
    return found
