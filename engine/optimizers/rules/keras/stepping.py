"""What Keras's rules share: a count of the steps made so far, for those that correct their means by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from engine.graph import Node, Tensor, Variable
from engine.ops.base.building import convert_to_tensor
from engine.ops.sources.state import assign_add
from engine.optimizers.rules.keras.of_rows import SquaringRule


class SteppingRule(SquaringRule):
    """A rule with `iterations`, the number of steps made so far, as shared state (t is one more)."""

    __slots__ = ()

    shared: ClassVar[tuple[str, ...]] = ("iterations",)

    def advance(self, shared: Mapping[str, Variable], constants: Mapping[str, Tensor]) -> Sequence[Node]:
        """One step more."""
        iterations = shared["iterations"]
        with iterations.graph.colocate_with(iterations.node):
            one = convert_to_tensor(1, dtype=iterations.dtype, name="value")
            counted: Any = assign_add.node(iterations.ref, one)
        return [counted]
