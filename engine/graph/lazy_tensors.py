"""What stands for a node that has yet to be made: its output, which keeps what the node is to be made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import Span
from engine.ops.base.building import as_array
from engine.ops.base.definition import REGISTRY, OpDef
from engine.ops.base.tensors import Node, Shape, Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where in a graph nodes are made: their scope, and what they belong to."""

    scope: str
    phase: str
    of: Node | None
    span: Span | None
    device: str


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """What lazy nodes of one kind, made in one place, have in common; a rule adds the same for all.

    base:   the name, before it is made unique in its scope.
    dtype, shape: of the one output.
    number: which operand is a plain number (0 or 1), None where all are tensors.
    nodes:  how many there will be, with the constant that the number becomes.
    """

    op: OpDef
    base: str
    attrs: Mapping[str, Any]
    dtype: str
    shape: Shape
    number: int | None
    nodes: int
    place: Place


class ReadWhenMade:
    """A field of a tensor that its node will fill: whoever reads it has the graph make its lazy nodes.

    (No `__getattr__`: with that in its class, Python looks up all other fields of a tensor slowly, too.)
    """

    def __init__(self, name: str) -> None:
        self._field: Any = Tensor.__dict__[name]

    def __get__(self, tensor: Any, _: type) -> Any:
        tensor.graph.lazy.materialize()
        return self._field.__get__(tensor)


class LazyTensor(Tensor):
    """The one output of a node that has yet to be made; an ordinary tensor from then on."""

    __slots__ = ()

    node: Any = ReadWhenMade("node")
    index: Any = ReadWhenMade("index")

    def __init__(self, graph: Any, dtype: str, shape: Shape) -> None:
        self.graph = graph
        self.dtype = dtype
        self.shape = shape

    def become_output_of(self, node: Node) -> None:
        """From now on be an ordinary tensor, the output of this node."""
        self.__class__ = Tensor  # type: ignore[assignment]  # the same fields, and nothing lazy left
        self.node, self.index, self.place = node, 0, node.index
        node.outputs = (self,)


class LazyNode(LazyTensor):
    """The output of a lazy node, which stands for the node too: it knows how that is made.

    first, second: the operands that are tensors; second is None where there is but one.
    number: the operand that is a plain number; None where all are tensors.

    (Fields of its own and no tuple: so it is one object that Python's collector looks through, not two.
    `LazyNodes` fills them in: a call of `__init__` would take as long as all the rest.)
    """

    __slots__ = ()
    __init__ = object.__init__

    recipe: Recipe
    first: Tensor
    second: Tensor | None
    number: float | None

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The operands that are tensors."""
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def count(self) -> int:
        """How many nodes it comes to."""
        return self.recipe.nodes

    def make(self) -> None:
        """Make the node, and first the constant where one operand is a number."""
        graph, recipe = self.graph, self.recipe
        names, place = graph.names, recipe.place
        names.scope = place.scope
        full = names.unique(recipe.base)
        inputs = self.inputs
        if recipe.number is not None:
            names.scope = full
            constant = _constant(graph, self.number, self.first.dtype, "xy"[recipe.number], place)
            inputs = (constant, self.first) if recipe.number == 0 else (self.first, constant)
        self.become_output_of(graph.put(full, recipe.op, recipe.attrs, inputs, place))


def _constant(graph: Any, number: float | None, dtype: str, name: str, place: Place) -> Tensor:
    attributes = {"value": as_array(number, dtype), "dtype": dtype}
    node = graph.put(graph.names.unique(name), REGISTRY["Const"], attributes, (), place)
    node.outputs = (Tensor(node, 0, dtype, ()),)
    constant: Tensor = node.outputs[0]
    return constant
