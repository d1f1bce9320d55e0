"""The graph: nodes, tensors, variables and the scopes that they are made in."""

from engine.graph.graph import Graph
from engine.graph.variables import Variable
from engine.ops.tensors import Node, Tensor

__all__ = ["Graph", "Node", "Tensor", "Variable"]
