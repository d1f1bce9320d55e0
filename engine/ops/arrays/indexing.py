"""Taking parts of a tensor: slices, subscripts, rows by number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused
from engine.ops.arrays import joining, reshaping
from engine.ops.base.building import current_graph
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import PLACED, TAKEN
from engine.ops.base.shapes import constant_shape, constant_value, written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import casting, measuring
from engine.ops.elementwise import comparison


def _sliced(x: Shape, begin: Shape, size: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    start, lengths = constant_value(inputs[1]), constant_value(inputs[2])
    if lengths is None:
        return None if x is None else (None,) * len(x)
    if start is None or x is None:
        return tuple(None if n < 0 else int(n) for n in lengths)
    pairs = zip(x, start, lengths, strict=True)
    return tuple(int(k) if k >= 0 else (None if n is None else n - int(b)) for n, b, k in pairs)


@op(
    "Slice",
    inputs="input begin size",
    types="T Index Index",
    accepts="any",
    shape=_sliced,
    latex=r"{input}_{[\mathrm{slice}]}",
    adjoints=[r"\mathrm{pad}(\bar{y})", "0", "0"],
    derivative=[TAKEN, "0", "0"],
    form="linear",
    symbolic="kernel",
)
@in_chinese("张量的一块；长度 -1 表示直到末尾。")
def slice_op(input: Array, begin: Array, size: Array) -> Any:
    """A block of the tensor; a size of -1 means to the end. Shapes: input (*S), begin, size (r,) -> size."""
    stops = [n if k < 0 else b + k for n, b, k in zip(input.shape, begin, size, strict=True)]
    if any(not 0 <= b <= n or e > n for n, b, e in zip(input.shape, begin, stops, strict=True)):
        first, last, whole = (written(tuple(map(int, place))) for place in (begin, stops, input.shape))
        raise ShapeError(
            f"A slice from {first} to {last} leaves {whole}.",
            message_zh=f"从 {first} 到 {last} 的切片超出了 {whole}。",
        )
    return input[tuple(slice(int(b), int(e)) for b, e in zip(begin, stops, strict=True))]


@slice_op.gradient
def slice_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """The upstream gradient with zeros around it."""
    x, begin, _ = node.inputs
    rank = measuring.rank_of(x)
    size = measuring.shape_of(node.outputs[0])
    column = joining.stack([rank, 1])
    before = reshaping.reshape(begin, column)
    after = reshaping.reshape(measuring.shape_of(x) - size - begin, column)
    return [joining.pad(dy, joining.concat([before, after], 1)), None, None]


# -- x[1:3, 0] -----------------------------------------------------------------------------------


MASKS = ("begin_mask", "ellipsis_mask", "end_mask", "new_axis_mask", "shrink_axis_mask")


def python_key(
    begin: Array, end: Array, strides: Array, masks: dict[str, int]
) -> tuple[int | slice | Any | None, ...]:
    """The subscript that a StridedSlice stands for, as numpy takes it."""
    key: list[Any] = []
    for index, (b, e, s) in enumerate(zip(begin, end, strides, strict=True)):
        bit = 1 << index
        if masks["ellipsis_mask"] & bit:
            key.append(...)
        elif masks["new_axis_mask"] & bit:
            key.append(None)
        elif masks["shrink_axis_mask"] & bit:
            key.append(int(b))
        else:
            low = None if masks["begin_mask"] & bit else int(b)
            high = None if masks["end_mask"] & bit else int(e)
            key.append(slice(low, high, int(s)))
    return tuple(key)


def _subscripted(
    x: Shape, begin: Shape, end: Shape, strides: Shape, *, inputs: Sequence[Tensor], attributes: Any
) -> Shape:
    start, stop, step = (constant_value(tensor) for tensor in inputs[1:])
    if x is None or step is None or begin is None or begin[0] is None:
        return None
    masks = {mask: int(attributes[mask]) for mask in MASKS}
    zeros = np.zeros(begin[0], dtype=np.int64)
    known = start is not None and stop is not None
    bounds = (start, stop) if start is not None and stop is not None else (zeros, zeros)
    key = python_key(np.atleast_1d(bounds[0]), np.atleast_1d(bounds[1]), np.atleast_1d(step), masks)
    lengths: list[int | None] = []
    for part, length in _spread(key, x):
        if part is None:
            lengths.append(1)
        elif isinstance(part, slice):
            whole = part.start is None and part.stop is None
            lengths.append(_length(part, length) if known or whole else None)
        else:
            _check_index(part if known else 0, length, x)
    return tuple(lengths)


def _spread(key: Sequence[Any], x: tuple[int | None, ...]) -> Iterator[tuple[Any, int | None]]:
    """Each part of a subscript with the length of its axis; `...`, or the end, stands for all axes left."""
    takes = sum(part is not None and part is not Ellipsis for part in key)
    if takes > len(x):
        raise ShapeError(
            f"{takes} subscripts are too many for a tensor of shape {written(x)}.",
            message_zh=f"对于形状为 {written(x)} 的张量，{takes} 个下标太多。",
            code="index_out_of_range",
        )
    lengths = iter(x)
    for part in key if any(part is Ellipsis for part in key) else (*key, Ellipsis):
        if part is Ellipsis:
            yield from ((slice(None), next(lengths)) for _ in range(len(x) - takes))
        else:
            yield part, None if part is None else next(lengths)


def _length(part: slice, length: int | None) -> int | None:
    return None if length is None else len(range(*part.indices(length)))


def _check_index(index: int, length: int | None, x: tuple[int | None, ...]) -> None:
    if length is not None and not -length <= index < length:
        raise ShapeError(
            f"The subscript {index} reaches outside a tensor of shape {written(x)}.",
            hint="Indices count from 0 up to the length less 1.",
            message_zh=f"下标 {index} 超出了形状为 {written(x)} 的张量的范围。",
            hint_zh="下标从 0 开始，最大为长度减 1。",
            code="index_out_of_range",
        )


@op(
    "StridedSlice",
    inputs="input begin end strides",
    types="T Index Index Index",
    accepts="any",
    shape=_subscripted,
    latex=r"{input}_{[\ldots]}",
    adjoints=[r"\bar{y} \text{ at its place, else } 0", "0", "0", "0"],
    derivative=[TAKEN, "0", "0", "0"],
    form="linear",
    symbolic="kernel",
)
@in_chinese("Python 下标所取的部分：每个轴的起点、终点和步幅，省略的用掩码表示。")
def strided_slice_op(
    input: Array,
    begin: Array,
    end: Array,
    strides: Array,
    begin_mask: int = 0,
    ellipsis_mask: int = 0,
    end_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Any:
    """What Python's subscript takes: begin, end and step per axis, with masks for what is left out.

    Shapes: input (*S), begin, end and strides (k,) -> as numpy's basic indexing gives.
    """
    masks = dict(
        zip(MASKS, (begin_mask, ellipsis_mask, end_mask, new_axis_mask, shrink_axis_mask), strict=True)
    )
    return input[python_key(begin, end, strides, masks)]


@strided_slice_op.gradient
def strided_slice_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    x, begin, end, strides = node.inputs
    masks = {mask: node.attrs[mask] for mask in MASKS}
    shape = measuring.shape_of(x, out_type=begin.dtype)
    return [strided_slice_grad(shape, begin, end, strides, dy, **masks), None, None, None]


def _shape_of_first(
    shape: Shape, begin: Shape, end: Shape, strides: Shape, dy: Shape, *, inputs: Sequence[Tensor]
) -> Shape:
    return constant_shape(inputs[0])


@op(
    "StridedSliceGrad",
    inputs="shape begin end strides dy",
    types="Index Index Index Index T",
    shape=_shape_of_first,
    latex=r"{dy} \text{ at its place, else } 0",
    adjoints=["0", "0", "0", "0", r"\bar{z}_{[\ldots]}"],
    derivative=["0", "0", "0", "0", PLACED],
    form="linear",
)
@in_chinese("下标的梯度：取过的位置上是 dy，其余是 0。")
def strided_slice_grad(
    shape: Array,
    begin: Array,
    end: Array,
    strides: Array,
    dy: Array,
    begin_mask: int = 0,
    ellipsis_mask: int = 0,
    end_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Any:
    """The gradient of a subscript: dy where it was taken, 0 elsewhere. Shapes: shape (r,), dy -> shape."""
    masks = dict(
        zip(MASKS, (begin_mask, ellipsis_mask, end_mask, new_axis_mask, shrink_axis_mask), strict=True)
    )
    result = np.zeros(tuple(int(n) for n in shape), dtype=dy.dtype)
    result[python_key(begin, end, strides, masks)] = dy
    return result


@strided_slice_grad.gradient
def strided_slice_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor | None]:
    _, begin, end, strides, _ = node.inputs
    masks = {mask: node.attrs[mask] for mask in MASKS}
    return [None, None, None, None, strided_slice_op(dz, begin, end, strides, **masks)]


def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """`tf.strided_slice`: a subscript in numbers; steps of 1 where none are given."""
    masks = {
        "begin_mask": begin_mask,
        "end_mask": end_mask,
        "ellipsis_mask": ellipsis_mask,
        "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_axis_mask,
    }
    steps = comparison.ones_like(begin) if strides is None else strides
    return strided_slice_op(input_, begin, end, steps, **masks, name=name)


def subscript(x: Tensor, key: Any) -> Tensor:
    """`x[key]`: integers, slices with steps, `None` for a new axis and `...`."""
    parts = key if isinstance(key, tuple) else (key,)
    begin, end, strides = [], [], []
    masks = dict.fromkeys(MASKS, 0)
    for index, part in enumerate(parts):
        b, e, s = _bounds(part, 1 << index, masks)
        begin.append(b)
        end.append(e)
        strides.append(s)
    with current_graph().name_scope("strided_slice") as scope:
        packed = [
            joining.stack(values, name=name)
            for values, name in ((begin, "stack"), (end, "stack_1"), (strides, "stack_2"))
        ]
        if any(one.dtype == "int64" for one in packed):
            packed = [one if one.dtype == "int64" else casting.cast(one, "int64") for one in packed]
        return strided_slice_op(x, *packed, name=scope, **masks)


def _bounds(part: Any, bit: int, masks: dict[str, int]) -> tuple[Any, Any, Any]:
    """Begin, end and step of one subscript; what is left out goes into the masks."""
    if part is None:
        masks["new_axis_mask"] |= bit
        return 0, 0, 1
    if part is Ellipsis:
        masks["ellipsis_mask"] |= bit
        return 0, 0, 1
    if isinstance(part, slice):
        if part.start is None:
            masks["begin_mask"] |= bit
        if part.stop is None:
            masks["end_mask"] |= bit
        return part.start or 0, part.stop or 0, 1 if part.step is None else part.step
    if isinstance(part, (int, np.integer)) and not isinstance(part, bool):
        masks["shrink_axis_mask"] |= bit
        return int(part), int(part) + 1, 1
    if isinstance(part, Tensor):
        masks["shrink_axis_mask"] |= bit
        return part, part + 1, 1
    raise ValueRefused(
        "A tensor is subscripted with integers, slices, None or `...`.",
        hint="To choose elements by a condition write tf.boolean_mask(x, condition).",
        message_zh="张量的下标只能是整数、切片、None 或 `...`。",
        hint_zh="要按条件选取元素，请写 tf.boolean_mask(x, condition)。",
    )
