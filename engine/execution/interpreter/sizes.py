"""How large a node's outputs will be, worked out from the values at hand before it runs."""

from __future__ import annotations

from typing import Any

from engine.errors import GradlensError
from engine.graph import Node
from engine.ops.base.shapes import stand_in


def output_shapes(node: Node, arguments: list[Any]) -> list[tuple[int, ...]]:
    """The op's own shape rule, given the actual values in place of what was known when it was built."""
    known = [stand_in(value) for value in arguments]
    try:
        shapes = node.op.infer_shapes(known, node.attrs)
    except GradlensError as error:
        error.node = error.node or node.name
        raise
    shapes = shapes if isinstance(shapes, list) else [shapes]
    return [shape for shape in shapes if shape is not None and None not in shape]
