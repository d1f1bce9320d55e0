"""Promised nodes: written down when an operation asks for them, made when somebody looks.

Of a graph of 100,000 nodes a program holds a few tensors, and nobody reads most of the rest. So an
operation on tensors, in a plain place, checks types and shapes at once and gives out a tensor that keeps
what its node is to be made of. Whoever reads a node, a name or the list of nodes finds everything made
that was asked for until then, in that order: the very graph that would have been built at once.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from engine.errors import Span
from engine.ops.base.building import as_array
from engine.ops.base.definition import REGISTRY, OpDef
from engine.ops.base.tensors import Node, Shape, Tensor

NUMBERS = frozenset({float, int})  # what becomes a constant of the tensor's type
LARGEST = 1e4  # up to here a Python number is finite in every float type


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
    """What promised nodes of one kind, made in one place, have in common; a rule adds the same for all.

    base:   the name, before it is made unique in its scope.
    dtype, shape: of the one output.
    number: which operand is a plain number (0 or 1), None where all are tensors.
    nodes:  how many there are for one promise, with the constant that the number becomes.
    """

    op: OpDef
    base: str
    attrs: Mapping[str, Any]
    dtype: str
    shape: Shape
    number: int | None
    nodes: int
    place: Place


class Awaited:
    """A place of a tensor that its node will fill: whoever reads it has the graph make what it promised.

    (No `__getattr__`: with that in its class, Python looks up all other places of a tensor slowly, too.)
    """

    def __init__(self, name: str) -> None:
        self._place: Any = Tensor.__dict__[name]

    def __get__(self, tensor: Any, _: type) -> Any:
        tensor.graph.settle()
        return self._place.__get__(tensor)


class Unmade(Tensor):
    """The one output of a node that has yet to be made; an ordinary tensor from then on."""

    __slots__ = ()

    node: Any = Awaited("node")
    index: Any = Awaited("index")

    def __init__(self, graph: Any, dtype: str, shape: Shape) -> None:
        self.graph = graph
        self.dtype = dtype
        self.shape = shape

    def keep(self, node: Node) -> None:
        """From now on be the output of this node."""
        self.__class__ = Tensor  # type: ignore[assignment]  # the same places, and nothing left to promise
        self.node, self.index, self.place = node, 0, node.index
        node.outputs = (self,)


class Promise(Unmade):
    """An unmade tensor that knows how its node is made.

    first, second: the operands that are tensors; second is None where there is but one.
    number: the operand that is a plain number; None where all are tensors.

    (Places of their own and no tuple: so it is one object that Python's collector looks through, not two.
    The graph fills them in: a call of `__init__` would take as long as all the rest of a promise.)
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
        self.keep(graph.put(full, recipe.op, recipe.attrs, inputs, place))


def _constant(graph: Any, number: float | None, dtype: str, name: str, place: Place) -> Tensor:
    attributes = {"value": as_array(number, dtype), "dtype": dtype}
    node = graph.put(graph.names.unique(name), REGISTRY["Const"], attributes, (), place)
    node.outputs = (Tensor(node, 0, dtype, ()),)
    constant: Tensor = node.outputs[0]
    return constant


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Many objects are about to be made and all are kept: looking for garbage among them is in vain."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
