"""Operators of an eager graph: in a turn that is recorded or replayed, each is one call of it."""

from __future__ import annotations

from typing import Any

from engine.graph import Tensor
from engine.graph.lazy_nodes import LazyNodes
from engine.ops.base.building import build
from engine.ops.base.definition import OpDef
from engine.ops.operators import operator_output


class RepeatedNodes(LazyNodes):
    """No node of an eager graph is lazy; but a call for one may be the next of a replayed turn."""

    def output(self, op: OpDef, base: str, x: Any, y: Any = None) -> Tensor | None:
        """The output of a node whose turn is recorded or replayed; None in any other turn."""
        graph: Any = self._graph
        if graph.turn is None or graph.tracing is not None:
            return None
        inputs = (x,) if y is None else (x, y)
        made: Tensor = graph.turn.call(op, inputs, lambda: make_output(op, base, inputs))
        return made


def make_output(op: OpDef, base: str, inputs: tuple[Any, ...]) -> Tensor:
    """The output of a new node: of an operator, in a scope of its own."""
    if base == op.name:
        first: Tensor = build(op, inputs, base, {}).outputs[0]
        return first
    return operator_output(base, op, *inputs)
