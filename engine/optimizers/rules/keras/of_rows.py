"""Keras's rules on a gradient that holds rows only, as a look-up in an embedding sends it back.

Where a batch takes a row several times, its gradients are added up, and so are their squares: what Keras
divides by is g1² + g2², not (g1 + g2)². All rows have their step, also those without a gradient.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from engine.graph import Node, Variable
from engine.ops.base.definition import REGISTRY
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array
from engine.ops.elementwise.powers import square
from engine.optimizers.building import apply_node
from engine.optimizers.rule import Rule, Slots


class SquaringRule(Rule):
    """A rule that takes the squares of the gradient apart from the gradient.

    apply_rows_name: the op whose kernel is `step`.
    """

    __slots__ = ()
    apply_rows_name: ClassVar[str]

    @abstractmethod
    def step(self, theta: Any, g: Any, squares: Any, slots: Slots) -> tuple[Any, Slots]:
        """One step by the gradient and its squares. Shapes: theta, g, squares, slots (*S) -> (*S)."""

    def update(self, theta: Array, g: Array, slots: Slots) -> tuple[Array, Slots]:
        """One step by the gradient. Shapes: theta, g, slots (*S), what is shared () -> (*S)."""
        return self.step(theta, g, g * g, slots)

    def size(self, values: Any) -> Any:
        """What is added up beside the gradients of a row. Shapes: values (*S) -> (*S)."""
        return square(values)

    def update_rows(
        self,
        variable: Variable,
        rows: IndexedSlices,
        slots: Mapping[str, Variable],
        known: Mapping[str, Any],
    ) -> Node:
        """Two sums for each row, of its gradients and of their squares; then one step with both."""
        squares = IndexedSlices(self.size(rows.values), rows.indices, rows.dense_shape)
        found = {**known, "g": rows.densify(), "squares": squares.densify()}
        takes = (*self.takes, "squares")
        return apply_node(self, REGISTRY[self.apply_rows_name], variable, slots, found, takes)
