"""Where a kernel cannot take the values at hand: numpy's error, said as one of the learner's node."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.graph import Node
from engine.ops.base.shapes import written

MISMATCHES = (ValueError, IndexError, TypeError, ArithmeticError)  # what kernels raise then


def does_not_fit(node: Node, arguments: list[Any]) -> ValueRefused:
    """The error to raise instead: the op, and the shapes of the values."""
    shapes = ", ".join(written(np.shape(value)) for value in arguments)
    return ValueRefused(
        f"{node.op.name} cannot take values of the shapes {shapes}.",
        message_zh=f"{node.op.name} 不能处理形状为 {shapes} 的值。",
        code="shape_mismatch",
        node=node.name,
    )
