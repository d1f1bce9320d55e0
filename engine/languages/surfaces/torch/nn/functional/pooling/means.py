"""The mean of each window: `F.avg_pool1d`, `F.avg_pool2d`, `F.avg_pool3d`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.torch.functions.reductions import sum as sum_
from engine.languages.surfaces.torch.functions.shaping import reshape, squeeze, unsqueeze
from engine.languages.surfaces.torch.nn.functional.checks.pooling import (
    check_pooled,
    check_windows,
    no_windows,
)
from engine.languages.surfaces.torch.nn.functional.pooling.largest import length_with_last, of_images
from engine.languages.surfaces.torch.nn.functional.windows import (
    Lengths,
    batched,
    each,
    places_of_windows,
    surrounded,
    unfolded,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import of_numbers
from engine.ops.base.tensors import Array


def _means(input: Any, padding: Any = None, places: Any = None, shares: Any = None, count: Any = None) -> Any:
    """Shapes: input (N, C, *S), places (elements, windows), shares (windows,) -> (N, C, *count)."""
    images = surrounded(input, padding)
    n, c, *_ = images.form.shape
    sums = sum_(unfolded(images, places), 2)
    weights = of_numbers(shares.astype(images.form.dtype))
    return reshape(sums / weights, (n, c, *count))


_avg_pool = of_images(2, "AvgPool2DBackward0", _means)
_avg_pool_of_volumes = of_images(3, "AvgPool3DBackward0", _means)


def _avg_pooled(
    axes: int,
    input: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: Any,
    count_include_pad: Any,
    divisor: Any,
) -> Any:
    check_pooled(axes, False, input)
    images, _ = batched(input, axes, f"avg_pool{axes}d")
    size = each(kernel_size, axes)
    steps = size if stride is None or stride == () else each(stride, axes, "stride")
    around = each(padding, axes, "padding")
    check_windows(axes, False, size, steps, around)
    lengths = tuple(images.form.shape[2:])
    grown = tuple(
        length_with_last(length + 2 * p, k, s, 1, p, bool(ceil_mode))
        for length, k, s, p in zip(lengths, size, steps, around, strict=True)
    )
    places, count = places_of_windows(grown, size, steps, (1,) * axes)
    if min(count) <= 0:
        raise no_windows(axes, False, images.form.shape, count)
    shares = _shares(places, grown, lengths, around, bool(count_include_pad), divisor)
    before_after = [(p, g - n - p) for p, g, n in zip(around, grown, lengths, strict=True)]
    if axes == 1:
        pooled = _avg_pool(unsqueeze(input, -2), [(0, 0), *before_after], places, shares, (1, *count))
        return squeeze(pooled, -2)
    pool = _avg_pool if axes == 2 else _avg_pool_of_volumes
    return pool(input, before_after, places, shares, count)


def _shares(
    places: Array, grown: Lengths, lengths: Lengths, around: Lengths, with_padding: bool, divisor: Any
) -> Array:
    """What the sum of each window is divided by. Shapes: places (elements, windows) -> (windows,)."""
    if divisor is not None:
        return np.full(places.shape[1], divisor)
    counted = np.ones(places.shape, dtype=bool)
    for at, length, p in zip(np.unravel_index(places, grown), lengths, around, strict=True):
        first, last = (0, length + 2 * p) if with_padding else (p, length + p)
        counted &= (at >= first) & (at < last)
    return np.asarray(counted.sum(axis=0))


@torch_function("avg_pool1d", f=True)
def avg_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
) -> Any:
    """The mean of each window. Shapes: (N, C, L) -> (N, C, L')."""
    return _avg_pooled(1, input, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


@torch_function("avg_pool2d", f=True)
def avg_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Any:
    """The mean of each window. Shapes: (N, C, H, W) -> (N, C, H', W')."""
    return _avg_pooled(2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@torch_function("avg_pool3d", f=True)
def avg_pool3d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Any:
    """The mean of each window. Shapes: (N, C, D, H, W) -> (N, C, D', H', W')."""
    return _avg_pooled(3, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
