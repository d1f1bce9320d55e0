"""Clipping: keeping gradients within bounds between `compute_gradients` and `apply_gradients`."""

from __future__ import annotations

from typing import Any

from engine.ops.arithmetic import maximum
from engine.ops.building import convert_to_tensor, name_scope
from engine.ops.comparison import greater, ones_like, select
from engine.ops.control import identity
from engine.ops.exponentials import sqrt
from engine.ops.reductions import reduce_sum
from engine.ops.tensors import Tensor


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """`tf.clip_by_norm`: t scaled down so that its norm is at most `clip_norm`, else unchanged.

    Shapes: t (*S) -> (*S). The direction stays. The root is guarded, so a zero gradient stays zero.
    """
    with name_scope(name, "clip_by_norm") as scope:
        values = convert_to_tensor(t, name="t")
        squares = reduce_sum(values * values, axes, keepdims=True)
        positive = greater(squares, 0.0)
        safe = select(positive, squares, ones_like(squares))
        norm = select(positive, sqrt(safe), squares)
        scaled = values * clip_norm
        clipped = scaled / maximum(norm, clip_norm)
        return identity(clipped, name=scope)
