"""Rows and elements by number, the sums that put them back, and choosing them by a condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import DtypeError, ShapeError, ValueRefused
from engine.ops.arrays import joining, reshaping
from engine.ops.base.building import as_array, convert_to_tensor, current_graph, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import PLACED, SUMMED, TAKEN
from engine.ops.base.shapes import constant_shape, constant_value, whole_number, written
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import INTEGERS, Array, Node, Shape, Tensor
from engine.ops.common import casting, constants, measuring, ranges, reducing
from engine.ops.elementwise import comparison, extremes, logical


def check_inside(indices: Array, length: int) -> None:
    """Raises: ValueRefused where an index lies outside of so many rows."""
    if indices.size and (indices.min() < 0 or indices.max() >= length):
        raise ValueRefused(
            f"An index lies outside 0 … {length - 1}.",
            message_zh=f"下标超出 0 … {length - 1} 的范围。",
            code="index_out_of_range",
        )


# -- rows ------------------------------------------------------------------------------------------


def _gathered(params: Shape, indices: Shape, axis: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    place = constant_value(inputs[2])
    if params is None or indices is None or place is None:
        return None
    where = int(place) % len(params)
    return (*params[:where], *indices, *params[where + 1 :])


@op(
    "GatherV2",
    inputs="params indices axis",
    types="Tparams Tindices Taxis",
    outputs=("Tparams",),
    shape=_gathered,
    fixed={"batch_dims": 0},
    latex=r"{params}_{{indices}}",
    adjoints=[r"\bar{y} \text{ at the rows taken, else } 0", "0", "0"],
    derivative=[TAKEN, "0", "0"],
    form="linear",
    symbolic="kernel",
    call="axis",
    names={"tf": "gather", "numpy": "take"},
)
@in_chinese("沿一个轴，按编号取出 params 的切片。")
def gather_op(params: Array, indices: Array, axis: Array) -> Any:
    """Slices of params by number along an axis. Shapes: params (…, n, …), indices (*I) -> (…, *I, …)."""
    place = int(axis)
    check_inside(indices, params.shape[place])
    return np.take(params, indices, axis=place)


def gather(params: Any, indices: Any, axis: Any = 0, name: str | None = None) -> Tensor:
    """`tf.gather`: the slices of `params` with these numbers.

    Shapes: params (*S), indices (*I) -> (*S[:axis], *I, *S[axis + 1:]).
    Raises: DtypeError where the numbers are not whole.
    """
    with name_scope(name, "GatherV2") as scope:
        kind = indices.dtype if hasattr(indices, "as_tensor") else as_array(indices).dtype.name
        if kind not in INTEGERS:
            raise DtypeError(
                f"Places are counted in whole numbers, not in {kind}.",
                message_zh=f"位置用整数表示，不能是 {kind}。",
            )
        return gather_op(params, indices, axis, name=scope)


@gather_op.gradient
def gather_gradient(node: Node, dy: Tensor) -> Sequence[Any]:
    """Rows along the first axis stay rows (IndexedSlices); along another axis they are summed at once."""
    params, indices, axis = node.inputs
    with current_graph().colocate_with(params.node):
        shape = casting.cast(measuring.shape_of(params, out_type="int64"), "int32")
    known = constant_value(axis) if axis.node.op.name == "Const" else None
    if known is not None and int(known) == 0:
        return [_rows(dy, indices, shape), None, None]
    return [_summed_along(dy, indices, axis, shape), None, None]


def _rows(dy: Tensor, indices: Tensor, shape: Tensor) -> IndexedSlices:
    size = reshaping.expand_dims(measuring.size_of(indices), 0)
    values = reshaping.reshape(dy, joining.concat([size, shape[1:]], 0))
    return IndexedSlices(values, reshaping.reshape(indices, size), shape)


def _summed_along(dy: Tensor, indices: Tensor, axis: Tensor, shape: Tensor) -> Tensor:
    """The gathered axis is brought to the front, summed by number, and brought back."""
    reshaping.expand_dims(measuring.size_of(indices), 0)  # TensorFlow leaves these two in the graph
    outer, inner = shape[:axis], shape[axis:][1:]
    wanted = joining.concat([outer, [-1], inner], 0)
    rank, place = measuring.size_of(wanted), measuring.size_of(outer)
    none = ranges.range_of(0, 0)
    before, after = ranges.range_of(0, place), ranges.range_of(place + 1, rank)
    values = reshaping.reshape(dy, wanted)
    values = reshaping.transpose(values, joining.concat([none, [place], before, after], 0))
    count = shape[axis]
    numbers = reshaping.reshape(indices, reshaping.expand_dims(measuring.size_of(indices), 0))
    total = unsorted_segment_sum(values, numbers, count)
    return reshaping.transpose(total, joining.concat([none, before + 1, [0], after], 0))


# -- sums by number --------------------------------------------------------------------------------


def _segments(data: Shape, ids: Shape, count: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    number = constant_value(inputs[2])
    if data is None or ids is None:
        return None
    return (None if number is None else int(number), *data[len(ids) :])


@op(
    "UnsortedSegmentSum",
    inputs="data segment_ids num_segments",
    types="T Tindices Tnumsegments",
    shape=_segments,
    latex=r"\sum_{{segment\_ids} = i} {data}",
    adjoints=[r"\bar{y}_{segment\_ids}", "0", "0"],
    derivative=[SUMMED, "0", "0"],
    accepts="numbers",
)
@in_chinese("按编号把各行相加。")
def unsorted_segment_sum_op(data: Array, segment_ids: Array, num_segments: Array) -> Any:
    """Rows added up by number. Shapes: data (*I, *S), segment_ids (*I), num_segments () -> (n, *S)."""
    rest = data.shape[segment_ids.ndim :]
    total = np.zeros((int(num_segments), *rest), dtype=data.dtype)
    kept = segment_ids.reshape(-1) >= 0  # a negative number drops the row
    np.add.at(total, segment_ids.reshape(-1)[kept], data.reshape((-1, *rest))[kept])
    return total


@unsorted_segment_sum_op.gradient
def unsorted_segment_sum_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """Each row gets the gradient of the sum that it went into; dropped rows (number below 0) get zeros."""
    ids = node.inputs[1]
    rows = gather(dy, extremes.maximum(ids, constants.zeros_like(ids)))
    kept = comparison.greater_equal(ids, 0)
    for _ in range(len(rows.shape or ()) - len(kept.shape or ())):
        kept = reshaping.expand_dims(kept, -1)
    kept = logical.logical_and(kept, comparison.ones_like(rows, dtype="bool"), name="and")
    return [comparison.select(kept, rows, constants.zeros_like(rows)), None, None]


def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """`tf.unsorted_segment_sum`."""
    return unsorted_segment_sum_op(data, segment_ids, num_segments, name=name)


# -- single elements -------------------------------------------------------------------------------


def _elements(params: Shape, indices: Shape) -> Shape:
    if params is None or indices is None or indices[-1] is None:
        return None
    if indices[-1] > len(params):
        raise ShapeError(
            f"{indices[-1]} indices are too many for a tensor of shape {written(params)}.",
            message_zh=f"对于形状为 {written(params)} 的张量，{indices[-1]} 个下标太多。",
        )
    return (*indices[:-1], *params[indices[-1] :])


@op(
    "GatherNd",
    inputs="params indices",
    types="Tparams Tindices",
    outputs=("Tparams",),
    shape=_elements,
    latex=r"{params}_{{indices}}",
    adjoints=[r"\bar{y} \text{ at the places taken, else } 0", "0"],
    derivative=[TAKEN, "0"],
    form="linear",
    analytic="kernel",
)
@in_chinese("按完整位置取出元素或切片。")
def gather_nd_op(params: Array, indices: Array) -> Any:
    """Elements, or slices, at full positions. Shapes: params (*S), indices (*I, k) -> (*I, *S[k:])."""
    for axis in range(indices.shape[-1]):
        check_inside(indices[..., axis], params.shape[axis])
    return params[tuple(np.moveaxis(indices, -1, 0))]


def gather_nd(params: Any, indices: Any, name: str | None = None) -> Tensor:
    """`tf.gather_nd`."""
    with name_scope(name, "GatherNd") as scope:
        return gather_nd_op(params, indices, name=scope)


@gather_nd_op.gradient
def gather_nd_gradient(node: Node, dy: Tensor) -> Sequence[Any]:
    params, indices = node.inputs
    shape = measuring.shape_of(params, out_type=indices.dtype)
    if indices.shape is not None and len(indices.shape) == 2 and indices.shape[-1] == 1:
        return [IndexedSlices(dy, reshaping.squeeze(indices, -1), shape), None]
    return [scatter_nd(indices, dy, shape), None]


def _scattered(indices: Shape, updates: Shape, shape: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    return constant_shape(inputs[2])


@op(
    "ScatterNd",
    inputs="indices updates shape",
    types="Tindices T Tindices",
    outputs=("T",),
    shape=_scattered,
    latex=r"{updates} \text{ at } {indices} \text{, else } 0",
    adjoints=["0", r"\bar{y}_{indices}", "0"],
    derivative=["0", PLACED, "0"],
)
@in_chinese("在这些位置上是更新值，其余是 0；一个位置出现两次时相加。")
def scatter_nd(indices: Array, updates: Array, shape: Array) -> Any:
    """Zeros with the updates at these positions, added where one occurs twice.

    Shapes: indices (*I, k), updates (*I, *S[k:]), shape (r,) -> y of that shape (*S).
    """
    wanted = (*indices.shape[:-1], *(int(n) for n in shape[indices.shape[-1] :]))
    if updates.shape != wanted:
        raise ShapeError(
            f"These updates have the shape {written(updates.shape)}, but {written(wanted)} is needed.",
            message_zh=f"更新值的形状是 {written(updates.shape)}，但需要 {written(wanted)}。",
        )
    result = np.zeros(tuple(int(n) for n in shape), dtype=updates.dtype)
    np.add.at(result, tuple(np.moveaxis(indices, -1, 0)), updates)
    return result


@scatter_nd.gradient
def scatter_nd_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [None, gather_nd(dy, node.inputs[0]), None]


# -- by a condition --------------------------------------------------------------------------------


def _positions(condition: Shape) -> Shape:
    return (None, None if condition is None else len(condition))


@op(
    "Where",
    inputs="input",
    outputs=("int64",),
    shape=_positions,
    latex=r"\{i : {input}_i\}",
    no_gradient=(
        "its output are positions, which do not vary smoothly with x",
        "它的输出是位置，不随 x 连续变化",
    ),
)
@in_chinese("条件成立的位置，按顺序排列。")
def where_op(input: Array) -> Any:
    """The positions at which the condition holds, in order. Shapes: input (*S) -> (how many, rank of S)."""
    return np.argwhere(input)


def boolean_mask(tensor: Any, mask: Any, name: str | None = None, axis: int | None = None) -> Tensor:
    """`tf.boolean_mask`: the elements (or rows) for which the mask holds, in one row.

    Raises: ShapeError where the rank of the mask is unknown or its shape does not begin the tensor's.
    """
    with name_scope(name, "boolean_mask"):
        tensor = convert_to_tensor(tensor, name="tensor")
        mask = convert_to_tensor(mask, name="mask")
        if mask.shape is None or mask.shape == ():
            raise ShapeError(
                "boolean_mask needs a mask of a known rank, at least 1.",
                message_zh="boolean_mask 需要已知阶数（至少为 1）的掩码。",
            )
        start, rank = 0 if axis is None else whole_number(axis, "axis"), len(mask.shape)
        _check_mask(mask.shape, tensor.shape, start)
        counted = reducing.reduce_prod(measuring.shape_of(tensor)[start : start + rank], [0])
        before, after = measuring.shape_of(tensor)[:start], measuring.shape_of(tensor)[start + rank :]
        flat = reshaping.reshape(tensor, joining.concat([before, [counted], after], 0))
        if tensor.shape is not None:
            masked = _product(tensor.shape[start : start + rank])
            flat.shape = (*tensor.shape[:start], masked, *tensor.shape[start + rank :])
        places = reshaping.squeeze(where_op(reshaping.reshape(mask, [-1])), [1])
        return gather(flat, places, axis=start)


def _check_mask(mask: tuple[int | None, ...], tensor: Shape, start: int) -> None:
    """Raises: ShapeError where lengths that are known differ."""
    masked = (None,) * len(mask) if tensor is None else tensor[start : start + len(mask)]
    pairs = list(zip(mask, masked, strict=False))
    if len(masked) < len(mask) or any(None not in pair and pair[0] != pair[1] for pair in pairs):
        raise ShapeError(
            f"A mask of the shape {written(mask)} does not fit one of {written(tensor)}.",
            message_zh=f"形状为 {written(mask)} 的掩码与形状为 {written(tensor)} 的张量不匹配。",
        )


def _product(lengths: Sequence[int | None]) -> int | None:
    known = [n for n in lengths if n is not None]
    return None if len(known) < len(lengths) else int(np.prod(known, dtype=np.int64))


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """`tf.where`: a choice between x and y, or with the condition alone the positions at which it holds.

    Shapes: condition, x, y (*S) -> (*S); condition (*S) alone -> (how many hold, rank of S) of int64.
    Raises: ValueRefused where one of x and y is missing.
    """
    if x is None and y is None:
        with name_scope(name, "Where") as scope:
            return where_op(convert_to_tensor(condition, name="condition"), name=scope)
    if x is None or y is None:
        raise ValueRefused(
            "tf.where takes both x and y, or neither.",
            message_zh="tf.where 要么同时给出 x 和 y，要么都不给。",
        )
    return comparison.select(condition, x, y, name=name)
