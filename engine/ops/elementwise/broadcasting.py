"""Undoing broadcasting: the gradient of an operand is summed over the axes along which it was repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.registry import op_called
from engine.ops.base.shapes import constant_value, is_static
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Tensor
from engine.ops.common import measuring, plumbing, reducing

reshape = op_called("Reshape")


def sum_to(tensor: Tensor, axes: Any, shape: Any) -> Tensor:
    """Sum over the axes along which broadcasting repeated it. Shapes: as it was broadcast -> shape."""
    return reshape(reducing.reduce_sum(tensor, axes), shape)


def broadcast_axes(
    x: Tensor, y: Tensor, dz: Tensor | IndexedSlices
) -> tuple[tuple[Any, Any, bool], tuple[Any, Any, bool]]:
    """For each operand: its shape, the axes to sum its gradient over, and whether it needs that at all.

    With static shapes the axes are constants, found once for each pair of shapes in a graph; with
    unknown ones they are computed when the graph runs.
    """
    if isinstance(dz, IndexedSlices) or not is_static(x.shape, y.shape, dz.shape):
        look = measuring.shape_of if isinstance(dz, IndexedSlices) else measuring.shape_op
        sx, sy = look(x), look(y)
        rx, ry = plumbing.broadcast_gradient_args.node(sx, sy).outputs
        return (sx, rx, True), (sy, ry, True)
    cache = x.graph.broadcast_cache
    if (x.shape, y.shape) not in cache:
        cache[x.shape, y.shape] = _constant_axes(x.shape, y.shape)
    rx, ry = cache[x.shape, y.shape]
    return (x.shape, rx, x.shape != dz.shape), (y.shape, ry, y.shape != dz.shape)


def _constant_axes(x: Any, y: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    shapes = [np.array(shape, dtype=np.int32) for shape in (x, y)]
    outputs = plumbing.broadcast_gradient_args.node(*shapes).outputs
    rx, ry = (constant_value(output) for output in outputs)
    return tuple(map(int, [] if rx is None else rx)), tuple(map(int, [] if ry is None else ry))


def axes_to_sum(x: Tensor, y: Tensor) -> tuple[tuple[Any, Tensor], tuple[Any, Tensor]]:
    """For each operand its shape and the axes to sum its gradient over, by nodes whatever the shapes are."""
    sx, sy = measuring.shape_of(x), measuring.shape_of(y)
    rx, ry = plumbing.broadcast_gradient_args.node(sx, sy).outputs
    return (sx, rx), (sy, ry)


def equal_shapes(x: Tensor, y: Tensor, dz: Tensor | IndexedSlices) -> bool:
    """Whether nothing was broadcast, as far as static shapes show."""
    return not isinstance(dz, IndexedSlices) and is_static(x.shape) and x.shape == y.shape == dz.shape
