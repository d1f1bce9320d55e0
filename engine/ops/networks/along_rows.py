"""Convolution and pooling along one axis, and convolution backwards: built of those over images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import ValueRefused, quoted
from engine.ops.arrays import reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import whole_numbers
from engine.ops.base.tensors import Tensor
from engine.ops.networks import pooling
from engine.ops.networks.convolution import EVERY, conv2d_backprop_input, conv2d_op
from engine.ops.networks.windows import check_format, checked_padding, four

ROWS = ("NWC", "NHWC", "channels_last", None)


def _one(given: Any, what: str) -> int:
    """A number along the rows, which may stand in a list by itself or between two ones.

    Raises: ValueRefused for anything else.
    """
    if given is None:
        return 1
    numbers = whole_numbers(given, what)
    if numbers.size not in (1, 3) or numbers.ndim > 1:
        raise ValueRefused(
            f"`{what}` takes a whole number, or a list of 1 or 3 of them, not {quoted(given)}.",
            message_zh=f"`{what}` 需要一个整数，或 1 个或 3 个整数的列表，不能是 {quoted(given)}。",
        )
    return int(numbers.reshape(-1)[numbers.size // 2])


def conv1d(
    value: Any = None,
    filters: Any = None,
    stride: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: Any = None,
    data_format: Any = None,
    name: str | None = None,
    input: Any = None,
    dilations: Any = None,
) -> Tensor:
    """`tf.nn.conv1d`: rows (batch, places, channels) under a filter (places, channels in, channels out)."""
    check_format("NHWC" if data_format in ROWS else data_format)
    step, apart = _one(stride, "stride"), _one(dilations, "dilations")
    x = value if input is None else input
    with name_scope(name, "conv1d") as scope:
        x = reshaping.expand_dims(convert_to_tensor(x, name="value"), 1)
        w = reshaping.expand_dims(convert_to_tensor(filters, name="filters"), 0)
        y = conv2d_op(
            x,
            w,
            strides=(1, 1, step, 1),
            padding=checked_padding(padding),
            dilations=EVERY if apart == 1 else (1, 1, apart, 1),
            name=scope,
        )
        return reshaping.squeeze(y, [1])


def conv2d_transpose(
    value: Any = None,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: Any = "NHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """`tf.nn.conv2d_transpose`: what a convolution hands back to its images, as a layer of its own."""
    check_format(data_format)
    x, w = value if input is None else input, filter if filters is None else filters
    with name_scope(name, "conv2d_transpose") as scope:
        return conv2d_backprop_input(
            convert_to_tensor(output_shape, name="input_sizes"),
            convert_to_tensor(w, name="filter"),
            convert_to_tensor(x, name="value"),
            strides=four(strides, "strides"),
            padding=checked_padding(padding),
            dilations=EVERY if dilations is None else four(dilations, "dilations"),
            name=scope,
        )


def _pooled(pool: Callable[..., Tensor], word: str) -> Callable[..., Tensor]:
    def pool1d(
        input: Any,
        ksize: Any,
        strides: Any,
        padding: Any,
        data_format: Any = "NWC",
        name: str | None = None,
    ) -> Tensor:
        if data_format is not None and data_format != "NWC":
            raise ValueRefused(
                f"The channels stand last here (NWC), as without a GPU; not {quoted(data_format)}.",
                hint="Bring them there with tf.transpose(x, [0, 2, 1]).",
                message_zh=f"这里通道在最后（NWC），与没有 GPU 时相同；不支持 {quoted(data_format)}。",
                hint_zh="请用 tf.transpose(x, [0, 2, 1]) 调整。",
                code="bad_value",
            )
        with name_scope(name, word):
            x = reshaping.expand_dims(convert_to_tensor(input), 1)
            size, step = (1, 1, _one(ksize, "ksize"), 1), (1, 1, _one(strides, "strides"), 1)
            return reshaping.squeeze(pool(x, size, step, checked_padding(padding)), [1])

    pool1d.__doc__ = f"`tf.nn.{word}`: one number for each window along the rows."
    return pool1d


max_pool1d = _pooled(pooling.max_pool, "max_pool1d")
avg_pool1d = _pooled(pooling.avg_pool, "avg_pool1d")
