"""Operators of an eager graph: in a turn that is recorded or replayed, each is one call of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.errors import GradlensError
from engine.execution.eager.immediate import Cost
from engine.execution.eager.sameness import facts_of
from engine.graph import Graph, Node, Tensor
from engine.graph.lazy_nodes import LazyNodes
from engine.ops.base.building import build, constant_node
from engine.ops.base.definition import OpDef
from engine.ops.base.tensors import Shape, name_of
from engine.ops.common.constants import const
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

    __slots__ = ("_constants", "_known", "_reductions")

    def __init__(self, graph: Graph, made: list[Node], limit: int) -> None:
        super().__init__(graph, made, limit)
        self._known: dict[Any, Kind | None] = {}
        self._constants: dict[Any, Cost] = {}
        self._reductions: dict[Any, tuple[Kind | None, Kind | None]] = {}  # over all axes, by op and operand

    def output(self, op: OpDef, base: str, x: Any, y: Any = None) -> Tensor | None:
        """The output of a node that runs as it is made; None where it is made in the ordinary way."""
        graph: Any = self._graph
        if graph.tracing is not None:
            return None
        inputs = (x,) if y is None else (x, y)
        if graph.turn is not None:
            made: Tensor = graph.turn.call(op, inputs, lambda: make_output(op, base, inputs))
            return made
        if base != op.name:
            return None
        key = (op, *[(tensor.dtype, tensor.shape) for tensor in inputs])
        if key not in self._known:
            return self._learn(key, op, inputs)
        kind = self._known[key]
        if kind is None or not graph.has_nothing_around or any(one.graph is not graph for one in inputs):
            return None
        try:
            return graph.make_known(op, inputs, kind, op.name).outputs[0]  # type: ignore[no-any-return]
        except GradlensError as error:
            error.in_operation = error.in_operation or (op.name, inputs)
            raise

    def beside_array(self, op: OpDef, x: Any, y: Any) -> Tensor | None:
        """The same for a tensor and an array of its type, which becomes a constant in the node's scope."""
        graph: Any = self._graph
        tensor, array, place = (x, y, 1) if isinstance(x, Tensor) else (y, x, 0)
        if graph.turn is not None or graph.tracing is not None or not isinstance(tensor, Tensor):
            return None
        if type(array) is not np.ndarray or name_of(array.dtype) != tensor.dtype:
            return None
        key = (op, tensor.dtype, tensor.shape, array.shape, place)
        if key not in self._known:
            return self._learn(key, op, (x, y))
        kind = self._known[key]
        cost = self._constants.get((tensor.dtype, array.shape))
        if kind is None or cost is None or not graph.has_nothing_around or tensor.graph is not graph:
            return None
        attrs = {"value": array, "dtype": tensor.dtype}
        constant = Kind(attrs, facts_of(attrs, graph.phase), tensor.dtype, array.shape, cost)
        try:
            with graph.name_scope(op.name) as scope:
                made = graph.make_known(const, (), constant, op.input_names[place]).outputs[0]
                inputs = (tensor, made) if place else (made, tensor)
                return graph.make_known(op, inputs, kind, scope).outputs[0]  # type: ignore[no-any-return]
        except GradlensError as error:
            error.in_operation = error.in_operation or (op.name, (x, y))
            raise

    def over_all(self, op: OpDef, x: Tensor) -> Tensor | None:
        """A reduction over all axes, which a constant names; None where it is made in the ordinary way."""
        graph: Any = self._graph
        is_apart = graph.turn is not None or graph.tracing is not None or x.graph is not graph
        if is_apart or x.shape is None or not graph.has_nothing_around:
            return None
        key = (op, x.dtype, x.shape)
        if key not in self._reductions:
            return self._learn_over_all(key, op, x)
        axes, reduction = self._reductions[key]
        if axes is None or reduction is None:
            return None
        try:
            inputs = (x, graph.make_known(const, (), axes, const.name).outputs[0])
            return graph.make_known(op, inputs, reduction, op.name).outputs[0]  # type: ignore[no-any-return]
        except GradlensError as error:
            error.in_operation = error.in_operation or (op.name, (x,))
            raise

    def _learn_over_all(self, key: Any, op: OpDef, x: Tensor) -> Tensor:
        """Make such a reduction, and keep what others of its kind have in common with it."""
        axes = constant_node(np.arange(len(x.shape or ()), dtype=np.int32), const.name)
        node = build(op, (x, axes), op.name, {"keep_dims": False})
        self._reductions[key] = self._kind(axes.node), self._kind(node)
        return node.outputs[0]

    def forget(self) -> None:
        """Forget what is known of nodes: the program is over."""
        self._known, self._constants, self._reductions = {}, {}, {}

    def _learn(self, key: Any, op: OpDef, inputs: Sequence[Any]) -> Tensor:
        """Make a node in the ordinary way, and keep what others of its kind have in common with it."""
        graph: Any = self._graph
        node = build(op, inputs, op.name, {})
        self._known[key] = self._kind(node)
        for one in node.inputs:
            if one.node.op is const:
                self._constants[one.dtype, one.shape] = graph.cost_of(one.node)
        output: Tensor = node.outputs[0]
        return output

    def _kind(self, node: Node) -> Kind | None:
        """What a node that has run has in common with others; None where not only shapes decide that."""
        graph: Any = self._graph
        shape, cost = node.op.infer_shapes(node.inputs, node.attrs), graph.cost_of(node)
        if cost is None or shape is None or None in shape:
            return None
        return Kind(node.attrs, facts_of(node.attrs, graph.phase), node.outputs[0].dtype, shape, cost)


def make_output(op: OpDef, base: str, inputs: tuple[Any, ...]) -> Tensor:
    """The output of a new node: of an operator, in a scope of its own."""
    if base == op.name:
        first: Tensor = build(op, inputs, base, {}).outputs[0]
        return first
    return operator_output(base, op, *inputs)
