"""Reductions over axes: sum, mean, product, largest, smallest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.arrays import gathering, joining, partitioning, reshaping
from engine.ops.base.building import convert_to_tensor, current_graph
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.derivatives import AVERAGED, SUMMED, extreme_of
from engine.ops.base.kinks import Kink, at_tied
from engine.ops.base.shapes import (
    axes_of,
    axis_within,
    constant_value,
    element_count,
    is_static,
    literal_value,
)
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import casting, constants, measuring, plumbing, ranges, reducing
from engine.ops.elementwise import comparison, division, extremes
from engine.ops.reductions import scans

ReductionCache = dict[tuple[Any, Any], tuple[tuple[int, ...], tuple[int, ...]]]


def reduced(x: Shape, axes: Shape, *, inputs: Sequence[Tensor], keep_dims: bool = False) -> Shape:
    """The shape without the summed axes, or with a 1 in their place."""
    value = constant_value(inputs[1])
    if x is None:
        return None
    if value is None:
        return (None,) * len(x) if keep_dims else None
    drop = {axis_within(axis, x) for axis in axes_of(value)}
    if keep_dims:
        return tuple(1 if axis in drop else n for axis, n in enumerate(x))
    return tuple(n for axis, n in enumerate(x) if axis not in drop)


# -- what their gradients share ------------------------------------------------------------------


def reduced_shape(shape: Any, axes: Any) -> Tensor:
    """The input's shape with 1 for every reduced axis, computed in the graph."""
    shape = casting.cast(shape, "int32")
    axes = casting.cast(axes, "int32")
    rank = measuring.size_of(shape)
    axes = (axes + rank) % rank
    axes_shape = measuring.shape_of(axes)
    kept = [ranges.range_of(0, rank), axes]
    return partitioning.dynamic_stitch(kept, [shape, constants.fill(axes_shape, 1)])


def _safe_quotient(shape: Any, other: Any) -> Tensor:
    """How often to repeat along each axis; a length of 0 counts as 1 so that nothing divides by 0."""
    quotient: Tensor = shape // extremes.maximum(other, 1)
    return quotient


def spread(x: Tensor, axes: Tensor, dy: Tensor) -> Tensor:
    """The upstream gradient repeated along the summed axes. Shapes: dy (*S without them) -> (*S)."""
    known = literal_value(axes)
    if x.shape is not None and known is not None:
        rank = len(x.shape)
        if np.array_equal(known, np.arange(rank)):
            dy = reshaping.reshape(dy, [1] * rank)
            return _tiled(dy, _own_shape(x))
        if is_static(x.shape):
            kept, repeats = _constant_spread(x, axes_of(known))
            return _tiled(reshaping.reshape(dy, kept), repeats)
    shape = measuring.shape_of(x)
    with current_graph().colocate_with(shape.node):
        kept_shape = reduced_shape(shape, axes)
        times = _safe_quotient(shape, kept_shape)
    return _tiled(reshaping.reshape(dy, kept_shape), times)


def _tiled(dy: Tensor, multiples: Any) -> Tensor:
    return joining.tile(dy, multiples)


def _own_shape(x: Tensor) -> Tensor:
    """x's shape: a constant named `Const` where it is known, else a Shape node."""
    if is_static(x.shape):
        return convert_to_tensor(np.asarray(x.shape, dtype=np.int32))
    return measuring.shape_of(x)


