"""Clipping: keeping gradients within bounds between `compute_gradients` and `apply_gradients`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.arrays.joining import stack
from engine.ops.base.building import convert_to_tensor, current_graph, name_scope
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Tensor
from engine.ops.common.casting import bounds, cast
from engine.ops.common.passing import identity
from engine.ops.common.reducing import reduce_sum
from engine.ops.elementwise.comparison import greater, is_finite, ones_like, select
from engine.ops.elementwise.exponentials import sqrt
from engine.ops.elementwise.extremes import maximum, minimum
from engine.ops.networks import losses


def _values_of(t: Any, name: str = "t") -> Tensor:
    """The numbers of a gradient: a tensor's own, or those of its rows."""
    return t.values if isinstance(t, IndexedSlices) else convert_to_tensor(t, name=name)


def _with_values(t: Any, values: Tensor) -> Any:
    return IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """`tf.clip_by_value`: each element raised to the minimum and lowered to the maximum.

    Shapes: t (*S) -> (*S). At the edges themselves the gradient passes.
    """
    with name_scope(name, "clip_by_value") as scope:
        values = _values_of(t)
        low = minimum(values, clip_value_max)
        return _with_values(t, maximum(low, convert_to_tensor(clip_value_min, values.dtype, "y"), name=scope))


def saturate_cast(value: Any, dtype: str, name: str | None = None) -> Tensor:
    """`tf.saturate_cast`: another type; what lies beyond its numbers becomes the nearest of them."""
    with name_scope(name, "saturate_cast") as scope:
        value = convert_to_tensor(value, name="value")
        (least, greatest), (low, high) = bounds(value.dtype), bounds(dtype)
        if least < low:
            value = maximum(value, convert_to_tensor(low, dtype=value.dtype, name="min"))
        if greatest > high:
            value = minimum(value, convert_to_tensor(high, dtype=value.dtype, name="max"))
        return cast(value, dtype, name=scope)


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """`tf.clip_by_norm`: t scaled down so that its norm is at most `clip_norm`, else unchanged.

    Shapes: t (*S) -> (*S). The direction stays. The root is guarded, so a zero gradient stays zero.
    """
    with name_scope(name, "clip_by_norm") as scope:
        values = _values_of(t)
        squares = reduce_sum(values * values, axes, keepdims=True)
        positive = greater(squares, 0.0)
        safe = select(positive, squares, ones_like(squares))
        norm = select(positive, sqrt(safe), squares)
        scaled = values * clip_norm
        clipped = scaled / maximum(norm, clip_norm)
        return _with_values(t, identity(clipped, name=scope))


def global_norm(t_list: Sequence[Any], name: str | None = None) -> Tensor:
    """`tf.global_norm`: the norm of all these tensors laid end to end; None counts as nothing."""
    with name_scope(name, "global_norm"):
        every = [_values_of(t, f"t_{index}") for index, t in enumerate(t_list) if t is not None]
        halves = []
        for values in every:
            with current_graph().colocate_with(values.node):
                halves.append(losses.l2_loss(values))
        half = reduce_sum(stack(halves))
        two = convert_to_tensor(np.asarray(2.0, half.dtype))
        return sqrt(half * two, name="global_norm")


def clip_by_global_norm(
    t_list: Sequence[Any], clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Tensor]:
    """`tf.clip_by_global_norm`: all scaled by one factor, so that their norm together is at most `clip_norm`.

    Returns: the list (None stays None) and the norm before clipping; NaN where that norm is not finite.
    Source:  Pascanu et al., On the difficulty of training recurrent neural networks, 2013.
    """
    norm = global_norm(t_list, name) if use_norm is None else use_norm
    with name_scope(name, "clip_by_global_norm") as scope:
        inverse = 1.0 / norm
        one = convert_to_tensor(np.asarray(1.0, norm.dtype))
        scale = clip_norm * minimum(inverse, one / clip_norm)
        finite = is_finite(norm)
        factor = select(finite, scale, convert_to_tensor(np.asarray(np.nan, norm.dtype)))
        every = [None if t is None else _values_of(t, f"t_{index}") for index, t in enumerate(t_list)]
        clipped = [
            t if values is None else _with_values(t, _scaled(values, factor, f"{scope}_{index}"))
            for index, (t, values) in enumerate(zip(t_list, every, strict=True))
        ]
        return clipped, norm


def _scaled(values: Tensor, factor: Tensor, name: str) -> Tensor:
    with current_graph().colocate_with(values.node):
        return identity(values * factor, name=name)
