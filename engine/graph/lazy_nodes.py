"""Lazy nodes: written down when an operation asks for them, made when somebody looks.

Of a graph of 100,000 nodes a program holds a few tensors, and most of the rest is never read. So an
operation on tensors, in a plain place, checks types and shapes at once and gives out a tensor that keeps
what its node is to be made of. Whoever reads a node, a name or the list of nodes finds everything made
that was asked for until then, in that order: the very graph that would have been built at once.

All of it stands behind `LazyNodes`, one for each graph. The ops ask its `output` before they build a node,
a backward sweep may be handed to its `add_sweep`, and the graph calls `materialize` before it is read.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from engine.errors import GradlensError
from engine.graph.lazy_tensors import LazyNode, LazyTensor, Recipe
from engine.ops.base.building import attributes_of
from engine.ops.base.definition import OpDef
from engine.ops.base.tensors import FLOATS, Node, Shape, Tensor

if TYPE_CHECKING:
    from engine.graph.graph import Graph

NUMBERS = frozenset({float, int})  # what becomes a constant of the tensor's type
LARGEST = 1e4  # up to here a Python number is finite in every float type
MANY = 1000  # nodes that are made at once


class Pending(Protocol):
    """What adds nodes later: a lazy node, or a whole backward sweep."""

    @property
    def count(self) -> int: ...
    def make(self) -> None: ...


class LazyNodes:
    """The lazy nodes of one graph.

    made:    the graph's nodes; pending: what comes after them, in order; limit: how many there may be.
    recipes: those of the present place, which the graph forgets whenever it moves.
    """

    __slots__ = (
        "_graph",
        "_holds_sweep",
        "_is_materializing",
        "_kinds",
        "_surely",
        "limit",
        "made",
        "pending",
        "recipes",
    )

    def __init__(self, graph: Graph, made: list[Node], limit: int) -> None:
        self.made = made
        self.pending: list[Any] = []
        self.recipes: dict[Any, Recipe] = {}
        self._is_materializing = False
        self._graph = graph
        self.limit = limit
        self._surely = 0  # so many nodes, lazy ones included, fit without counting what the latter come to
        self._holds_sweep = False
        self._kinds: dict[Any, tuple[Mapping[str, Any], str, Shape]] = {}

    def output(self, op: OpDef, base: str, x: Any, y: Any = None) -> Tensor | None:
        """The output of a lazy node, or None where the node has to be made at once.

        base: its name, before it is made unique.
        x, y: the operands: tensors, or one and a plain number, which becomes a constant; y may be missing.
        """
        key: tuple[Any, ...]
        first, second, place = x, None, None
        number: Any = None
        if y is None:
            key = (op, base, x.dtype, x.shape)
        elif not isinstance(y, Tensor):
            number, place = y, 1
            key = (op, base, x.dtype, x.shape, type(y), 1)
        elif isinstance(x, Tensor):
            second = y
            key = (op, base, x.dtype, x.shape, y.dtype, y.shape, x is y)
        else:
            first, number, place = y, x, 0
            key = (op, base, y.dtype, y.shape, type(x), 0)
        recipe = self.recipes.get(key) or self._recipe(key, first, second, number, place)
        graph = self._graph
        if recipe is None or first.graph is not graph or (second is not None and second.graph is not graph):
            return None
        if number is not None and not -LARGEST < number < LARGEST:
            return None
        index = len(self.made) + len(self.pending)
        if index >= self._surely and not self._fits(recipe.nodes):
            return None
        lazy: LazyNode = LazyNode()
        lazy.graph = graph
        lazy.dtype = recipe.dtype
        lazy.shape = recipe.shape
        lazy.recipe = recipe
        lazy.place = index
        lazy.first = first
        lazy.second = second
        lazy.number = number
        self.pending.append(lazy)
        return lazy

    def beside_array(self, op: OpDef, x: Any, y: Any) -> Tensor | None:
        """The same for a tensor and an array, which becomes a constant: None here, as it is made at once."""
        return None

    def over_all(self, op: OpDef, x: Tensor) -> Tensor | None:
        """The output of a reduction over all axes: None here, as it is made at once."""
        return None

    def _recipe(
        self, key: tuple[Any, ...], first: Tensor, second: Tensor | None, number: Any, place: int | None
    ) -> Recipe | None:
        """A new recipe for the present place; None where something around has a say in each node.

        key: what it will be found by: the op, the base of its name, what is asked of the operands, and
             whether both are one tensor, since a square has another gradient than a product.
        place: which operand is a plain number.
        """
        graph = self._graph
        if place is not None and type(number) not in NUMBERS:
            return None
        if not graph.is_plain_here or graph.phase == "gradient" or self._is_materializing:
            return None
        op, base = key[:2]
        if key not in self._kinds:
            operands = [first] if second is None else [first, second]
            if place is not None:
                if first.dtype not in FLOATS:
                    return None
                operands.insert(place, LazyTensor(graph, first.dtype, ()))
            if len(operands) != len(op.types):
                return None
            try:
                attrs: Mapping[str, Any] = attributes_of(op, operands, {})
                self._kinds[key] = attrs, op.output_dtypes(attrs)[0], op.infer_shapes(operands, attrs)
            except GradlensError:
                return None  # the ordinary way says what is wrong, and where
        attrs, dtype, shape = self._kinds[key]
        recipe = Recipe(op, base, attrs, dtype, shape, place, 1 if place is None else 2, graph.here())
        self.recipes[key] = recipe
        return recipe

    def add_sweep(self, sweep: Pending) -> None:
        """Take a backward sweep that makes its nodes later."""
        self.pending.append(sweep)
        self._surely, self._holds_sweep = 0, True
        self._graph.leave_forward()

    # -- reading ---------------------------------------------------------------------------------

    def materialize(self) -> None:
        """Make every lazy node."""
        if not self.pending:
            return
        pending, self.pending = self.pending, []
        self._is_materializing, self._holds_sweep = True, False
        names = self._graph.names
        scope = names.scope
        try:
            with collector_at_rest() if len(pending) > MANY else nullcontext():
                for one in pending:
                    one.make()
        finally:
            names.scope, self._is_materializing = scope, False

    def makers(self) -> tuple[list[Node], list[LazyNode]]:
        """What tensors come from, in order of creation: the nodes made, and the lazy ones that follow."""
        if self._holds_sweep:
            self.materialize()
        return self.made, self.pending

    # -- counting --------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """How many nodes the graph has, lazy ones included."""
        lazy: int = sum(one.count for one in self.pending)
        return len(self.made) + lazy

    def has_room_for(self, count: int) -> bool:
        """Whether so many nodes more are within the budget."""
        fits = len(self.made) + len(self.pending) + count // 2 < self._surely
        return fits or self.count + count <= self.limit

    def has_at_least(self, count: int) -> bool:
        """Whether the graph has so many nodes, lazy ones included."""
        return len(self.made) + len(self.pending) >= count or self.count >= count

    def _fits(self, nodes: int) -> bool:
        """Whether a lazy node that comes to so many nodes is within the budget.

        One of the operators comes to one or two, so it need not be asked again for half as many.
        """
        room = self.limit - self.count
        self._surely = len(self.made) + len(self.pending) + room // 2
        return nodes <= room


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
