"""`tf.reduce_…`: which axes a reduction goes over, and its node.

The reductions themselves stand in `engine/ops/reductions/`; here is what all gradient rules call.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.building import constant_node, current_graph
from engine.ops.base.registry import REGISTRY
from engine.ops.base.shapes import whole_numbers
from engine.ops.base.tensors import Operators, Tensor
from engine.ops.common.measuring import rank_of
from engine.ops.common.ranges import range_of


def reduction_axes(x: Any, axis: Any) -> Any:
    """The axes to reduce over: those given, else all of them, as TensorFlow writes them down.

    A tensor of known rank gets one constant; a variable, or a tensor of unknown rank, gets Rank and Range.
    """
    if axis is not None:
        return axis if isinstance(axis, Tensor) else whole_numbers(axis, "axis").astype(np.int32)
    if isinstance(x, Tensor) and not _is_variable(x) and x.shape is not None:
        return constant_node(np.arange(len(x.shape), dtype=np.int32), "Const")
    return range_of(0, rank_of(x))


def _is_variable(x: Any) -> bool:
    return isinstance(x, Operators) and x.as_tensor() is not x


def reduce_with(op: str, x: Any, axis: Any, keepdims: bool, name: str | None) -> Tensor:
    """A reduction over the axes given, or over all of them."""
    if axis is None and not keepdims and name is None and isinstance(x, Tensor) and not _is_variable(x):
        known: Tensor | None = current_graph().lazy.over_all(REGISTRY[op], x)
        if known is not None:
            return known
    result = REGISTRY[op](x, reduction_axes(x, axis), keep_dims=bool(keepdims), name=name)
    if axis is None and not keepdims:
        result.shape = ()
    return result


def reduce_sum(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """`tf.reduce_sum`: over all axes unless some are named. Shapes: x (*S) -> (*S without the axes)."""
    return reduce_with("Sum", x, axis, keepdims, name)


def reduce_mean(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """`tf.reduce_mean`: over all axes unless some are named. Shapes: x (*S) -> (*S without the axes)."""
    return reduce_with("Mean", x, axis, keepdims, name)


def reduce_prod(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """`tf.reduce_prod`: over all axes unless some are named. Shapes: x (*S) -> (*S without the axes)."""
    return reduce_with("Prod", x, axis, keepdims, name)


def reduce_max(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """`tf.reduce_max`: over all axes unless some are named."""
    return reduce_with("Max", x, axis, keepdims, name)


def reduce_min(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """`tf.reduce_min`: over all axes unless some are named."""
    return reduce_with("Min", x, axis, keepdims, name)


def reduce_all(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """`tf.reduce_all`: over all axes unless some are named."""
    return reduce_with("All", x, axis, keepdims, name)


def reduce_any(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """`tf.reduce_any`: over all axes unless some are named."""
    return reduce_with("Any", x, axis, keepdims, name)
