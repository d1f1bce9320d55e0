"""Filters that slide over each channel of images by itself, and the two gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import constant_shape, written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import constants, measuring
from engine.ops.networks.convolution import EVERY, conv2d_op
from engine.ops.networks.windows import (
    A_STEP,
    axes_of_windows,
    check_format,
    checked_padding,
    four,
    steps,
    windowed,
)

FIXED = {"data_format": "NHWC", "explicit_paddings": ()}
MEET = (
    r"{filter}_{ij} \text{ of its channel, where they meet, else } 0",
    r"{filter}_{ij} \text{（所在通道，相遇之处），其余为 } 0",
)
PASSED = (
    r"{input}_{+ij} \text{ of its channel, where they meet, else } 0",
    r"{input}_{+ij} \text{（所在通道，相遇之处），其余为 } 0",
)
UPSTREAM = (
    r"{out_backprop} \text{ of its channel, where they meet, else } 0",
    r"{out_backprop} \text{（所在通道，相遇之处），其余为 } 0",
)


def _of_filter(size: Sequence[int], strides: Any, padding: str, dilations: Any) -> Any:
    return axes_of_windows((1, *size[:2], 1), strides, padding, dilations)


def _effort(made: int, arguments: Sequence[Any]) -> int:
    rows, columns = arguments[1].shape[:2]
    return int(rows * columns * (made + A_STEP))


def _effort_backwards(made: int, arguments: Sequence[Any]) -> int:
    places = max(1, int(np.prod(arguments[2].shape[:3])))
    return max(made, int(np.size(arguments[1])), int(np.size(arguments[2]))) * A_STEP + places


def _filtered(x: Shape, w: Shape, *, strides: Any, padding: str, dilations: Any) -> Shape:
    if w is None or None in w:
        return (None if x is None else x[0], None, None, None)
    if len(w) != 4:
        raise ShapeError(
            f"A filter is of the shape (rows, columns, channels, multiplier), but this is {written(w)}.",
            message_zh=f"滤波器的形状是 (行, 列, 通道, 倍数)，但这里是 {written(w)}。",
        )
    whole = [n or 0 for n in w]
    if x is not None and x[3] not in (None, w[2]):
        raise ShapeError(
            f"The images have {x[3]} channels, but the filter takes {w[2]}: {written(x)} and {written(w)}.",
            hint="The last length of the images is the third of the filter.",
            message_zh=f"图像有 {x[3]} 个通道，而滤波器接受 {w[2]} 个：{written(x)} 与 {written(w)}。",
            hint_zh="图像的最后一个长度应等于滤波器的第三个长度。",
        )
    return windowed(x, _of_filter(whole, strides, padding, dilations), whole[2] * whole[3])


def _by_channel(y: Array, multiplier: int) -> Any:
    """(…, c times k) as (…, c, k)."""
    return y.reshape(*y.shape[:-1], y.shape[-1] // max(multiplier, 1), multiplier)


@op(
    "DepthwiseConv2dNative",
    inputs="input filter",
    shape=_filtered,
    fixed=FIXED,
    latex=r"{input} *_{c} {filter}",
    adjoints=[
        r"\textstyle\sum_{ijk} \bar{y}_{ck} W_{ijck} \text{ moved back by } i, j",
        r"\textstyle\sum x_{+ij,c}\, \bar{y}_{ck}",
    ],
    effort=_effort,
    derivative=[MEET, PASSED],
    form="bilinear",
    accepts="floats",
)
@in_chinese(
    "每个通道有自己的卷积核：y 的通道 c, k 是 x 的通道 c（移动 i、j）乘以 W[i, j, c, k]，对 i、j 求和。"
)
def depthwise_conv2d_native(
    x: Array, w: Array, strides: Any = EVERY, padding: str = "SAME", dilations: Any = EVERY
) -> Any:
    """Filters for each channel: y[c, k] = sum over i, j of x[c] (moved by i, j) times W[i, j, c, k].

    Shapes: input (n, rows, columns, c), filter (i, j, c, k) -> y (n, rows', columns', c times k).
    """
    axes = _of_filter(w.shape, strides, padding, dilations)
    counts = [axis.count(length) for axis, length in zip(axes, x.shape[1:3], strict=True)]
    y = np.zeros((len(x), *counts, *w.shape[2:]), dtype=x.dtype)
    for ij, windows, found in steps(axes, x.shape[1:3]):
        y[windows] += x[found][..., np.newaxis] * w[ij]
    return y.reshape(len(x), *counts, w.shape[2] * w.shape[3])


def _how(node: Node) -> dict[str, Any]:
    return {name: node.attrs[name] for name in ("strides", "padding", "dilations")}


@depthwise_conv2d_native.gradient
def depthwise_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    x, w = node.inputs
    how = _how(node)
    return [
        depthwise_backprop_input(measuring.shape_of(x), w, dy, **how),
        depthwise_backprop_filter(x, measuring.shape_of(w), dy, **how),
    ]


def _stated_shape(*shapes: Shape, inputs: Sequence[Tensor]) -> Shape:
    sizes = next(tensor for tensor in inputs if tensor.dtype == "int32")
    return constant_shape(sizes)


@op(
    "DepthwiseConv2dNativeBackpropInput",
    inputs="input_sizes filter out_backprop",
    types="int32 T T",
    shape=_stated_shape,
    fixed=FIXED,
    latex=r"\textstyle\sum_{ijk} {out\_backprop}_{ck}\, {filter}_{ijck}",
    adjoints=["0", r"\textstyle\sum \bar{z}_{+ij,c}\, dy_{ck}", r"\bar{z} *_{c} W"],
    effort=_effort_backwards,
    derivative=["0", UPSTREAM, MEET],
    accepts="floats",
)
@in_chinese("逐通道卷积中，图像的每个元素得到的梯度：来自它所在的所有窗口。")
def depthwise_backprop_input(
    input_sizes: Array,
    w: Array,
    dy: Array,
    strides: Any = EVERY,
    padding: str = "SAME",
    dilations: Any = EVERY,
) -> Any:
    """What each element of the images gets: from all windows that it was in.

    Shapes: input_sizes (4,), filter (i, j, c, k), out_backprop (n, rows', columns', c k) -> the images'.
    """
    n, rows, columns, channels = (int(length) for length in input_sizes)
    axes = _of_filter(w.shape, strides, padding, dilations)
    dx = np.zeros((n, rows, columns, channels), dtype=dy.dtype)
    apart = _by_channel(dy, w.shape[3])
    for ij, windows, found in steps(axes, (rows, columns)):
        dx[found] += (apart[windows] * w[ij]).sum(axis=-1)
    return dx


@depthwise_backprop_input.gradient
def depthwise_backprop_input_gradient(node: Node, dz: Tensor) -> Sequence[Tensor | None]:
    _, w, dy = node.inputs
    how = _how(node)
    dw = depthwise_backprop_filter(dz, measuring.shape_of(w), dy, **how)
    return [None, dw, depthwise_conv2d_native(dz, w, **how)]


@op(
    "DepthwiseConv2dNativeBackpropFilter",
    inputs="input filter_sizes out_backprop",
    types="T int32 T",
    shape=_stated_shape,
    fixed=FIXED,
    latex=r"\textstyle\sum {input}_{+ij,c}\, {out\_backprop}_{ck}",
    adjoints=[r"\textstyle\sum_{ijk} dy_{ck}\, \bar{z}_{ijck}", "0", r"x *_{c} \bar{z}"],
    effort=_effort_backwards,
    derivative=[UPSTREAM, "0", PASSED],
    accepts="floats",
)
@in_chinese("逐通道卷积中，卷积核的每个元素得到的梯度：来自它到过的所有位置。")
def depthwise_backprop_filter(
    x: Array,
    filter_sizes: Array,
    dy: Array,
    strides: Any = EVERY,
    padding: str = "SAME",
    dilations: Any = EVERY,
) -> Any:
    """What each element of the filter gets: from all places that it stood at.

    Shapes: input (n, rows, columns, c), filter_sizes (4,), out_backprop (n, rows', columns', c k) -> sizes.
    """
    size = [int(length) for length in filter_sizes]
    axes = _of_filter(size, strides, padding, dilations)
    dw = np.zeros(size, dtype=dy.dtype)
    apart = _by_channel(dy, size[3])
    for ij, windows, found in steps(axes, x.shape[1:3]):
        dw[ij] = np.einsum("nrsc,nrsck->ck", x[found], apart[windows])
    return dw


@depthwise_backprop_filter.gradient
def depthwise_backprop_filter_gradient(node: Node, dz: Tensor) -> Sequence[Tensor | None]:
    x, _, dy = node.inputs
    how = _how(node)
    dx = depthwise_backprop_input(measuring.shape_of(x), dz, dy, **how)
    return [dx, None, depthwise_conv2d_native(x, dz, **how)]


def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    rate: Any = None,
    data_format: Any = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`tf.nn.depthwise_conv2d`: images (batch, rows, columns, channels), each channel under its filters."""
    check_format("NHWC" if data_format is None else data_format)
    apart = rate if dilations is None else dilations
    with name_scope(name, "depthwise") as scope:
        w = convert_to_tensor(filter, name="filter_in")
        measuring.shape_of(w)
        constants.constant([1, 1], "int32", name="dilation_rate")
        return depthwise_conv2d_native(
            input,
            w,
            strides=four(strides, "strides"),
            padding=checked_padding(padding),
            dilations=EVERY if apart is None else four(apart, "dilations"),
            name=scope,
        )


def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: Any,
    rate: Any = None,
    name: str | None = None,
    data_format: Any = None,
    dilations: Any = None,
) -> Tensor:
    """`tf.nn.separable_conv2d`: each channel under its filters, and then a mixture of the channels."""
    check_format("NHWC" if data_format is None else data_format)
    apart = rate if dilations is None else dilations
    with name_scope(name, "separable_conv2d") as scope:
        w = convert_to_tensor(depthwise_filter, name="depthwise_filter")
        mix = convert_to_tensor(pointwise_filter, name="pointwise_filter")
        measuring.shape_of(w)
        constants.constant([1, 1], "int32", name="dilation_rate")
        by_channel = depthwise_conv2d_native(
            input,
            w,
            strides=four(strides, "strides"),
            padding=checked_padding(padding),
            dilations=EVERY if apart is None else four(apart, "dilations"),
            name="depthwise",
        )
        return conv2d_op(by_channel, mix, strides=EVERY, padding="VALID", name=scope)
