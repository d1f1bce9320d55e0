"""Filters that slide over images, and the two gradients, each of which is a convolution's kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import constant_shape, written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import measuring, plumbing
from engine.ops.networks.windows import (
    A_STEP,
    axes_of_windows,
    check_format,
    checked_padding,
    elements,
    four,
    portions,
    unfolded,
    windowed,
)

FIXED = {"use_cudnn_on_gpu": True, "data_format": "NHWC", "explicit_paddings": ()}
OVER_PLACES = ([0, 1, 2], [0, 1, 2])  # batch, rows and columns of both
EVERY = (1, 1, 1, 1)  # a stride of 1, a dilation of 1


def _of_filter(size: Sequence[int], strides: Any, padding: str, dilations: Any) -> Any:
    """The windows of a filter (rows, columns, channels in, channels out)."""
    return axes_of_windows((1, *size[:2], 1), strides, padding, dilations)


def _effort(made: int, arguments: Sequence[Any]) -> int:
    """Each output adds up a filter; each element of the filter is a step."""
    rows, columns, inside, _ = arguments[1].shape
    return int(rows * columns * (made * max(inside, 1) + A_STEP))


def _filtered(x: Shape, w: Shape, *, strides: Any, padding: str, dilations: Any) -> Shape:
    if w is None or None in w[:2]:
        return (None if x is None else x[0], None, None, None if w is None else w[-1])
    if len(w) != 4:
        raise ShapeError(
            f"A filter is of the shape (rows, columns, channels in, channels out), but this is {written(w)}.",
            message_zh=f"滤波器的形状是 (行, 列, 输入通道, 输出通道)，但这里是 {written(w)}。",
        )
    result = windowed(x, _of_filter([n or 0 for n in w], strides, padding, dilations), w[3])
    if x is not None and None not in (x[3], w[2]) and x[3] != w[2]:
        raise ShapeError(
            f"The images have {x[3]} channels, but the filter takes {w[2]}: {written(x)} and {written(w)}.",
            hint="The last length of the images is the third of the filter.",
            message_zh=f"图像有 {x[3]} 个通道，而滤波器接受 {w[2]} 个：{written(x)} 与 {written(w)}。",
            hint_zh="图像的最后一个长度应等于滤波器的第三个长度。",
        )
    return result


@op(
    "Conv2D",
    inputs="input filter",
    shape=_filtered,
    fixed=FIXED,
    latex=r"{input} * {filter}",
    adjoints=[
        r"\textstyle\sum_{ij} \bar{y} W_{ij}^{\top} \text{ moved back by } i, j",
        r"\textstyle\sum x_{+ij}^{\top} \bar{y}",
    ],
    effort=_effort,
    derivative=[
        (r"{filter}_{ij} \text{ where they meet, else } 0", r"{filter}_{ij} \text{（相遇之处），其余为 } 0"),
        (r"{input}_{+ij} \text{ where they meet, else } 0", r"{input}_{+ij} \text{（相遇之处），其余为 } 0"),
    ],
    form="bilinear",
    accepts="floats",
)
@in_chinese("卷积核在图像的每个位置上：y 是 x（移动 i、j）乘以 W[i, j]，对 i、j 求和。")
def conv2d_op(x: Array, w: Array, strides: Any = EVERY, padding: str = "SAME", dilations: Any = EVERY) -> Any:
    """The filter at every place of the images: y = sum over i, j of x (moved by i, j) times W[i, j].

    Shapes: input (n, rows, columns, c), filter (i, j, c, k) -> y (n, rows', columns', k).
    """
    axes = _of_filter(w.shape, strides, padding, dilations)
    counts = [axis.count(length) for axis, length in zip(axes, x.shape[1:3], strict=True)]
    y = np.zeros((len(x), *counts, w.shape[3]), dtype=x.dtype)
    for some in portions(axes, x.shape):
        y += np.tensordot(unfolded(x, axes, some), w[elements(some)], axes=2)
    return y


@conv2d_op.gradient
def conv2d_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    x, w = node.inputs
    x_shape, w_shape = plumbing.shape_n.node([x, w]).outputs
    how = _how(node)
    return [conv2d_backprop_input(x_shape, w, dy, **how), conv2d_backprop_filter(x, w_shape, dy, **how)]


def _how(node: Node) -> dict[str, Any]:
    return {name: node.attrs[name] for name in ("strides", "padding", "dilations")}


def _stated_shape(*shapes: Shape, inputs: Sequence[Tensor]) -> Shape:
    """The shape is one of the inputs."""
    sizes = next(tensor for tensor in inputs if tensor.dtype == "int32")
    return constant_shape(sizes)


def _effort_backwards(made: int, arguments: Sequence[Any]) -> int:
    places = max(1, int(np.prod(arguments[2].shape[:3])))
    return int(np.size(arguments[1])) * places + int(np.prod(arguments[1].shape[:2])) * A_STEP


@op(
    "Conv2DBackpropInput",
    inputs="input_sizes filter out_backprop",
    types="int32 T T",
    shape=_stated_shape,
    fixed=FIXED,
    latex=r"\textstyle\sum_{ij} {out\_backprop}\, {filter}_{ij}^{\top}",
    adjoints=["0", r"\textstyle\sum \bar{z}_{+ij}^{\top} dy", r"\bar{z} * W"],
    effort=_effort_backwards,
    derivative=[
        "0",
        (
            r"{out_backprop} \text{ where they meet, else } 0",
            r"{out_backprop} \text{（相遇之处），其余为 } 0",
        ),
        (r"{filter}_{ij} \text{ where they meet, else } 0", r"{filter}_{ij} \text{（相遇之处），其余为 } 0"),
    ],
    accepts="floats",
)
@in_chinese("图像的每个元素得到的梯度：来自它所在的所有窗口。")
def conv2d_backprop_input(
    input_sizes: Array,
    w: Array,
    dy: Array,
    strides: Any = EVERY,
    padding: str = "SAME",
    dilations: Any = EVERY,
) -> Any:
    """What each element of the images gets: from all windows that it was in.

    Shapes: input_sizes (4,), filter (i, j, c, k), out_backprop (n, rows', columns', k) -> the images'.
    """
    n, rows, columns, channels = (int(length) for length in input_sizes)
    axes = _of_filter(w.shape, strides, padding, dilations)
    dx = np.zeros((n, rows, columns, channels), dtype=dy.dtype)
    for some in portions(axes, dx.shape):
        from_windows = np.tensordot(dy, w[elements(some)], axes=([3], [2]))  # as they are unfolded
        for number, (_, windows, found) in enumerate(some):
            dx[found] += from_windows[(*windows, number)]
    return dx


@conv2d_backprop_input.gradient
def conv2d_backprop_input_gradient(node: Node, dz: Tensor) -> Sequence[Tensor | None]:
    _, w, dy = node.inputs
    how = _how(node)
    return [None, conv2d_backprop_filter(dz, measuring.shape_of(w), dy, **how), conv2d_op(dz, w, **how)]


@op(
    "Conv2DBackpropFilter",
    inputs="input filter_sizes out_backprop",
    types="T int32 T",
    shape=_stated_shape,
    fixed=FIXED,
    latex=r"\textstyle\sum {input}_{+ij}^{\top} {out\_backprop}",
    adjoints=[r"\textstyle\sum_{ij} dy\, \bar{z}_{ij}^{\top}", "0", r"x * \bar{z}"],
    effort=lambda made, arguments: made * max(1, int(np.prod(arguments[2].shape[:3]))),
    derivative=[
        (
            r"{out_backprop} \text{ where they meet, else } 0",
            r"{out_backprop} \text{（相遇之处），其余为 } 0",
        ),
        "0",
        (r"{input}_{+ij} \text{ where they meet, else } 0", r"{input}_{+ij} \text{（相遇之处），其余为 } 0"),
    ],
    accepts="floats",
)
@in_chinese("卷积核的每个元素得到的梯度：来自它到过的所有位置。")
def conv2d_backprop_filter(
    x: Array,
    filter_sizes: Array,
    dy: Array,
    strides: Any = EVERY,
    padding: str = "SAME",
    dilations: Any = EVERY,
) -> Any:
    """What each element of the filter gets: from all places that it stood at.

    Shapes: input (n, rows, columns, c), filter_sizes (4,), out_backprop (n, rows', columns', k) -> filter's.
    """
    size = [int(length) for length in filter_sizes]
    axes = _of_filter(size, strides, padding, dilations)
    dw = np.zeros(size, dtype=dy.dtype)
    for some in portions(axes, x.shape):
        dw[elements(some)] = np.tensordot(unfolded(x, axes, some), dy, axes=OVER_PLACES)
    return dw


@conv2d_backprop_filter.gradient
def conv2d_backprop_filter_gradient(node: Node, dz: Tensor) -> Sequence[Tensor | None]:
    x, _, dy = node.inputs
    how = _how(node)
    return [conv2d_backprop_input(measuring.shape_of(x), dz, dy, **how), None, conv2d_op(x, dz, **how)]


def conv2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: Any = "NHWC",
    dilations: Any = EVERY,
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """`tf.nn.conv2d`: images of (batch, rows, columns, channels) under a filter."""
    w = filter if filters is None else filters
    if w is None:
        raise ValueRefused(
            "tf.nn.conv2d needs a filter.",
            message_zh="tf.nn.conv2d 需要滤波器。",
            code="wrong_arguments",
        )
    check_format(data_format)
    return conv2d_op(
        input,
        w,
        strides=four(strides, "strides"),
        padding=checked_padding(padding),
        dilations=four(dilations, "dilations"),
        name=name,
    )
