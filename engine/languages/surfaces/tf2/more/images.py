"""`tf.image`: pictures (rows, columns, channels), or several of them, turned, cut, resized and recoloured."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ShapeError, ValueRefused, quoted
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.keras.preparing.pictures import shares_of_lines
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import real_number, whole_number, whole_numbers, written
from engine.ops.base.tensors import FLOATS

GRAY = np.array([0.2989, 0.587, 0.114], np.float32)  # how bright red, green and blue are
METHODS = ("bilinear", "nearest")


def _pictures(image: Any) -> Any:
    """A tensor of 3 or 4 axes. Raises: ShapeError."""
    x = convert_to_tensor(image)
    if x.shape is None or len(x.shape) not in (3, 4):
        raise ShapeError(
            f"'image' (shape {written(x.shape)}) must have either 3 or 4 dimensions.",
            message_zh=f"图像（形状 {written(x.shape)}）应有 3 或 4 个轴。",
            kind="ValueError",
        )
    return x


def convert_image_dtype(image: Any, dtype: Any, saturate: Any = False, name: Any = None) -> Any:
    """Whole numbers as shares of their largest one, and back. Shapes: image (*S) -> (*S)."""
    x, kind = convert_to_tensor(image), dtype_name(dtype) or "float32"
    if x.dtype == kind:
        return x
    if x.dtype in FLOATS and kind in FLOATS:
        return ops.cast(x, kind)
    if kind in FLOATS:
        return ops.cast(x, kind) * (1.0 / np.iinfo(x.dtype).max)
    if x.dtype not in FLOATS:
        raise ValueRefused(
            f"From {x.dtype} to {kind} pictures are not converted here.",
            hint="Convert to tf.float32 in between.",
            message_zh=f"这里不支持把图像从 {x.dtype} 转为 {kind}。",
            hint_zh="请先转为 tf.float32。",
        )
    most = float(np.iinfo(kind).max)
    scaled = x * (most + 0.5)
    return ops.cast(ops.clip_by_value(scaled, 0.0, most) if saturate else scaled, kind)


def _in_floats(change: Callable[[Any], Any], image: Any) -> Any:
    """A change of shares, also of pictures of whole numbers, which become such again."""
    x = convert_to_tensor(image)
    if x.dtype in FLOATS:
        return change(x)
    return convert_image_dtype(change(convert_image_dtype(x, "float32")), x.dtype, saturate=True)


def resize(
    images: Any,
    size: Any,
    method: Any = "bilinear",
    preserve_aspect_ratio: Any = False,
    antialias: Any = False,
    name: Any = None,
) -> Any:
    """Larger or smaller pictures. Shapes: images (*S, rows, columns, channels) -> (*S, *size, channels)."""
    if method not in METHODS or preserve_aspect_ratio or antialias:
        raise ValueRefused(
            f"tf.image.resize() offers the methods 'bilinear' and 'nearest' here, without "
            f"preserve_aspect_ratio and antialias; not {quoted(method)}.",
            message_zh=f"这里的 tf.image.resize() 只有 'bilinear' 和 'nearest'，没有 {quoted(method)}、"
            "preserve_aspect_ratio 和 antialias。",
        )
    x = _pictures(images)
    height, width = (int(one) for one in whole_numbers(size, "size").reshape(-1))
    rows = shares_of_lines(x.shape[-3], height, method)
    columns = shares_of_lines(x.shape[-2], width, method)
    several = ops.cast(x if len(x.shape) == 4 else ops.expand_dims(x, 0), "float32")
    found = ops.einsum("ij,bjkc,lk->bilc", rows, several, columns)
    found = found if len(x.shape) == 4 else ops.squeeze(found, [0])
    return ops.cast(found, x.dtype) if method == "nearest" else found


def flip_left_right(image: Any) -> Any:
    """Columns from right to left."""
    return ops.reverse(_pictures(image), [-2])


def flip_up_down(image: Any) -> Any:
    """Rows from bottom to top."""
    return ops.reverse(_pictures(image), [-3])


def transpose(image: Any, name: Any = None) -> Any:
    """Rows become columns."""
    x = _pictures(image)
    return ops.transpose(x, [1, 0, 2] if len(x.shape) == 3 else [0, 2, 1, 3])


def rot90(image: Any, k: Any = 1, name: Any = None) -> Any:
    """Turned to the left by so many quarters."""
    x = _pictures(image)
    for _ in range(whole_number(k, "k") % 4):
        x = flip_up_down(transpose(x))
    return x


def rgb_to_grayscale(images: Any, name: Any = None) -> Any:
    """One channel, how bright each place is. Shapes: images (*S, 3) -> (*S, 1)."""
    return _in_floats(lambda x: ops.expand_dims(ops.tensordot(x, GRAY, 1), -1), images)


def grayscale_to_rgb(images: Any, name: Any = None) -> Any:
    """The one channel three times. Shapes: images (*S, 1) -> (*S, 3)."""
    return ops.concat([convert_to_tensor(images)] * 3, -1)


def adjust_brightness(image: Any, delta: Any) -> Any:
    """As much added everywhere."""
    return _in_floats(lambda x: x + delta, image)


def adjust_contrast(images: Any, contrast_factor: Any) -> Any:
    """(x - mean) factor + mean, the mean of each channel of each picture."""

    def change(x: Any) -> Any:
        mean = ops.reduce_mean(x, [-3, -2], keepdims=True)
        return (x - mean) * contrast_factor + mean

    return _in_floats(change, _pictures(images))


def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Any:
    """gain x^gamma."""
    power, factor = real_number(gamma, "gamma"), real_number(gain, "gain")
    return _in_floats(lambda x: x**power * factor, image)


def central_crop(image: Any, central_fraction: Any) -> Any:
    """The middle of each picture, this share of its rows and columns."""
    x, share = _pictures(image), real_number(central_fraction, "central_fraction")
    top, left = (int((n - n * share) / 2) for n in x.shape[-3:-1])
    return crop_to_bounding_box(x, top, left, x.shape[-3] - 2 * top, x.shape[-2] - 2 * left)


def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Any:
    """Cut out from a place on. Raises: ShapeError where that is not inside."""
    x = _pictures(image)
    top, left = whole_number(offset_height, "offset_height"), whole_number(offset_width, "offset_width")
    high, wide = whole_number(target_height, "target_height"), whole_number(target_width, "target_width")
    rows, columns = x.shape[-3:-1]
    if min(top, left) < 0 or top + high > rows or left + wide > columns:
        raise ShapeError(
            f"{high} by {wide} from ({top}, {left}) on is not inside a picture of {rows} by {columns}.",
            message_zh=f"从 ({top}, {left}) 起的 {high} × {wide} 不在 {rows} × {columns} 的图像之内。",
            kind="ValueError",
        )
    return x[..., top : top + high, left : left + wide, :]


def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Any:
    """Zeros around, so that the picture begins at a place. Raises: ShapeError where it is larger."""
    x = _pictures(image)
    top, left = whole_number(offset_height, "offset_height"), whole_number(offset_width, "offset_width")
    below = whole_number(target_height, "target_height") - top - x.shape[-3]
    behind = whole_number(target_width, "target_width") - left - x.shape[-2]
    if min(top, left, below, behind) < 0:
        raise ShapeError(
            f"A picture of {x.shape[-3]} by {x.shape[-2]} from ({top}, {left}) on does not fit.",
            message_zh=f"{x.shape[-3]} × {x.shape[-2]} 的图像从 ({top}, {left}) 起放不下。",
            kind="ValueError",
        )
    around = [[top, below], [left, behind], [0, 0]]
    return ops.pad(x, around if len(x.shape) == 3 else [[0, 0], *around])


def per_image_standardization(image: Any) -> Any:
    """(x - mean) / deviation of each picture, the deviation at least 1 / sqrt(n)."""
    x: Any = ops.cast(_pictures(image), "float32")
    axes = [-3, -2, -1]
    mean = ops.reduce_mean(x, axes, keepdims=True)
    deviation = ops.sqrt(ops.reduce_mean(ops.square(x - mean), axes, keepdims=True))
    least = 1.0 / math.sqrt(math.prod(x.shape[-3:]))
    return (x - mean) / ops.maximum(deviation, least)


def total_variation(images: Any, name: Any = None) -> Any:
    """The sum of |differences| between neighbours, of each picture."""
    x = _pictures(images)
    down = ops.absolute(x[..., 1:, :, :] - x[..., :-1, :, :])
    across = ops.absolute(x[..., :, 1:, :] - x[..., :, :-1, :])
    return ops.reduce_sum(down, [-3, -2, -1]) + ops.reduce_sum(across, [-3, -2, -1])


def extract_patches(images: Any, sizes: Any, strides: Any, rates: Any, padding: Any, name: Any = None) -> Any:
    """What stands in each window of pictures, row by row in one axis.

    Shapes: images (n, rows, columns, c) -> (n, windows down, windows across, height * width * c).
    """
    x = _pictures(images)
    height, width = (whole_number(one, "sizes") for one in list(sizes)[1:3])
    steps = [whole_number(one, "strides") for one in list(strides)[1:3]]
    apart = [whole_number(one, "rates") for one in list(rates)[1:3]]
    if padding not in ("SAME", "VALID"):
        raise ValueRefused(
            f"`padding` is 'SAME' or 'VALID', not {quoted(padding)}.",
            message_zh=f"`padding` 应是 'SAME' 或 'VALID'，而不是 {quoted(padding)}。",
        )
    spans = [(size - 1) * rate + 1 for size, rate in zip((height, width), apart, strict=True)]
    if padding == "SAME":
        added = [
            max((-(-length // step) - 1) * step + span - length, 0)
            for length, step, span in zip(x.shape[1:3], steps, spans, strict=True)
        ]
        x = ops.pad(x, [[0, 0], *([one // 2, one - one // 2] for one in added), [0, 0]])
    counts = [
        (length - span) // step + 1 for length, step, span in zip(x.shape[1:3], steps, spans, strict=True)
    ]
    ends = [(count - 1) * step + 1 for count, step in zip(counts, steps, strict=True)]
    parts = [
        x[:, top : top + ends[0] : steps[0], left : left + ends[1] : steps[1], :]
        for top in range(0, height * apart[0], apart[0])
        for left in range(0, width * apart[1], apart[1])
    ]
    return ops.concat(parts, -1)


MEMBERS: Mapping[str, Callable[..., Any]] = {
    f"image.{own.__name__}": own
    for own in (
        *(resize, flip_left_right, flip_up_down, transpose, rot90, rgb_to_grayscale, grayscale_to_rgb),
        *(adjust_brightness, adjust_contrast, adjust_gamma, central_crop, crop_to_bounding_box),
        *(pad_to_bounding_box, per_image_standardization, convert_image_dtype, total_variation),
        extract_patches,
    )
}
