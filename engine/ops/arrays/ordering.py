"""Order along an axis: reversing, rolling, and where the largest and smallest stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.derivatives import PLACED
from engine.ops.base.shapes import axes_of, axis_within, constant_value, written
from engine.ops.base.spellings import one_of
from engine.ops.base.tensors import Array, Node, Shape, Tensor


def _as_first(x: Shape, *_: Shape) -> Shape:
    return x


@op(
    "ReverseV2",
    inputs="tensor axis",
    types="T Tidx",
    accepts="any",
    shape=_as_first,
    latex=r"\mathrm{reverse}({tensor})",
    adjoints=[r"\mathrm{reverse}(\bar{y})", "0"],
    derivative=[PLACED, "0"],
    form="linear",
)
@in_chinese("沿这些轴把元素的顺序颠倒。")
def reverse_op(tensor: Array, axis: Array) -> Any:
    """The elements along these axes in the opposite order. Shapes: tensor (*S), axis (k,) -> y (*S)."""
    return np.flip(tensor, axes_of(axis))


@reverse_op.gradient
def reverse_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [reverse(dy, node.inputs[1]), None]


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """`tf.reverse`."""
    with name_scope(name, "ReverseV2") as scope:
        return reverse_op(tensor, axis, name=scope)


A_BLOCK = 1000  # element operations to move one of the blocks, two along each axis


@op(
    "Roll",
    inputs="input shift axis",
    types="T Tshift Taxis",
    accepts="any",
    shape=_as_first,
    effort=lambda made, arguments: made + A_BLOCK * 2 ** min(np.size(arguments[2]), arguments[0].ndim),
    latex=r"\mathrm{roll}({input}, {shift})",
    adjoints=[r"\mathrm{roll}(\bar{y}, -shift)", "0", "0"],
    derivative=[PLACED, "0", "0"],
    form="linear",
)
@in_chinese("沿轴循环移动元素。")
def roll_op(input: Array, shift: Array, axis: Array) -> Any:
    """The elements moved along axes, round and round. Shapes: input (*S), shift and axis (k,) -> y (*S)."""
    if np.shape(shift) != np.shape(axis):
        given, needed = written(np.shape(shift)), written(np.shape(axis))
        raise ShapeError(
            f"A shift for each axis is needed, but {given} and {needed} differ.",
            message_zh=f"每个轴需要一个位移，但 {given} 与 {needed} 不一致。",
        )
    return np.roll(input, axes_of(shift), axes_of(axis))


@roll_op.gradient
def roll_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    _, shift, axis = node.inputs
    return [roll(dy, -shift, axis), None, None]


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """`tf.roll`."""
    with name_scope(name, "Roll") as scope:
        return roll_op(input, shift, axis, name=scope)


def _without_axis(x: Shape, dimension: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    place = constant_value(inputs[1])
    if x is None:
        return None
    if place is None:
        return (None,) * (len(x) - 1)
    where = axis_within(int(place), x)
    return (*x[:where], *x[where + 1 :])


def _extreme_place(name: str, find: Callable[..., Any], word: str, word_zh: str, least: float) -> OpDef:
    """least: a number before which every other one comes."""

    def kernel(input: Array, dimension: Array, output_type: str = "int64", nan_first: bool = False) -> Any:
        if input.dtype.kind == "f" and not nan_first:
            input = np.where(np.isnan(input), least, input)
        return find(input, axis=int(dimension)).astype(output_type)

    kernel.__doc__ = (
        f"The position of the {word} element along an axis, the first where several tie; NaN never counts, "
        "or with `nan_first` before any number. "
        "Shapes: input (…, n, …), dimension () -> y without that axis (integers)."
    )
    defined = op(
        name,
        inputs="input dimension",
        types="T Tidx",
        outputs=("output_type",),
        shape=_without_axis,
        latex=f"\\mathrm{{{name.lower()}}}\\, {{input}}",
        adjoints=["0", "0"],
        derivative=["0", "0"],
        accepts="numbers",
        call="axis",
        names={"tf": name.lower(), "numpy": name.lower()},
        own=("nan_first",),
    )(in_chinese(f"沿一个轴{word_zh}元素的位置，相等时取第一个，从不选 NaN。")(kernel))
    defined.gradient(lambda node, dy: [None, None])  # a position does not vary smoothly with x
    return defined


argmax_op = _extreme_place("ArgMax", np.argmax, "largest", "最大", -np.inf)
argmin_op = _extreme_place("ArgMin", np.argmin, "smallest", "最小", np.inf)


def argmax(
    input: Any, axis: Any = None, name: str | None = None, output_type: str = "int64", dimension: Any = None
) -> Tensor:
    """`tf.argmax`: along the first axis unless another is named."""
    return _placed(
        argmax_op, "ArgMax", input, one_of("axis", axis, "dimension", dimension), output_type, name
    )


def argmin(
    input: Any, axis: Any = None, name: str | None = None, output_type: str = "int64", dimension: Any = None
) -> Tensor:
    """`tf.argmin`: along the first axis unless another is named."""
    return _placed(
        argmin_op, "ArgMin", input, one_of("axis", axis, "dimension", dimension), output_type, name
    )


def _placed(found: OpDef, default: str, x: Any, axis: Any, kind: str, name: str | None) -> Tensor:
    with name_scope(name, default) as scope:
        x = convert_to_tensor(x, name="input")
        return found(x, 0 if axis is None else axis, output_type=kind, name=scope)
