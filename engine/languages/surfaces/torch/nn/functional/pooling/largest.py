"""The largest number of each window: `F.max_pool1d`, `F.max_pool2d`, `F.max_pool3d`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.dtypes import INT64
from engine.languages.surfaces.torch.functions.indexing import gather
from engine.languages.surfaces.torch.functions.shaping import reshape, squeeze, unsqueeze
from engine.languages.surfaces.torch.nn.functional.checks.pooling import (
    check_pooled,
    check_windows,
    no_windows,
)
from engine.languages.surfaces.torch.nn.functional.windows import (
    Lengths,
    batched,
    each,
    places_of_windows,
    unbatched,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import of_numbers
from engine.ops.base.tensors import Array


def largest(input: Any, places: Any = None, count: Any = None) -> Any:
    """Shapes: input (N, C, *S), places (N, C, windows) -> (N, C, *count)."""
    n, c, *_ = input.form.shape
    flat = reshape(input, (n, c, -1))
    return reshape(gather(flat, 2, of_numbers(places)), (n, c, *count))


def of_images(axes: int, node_name: str, function: Callable[..., Any]) -> Any:
    """A composite of images with or without an axis of the batch, as one function of PyTorch is."""

    @wraps(function)
    def pooled(input: Any, *settings: Any, **named: Any) -> Any:
        if input.form.ndim == axes + 2:
            return function(input, *settings, **named)
        return squeeze(function(unsqueeze(input, 0), *settings, **named), 0)

    return composite(node_name, "input")(pooled)


_max_pool = of_images(2, "MaxPool2DWithIndicesBackward0", largest)
_max_pool_of_volumes = of_images(3, "MaxPool3DWithIndicesBackward0", largest)


def _places_of_largest(array: Array, windows: Array, outside: Array) -> Array:
    """Where the first largest element of each window lies; nan counts as the largest.

    Shapes: array (N, C, S), windows, outside (elements, windows) -> (N, C, windows).
    """
    values = array[:, :, np.where(outside, 0, windows)]
    values = np.where(np.isnan(values), np.inf, values) if array.dtype.kind == "f" else values
    lowest = -np.inf if array.dtype.kind == "f" else np.iinfo(array.dtype).min
    chosen = np.argmax(np.where(outside, lowest, values), axis=2)
    return np.asarray(windows[chosen, np.arange(windows.shape[1])]).astype(INT64.name)


def _windows_inside(
    lengths: Lengths, size: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, ceil: bool
) -> tuple[Array, Array, Lengths]:
    """Places in the images themselves, which of them lie outside, and how many windows there are."""
    grown = tuple(
        length_with_last(length + 2 * p, k, s, d, p, ceil)
        for length, k, s, p, d in zip(lengths, size, stride, padding, dilation, strict=True)
    )
    places, count = places_of_windows(grown, size, stride, dilation)
    at = [one - p for one, p in zip(np.unravel_index(places, grown), padding, strict=True)]
    outside = np.zeros(places.shape, dtype=bool)
    for one, length in zip(at, lengths, strict=True):
        outside |= (one < 0) | (one >= length)
    inside = [np.clip(one, 0, length - 1) for one, length in zip(at, lengths, strict=True)]
    return np.ravel_multi_index(inside, lengths), outside, count


def length_with_last(length: int, k: int, s: int, d: int, p: int, ceil: bool) -> int:
    """The length with the last window in full, where it may go beyond the end."""
    over = length - d * (k - 1) - 1
    if not ceil or over % s == 0:
        return length
    windows = -(-over // s) + 1
    if (windows - 1) * s >= length - p:  # the last window must begin inside
        windows -= 1
    return (windows - 1) * s + d * (k - 1) + 1


def _max_pooled(
    axes: int,
    input: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: Any,
    return_indices: Any,
) -> Any:
    check_pooled(axes, True, input)
    images, was_missing = batched(input, axes, f"max_pool{axes}d")
    size = each(kernel_size, axes)
    steps = size if stride is None or stride == () else each(stride, axes, "stride")
    around, apart = each(padding, axes, "padding"), each(dilation, axes, "dilation")
    check_windows(axes, True, size, steps, around, dilation=apart)
    lengths = tuple(images.form.shape[2:])
    windows, outside, count = _windows_inside(lengths, size, steps, around, apart, bool(ceil_mode))
    if min(count) <= 0:
        raise no_windows(axes, True, images.form.shape, count)
    array = images.array
    places = _places_of_largest(array.reshape(*array.shape[:2], -1), windows, outside)
    if axes == 1:
        result = squeeze(_max_pool(unsqueeze(input, -2), places, (1, *count)), -2)
    else:
        result = (_max_pool if axes == 2 else _max_pool_of_volumes)(input, places, count)
    if not return_indices:
        return result
    indices = of_numbers(places.reshape(*places.shape[:2], *count))
    return result, unbatched(indices, was_missing)


@torch_function("max_pool1d", f=True)
def max_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> Any:
    """The largest of each window. Shapes: (N, C, L) -> (N, C, L')."""
    return _max_pooled(1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@torch_function("max_pool2d", f=True)
def max_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> Any:
    """The largest of each window. Shapes: (N, C, H, W) -> (N, C, H', W')."""
    return _max_pooled(2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@torch_function("max_pool3d", f=True)
def max_pool3d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> Any:
    """The largest of each window. Shapes: (N, C, D, H, W) -> (N, C, D', H', W')."""
    return _max_pooled(3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)
