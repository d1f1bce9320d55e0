"""Branches: values that go one of two ways, and come together again."""

from __future__ import annotations

from typing import Any

from engine.ops import arrays
from engine.ops.tensors import Node, Tensor


def zeros_for_output(node: Node, index: int) -> Tensor:
    """What an output that nothing used sends back."""
    output: Any = node.outputs[index]
    return arrays.zeros_like_op(output, name="zeros_like")
