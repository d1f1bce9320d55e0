"""How large a node's outputs will be, worked out from the values at hand before it runs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.graph import Node
from engine.ops.tensors import name_of


def output_shapes(node: Node, arguments: list[Any]) -> list[tuple[int, ...]]:
    """The op's own shape rule, given the actual values in place of what was known when it was built."""
    known = [_as_constant(value) for value in arguments]
    try:
        shapes = node.op.infer_shapes(known, node.attrs)
    except GradlensError as error:
        error.node = error.node or node.name
        raise
    shapes = shapes if isinstance(shapes, list) else [shapes]
    return [shape for shape in shapes if shape is not None and None not in shape]


def _as_constant(value: Any) -> Any:
    """A stand-in for a Const tensor that holds `value`: all that shape rules look at."""
    array = np.asarray(value)
    node = SimpleNamespace(op=SimpleNamespace(name="Const"), attrs={"value": array}, inputs=())
    return SimpleNamespace(node=node, index=0, shape=array.shape, dtype=name_of(array.dtype))
