"""The graph: nodes, tensors, variables and the scopes that they are made in."""

from engine.graph.graph import Adjoint, Graph
from engine.graph.variables.variable import Variable
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Node, Tensor

__all__ = ["Adjoint", "Graph", "IndexedSlices", "Node", "Tensor", "Variable"]
