"""The graph of a function that a run calls again and again, such as what a dataset does with each element."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.graph.graph import Graph
from engine.ops.base.definition import OpDef
from engine.ops.base.tensors import Node, Tensor
from engine.ops.common.constants import placeholder


class FunctionGraph(Graph):
    """A graph whose nodes may take tensors of the graph around it: each comes in by a placeholder.

    taken: the tensors from outside, each with its placeholder.
    """

    takes_in = True

    def __init__(self, around: Graph, *, node_limit: int | None = None) -> None:
        super().__init__(default_float=around.default_float, node_limit=node_limit)
        self.seed = around.seed
        self.gradient_rules = around.gradient_rules
        self.taken: dict[Tensor, Tensor] = {}

    def create_node(
        self, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], name: str
    ) -> Node:
        """Add a node. Raises: as in any graph."""
        return super().create_node(op, [self.own(tensor) for tensor in inputs], attributes, name)

    def own(self, tensor: Tensor) -> Tensor:
        """The tensor itself, or the placeholder that stands for one from outside."""
        if tensor.graph is self:
            return tensor
        if tensor not in self.taken:
            with self.control_dependencies(None), self._changed(context=None), self.name_scope(None):
                self.taken[tensor] = placeholder(tensor.dtype, tensor.shape, name=tensor.node.name)
        return self.taken[tensor]
