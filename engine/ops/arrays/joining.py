"""Joining tensors, taking them apart, and repeating them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.arrays import reshaping
from engine.ops.base.building import constant_node, convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import COPIED, PLACED, TAKEN
from engine.ops.base.registry import op_called
from engine.ops.base.shapes import (
    constant_shape,
    constant_value,
    is_static,
    merge,
    whole_number,
    written,
)
from engine.ops.base.tensors import Array, Node, Operators, Shape, Tensor
from engine.ops.common import measuring, plumbing, ranges, reducing
from engine.ops.common import passing as control

slice_op = op_called("Slice")


def _stacked(*shapes: Shape, axis: int) -> Shape:
    total: Shape = None
    for shape in shapes:
        total = merge(total, shape)
    if total is None:
        return None
    place = axis % (len(total) + 1)
    return (*total[:place], len(shapes), *total[place:])


@op(
    "Pack",
    inputs="*values",
    accepts="any",
    shape=_stacked,
    latex=r"\mathrm{stack}({values})",
    adjoints=[r"\bar{y}_i"],
    derivative=[PLACED],
    form="linear",
    symbolic="kernel",
    call="stack",
    names={"tf": "stack", "numpy": "stack"},
)
@in_chinese("把形状相同的张量沿一个新的轴叠起来。")
def pack(*values: Array, axis: int = 0) -> Any:
    """Tensors of one shape stacked along a new axis. Shapes: N times (*S) -> (N, *S)."""
    return np.stack(values, axis=axis)


@pack.gradient
def pack_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return unstack(dy, num=node.attrs["N"], axis=node.attrs["axis"])


def stack(values: Any, axis: int = 0, name: str | None = None) -> Tensor:
    """`tf.stack`: along the first axis as a list becomes a tensor, else by a Pack of its own.

    Shapes: n times (*S) -> (*S[:axis], n, *S[axis:]).
    """
    if axis == 0:
        whole = values if isinstance(values, Operators) else list(values)
        return convert_to_tensor(whole, name=name or "stack")
    return pack(list(values), axis=axis, name=name or "stack")


def _unstacked(x: Shape, *, num: int, axis: int) -> list[Shape]:
    if x is None:
        return [None] * num
    place = axis % len(x)
    return [(*x[:place], *x[place + 1 :])] * num


def _num_of_t(attributes: Any) -> list[str]:
    return ["T"] * int(attributes["num"])


@op(
    "Unpack",
    inputs="value",
    accepts="any",
    outputs=_num_of_t,
    shape=_unstacked,
    latex=r"\mathrm{unstack}({value})",
    adjoints=[r"\mathrm{stack}(\bar{y})"],
    derivative=[TAKEN],
    form="linear",
    symbolic="kernel",
)
@in_chinese("沿一个轴的各个切片，每个切片一个输出。")
def unpack(value: Array, num: int = 0, axis: int = 0) -> Any:
    """The slices along one axis, one output each. Shapes: value (N, *S) -> N times (*S)."""
    return [np.take(value, index, axis=axis) for index in range(num)]


@unpack.gradient
def unpack_gradient(node: Node, *dys: Tensor) -> Sequence[Tensor]:
    return [stack(list(dys), axis=node.attrs["axis"])]


def _length_along(value: Tensor, axis: int) -> int:
    """How many slices there are along an axis; raises ShapeError where that is not known."""
    shape = value.shape
    if shape is not None and not -len(shape) <= axis < len(shape):
        raise ShapeError(
            f"There is no axis {axis} to unstack: the shape is {written(shape)}.",
            message_zh=f"没有可以拆开的轴 {axis}：形状是 {written(shape)}。",
        )
    length = None if shape is None else shape[axis]
    if length is None:
        raise ShapeError(
            "unstack must know how many slices there are.",
            hint="Say num=….",
            message_zh="unstack 必须知道要拆成多少份。",
            hint_zh="请写明 num=…。",
        )
    return length


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str | None = None) -> list[Tensor]:
    """`tf.unstack`: a list of tensors."""
    value = convert_to_tensor(value)
    if num is None:
        num = _length_along(value, axis)
    return list(unpack.node(value, num=num, axis=axis, name=name or "unstack").outputs)


def _joined(*shapes: Shape, inputs: Sequence[Tensor]) -> Shape:
    parts, axis = shapes[:-1], constant_value(inputs[-1])
    if axis is None or any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    place = int(axis) % len(known[0])
    _check_joinable(known, place)
    lengths = [part[place] for part in known]
    total = None if None in lengths else sum(n for n in lengths if n is not None)
    rests = zip(*((*part[:place], *part[place + 1 :]) for part in known), strict=True)
    rest = [next((n for n in lengths if n is not None), None) for lengths in rests]
    return (*rest[:place], total, *rest[place:])


def _check_joinable(parts: Sequence[tuple[int | None, ...]], axis: int) -> None:
    rests = [(*part[:axis], *part[axis + 1 :]) for part in parts]
    for part, rest in zip(parts, rests, strict=True):
        if len(rest) != len(rests[0]) or any(
            m != n for m, n in zip(rest, rests[0], strict=True) if None not in (m, n)
        ):
            raise ShapeError(
                f"Along axis {axis}, {written(parts[0])} and {written(part)} cannot be joined.",
                hint="All other lengths must be equal.",
                message_zh=f"{written(parts[0])} 与 {written(part)} 不能沿轴 {axis} 拼接。",
                hint_zh="其他各轴的长度必须相同。",
            )


@op(
    "ConcatV2",
    inputs="*values axis",
    types="T Tidx",
    accepts="any",
    shape=_joined,
    latex=r"\mathrm{concat}({values})",
    adjoints=[r"\bar{y}_i", "0"],
    derivative=[PLACED, "0"],
    form="linear",
    symbolic="kernel",
    call="join",
    names={"tf": "concat", "numpy": "concatenate", "torch": "cat"},
)
@in_chinese("沿已有的轴（最后一个输入）把张量连接起来。")
def concat_op(*values: Array) -> Any:
    """Tensors joined along an existing axis (the last input). Shapes: (…, n_i, …) -> (…, sum of n_i, …)."""
    return np.concatenate(values[:-1], axis=int(values[-1]))


@concat_op.gradient
def concat_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """A slice of the upstream gradient for each part."""
    *parts, axis = node.inputs
    if len(parts) == 1:
        return [dy, None]
    place = _near(axis, dy) % measuring.rank_of(parts[0])
    sizes = _shapes_of(parts)
    offsets = plumbing.concat_offset.node(place, sizes).outputs
    slices = [slice_op(dy, begin, size) for begin, size in zip(offsets, sizes, strict=True)]
    return [*slices, None]


def _near(axis: Tensor, dy: Tensor) -> Tensor:
    """A constant axis made again where the gradient is in another loop or branch."""
    value = constant_value(axis)
    if value is None or axis.node.op.name != "Const" or axis.node.context is dy.node.context:
        return axis
    return constant_node(value, "Const")


def _shapes_of(parts: Sequence[Tensor]) -> Sequence[Tensor]:
    """Constants as long as all shapes are known; else one node that looks at all of them."""
    sizes: list[Tensor] = []
    for part in parts:
        sizes.append(measuring.shape_of(part))
        if not is_static(part.shape):
            return plumbing.shape_n.node(list(parts)).outputs
    return sizes


def concat(values: Any, axis: Any, name: str | None = None) -> Tensor:
    """`tf.concat`: one tensor, or a list of one, is that tensor under the name `concat/concat`."""
    if isinstance(values, Operators):
        values = [values]
    if len(values) == 1:
        with name_scope(name, "concat"):
            convert_to_tensor(axis, dtype="int32", name="concat_dim")
            return control.identity(values[0], name=name or "concat")
    return concat_op(list(values), axis, name=name or "concat")


def _tiled(x: Shape, multiples: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    counts = constant_shape(inputs[1])
    if x is None or counts is None:
        known = counts if x is None else x
        return None if known is None else (None,) * len(known)
    return tuple(None if None in (n, k) else (n or 0) * (k or 0) for n, k in zip(x, counts, strict=True))


@op(
    "Tile",
    inputs="input multiples",
    types="T Tmultiples",
    accepts="any",
    shape=_tiled,
    latex=r"\mathrm{tile}({input})",
    adjoints=[r"\sum_{\mathrm{copies}} \bar{y}", "0"],
    derivative=[COPIED, "0"],
    form="linear",
    symbolic="kernel",
    call="numbers",
    names={"tf": "tile", "numpy": "tile"},
)
@in_chinese("把同样的内容并排重复。")
def tile(input: Array, multiples: Array) -> Any:
    """Copies side by side. Shapes: input (n_i), multiples (m_i) -> y (n_i m_i)."""
    return np.tile(input, tuple(int(n) for n in multiples))


@tile.gradient
def tile_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """The copies of each element, folded into axes of their own and summed."""
    x, multiples = node.inputs
    pairs = reshaping.transpose(stack([multiples, measuring.shape_of(x)]))
    split_shape = reshaping.reshape(pairs, [-1])
    axes = ranges.range_of(0, measuring.size_of(split_shape), 2)
    return [reducing.reduce_sum(reshaping.reshape(dy, split_shape), axes), None]


def padded_shape(x: Shape, paddings: Tensor) -> Shape:
    """The lengths with what stands before and after."""
    value = constant_value(paddings)
    if x is None:
        return None if value is None else (None,) * len(value)
    if value is None:
        return (None,) * len(x)
    return tuple(None if n is None else n + int(sum(pair)) for n, pair in zip(x, value, strict=True))


def _padded(x: Shape, paddings: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    return padded_shape(x, inputs[1])


@op(
    "Pad",
    inputs="input paddings",
    types="T Tpaddings",
    shape=_padded,
    latex=r"\mathrm{pad}({input})",
    adjoints=[r"\bar{y}_{\mathrm{inside}}", "0"],
    derivative=[PLACED, "0"],
    form="linear",
    analytic="kernel",
)
@in_chinese("每个轴的前后补 0。")
def pad(input: Array, paddings: Array) -> Any:
    """Zeros before and after, per axis. Shapes: input (n_i), paddings (r, 2) -> y (before + n_i + after)."""
    return np.pad(input, [tuple(int(n) for n in pair) for pair in paddings])


@pad.gradient
def pad_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """The part of the upstream gradient that is not padding."""
    x, paddings = node.inputs
    column = stack([measuring.rank_of(x), 1])
    before = slice_op(paddings, [0, 0], column)
    begin = reshaping.reshape(before, [-1])
    return [slice_op(dy, begin, measuring.shape_of(x)), None]


def _parts(split_dim: Shape, value: Shape, *, inputs: Sequence[Tensor], num_split: int) -> list[Shape]:
    axis = constant_value(inputs[0])
    if axis is None or value is None:
        return [None] * num_split
    place = int(axis) % len(value)
    length = value[place]
    if length is not None and length % num_split:
        raise ShapeError(
            f"An axis of length {length} cannot be split into {num_split} equal parts.",
            message_zh=f"长度为 {length} 的轴不能等分成 {num_split} 份。",
        )
    part = None if length is None else length // num_split
    return [(*value[:place], part, *value[place + 1 :])] * num_split


def _t_each(attributes: Any) -> list[str]:
    return ["T"] * int(attributes["num_split"])


@op(
    "Split",
    inputs="split_dim value",
    types="int32 T",
    accepts="any",
    outputs=_t_each,
    shape=_parts,
    latex=r"\mathrm{split}({value})",
    adjoints=["0", r"\mathrm{concat}(\bar{y})"],
    derivative=["0", TAKEN],
    form="linear",
    symbolic="kernel",
)
@in_chinese("沿一个轴等分。")
def split_op(split_dim: Array, value: Array, num_split: int = 1) -> Any:
    """Equal parts along an axis. Shapes: value (…, n, …) -> num_split times (…, n / num_split, …)."""
    return np.split(value, num_split, axis=int(split_dim))


@split_op.gradient
def split_gradient(node: Node, *dys: Tensor) -> Sequence[Tensor | None]:
    return [None, concat(list(dys), node.inputs[0])]


def _uneven_parts(
    value: Shape, sizes: Shape, axis: Shape, *, inputs: Sequence[Tensor], num_split: int
) -> Any:
    lengths, place = constant_value(inputs[1]), constant_value(inputs[2])
    if value is None or place is None:
        return [None] * num_split
    where = int(place) % len(value)
    known = [None] * num_split if lengths is None else _lengths(lengths, value[where])
    return [(*value[:where], n, *value[where + 1 :]) for n in known]


@op(
    "SplitV",
    inputs="value size_splits split_dim",
    types="T Tlen int32",
    accepts="any",
    outputs=_t_each,
    shape=_uneven_parts,
    latex=r"\mathrm{split}({value})",
    adjoints=[r"\mathrm{concat}(\bar{y})", "0", "0"],
    derivative=[TAKEN, "0", "0"],
    form="linear",
)
@in_chinese("沿一个轴按给定的长度分开。")
def split_v_op(value: Array, size_splits: Array, split_dim: Array, num_split: int = 1) -> Any:
    """Parts of given lengths along an axis. Shapes: value (…, n, …), sizes that add up to n -> parts."""
    axis = int(split_dim)
    return np.split(value, np.cumsum(_lengths(size_splits, value.shape[axis]))[:-1], axis=axis)


def _lengths(sizes: Array, whole: int | None) -> list[Any]:
    """The lengths of the parts; -1 stands for what the others leave.

    Raises: ShapeError where they do not fit.
    """
    given = [int(size) for size in sizes]
    if whole is None:
        return [None if size < 0 else size for size in given]
    rest = whole - sum(size for size in given if size >= 0)
    lengths = [rest if size < 0 else size for size in given]
    if rest < 0 or given.count(-1) > 1 or min(given, default=0) < -1 or sum(lengths) != whole:
        raise ShapeError(
            f"The parts {given} do not add up to the length {whole}.",
            hint="One of them may be -1, which stands for what the others leave.",
            message_zh=f"各部分 {given} 之和不等于长度 {whole}。",
            hint_zh="其中一个可以写 -1，表示剩余的长度。",
        )
    return [*lengths]


@split_v_op.gradient
def split_v_gradient(node: Node, *dys: Tensor) -> Sequence[Tensor | None]:
    return [concat(list(dys), node.inputs[2]), None, None]


def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str | None = None
) -> list[Tensor]:
    """`tf.split`: into so many equal parts, or into parts of these lengths, along an axis.

    Shapes: value (*S) -> for each part S with its own length at the axis; the lengths add up to S[axis].
    """
    sizes = convert_to_tensor(num_or_size_splits)  # TensorFlow leaves this constant in the graph
    if sizes.shape == () and not isinstance(num_or_size_splits, Operators):
        count = whole_number(num_or_size_splits, "num_or_size_splits")
        return list(split_op.node(axis, value, num_split=count, name=name or "split").outputs)
    count = num or _length_along(sizes, 0)
    return list(split_v_op.node(value, sizes, axis, num_split=count, name=name or "split").outputs)
