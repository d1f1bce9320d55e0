"""Tensors that are given: constants, placeholders, and one value everywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused
from engine.ops.base.building import as_array, constant_node, convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import COPIED
from engine.ops.base.shapes import (
    constant_shape,
    is_static,
    known_lengths,
    same,
    written,
    written_lengths,
)
from engine.ops.base.tensors import TEXT, Array, Node, Operators, Shape, Tensor
from engine.ops.base.texts import text_array
from engine.ops.common import measuring, reducing

SMALL_CONSTANT = 1000  # elements; a larger array of zeros or ones is a Fill
SOURCE = ("it has no inputs; it is what others are differentiated by", "它没有输入；别的量对它求导")


def _value_shape(*, attributes: Any) -> Shape:
    shape: tuple[int, ...] = attributes["value"].shape
    return shape


@op(
    "Const",
    inputs="",
    outputs=("dtype",),
    shape=_value_shape,
    latex="{value}",
    no_gradient=SOURCE,
    ends_path=True,
)
@in_chinese("固定的值，是图本身的一部分。")
def const(value: Any = None, dtype: str = "float32") -> Any:
    """A fixed value, part of the graph itself."""
    return value


def constant(value: Any, dtype: str | None = None, shape: Any = None, name: str | None = None) -> Tensor:
    """`tf.constant`: one number fills the shape, a list is reshaped to it.

    Raises: ShapeError where the list holds more values than the shape takes.
    """
    if isinstance(value, Operators):
        raise _tensor_already(value)
    array = as_array(value, dtype)
    if shape is not None:
        array = _filled(array, known_lengths(shape))
    return constant_node(array, name or "Const")


def verify_shape(value: Any, shape: tuple[int, ...]) -> None:
    """Raises: ShapeError where a value has not this shape already, and would be filled up to it."""
    given = as_array(value).shape
    if given != shape:
        raise ShapeError(
            f"Expected Tensor's shape: {shape}, got {given}.",
            hint="Leave verify_shape out, or write a value of this shape.",
            message_zh=f"需要形状 {shape}，但给出的是 {given}。",
            hint_zh="请去掉 verify_shape，或写出这种形状的值。",
            kind="TypeError",
        )


def _tensor_already(value: Operators) -> ValueRefused:
    name = value.as_tensor().name
    return ValueRefused(
        f"A constant is made of plain numbers, but {name} is a tensor already.",
        hint="Use it as it is, or write tf.identity(x).",
        message_zh=f"常量由普通数字构成，而 {name} 已经是张量。",
        hint_zh="请直接使用它，或写 tf.identity(x)。",
    )


def _filled(array: Array, shape: tuple[int, ...]) -> Array:
    count = int(np.prod(shape, dtype=np.int64))
    if array.ndim == 0:
        return np.broadcast_to(array, shape)
    if array.size == count:
        return array.reshape(shape)
    if array.size == 0 or array.size > count:
        raise ShapeError(
            f"{array.size} values do not fit the shape {written(shape)}.",
            message_zh=f"{array.size} 个值放不进形状 {written(shape)}。",
        )
    flat = np.full(count, array.reshape(-1)[-1], dtype=array.dtype)  # the last value fills the rest
    flat[: array.size] = array.reshape(-1)
    return flat.reshape(shape)


def _declared_shape(*, attributes: Any) -> Shape:
    shape: Shape = attributes["shape"]
    return shape


@op(
    "Placeholder",
    inputs="",
    outputs=("dtype",),
    shape=_declared_shape,
    stateful=True,
    latex="{name}",
    no_gradient=SOURCE,
    ends_path=True,
)
@in_chinese("运行图时才给出的值（`feed_dict`）。")
def placeholder_op(dtype: str = "float32", shape: Shape = None) -> Any:
    """A value that is given when the graph runs (`feed_dict`)."""
    raise ValueRefused(
        "A placeholder has no value of its own; feed it.",
        message_zh="占位符本身没有值；请用 feed_dict 给它一个值。",
    )


def placeholder(dtype: str, shape: Any = None, name: str | None = None) -> Tensor:
    """`tf.placeholder`: shape None means anything, None for an axis any length."""
    return placeholder_op(dtype=dtype, shape=written_lengths(shape), name=name)


def _fill_shape(dims: Shape, value: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    return constant_shape(inputs[0])


@op(
    "Fill",
    inputs="dims value",
    types="index_type T",
    accepts="any",
    outputs=("T",),
    shape=_fill_shape,
    latex=r"\mathrm{fill}({dims}, {value})",
    adjoints=["0", r"\sum \bar{y}"],
    derivative=["0", COPIED],
    analytic="kernel",
)
@in_chinese("处处是同一个值。")
def fill(dims: Array, value: Array) -> Any:
    """One value everywhere. Shapes: dims (r,), value () -> y of shape dims."""
    return np.full(tuple(int(n) for n in dims), value)


@fill.gradient
def fill_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [None, reducing.reduce_sum(dy)]


def zeros(shape: Any, dtype: str = "float32", name: str | None = None) -> Tensor:
    """`tf.zeros`: one constant where the shape is a small tuple, else (for a single number too) a Fill.

    Shapes: -> shape. Raises: ShapeError where a length of a plain shape is None.
    """
    return _uniform(0, shape, dtype, name, "zeros")


def ones(shape: Any, dtype: str = "float32", name: str | None = None) -> Tensor:
    """`tf.ones`: one constant where the shape is a small tuple, else (for a single number too) a Fill.

    Shapes: -> shape. Raises: ShapeError where a length of a plain shape is None.
    """
    return _uniform(1, shape, dtype, name, "ones")


def _uniform(value: int, shape: Any, dtype: str, name: str | None, default: str) -> Tensor:
    with name_scope(name, default) as scope:
        if not isinstance(shape, Tensor) and not _has_tensors(shape):
            lengths = known_lengths(shape)
            if math.prod(lengths) < SMALL_CONSTANT and not isinstance(shape, int):
                return constant_node(np.broadcast_to(_one(value, dtype), lengths), scope)
            shape = constant_node(np.asarray(lengths, dtype=np.int32), "shape_as_tensor")
        elif not isinstance(shape, Tensor):
            _ = _product(shape) < SMALL_CONSTANT  # TensorFlow leaves the question in the graph
        dims = convert_to_tensor(shape, dtype=None, name="packed", prefer="int32")
        return fill(dims, constant_node(_one(value, dtype), "Const"), name=scope)


def _one(value: int, dtype: str) -> Array:
    """A zero or a one of a type: an empty text stands for a zero. Raises: ValueRefused for a one of texts."""
    if dtype != TEXT:
        return np.asarray(value, dtype=dtype)
    if value == 0:
        return text_array("")
    raise ValueRefused(
        "There is no text that stands for 1.",
        hint='Write tf.fill([2], "a").',
        message_zh="没有代表 1 的文字。",
        hint_zh='请写 tf.fill([2], "a")。',
        kind="TypeError",
    )


def _product(lengths: Sequence[Any]) -> Any:
    total, *rest = lengths
    for length in rest:
        total = total * length
    return total


def _has_tensors(shape: Any) -> bool:
    return not isinstance(shape, int) and any(isinstance(n, Tensor) for n in shape)


@op(
    "ZerosLike",
    inputs="x",
    shape=same,
    latex="0",
    no_gradient=("its output is zero whatever x is", "无论 x 是多少，它的输出都是 0"),
    ends_path=True,
    names={"tf": "zeros_like", "numpy": "zeros_like"},
)
@in_chinese("形状与 x 相同的 0。")
def zeros_like_op(x: Array) -> Any:
    """Zeros shaped like x. Shapes: x (*S) -> y (*S)."""
    return np.zeros_like(x)


def zeros_like(x: Any, dtype: str | None = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """`tf.zeros_like`: a constant where the shape is known, else a node. Shapes: x (*S) -> (*S)."""
    with name_scope(name, "zeros_like") as scope:
        x = convert_to_tensor(x, name="tensor")
        if optimize and is_static(x.shape):
            return zeros(x.shape, dtype or x.dtype, name=scope)
        if dtype is not None and dtype != x.dtype:
            return zeros(measuring.shape_op(x), dtype, name=scope)
        return zeros_like_op(x, name=scope)
