"""Reverse mode: the gradient of a graph, added to the graph as nodes."""
