"""Whether weights fit what they weigh: decided at once where the shapes are known, else checked by a run."""

from __future__ import annotations

from typing import Any

from engine.errors import ShapeError
from engine.graph.control_flow.building import assert_true, cond
from engine.graph.graph import Graph
from engine.ops.arrays import joining, reshaping
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import is_static, written
from engine.ops.base.tensors import Node, Tensor
from engine.ops.common import measuring
from engine.ops.common import passing as control
from engine.ops.elementwise import comparison
from engine.ops.reductions import sets


def assert_broadcastable(graph: Graph, weights: Any, values: Tensor) -> Node:
    """The node to wait for: weights are one number, or have a length of 1 or the values' own along each axis.

    Raises: ShapeError where the shapes are known and do not fit.
    """
    with graph.name_scope("assert_broadcastable") as scope:
        weights = convert_to_tensor(weights, name="weights")
        shape = measuring.shape_of(weights, name="weights/shape")
        rank = measuring.rank_of(weights, name="weights/rank")
        wanted = measuring.shape_of(values, name="values/shape")
        wanted_rank = measuring.rank_of(values, name="values/rank")
        if weights.shape is not None and values.shape is not None:
            if weights.shape == ():
                return control.no_op.node(name="static_scalar_check_success")
            _check_known(weights, values)
            if is_static(weights.shape, values.shape):
                return control.no_op.node(name="static_dims_check_success")
        is_scalar = comparison.equal(0, rank, name="is_scalar")
        fits = cond(
            graph,
            is_scalar,
            lambda: is_scalar,
            lambda: _fits_along_axes(graph, shape, rank, wanted, wanted_rank),
            name="is_valid_shape",
        )
        data = ["weights can not be broadcast to values.", "weights.shape=", weights.name, shape]
        data += ["values.shape=", values.name, wanted, "is_scalar=", is_scalar]
        return assert_true(graph, fits, data, name=scope)


def _fits_along_axes(graph: Graph, shape: Tensor, rank: Tensor, wanted: Tensor, wanted_rank: Tensor) -> Any:
    with graph.name_scope("has_valid_nonscalar_shape") as scope:
        same_rank = comparison.equal(wanted_rank, rank, name="is_same_rank")
        return cond(
            graph, same_rank, lambda: _no_other_length(graph, shape, wanted), lambda: same_rank, scope
        )


def _no_other_length(graph: Graph, shape: Tensor, wanted: Tensor) -> Tensor:
    """Each axis as a set: the length of the weights, without those that fit it, is nothing."""
    with graph.name_scope("has_invalid_dims") as scope:
        own = reshaping.expand_dims(wanted, -1)
        fitting = joining.concat([own, comparison.ones_like(own)], 1)
        other = sets.set_difference(reshaping.expand_dims(shape, -1), fitting)
        count = measuring.size_of(other, name="num_invalid_dims")
        none: Tensor = comparison.equal(0, count, name=scope)
        return none


def _check_known(weights: Tensor, values: Tensor) -> None:
    """Raises: ShapeError where what is known of the shapes does not fit."""
    pairs = list(zip(weights.shape or (), values.shape or (), strict=False))
    known = [(n, m) for n, m in pairs if n is not None and m is not None]
    if len(weights.shape or ()) == len(values.shape or ()) and all(n in (1, m) for n, m in known):
        return
    own, wanted = written(weights.shape), written(values.shape)
    raise ShapeError(
        f"Weights of the shape {own} do not fit losses of {wanted}.",
        hint="Give one weight, or one for each loss.",
        message_zh=f"形状为 {own} 的权重与形状为 {wanted} 的损失不匹配。",
        hint_zh="请给出一个权重，或给每个损失一个权重。",
    )
