"""The same elements in another shape or order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.base.building import constant_node, convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import PLACED
from engine.ops.base.shapes import constant_shape, constant_value, element_count, whole_numbers, written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import measuring, plumbing, ranges
from engine.ops.elementwise import arithmetic


def _reshaped(x: Shape, shape: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    """The lengths asked for; a single unknown one follows from the number of elements."""
    partly = constant_shape(inputs[1])
    count = element_count(x)
    if partly is None or count is None:
        return partly
    wanted = list(partly)
    rest = math.prod(n for n in wanted if n is not None)
    if wanted.count(None) == 1 and rest and count % rest == 0:
        wanted[wanted.index(None)] = count // rest
    elif (value := constant_value(inputs[1])) is not None and (None in wanted or rest != count):
        raise _wrong_count(x, value, count)
    return tuple(wanted)


def _wrong_count(x: Shape, value: Array, count: int) -> ShapeError:
    wanted = written(tuple(int(n) for n in np.atleast_1d(value)))
    return ShapeError(
        f"{written(x)} holds {count} elements, which cannot be reshaped to {wanted}.",
        hint="The product of the lengths must stay the same; one length may be -1.",
        message_zh=f"{written(x)} 有 {count} 个元素，无法变形为 {wanted}。",
        hint_zh="各轴长度的乘积必须保持不变；其中一个长度可以写 -1。",
    )


@op(
    "Reshape",
    inputs="tensor shape",
    types="T Tshape",
    accepts="any",
    shape=_reshaped,
    latex=r"\mathrm{reshape}({tensor})",
    adjoints=[r"\mathrm{reshape}(\bar{y})", "0"],
    derivative=[PLACED, "0"],
    form="linear",
    symbolic="kernel",
    call="numbers",
    names={"tf": "reshape", "numpy": "reshape"},
)
@in_chinese("同样的元素换一个形状；可以有一个长度是 -1。")
def reshape(tensor: Array, shape: Array) -> Any:
    """The same elements in another shape; one length may be -1. Shapes: tensor (*S), shape (r,) -> y."""
    return tensor.reshape(tuple(int(n) for n in np.atleast_1d(shape)))


@reshape.gradient
def reshape_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [reshape(dy, measuring.shape_of(node.inputs[0])), None]


def _expanded(x: Shape, dim: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    axis = constant_value(inputs[1])
    if x is None or axis is None:
        return None
    place = int(axis.reshape(())) % (len(x) + 1)
    return (*x[:place], 1, *x[place:])


@op(
    "ExpandDims",
    inputs="input dim",
    types="T Tdim",
    accepts="any",
    shape=_expanded,
    latex=r"\mathrm{expand}({input})",
    adjoints=[r"\mathrm{reshape}(\bar{y})", "0"],
    derivative=[PLACED, "0"],
    form="linear",
    symbolic="kernel",
    call="axis",
    names={"tf": "expand_dims", "numpy": "expand_dims", "torch": "unsqueeze"},
)
@in_chinese("在 dim 处加一个长度为 1 的轴。")
def expand_dims_op(input: Array, dim: Array) -> Any:
    """A new axis of length 1 at the place dim. Shapes: input (*S) -> y with one axis more."""
    return np.expand_dims(input, int(dim.reshape(())))


@expand_dims_op.gradient
def expand_dims_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [reshape(dy, measuring.shape_of(node.inputs[0])), None]


def expand_dims(x: Any, axis: Any, name: str | None = None) -> Tensor:
    """`tf.expand_dims`: a new axis of length 1. Shapes: x (*S) -> (*S[:axis], 1, *S[axis:]).

    Raises: ValueRefused where axis is no whole number.
    """
    if not isinstance(axis, Tensor):
        axis = whole_numbers(axis, "axis").astype(np.int32)
    return expand_dims_op(x, axis, name=name)


def _squeezed(x: Shape, *, squeeze_dims: Sequence[int]) -> Shape:
    if x is None:
        return None
    if not squeeze_dims:
        return None if None in x else tuple(n for n in x if n != 1)
    drop = {axis % len(x) for axis in squeeze_dims}
    if any(x[axis] not in (1, None) for axis in drop):
        raise ShapeError(
            f"Squeeze drops axes of length 1, but {written(x)} has others at {sorted(drop)}.",
            message_zh=f"Squeeze 只能去掉长度为 1 的轴，但 {written(x)} 在 {sorted(drop)} 处不是 1。",
        )
    return tuple(n for axis, n in enumerate(x) if axis not in drop)


@op(
    "Squeeze",
    inputs="input",
    accepts="any",
    shape=_squeezed,
    latex=r"\mathrm{squeeze}({input})",
    adjoints=[r"\mathrm{reshape}(\bar{y})"],
    derivative=[PLACED],
    form="linear",
    symbolic="kernel",
)
@in_chinese("去掉长度为 1 的轴（全部，或指定的）。")
def squeeze_op(input: Array, squeeze_dims: Sequence[int] = ()) -> Any:
    """Without the axes of length 1 (all of them, or those named). Shapes: input (*S) -> y."""
    return np.squeeze(input, axis=tuple(squeeze_dims) or None)


@squeeze_op.gradient
def squeeze_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [reshape(dy, measuring.shape_of(node.inputs[0]))]


def squeeze(x: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """`tf.squeeze`: without axes of length 1, all or those named. Shapes: x (*S) -> (*S without those).

    Raises: ShapeError where a named axis has another length.
    """
    axes = () if axis is None else tuple(whole_numbers(axis, "axis").ravel().tolist())
    return squeeze_op(x, squeeze_dims=axes, name=name)


def _transposed(x: Shape, perm: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    order = constant_value(inputs[1])
    if x is None:
        return None
    if order is None:
        return (None,) * len(x)
    return tuple(x[int(axis)] for axis in order)


@op(
    "Transpose",
    inputs="x perm",
    types="T Tperm",
    accepts="any",
    shape=_transposed,
    latex=r"{x}^{\top}",
    adjoints=[r"\bar{y}^{\top}", "0"],
    derivative=[PLACED, "0"],
    form="linear",
    symbolic="kernel",
    call="numbers",
    names={"tf": "transpose", "numpy": "transpose", "torch": "permute"},
)
@in_chinese("把各轴换一个次序。")
def transpose_op(x: Array, perm: Array) -> Any:
    """The axes in another order. Shapes: x (*S), perm (r,) -> y with y.shape[i] = x.shape[perm[i]]."""
    return np.transpose(x, tuple(int(axis) for axis in perm))


@transpose_op.gradient
def transpose_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    order = plumbing.invert_permutation(node.inputs[1])
    return [transpose(dy, order), None]


def transpose(x: Any, perm: Any = None, name: str | None = None) -> Tensor:
    """`tf.transpose`: the axes in another order, reversed where none is given.

    Shapes: x (*S), perm (r,) -> y with y.shape[i] = S[perm[i]].
    """
    with name_scope(name, "transpose") as scope:
        if perm is None:
            x = convert_to_tensor(x, name="a")
            perm = _reversed_axes(x)
        return transpose_op(x, perm, name=scope)


def _reversed_axes(x: Tensor) -> Any:
    """The axes from last to first; computed when the graph runs, where the rank is 0 or unknown."""
    if x.shape:
        return constant_node(np.arange(len(x.shape) - 1, -1, -1, dtype=np.int32), "perm")
    rank = measuring.rank_op(x)
    return arithmetic.sub(rank, 1, name="sub") - ranges.range_of(0, rank, 1, name="Range")
