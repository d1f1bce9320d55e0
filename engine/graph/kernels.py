"""Calling a kernel on values; an error in it names the learner's node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import GradlensError, ValueRefused
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Node

MISMATCHES = (ValueError, IndexError, TypeError, ArithmeticError)  # what kernels raise then


def run_kernel(node: Node, arguments: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
    """What a node's kernel gives.

    Raises: GradlensError with the node's name; in place of numpy's errors, one that names the shapes.
    """
    try:
        return node.op.kernel(*arguments, **parameters)
    except GradlensError as error:
        error.node = error.node or node.name
        raise
    except MISMATCHES as error:
        raise _does_not_fit(node, arguments) from error


def parameters_of(node: Node) -> dict[str, Any]:
    """What a kernel takes beside the values: the node's attributes that its op names."""
    parameters: dict[str, Any] = node.op.parameters(node.attrs)
    return parameters


def results_of(node: Node, arguments: Sequence[Any], **changes: Any) -> Sequence[Any]:
    """What a node's kernel gives for each of its outputs; `changes` stand in for attributes.

    Raises: as `run_kernel`.
    """
    result = run_kernel(node, arguments, parameters_of(node) | changes)
    return result if isinstance(result, (list, tuple)) else (result,)


def _does_not_fit(node: Node, arguments: Sequence[Any]) -> ValueRefused:
    """The op, and the shapes of the values."""
    shapes = ", ".join(written(np.shape(value)) for value in arguments)
    return ValueRefused(
        f"{node.op.name} cannot take values of the shapes {shapes}.",
        message_zh=f"{node.op.name} 不能处理形状为 {shapes} 的值。",
        code="shape_mismatch",
        node=node.name,
    )
