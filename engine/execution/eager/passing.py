"""An eager graph whose turns are divided by passes backward.

PyTorch opens no tape. A turn of a training loop begins where, after a pass backward, the program comes by a
place again at which it has computed something before that pass in this turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.execution.eager.graph import EagerGraph
from engine.graph import Node, Tensor, Variable
from engine.ops.base.definition import OpDef


class PassingGraph(EagerGraph):
    """A graph that takes a loop with a pass backward for a turn."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(replays=False, **settings)
        self._places: set[int] = set()
        self._has_passed = False
        self.passes = 0

    def begin(self) -> None:
        """The program begins, and with it its first turn."""
        self._next_turn(0)

    def after_gradient(self) -> None:
        """A pass backward is over: where the program comes by again, another turn begins."""
        self._has_passed = True
        self.passes += 1

    def come_by(self) -> None:
        """Something is computed at the present place of the program."""
        if self._phase not in ("forward", "after"):
            return
        if not self._has_passed:
            self._places.add(self._path)
        elif self._path in self._places:
            self._has_passed, self._places = False, {self._path}
            self._closed = len(self._ran)
            self._next_turn(self._path)

    def make_node(
        self, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], name: str
    ) -> Node:
        """Add a node and run it, or run one of an earlier turn again."""
        self.come_by()
        return super().make_node(op, inputs, attributes, name)

    def read_now(self, variable: Variable) -> Tensor:
        """The read of a variable's present value."""
        self.come_by()
        return super().read_now(variable)
