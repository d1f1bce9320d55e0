"""Batch normalization of images as one op, which brings its own gradient op."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import DtypeError, ShapeError, ValueRefused
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common.constants import constant
from engine.ops.networks.windows import check_format, check_images

LEAST_EPSILON = 1.001e-5  # what cuDNN asks for; TensorFlow takes no smaller one without a GPU either
PLACES = (0, 1, 2)  # batch, rows and columns: all that the mean of a channel is over
FIXED = {"data_format": "NHWC"}
TYPES = "T U U U U"
NORMALIZED = r"\frac{{x} - \mu}{\sqrt{\sigma^2 + \epsilon}}"


def _normalized(x: Shape, *statistics: Shape) -> list[Shape]:
    """The shape of the images, then one number for each channel, four times."""
    if x is not None:
        check_images(x)
    channels = None if x is None else x[-1]
    for shape in statistics[:2]:
        if shape is not None and shape != (channels,) and (len(shape) != 1 or None not in (*shape, channels)):
            raise ShapeError(
                f"Scale and offset have one number for each channel of {written(x)}, not {written(shape)}.",
                message_zh=f"scale 和 offset 应给 {written(x)} 的每个通道一个数，而不是 {written(shape)}。",
            )
    return [x or (None, None, None, None), *[(channels,)] * 4, None]


@op(
    "FusedBatchNormV3",
    inputs="x scale offset mean variance",
    types=TYPES,
    outputs=("T", "U", "U", "U", "U", "U"),
    shape=_normalized,
    fixed=FIXED,
    latex=NORMALIZED + r"\, {scale} + {offset}",
    adjoints=[
        r"\frac{scale}{\sqrt{\sigma^2 + \epsilon}} (\bar{y} - \mathrm{mean}(\bar{y})"
        r" - \hat{x}\, \mathrm{mean}(\bar{y}\, \hat{x}))",
        r"\textstyle\sum \bar{y}\, \hat{x}",
        r"\textstyle\sum \bar{y}",
        "0",
        "0",
    ],
    derivative=[
        r"\frac{{scale}}{\sqrt{\sigma^2 + \epsilon}} ([i = j] - \frac{1 + \hat{x}_i \hat{x}_j}{n})",
        r"\hat{x}",
        "1",
        "0",
        "0",
    ],
    accepts="floats",
)
@in_chinese(
    "缩放图像，使每个通道的均值为 0、方差为 1，然后再缩放和平移。训练时用这一批的均值和方差，否则用给出的。"
)
def fused_batch_norm_op(
    x: Array,
    scale: Array,
    offset: Array,
    mean: Array,
    variance: Array,
    epsilon: float = 0.0001,
    is_training: bool = True,
) -> Any:
    """Images scaled so that each channel has the mean 0 and the variance 1, then scaled and moved.

    While training, mean and variance are those of the batch; otherwise they are given.
    Shapes: x (n, rows, columns, c), the others (c,) -> y like x, mean and variance for moving averages, and
    both again as the gradient needs them (c,). The variance for averages divides by one less than the count.
    Source: Ioffe & Szegedy, Batch normalization, 2015.
    """
    if is_training:
        mean, variance = x.mean(PLACES, dtype=scale.dtype), x.var(PLACES, dtype=scale.dtype)
    count = x[..., 0].size if is_training else 0
    unbiased = variance * (count / max(count - 1, 1)) if is_training else variance
    y = (x - mean) / np.sqrt(variance + epsilon) * scale + offset
    return [y.astype(x.dtype), mean, unbiased.astype(mean.dtype), mean, variance, np.zeros(0, mean.dtype)]


@fused_batch_norm_op.gradient
def fused_batch_norm_gradient(node: Node, dy: Tensor, *others: Tensor) -> Sequence[Tensor | None]:
    x, scale, _, *given = node.inputs
    is_training = node.attrs["is_training"]
    mean, variance = node.outputs[3:5] if is_training else given
    how = {"epsilon": node.attrs["epsilon"], "is_training": is_training}
    grad = fused_batch_norm_grad.node(dy, x, scale, mean, variance, node.outputs[5], **how)
    return grad.outputs if is_training else [*grad.outputs[:3], None, None]


def _gradient_shapes(
    dy: Shape, x: Shape, scale: Shape, mean: Shape, *rest: Shape, is_training: bool
) -> list[Shape]:
    channels = None if x is None else x[-1:]
    unused = (0,) if is_training else channels
    return [x, channels, channels, unused, unused]


@op(
    "FusedBatchNormGradV3",
    inputs="y_backprop x scale reserve_space_1 reserve_space_2 reserve_space_3",
    types="T T U U U U",
    outputs=("T", "U", "U", "U", "U"),
    shape=_gradient_shapes,
    fixed=FIXED,
    latex=r"\frac{{scale}}{\sqrt{\sigma^2 + \epsilon}} ({y\_backprop} - \mathrm{mean}({y\_backprop})"
    r" - \hat{x}\, \mathrm{mean}({y\_backprop}\, \hat{x}))",
    no_gradient=(
        "its own derivative is left out here; tf.layers.batch_normalization(…, fused=False) has one",
        "这里没有实现它自身的导数；tf.layers.batch_normalization(…, fused=False) 有",
    ),
    accepts="floats",
)
@in_chinese("图像、scale 和 offset 得到的梯度；训练时，这一批的均值和方差取决于图像。")
def fused_batch_norm_grad(
    y_backprop: Array,
    x: Array,
    scale: Array,
    reserve_space_1: Array,
    reserve_space_2: Array,
    reserve_space_3: Array,
    epsilon: float = 0.0001,
    is_training: bool = True,
) -> Any:
    """What images, scale and offset get; mean and variance of a batch being trained depend on the images.

    Shapes: y_backprop and x (n, rows, columns, c), the others (c,) -> dx like x, d scale and d offset (c,).
    """
    mean, variance, dy = reserve_space_1, reserve_space_2, y_backprop
    normalized = (x - mean) / np.sqrt(variance + epsilon)
    moved = dy
    if is_training:
        moved = dy - dy.mean(PLACES) - normalized * (dy * normalized).mean(PLACES)
    dx = scale / np.sqrt(variance + epsilon) * moved
    unused = np.zeros(0 if is_training else mean.shape, mean.dtype)
    return [dx.astype(x.dtype), (dy * normalized).sum(PLACES), dy.sum(PLACES), unused, unused]


def fused_batch_norm(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any = None,
    variance: Any = None,
    epsilon: float = 0.001,
    data_format: Any = "NHWC",
    is_training: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """`tf.nn.fused_batch_norm`: the images normalized, and their mean and variance.

    Raises: DtypeError for images of float64, which the op does not take; ValueRefused for a mean and a
            variance given while training, or missing otherwise.
    """
    check_format(data_format)
    x = convert_to_tensor(x, name="input")
    scale, offset = convert_to_tensor(scale, name="scale"), convert_to_tensor(offset, name="offset")
    if x.dtype not in ("float16", "float32"):
        raise _no_images(x)
    if (mean is None) != bool(is_training) or (variance is None) != bool(is_training):
        raise _wrong_statistics(bool(is_training))
    mean, variance = (constant([]) if one is None else one for one in (mean, variance))
    how = {"epsilon": max(float(epsilon), LEAST_EPSILON), "is_training": bool(is_training)}
    y, of_batch, variance_of_batch, *_ = fused_batch_norm_op.node(
        x, scale, offset, mean, variance, name=name, **how
    ).outputs
    return y, of_batch, variance_of_batch


def _no_images(x: Tensor) -> DtypeError:
    return DtypeError(
        f"FusedBatchNormV3 takes images of float32 or float16, but {x.name} is {x.dtype}.",
        hint="Write tf.cast(x, tf.float32), or tf.layers.batch_normalization(x, fused=False).",
        message_zh=f"FusedBatchNormV3 只接受 float32 或 float16 的图像，但 {x.name} 是 {x.dtype}。",
        hint_zh="请写 tf.cast(x, tf.float32)，或 tf.layers.batch_normalization(x, fused=False)。",
    )


def _wrong_statistics(is_training: bool) -> ValueRefused:
    if is_training:
        return ValueRefused(
            "While training, mean and variance are those of the batch: give none.",
            message_zh="训练时使用这一批数据自己的均值和方差，不要另外给出。",
            hint="Leave them out, or write is_training=False.",
            hint_zh="请去掉它们，或写 is_training=False。",
            code="wrong_arguments",
        )
    return ValueRefused(
        "Without training, mean and variance have to be given.",
        message_zh="不训练时必须给出均值和方差。",
        hint="Write tf.nn.fused_batch_norm(x, scale, offset, mean, variance, is_training=False).",
        hint_zh="请写 tf.nn.fused_batch_norm(x, scale, offset, mean, variance, is_training=False)。",
        code="wrong_arguments",
    )
