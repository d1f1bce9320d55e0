"""TensorFlow 2's functions for networks beside those that it shares with TensorFlow 1."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ShapeError
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import whole_number, written
from engine.ops.networks import along_rows
from engine.ops.networks.convolution import EVERY, conv2d_op
from engine.ops.networks.windows import check_format, checked_padding


def gelu(features: Any, approximate: Any = False, name: Any = None) -> Any:
    """`tf.nn.gelu`: x times the share of the normal distribution below x, or its approximation by tanh."""
    with name_scope(name, "Gelu"):
        x = convert_to_tensor(features)
        if approximate:
            inner = sqrt(2 / pi) * (x + 0.044715 * ops.power(x, 3.0))
            return 0.5 * x * (1.0 + ops.tanh(inner))
        share = float(np.float32(sqrt(0.5)))  # as TensorFlow rounds it, for doubles too
        return 0.5 * x * (1.0 + ops.erf(x * share))


def atrous_conv2d(value: Any, filters: Any, rate: Any, padding: Any, name: Any = None) -> Any:
    """`tf.nn.atrous_conv2d`: a filter with holes."""
    apart = whole_number(rate, "rate")
    return conv2d_op(
        convert_to_tensor(value),
        convert_to_tensor(filters),
        strides=EVERY,
        padding=checked_padding(padding),
        dilations=(1, apart, apart, 1),
        name=name,
    )


def _checked_block(input: Any, block_size: Any, data_format: Any) -> tuple[Any, int]:
    check_format(data_format)
    x = convert_to_tensor(input)
    if x.shape is None or len(x.shape) != 4:
        raise ShapeError(
            f"Images of the shape (batch, rows, columns, channels) are needed, not {written(x.shape)}.",
            message_zh=f"这里需要形状为 (批, 行, 列, 通道) 的图像，不能是 {written(x.shape)}。",
        )
    return x, whole_number(block_size, "block_size")


def space_to_depth(input: Any, block_size: Any, data_format: Any = "NHWC", name: Any = None) -> Any:
    """`tf.nn.space_to_depth`: each block of places as one place with more channels."""
    x, side = _checked_block(input, block_size, data_format)
    n, rows, columns, channels = x.shape
    with name_scope(name, "SpaceToDepth"):
        apart = ops.reshape(x, [n, rows // side, side, columns // side, side, channels])
        turned = ops.transpose(apart, [0, 1, 3, 2, 4, 5])
        return ops.reshape(turned, [n, rows // side, columns // side, side * side * channels])


def depth_to_space(input: Any, block_size: Any, data_format: Any = "NHWC", name: Any = None) -> Any:
    """`tf.nn.depth_to_space`: channels as blocks of places."""
    x, side = _checked_block(input, block_size, data_format)
    n, rows, columns, channels = x.shape
    with name_scope(name, "DepthToSpace"):
        apart = ops.reshape(x, [n, rows, columns, side, side, channels // (side * side)])
        turned = ops.transpose(apart, [0, 1, 3, 2, 4, 5])
        return ops.reshape(turned, [n, rows * side, columns * side, channels // (side * side)])


def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: Any = "NWC",
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """`tf.nn.conv1d`: rows of places under a filter."""
    given = {"data_format": data_format, "name": name, "dilations": dilations}
    return along_rows.conv1d(input, filters, stride, padding, **given)


def conv2d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: Any = "NHWC",
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """`tf.nn.conv2d_transpose`: what a convolution hands back to its images."""
    given = {"data_format": data_format, "name": name, "dilations": dilations}
    return along_rows.conv2d_transpose(input, filters, output_shape, strides, padding, **given)


MEMBERS: dict[str, Callable[..., Any]] = {
    "nn.gelu": gelu,
    "nn.atrous_conv2d": atrous_conv2d,
    "nn.space_to_depth": space_to_depth,
    "nn.depth_to_space": depth_to_space,
    "nn.conv1d": conv1d,
    "nn.conv2d_transpose": conv2d_transpose,
    "nn.max_pool1d": along_rows.max_pool1d,
    "nn.avg_pool1d": along_rows.avg_pool1d,
}
