"""Windows that step over images of (batch, rows, columns, channels): where they stand, how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused, quoted
from engine.ops.base.shapes import whole_numbers, written
from engine.ops.base.tensors import Array, Shape

Place = tuple[int, slice, slice]
Block = tuple[slice, slice, slice]  # of the batch, the rows and the columns
Step = tuple[tuple[int, int], Block, Block]
UNFOLDED = 2_000_000  # elements of windows side by side at a time
A_STEP = 1000  # element operations to call numpy on a few numbers
IN_FOUR = (1, 2)  # where rows and columns stand in (batch, rows, columns, channels)


@dataclass(frozen=True, slots=True)
class Axis:
    """The windows along one axis.

    size:   elements of one window; dilation: how far these stand apart.
    stride: how far the next window stands.
    padded: whether windows may reach beyond the ends, so that there is one for each stride (SAME).
    """

    size: int
    stride: int
    dilation: int
    padded: bool

    @property
    def reach(self) -> int:
        """From the first element of a window to the last."""
        return (self.size - 1) * self.dilation + 1

    def count(self, length: int) -> int:
        """How many windows there are."""
        last = length if self.padded else length - self.reach + 1
        return -(-last // self.stride)

    def before(self, length: int) -> int:
        """How many elements are missing before the first one; an odd one is missing after the last."""
        missing = (self.count(length) - 1) * self.stride + self.reach - length
        return max(missing, 0) // 2 if self.padded else 0

    def most_places(self, length: int) -> int:
        """How many elements of a window, at most, meet some element of the image."""
        return min(self.size, length + self.count(length) * self.stride)

    def places(self, length: int) -> Iterator[Place]:
        """For each element of a window: its number, the windows that have it, and where these find it.

        What is missing before and after is left out, so that nothing has to be added to the images.
        """
        count, before = self.count(length), self.before(length)
        earliest = before - (count - 1) * self.stride  # the last window has its first element inside
        first = max(0, -(-earliest // self.dilation))
        last = min(self.size - 1, (length - 1 + before) // self.dilation)
        for number in range(first, last + 1):
            start = number * self.dilation - before  # of the first window's element, perhaps outside
            begin = max(0, -(start // self.stride))
            end = min(count, (length - 1 - start) // self.stride + 1)
            if begin < end:
                found = slice(start + begin * self.stride, start + (end - 1) * self.stride + 1, self.stride)
                yield number, slice(begin, end), found


def axes_of_windows(
    size: Sequence[int], strides: Sequence[int], padding: str, dilations: Sequence[int] = (1, 1, 1, 1)
) -> list[Axis]:
    """The windows along rows and along columns."""
    same = padding == "SAME"
    return [Axis(int(size[i]), int(strides[i]), int(dilations[i]), same) for i in IN_FOUR]


def steps(axes: Sequence[Axis], lengths: Sequence[int]) -> Iterator[Step]:
    """For each element of a window, row by row: its place in it, the windows, and where they find it."""
    rows, columns = (list(axis.places(length)) for axis, length in zip(axes, lengths, strict=True))
    every = slice(None)
    for i, windows_down, found_down in rows:
        for j, windows_across, found_across in columns:
            yield (i, j), (every, windows_down, windows_across), (every, found_down, found_across)


def portions(axes: Sequence[Axis], x: Sequence[int]) -> Iterator[list[Step]]:
    """The same steps, as many at a time as fit into a moderate amount of memory when they are unfolded."""
    each = x[0] * prod(axis.count(length) for axis, length in zip(axes, x[1:3], strict=True)) * x[3]
    every = list(steps(axes, x[1:3]))
    size = max(1, UNFOLDED // max(each, 1))
    return (every[start : start + size] for start in range(0, len(every), size))


def unfolded(x: Array, axes: Sequence[Axis], some: Sequence[Step]) -> Any:
    """Some elements of every window side by side; zero where a window reaches beyond the image.

    Shapes: x (n, rows, columns, c) -> (n, rows', columns', elements, c).
    """
    counts = [axis.count(length) for axis, length in zip(axes, x.shape[1:3], strict=True)]
    found = np.zeros((len(x), *counts, len(some), x.shape[3]), dtype=x.dtype)
    for number, (_, windows, places) in enumerate(some):
        found[(*windows, number)] = x[places]
    return found


def elements(some: Sequence[Step]) -> tuple[list[int], list[int]]:
    """The rows and the columns, in a window, of some of its elements."""
    return [i for (i, _), _, _ in some], [j for (_, j), _, _ in some]


def steps_at_most(axes: Sequence[Axis], lengths: Sequence[int]) -> int:
    """How many steps there are, at most: the elements of a window."""
    return prod(axis.most_places(length) for axis, length in zip(axes, lengths, strict=True))


def windowed(images: Shape, axes: Sequence[Axis], channels: int | None) -> Shape:
    """The shape with one element for each window. Raises: ShapeError where not one window fits."""
    if images is None:
        return (None, None, None, channels)
    check_images(images)
    counts = [
        None if length is None else axis.count(length) for axis, length in zip(axes, images[1:3], strict=True)
    ]
    if any(count is not None and count < 1 for count in counts):
        reach = tuple(axis.reach for axis in axes)
        raise ShapeError(
            f"Windows of {reach} do not fit into images of {written(images[1:3])}.",
            hint="With padding='SAME' elements are added around the images.",
            message_zh=f"大小为 {reach} 的窗口放不进大小为 {written(images[1:3])} 的图像。",
            hint_zh="padding='SAME' 会在图像四周补上元素。",
        )
    return (images[0], counts[0], counts[1], channels)


def check_images(shape: tuple[int | None, ...]) -> None:
    """Raises: ShapeError for anything but (batch, rows, columns, channels)."""
    if len(shape) != 4:
        raise ShapeError(
            f"Images are of the shape (batch, rows, columns, channels), but this is {written(shape)}.",
            hint="Reshape them first: tf.reshape(x, [-1, 28, 28, 1]).",
            message_zh=f"图像的形状是 (批, 行, 列, 通道)，但这里是 {written(shape)}。",
            hint_zh="请先改变形状：tf.reshape(x, [-1, 28, 28, 1])。",
        )


# -- what a program gives --------------------------------------------------------------------------


def four(value: Any, what: str) -> tuple[int, ...]:
    """[1, rows, columns, 1] of one number, of two, or of these four. Raises: ValueRefused for others."""
    given = [int(n) for n in whole_numbers([] if value is None else value, what).reshape(-1)]
    if len(given) in (1, 2):
        given = [1, given[0], given[-1], 1]
    if len(given) != 4 or given[0] != 1 or given[3] != 1 or min(given) < 1:
        raise ValueRefused(
            f"`{what}` takes [1, rows, columns, 1], one number or two, all at least 1, not {quoted(value)}.",
            message_zh=f"`{what}` 需要 [1, 行, 列, 1]、一个数或两个数，都不小于 1，不能是 {quoted(value)}。",
            code="bad_value",
        )
    return tuple(given)


def checked_padding(padding: Any) -> str:
    """Raises: ValueRefused unless it is SAME or VALID."""
    if not isinstance(padding, str) or padding not in ("SAME", "VALID"):
        raise ValueRefused(
            f"`padding` is 'SAME' or 'VALID' here, not {quoted(padding)}.",
            hint="Other elements around the images are added with tf.pad.",
            message_zh=f"这里 `padding` 只能是 'SAME' 或 'VALID'，不能是 {quoted(padding)}。",
            hint_zh="其他方式的填充请用 tf.pad。",
            code="bad_value",
        )
    return str(padding)


def check_format(data_format: Any) -> None:
    """Raises: ValueRefused for channels that do not stand last."""
    if data_format is not None and (not isinstance(data_format, str) or data_format != "NHWC"):
        raise ValueRefused(
            f"The channels stand last here (NHWC), as without a GPU; {quoted(data_format)} is not supported.",
            hint="Bring them there with tf.transpose(x, [0, 2, 3, 1]).",
            message_zh=f"这里通道在最后（NHWC），与没有 GPU 时相同；不支持 {quoted(data_format)}。",
            hint_zh="请用 tf.transpose(x, [0, 2, 3, 1]) 调整。",
            code="bad_value",
        )
