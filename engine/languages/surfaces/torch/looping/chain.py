"""Autograd's nodes of a turn whose statements ran as one function: they are made when somebody looks.

What a turn of the same statements has made stands as an example: each node, what it keeps and what came to
it, with the tensors of the turn by their places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.execution.eager.turns.replay import Replay
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.values import PYTHON_NAMES
from engine.languages.surfaces.torch.autograd.function import FunctionNode
from engine.languages.surfaces.torch.autograd.nodes import Edge, Node, SavedTensor
from engine.languages.surfaces.torch.looping.examples import NodeExample, leave_received
from engine.languages.surfaces.torch.storage import Storage
from engine.languages.surfaces.torch.tensor import Tensor, of_value


class Chain:
    """The nodes of a turn that are made when somebody looks.

    examples: what they are like by now. begins: the count of nodes at which each part has begun.
    versions: of tensors from elsewhere when a part began, by the part and the identity.
    places:   of tensors that nodes keep, by the identity of their examples.
    heads:    where tensors that have a name stand in the autograd graph, by the identity of their examples:
              a statement between two parts may have changed those in place since.
    """

    def __init__(self, turn: Replay) -> None:
        self.turn = turn
        self.examples: Mapping[Node, NodeExample] = {}
        self.begins: dict[int, int] = {}
        self.versions: dict[tuple[int, int], int] = {}
        self._made: dict[Node, Any] = {}
        self._tensors: dict[int, Tensor] = {}  # by the identity of the example
        self.places: dict[int, int] = {}
        self.heads: dict[int, tuple[Node | None, int]] = {}

    @property
    def is_made(self) -> bool:
        """Whether somebody has looked."""
        return bool(self._made)

    def bound(self, like: Tensor, place: int) -> Tensor:
        """The tensor of this turn that is like another one, and stands at a place."""
        known = self._tensors.get(id(like))
        if known is not None:
            return known
        value = self.turn.tensor(place)
        if self.heads[id(like)][0] is None:
            found = self._tensors[id(like)] = of_value(value)
            return found
        late = LateTensor.__new__(LateTensor)
        late.storage, late.steps, late.wrapped = Storage(value=value), (), False
        set_node(late, (self, like))
        self._tensors[id(like)] = late
        return late

    def takes(self, like: Tensor, tensor: Tensor) -> None:
        """A tensor of this turn stands where another one did."""
        self._tensors[id(like)] = tensor

    def stands_for(self, tensor: Any, like: Tensor, place: int) -> bool:
        """Whether a tensor is the one of this turn that is like another one, and nobody has changed it."""
        known = self._tensors.get(id(like))
        if known is None or known is not tensor or known.storage.value is not self.turn.tensors[place]:
            return False
        if type(tensor) is LateTensor:
            return True
        return type(tensor) is Tensor and tensor.node is None and not tensor.requires and not tensor.hooks

    def node(self, like: Any) -> Any:
        """The node of this turn that is like another one; one from elsewhere is the same."""
        if like not in self.examples:
            return like
        found = self._made.get(like)
        if found is None:
            found = self._made[like] = FunctionNode.__new__(FunctionNode)
            self._fill(found, self.examples[like])
        return found

    def _fill(self, node: FunctionNode, like: NodeExample) -> None:
        node.__dict__.update(like.fields)
        node.sequence = self.begins[like.part] + like.number
        node.next_edges = [
            None if edge is None else Edge(self.node(edge.node), edge.index) for edge in node.next_edges
        ]
        node.outputs = list(node.outputs)
        node.pre_hooks, node.node_pre_hooks, node.post_hooks, node.retaining = [], [], [], {}
        node.metadata = {}
        if like.received is not None:
            leave_received(node, like.received, self.turn)
        node.kept = {name: self._saved(one, node, like) for name, one in like.kept.items()}

    def _saved(self, value: Any, node: FunctionNode, like: NodeExample) -> Any:
        if type(value) is list:
            return [self._saved(one, node, like) for one in value]
        if not isinstance(value, SavedTensor):
            return value
        if node.released:  # nobody gets at it
            return replace(value, node=node)
        key = id(value.tensor.version)
        version = self.versions[like.part, key] + like.since[key] if key in like.since else value.version
        return replace(value, node=node, tensor=self._tensor(value.tensor), version=version)

    def _tensor(self, like: Tensor) -> Tensor:
        """The tensor that is like another one; one from elsewhere is the same."""
        found = self._tensors.get(id(like))
        if found is not None:
            made(found)
            return found
        place = self.places.get(id(like))
        if place is None:
            return like
        value = self.turn.tensor(place)
        if like.steps:
            found = Tensor(like.storage, like.steps, like.version)
            found.show(value)
            found.base, found.view_error = like.base, like.view_error
            found.node_version = found.version.number
        else:
            found = of_value(value)
        self._tensors[id(like)] = found
        found.requires, found.wrapped = like.requires, like.wrapped
        found.output = like.output
        found.node = self.node(like.node) if like.node is not None else None
        return found


class AfterMaking:
    """A field of a tensor whose nodes are not made yet: whoever reads or writes it has them made."""

    def __init__(self, name: str) -> None:
        self._field: Any = Tensor.__dict__[name]

    def __get__(self, tensor: Any, _: type) -> Any:
        made(tensor)
        return self._field.__get__(tensor)

    def __set__(self, tensor: Any, value: Any) -> None:
        made(tensor)
        self._field.__set__(tensor, value)


class LateTensor(Tensor):
    """A result of statements that ran as one function: its value is there, its nodes once somebody asks."""

    __slots__ = ()
    __hash__ = object.__hash__

    base: Any = AfterMaking("base")
    grad: Any = AfterMaking("grad")
    hooks: Any = AfterMaking("hooks")
    post_hooks: Any = AfterMaking("post_hooks")
    node: Any = AfterMaking("node")
    node_version: Any = AfterMaking("node_version")
    output: Any = AfterMaking("output")
    requires: Any = AfterMaking("requires")
    retains: Any = AfterMaking("retains")
    version: Any = AfterMaking("version")
    accumulator: Any = AfterMaking("accumulator")
    view_error: Any = AfterMaking("view_error")


SHOWN[LateTensor] = SHOWN[Tensor]
PYTHON_NAMES[LateTensor] = PYTHON_NAMES[Tensor]
set_node, node_of = Tensor.__dict__["node"].__set__, Tensor.__dict__["node"].__get__


def made(tensor: Tensor) -> None:
    """Make the nodes behind a tensor, where they are not made yet."""
    if type(tensor) is not LateTensor:
        return
    chain, like = node_of(tensor)
    tensor.__class__ = Tensor  # type: ignore[assignment]
    storage = tensor.storage
    tensor.__init__(storage)  # type: ignore[misc]
    node, tensor.output = chain.heads[id(like)]
    tensor.node = chain.node(node)
