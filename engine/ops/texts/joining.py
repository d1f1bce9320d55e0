"""Texts put one after the other, and taken apart."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.ops.base.building import as_array, convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import axes_of, axis_within, merge
from engine.ops.base.tensors import TEXT, Array, Shape, Tensor
from engine.ops.base.texts import array_of_texts, check_bytes
from engine.ops.common.constants import constant
from engine.ops.common.measuring import rank_of
from engine.ops.common.ranges import range_of
from engine.ops.reductions.reductions import reduced

A_TEXT = ("its output is a text", "它的输出是文本")
PARTS = ("it finds parts of a text", "它寻找文本中的片段")


def _of_the_tensors(*shapes: Shape) -> Shape:
    """The shape of those that are no single text."""
    found: Shape = ()
    for shape in shapes:
        if shape != ():
            found = shape if found == () else merge(found, shape)
    return found


@op(
    "StringJoin",
    inputs="*inputs",
    types=TEXT,
    outputs=(TEXT,),
    shape=_of_the_tensors,
    latex=r"\mathrm{join}({inputs})",
    no_gradient=A_TEXT,
    ends_path=True,
)
@in_chinese("把文本逐个连接起来，中间放上 separator。")
def string_join(*inputs: Array, separator: str = "") -> Any:
    """Texts one after the other, with the separator between them. Shapes: each (*S) or () -> (*S)."""
    between = separator.encode()
    shape = _of_the_tensors(*(one.shape for one in inputs)) or ()
    rows = np.broadcast_arrays(*inputs)
    check_bytes(sum(sum(map(len, row.flat)) + len(between) * row.size for row in rows))
    return array_of_texts(map(between.join, zip(*(row.flat for row in rows), strict=True)), shape)  # type: ignore[arg-type]  # of arrays


@op(
    "ReduceJoin",
    inputs="inputs reduction_indices",
    types=f"{TEXT} int32",
    outputs=(TEXT,),
    shape=reduced,
    latex=r"\mathrm{join}({inputs})",
    no_gradient=A_TEXT,
    ends_path=True,
)
@in_chinese("沿若干个轴把文本连接起来。")
def reduce_join_op(
    inputs: Array, reduction_indices: Array, keep_dims: bool = False, separator: str = ""
) -> Any:
    """Texts along axes one after the other. Shapes: inputs (*S), axes (r,) -> *S without these axes."""
    axes = [axis_within(axis, inputs.shape) for axis in axes_of(reduction_indices)]
    between = separator.encode()
    kept = [axis for axis in range(inputs.ndim) if axis not in axes]
    check_bytes(sum(map(len, inputs.flat)) + len(between) * inputs.size)
    shape = tuple(inputs.shape[axis] for axis in kept)
    in_order = inputs.transpose(*kept, *reversed(axes))
    rows = in_order.reshape(prod(shape), prod(inputs.shape[axis] for axis in axes))
    joined = array_of_texts(map(between.join, rows), shape)
    return np.expand_dims(joined, axes) if keep_dims else joined


def reduce_join(
    inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "", name: str | None = None
) -> Tensor:
    """`tf.strings.reduce_join`: along all axes from the last to the first where none are named."""
    with name_scope(None, "ReduceJoin"):
        x = convert_to_tensor(inputs)
        if axis is None and x.shape is not None:
            axis = constant(np.arange(len(x.shape) - 1, -1, -1), "int32")
        elif axis is None:
            axis = range_of(rank_of(x) - 1, -1, -1)
        return reduce_join_op(x, axis, keep_dims=keepdims, separator=separator, name=name)


@op(
    "StringSplitV2",
    inputs="input sep",
    types=f"{TEXT} {TEXT}",
    outputs=("int64", TEXT, "int64"),
    shape=lambda input, sep: [(None, 2), (None,), (2,)],
    latex=r"\mathrm{split}({input})",
    no_gradient=PARTS,
    ends_path=True,
)
@in_chinese("把每个文本在 sep（空文本表示空白）处分开。")
def string_split(input: Array, sep: Array, maxsplit: int = -1) -> Any:
    """Each text taken apart at sep, at white space where that is empty.

    Shapes: input (n,), sep () -> where each part stands (m, 2), the parts (m,), the table's shape (2,).
    """
    mark: Any = sep[()]
    found = [text.split(mark, maxsplit) if mark else text.split(None, maxsplit) for text in input]
    places = [(row, place) for row, parts in enumerate(found) for place in range(len(parts))]
    texts = [part for parts in found for part in parts]
    longest = max(map(len, found), default=0)
    indices = np.asarray(places, np.int64).reshape(-1, 2)
    return [indices, array_of_texts(texts, (len(texts),)), np.asarray([len(found), longest], np.int64)]


def split_one(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Tensor:
    """`tf.strings.split` of one text: its parts. Raises: ValueRefused for several, whose rows differ."""
    x = convert_to_tensor(input, name="input")
    if x.shape != ():
        raise ValueRefused(
            "Several texts have different numbers of parts: TensorFlow makes a ragged tensor of them, which "
            "is not there here.",
            hint="Take them one by one: [tf.strings.split(one) for one in texts].",
            message_zh="多个文本的片段个数各不相同：TensorFlow 会给出不规则张量，这里没有。",
            hint_zh="请逐个处理：[tf.strings.split(one) for one in texts]。",
            code="refused_name",
        )
    mark = as_array("" if sep is None else sep)
    return string_split.node(x[None], mark, maxsplit=maxsplit, name=name or "StringSplit").outputs[1]
