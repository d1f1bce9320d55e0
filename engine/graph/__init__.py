"""The graph: nodes, tensors, variables and the scopes that they are made in."""

from engine.graph.graph import Graph, Node, Tensor
from engine.graph.variables import Variable

__all__ = ["Graph", "Node", "Tensor", "Variable"]
