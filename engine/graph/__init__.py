"""The graph: nodes, tensors, variables and the scopes that they are made in."""

from engine.graph.graph import Adjoint, Graph
from engine.graph.variables import Variable
from engine.ops.slices import IndexedSlices
from engine.ops.tensors import Node, Tensor

__all__ = ["Adjoint", "Graph", "IndexedSlices", "Node", "Tensor", "Variable"]