def _constant_spread(x: Tensor, axes: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Both shapes as constants, worked out once for each shape and axes in a graph."""
    cache: ReductionCache = x.graph.reduction_cache
    shape = tuple(int(n or 0) for n in x.shape or ())
    if (shape, axes) not in cache:
        kept = _as_tuple(reduced_shape(shape, axes))
        cache[shape, axes] = kept, _as_tuple(_safe_quotient(shape, kept))
    return cache[shape, axes]


def _as_tuple(tensor: Tensor) -> tuple[int, ...]:
    value = constant_value(tensor)
    return () if value is None else tuple(int(n) for n in value)


# -- the reductions ------------------------------------------------------------------------------


@op(
    "Sum",
    inputs="input reduction_indices",
    types="T Tidx",
    shape=reduced,
    latex=r"\sum {input}",
    adjoints=[r"\bar{y} \text{ repeated}", "0"],
    derivative=[SUMMED, "0"],
    form="linear",
    accepts="numbers",
    symbolic="kernel",
    call="axes",
    names={"tf": "reduce_sum", "numpy": "sum", "math": "sum"},
)
@in_chinese("沿给定的轴的和。")
def sum_op(input: Array, reduction_indices: Array, keep_dims: bool = False) -> Any:
    """Sum over the axes given. Shapes: input (*S) -> the lengths of the other axes."""
    return np.sum(input, axis=axes_of(reduction_indices), keepdims=keep_dims, dtype=input.dtype)


@sum_op.gradient
def sum_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    x, axes = node.inputs
    return [spread(x, axes, dy), None]


@op(
    "Mean",
    inputs="input reduction_indices",
    types="T Tidx",
    shape=reduced,
    latex=r"\frac{1}{n} \sum {input}",
    adjoints=[r"\bar{y} / n \text{ repeated}", "0"],
    derivative=[AVERAGED, "0"],
    form="linear",
    accepts="numbers",
    symbolic="kernel",
    call="axes",
    names={"tf": "reduce_mean", "numpy": "mean", "math": "mean"},
)
@in_chinese("沿给定的轴的平均值。")
def mean_op(input: Array, reduction_indices: Array, keep_dims: bool = False) -> Any:
    """Mean over the axes given. Shapes: input (*S) -> the lengths of the other axes."""
    return np.mean(input, axis=axes_of(reduction_indices), keepdims=keep_dims, dtype=input.dtype)


@mean_op.gradient
def mean_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    x, axes = node.inputs
    y = node.outputs[0]
    repeated = spread(x, axes, dy)
    if is_static(x.shape, y.shape):
        count = (element_count(x.shape) or 0) // max(element_count(y.shape) or 0, 1)
        factor = convert_to_tensor(np.asarray(count, dtype=repeated.dtype))
    else:
        x_shape, y_shape = measuring.shape_of(x), measuring.shape_of(y)
        factor = casting.cast(
            _safe_quotient(reducing.reduce_prod(x_shape), reducing.reduce_prod(y_shape)), repeated.dtype
        )
    return [division.true_divide(repeated, factor), None]


@op(
    "Prod",
    inputs="input reduction_indices",
    types="T Tidx",
    shape=reduced,
    latex=r"\prod {input}",
    adjoints=[r"\bar{y} \prod_{j \ne i} x_j", "0"],
    derivative=[r"\prod_{j \ne i} {input}_j", "0"],
    accepts="numbers",
    symbolic="kernel",
    call="axes",
    names={"tf": "reduce_prod", "numpy": "prod", "math": "prod"},
)
@in_chinese("沿给定的轴的乘积。")
def prod_op(input: Array, reduction_indices: Array, keep_dims: bool = False) -> Any:
    """Product over the axes given. Shapes: input (*S) -> the lengths of the other axes."""
    return np.prod(input, axis=axes_of(reduction_indices), keepdims=keep_dims, dtype=input.dtype)


@prod_op.gradient
def prod_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """Times the product of all others: those before (a running product) times those after. No division."""
    x, axes = node.inputs
    shape = measuring.shape_of(x)
    flat_axes = reshaping.reshape(axes, [-1])
    kept = reduced_shape(shape, axes)
    repeats = _safe_quotient(shape, kept)
    dy = joining.tile(reshaping.reshape(dy, kept), repeats)
    with current_graph().device("/cpu:0"):  # where integers are at home
        order, split = _reduced_first(shape, flat_axes, measuring.rank_of(x))
    folded = reshaping.transpose(x, order)
    folded_shape = measuring.shape_of(folded)
    columns = reshaping.reshape(folded, split)
    before = scans.cumprod(columns, axis=0, exclusive=True)
    after = scans.cumprod(columns, axis=0, exclusive=True, reverse=True)
    others = reshaping.reshape(before * after, folded_shape)
    dx = dy * reshaping.transpose(others, plumbing.invert_permutation(order))
    return [reshaping.reshape(dx, shape), None]


def _reduced_first(shape: Tensor, axes: Tensor, rank: Tensor) -> tuple[Tensor, list[Tensor]]:
    """The order of axes with the reduced ones in front, and how many elements are reduced and kept."""
    reduced_axes = (axes + rank) % rank
    other_axes = plumbing.list_diff.node(ranges.range_of(0, rank), reduced_axes).outputs[0]
    order = joining.concat([reduced_axes, other_axes], 0)
    counts = [reducing.reduce_prod(gathering.gather(shape, part)) for part in (reduced_axes, other_axes)]
    return order, counts


def _extreme_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """To the extreme elements; where several tie they share evenly."""
    x, axes = node.inputs
    y = node.outputs[0]
    kept = reduced_shape(measuring.shape_of(x), axes)
    y = reshaping.reshape(y, kept)
    dy = reshaping.reshape(dy, kept)
    chosen = casting.cast(comparison.equal(y, x), dy.dtype)
    ties = reshaping.reshape(reducing.reduce_sum(chosen, axes), kept)
    return [division.true_divide(chosen, ties) * dy, None]


def _of_nothing(input: Array, sign: int) -> dict[str, Any]:
    """What numpy is given to begin with where there are no elements: ∓∞, or the last whole number there."""
    if input.size:
        return {}
    if input.dtype.kind == "f":
        return {"initial": input.dtype.type(sign * np.inf)}
    ends = np.iinfo(input.dtype)
    return {"initial": ends.min if sign < 0 else ends.max}


@op(
    "Max",
    inputs="input reduction_indices",
    types="T Tidx",
    shape=reduced,
    latex=r"\max {input}",
    adjoints=[r"\bar{y}\, [x = y] / \text{ties}", "0"],
    derivative=[extreme_of("{input}"), "0"],
    kink=Kink(
        at_tied(np.max),
        "Several elements are the largest; TensorFlow shares the gradient evenly between them.",
        "有多个元素同为最大；TensorFlow 把梯度平均分给它们。",
    ),
    accepts="numbers",
    call="axes",
    names={"tf": "reduce_max", "numpy": "max", "torch": "amax", "math": "max"},
)
@in_chinese("沿给定的轴的最大元素；相等的元素平分梯度。")
def max_op(input: Array, reduction_indices: Array, keep_dims: bool = False) -> Any:
    """The largest element over the axes; ties share the gradient. Shapes: input (*S) -> the other lengths."""
    return np.max(input, axis=axes_of(reduction_indices), keepdims=keep_dims, **_of_nothing(input, -1))


max_op.gradient(_extreme_gradient)


@op(
    "Min",
    inputs="input reduction_indices",
    types="T Tidx",
    shape=reduced,
    latex=r"\min {input}",
    adjoints=[r"\bar{y}\, [x = y] / \text{ties}", "0"],
    derivative=[extreme_of("{input}"), "0"],
    kink=Kink(
        at_tied(np.min),
        "Several elements are the smallest; TensorFlow shares the gradient evenly between them.",
        "有多个元素同为最小；TensorFlow 把梯度平均分给它们。",
    ),
    accepts="numbers",
    call="axes",
    names={"tf": "reduce_min", "numpy": "min", "torch": "amin", "math": "min"},
)
@in_chinese("沿给定的轴的最小元素；相等的元素平分梯度。")
def min_op(input: Array, reduction_indices: Array, keep_dims: bool = False) -> Any:
    """The smallest element over the axes; ties share the gradient. Shapes: input (*S) -> other lengths."""
    return np.min(input, axis=axes_of(reduction_indices), keepdims=keep_dims, **_of_nothing(input, 1))


min_op.gradient(_extreme_gradient)


# -- truth values --------------------------------------------------------------------------------


def _over_axes(name: str, compute: Any, doc: str, doc_zh: str) -> OpDef:
    def kernel(input: Array, reduction_indices: Array, keep_dims: bool = False) -> Any:
        return compute(input, axis=axes_of(reduction_indices), keepdims=keep_dims)

    kernel.__doc__ = f"{doc} Shapes: input (*S) (bool) -> the lengths of the other axes (bool)."
    return op(
        name,
        inputs="input reduction_indices",
        types="bool Tidx",
        outputs=("bool",),
        shape=reduced,
        latex=f"\\mathrm{{{name.lower()}}}\\, {{input}}",
        call="axes",
        names={"tf": f"reduce_{name.lower()}", "numpy": name.lower()},
        no_gradient=(
            "its output is true or false, which does not vary smoothly with x",
            "它的输出是真或假，不随 x 连续变化",
        ),
        ends_path=True,
    )(in_chinese(doc_zh)(kernel))


all_op = _over_axes("All", np.all, "Whether all hold, over the axes given.", "沿给定的轴，是否全部成立。")
any_op = _over_axes(
    "Any", np.any, "Whether at least one holds, over the axes given.", "沿给定的轴，是否至少有一个成立。"
)
