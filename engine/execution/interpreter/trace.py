"""What one run did: fetched values, fed values, updates, and the value of every tensor computed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array


@dataclass(frozen=True, slots=True)
class Update:
    """One write to a variable: its buffer before (None: not initialised) and after."""

    variable: Node
    by: Node
    before: Array | None
    after: Array


@dataclass(slots=True)
class Run:
    """One `Session.run`."""

    fetches: tuple[tuple[Tensor | Node, Any], ...] = ()
    feeds: tuple[tuple[Tensor, Array], ...] = ()
    updates: list[Update] = field(default_factory=list)
    values: dict[Tensor, Array] = field(default_factory=dict)
    dead: set[Tensor | Node] = field(default_factory=set)  # on the way that a branch did not take
    merged: dict[Node, Node | None] = field(default_factory=dict)  # by Merge, the variable whose memory came

    @property
    def count(self) -> int:
        """How many values it has."""
        return len(self.values)

    def named(self) -> dict[str, Array]:
        """Its values by the names of their tensors."""
        return {tensor.name: value for tensor, value in self.values.items()}

    def may_have_more_than(self, elements: int) -> bool:
        """Whether an array of it may have more elements."""
        return True

    def is_fed(self, tensor: Tensor) -> bool:
        """Whether a tensor's value was given to the run."""
        return any(tensor is fed for fed, _ in self.feeds)

    def results(self) -> list[Array | None]:
        """What was asked for: arrays for tensors, None for operations."""
        return [result for _, result in self.fetches]
