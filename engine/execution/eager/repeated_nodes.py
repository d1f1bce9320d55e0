"""Operators of an eager graph: in a turn that is recorded or replayed, each is one call of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.errors import GradlensError
from engine.execution.eager.immediate import Cost
from engine.execution.eager.sameness import facts_of
from engine.graph import Graph, Node, Tensor
from engine.graph.lazy_nodes import LazyNodes
from engine.ops.base.building import build
from engine.ops.base.definition import OpDef
from engine.ops.base.tensors import Shape
from engine.ops.operators import operator_output


class Kind(NamedTuple):
    """What all nodes of an op have in common whose inputs are of the same types and shapes.

    facts: what of their attributes is their structure; shape: that of their output; cost: of one run.
    """

    attrs: Mapping[str, Any]
    facts: Any
    dtype: str
    shape: Shape
    cost: Cost


class RepeatedNodes(LazyNodes):
    """No node of an eager graph is lazy; but a call for one may be the next of a replayed turn.

    In any other turn a node of a kind that is known is made without asking its op again.
    """

    __slots__ = ("_known",)

    def __init__(self, graph: Graph, made: list[Node], limit: int) -> None:
        super().__init__(graph, made, limit)
        self._known: dict[Any, Kind | None] = {}

    def output(self, op: OpDef, base: str, x: Any, y: Any = None) -> Tensor | None:
        """The output of a node that runs as it is made; None where it is made in the ordinary way."""
        graph: Any = self._graph
        if graph.tracing is not None:
            return None
        inputs = (x,) if y is None else (x, y)
        if graph.turn is None:
            return self._of_known_kind(op, inputs) if base == op.name else None
        made: Tensor = graph.turn.call(op, inputs, lambda: make_output(op, base, inputs))
        return made

    def _of_known_kind(self, op: OpDef, inputs: tuple[Tensor, ...]) -> Tensor | None:
        """The output of another node of a kind that is known; the first one of a kind is learned from."""
        graph: Any = self._graph
        key = (op, *[(tensor.dtype, tensor.shape) for tensor in inputs])
        kind = self._known.get(key)
        if kind is None:
            return None if key in self._known else self._learn(key, op, inputs)
        if not graph.has_nothing_around or any(tensor.graph is not graph for tensor in inputs):
            return None
        try:
            made: Tensor = graph.make_known(op, inputs, kind).outputs[0]
        except GradlensError as error:
            error.in_operation = error.in_operation or (op.name, inputs)
            raise
        return made

    def _learn(self, key: Any, op: OpDef, inputs: tuple[Tensor, ...]) -> Tensor:
        """Make a node in the ordinary way, and keep what others of its kind have in common with it."""
        node = build(op, inputs, op.name, {})
        graph: Any = self._graph
        cost = graph.cost_of(node)
        shape = op.infer_shapes(inputs, node.attrs)
        is_known = cost is not None and shape is not None and None not in shape
        output = node.outputs[0]
        facts = facts_of(node.attrs, graph.phase)
        self._known[key] = Kind(node.attrs, facts, output.dtype, shape, cost) if is_known else None
        return output


def make_output(op: OpDef, base: str, inputs: tuple[Any, ...]) -> Tensor:
    """The output of a new node: of an operator, in a scope of its own."""
    if base == op.name:
        first: Tensor = build(op, inputs, base, {}).outputs[0]
        return first
    return operator_output(base, op, *inputs)
