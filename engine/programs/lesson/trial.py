"""The program run again with one of its quantities changed: what a gradient says, tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from engine.errors import GradlensError
from engine.graph import Node, Tensor
from engine.graph.reachability import ancestors
from engine.ops.base.tensors import Array
from engine.programs.program.static_values import FreshRun


@dataclass(frozen=True, slots=True)
class Trial:
    """How the program's own graph runs.

    own: what that graph has for the xs and ys of the lesson, where this is told about another one.
    values_of: of an x that is written on the way, what it was each time that it was used.
    is_long: too long to be run again.
    """

    fresh: FreshRun
    own: Mapping[Tensor, Tensor] = field(default_factory=dict)
    values_of: Mapping[Tensor, Iterable[Tensor]] = field(default_factory=dict)
    is_long: bool = False

    def forward(self, ys: Iterable[Tensor]) -> set[Node]:
        """What the ys are computed by."""
        return ancestors(self.own.get(y, y) for y in ys)

    def run(self, x: Tensor, value: Array, weights: Mapping[Tensor, Array | None]) -> float | None:
        """The ys added up, each times its weight, where x has this value; None where that cannot be run."""
        if self.is_long:
            return None
        feeds = self._changed(x, value) if x in self.values_of else _with(self.own.get(x, x), value)
        ys = [self.own.get(y, y) for y in weights]
        try:
            found = self.fresh.session.run(ys, {**self.fresh.feeds, **feeds})
        except GradlensError:
            return None
        total = 0.0
        for y, weight in zip(found, weights.values(), strict=True):
            total += float(np.sum(np.asarray(y, dtype="float64") * (1.0 if weight is None else weight)))
        return total

    def _changed(self, x: Tensor, value: Array) -> dict[Tensor, Array]:
        """What is fed so that an x has another value from its start on, and is changed as much each time."""
        known = self.fresh.values
        change = value - known[x]
        return {t: v for one in self.values_of[x] for t, v in _with(one, known[one] + change).items()}


def _with(x: Tensor, value: Array) -> dict[Tensor, Array]:
    """What is fed so that a quantity has another value: it, or each read of a variable."""
    reads = [n.outputs[0] for n in x.graph.nodes if _reads(n, x)]
    return dict.fromkeys(reads or [x], value) | ({} if reads else {x: value})


def _reads(node: Node, x: Tensor) -> bool:
    return node.op.name == "Identity" and node.inputs[0] is x and x.node.op.name == "VariableV2"
