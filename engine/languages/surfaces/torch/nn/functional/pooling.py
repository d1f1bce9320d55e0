"""Pooling: the largest or the mean of each window."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import product
from math import prod
from typing import Any

import numpy as np

from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.dtypes import INT64
from engine.languages.surfaces.torch.functions.indexing import gather
from engine.languages.surfaces.torch.functions.reductions import mean
from engine.languages.surfaces.torch.functions.reductions import sum as sum_
from engine.languages.surfaces.torch.functions.shaping import reshape, squeeze, stack, unsqueeze
from engine.languages.surfaces.torch.nn.functional.checks.pooling import (
    check_adaptive,
    check_pooled,
    check_windows,
    no_windows,
)
from engine.languages.surfaces.torch.nn.functional.windows import (
    Lengths,
    batched,
    each,
    places_of_windows,
    surrounded,
    unbatched,
    unfolded,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import of_numbers
from engine.ops.base.tensors import Array

# -- the largest -----------------------------------------------------------------------------------------


def _largest(input: Any, places: Any = None, count: Any = None) -> Any:
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


_max_pool = of_images(2, "MaxPool2DWithIndicesBackward0", _largest)
_max_pool_of_volumes = of_images(3, "MaxPool3DWithIndicesBackward0", _largest)
_adaptive_max_pool = of_images(2, "AdaptiveMaxPool2DBackward0", _largest)


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
        _grown(length + 2 * p, k, s, d, p, ceil)
        for length, k, s, p, d in zip(lengths, size, stride, padding, dilation, strict=True)
    )
    places, count = places_of_windows(grown, size, stride, dilation)
    at = [one - p for one, p in zip(np.unravel_index(places, grown), padding, strict=True)]
    outside = np.zeros(places.shape, dtype=bool)
    for one, length in zip(at, lengths, strict=True):
        outside |= (one < 0) | (one >= length)
    inside = [np.clip(one, 0, length - 1) for one, length in zip(at, lengths, strict=True)]
    return np.ravel_multi_index(inside, lengths), outside, count


def _grown(length: int, k: int, s: int, d: int, p: int, ceil: bool) -> int:
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


# -- the mean --------------------------------------------------------------------------------------------


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
        _grown(length + 2 * p, k, s, 1, p, bool(ceil_mode))
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


# -- as many windows as asked for ------------------------------------------------------------------------


def _wanted(output_size: Any, lengths: Lengths) -> Lengths:
    given = output_size if isinstance(output_size, (list, tuple)) else (output_size,) * len(lengths)
    return tuple(length if one is None else int(one) for one, length in zip(given, lengths, strict=True))


def _bounds(length: int, count: int) -> list[tuple[int, int]]:
    """From where to where each of the windows reaches."""
    return [(i * length // count, -(-(i + 1) * length // count)) for i in range(count)]


def _adaptive_means(input: Any, count: Any = None) -> Any:
    """Shapes: (N, C, H, W) -> (N, C, *count)."""
    rows, columns = (_bounds(n, c) for n, c in zip(input.form.shape[2:], count, strict=True))
    lines = [stack([mean(input[:, :, a:b, c:d], (2, 3)) for c, d in columns], -1) for a, b in rows]
    return stack(lines, -2)


_adaptive_avg = of_images(2, "AdaptiveAvgPool2DBackward0", _adaptive_means)


@torch_function("adaptive_avg_pool2d", f=True)
def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """The means of so many windows. Shapes: (N, C, H, W) -> (N, C, *output_size)."""
    check_adaptive("adaptive_avg_pool2d", 2, input, output_size)
    count = _wanted(output_size, tuple(input.form.shape[-2:]))
    if count == (1, 1):
        return mean(input, (-1, -2), True)
    return _adaptive_avg(input, count)


@torch_function("adaptive_avg_pool1d", f=True)
def adaptive_avg_pool1d(input: Any, output_size: Any) -> Any:
    """The means of so many windows. Shapes: (N, C, L) -> (N, C, output_size)."""
    check_adaptive("adaptive_avg_pool1d", 1, input, output_size)
    (count,) = output_size if isinstance(output_size, (list, tuple)) else (output_size,)
    return squeeze(adaptive_avg_pool2d(unsqueeze(input, -2), (1, count)), -2)


def _adaptive_places(array: Array, count: Lengths) -> Array:
    """Where the largest element of each window lies. Shapes: (N, C, H, W) -> (N, C, windows)."""
    width = array.shape[3]
    rows, columns = (_bounds(n, c) for n, c in zip(array.shape[2:], count, strict=True))
    found = np.zeros((*array.shape[:2], prod(count)), dtype=INT64.name)
    for place, ((a, b), (c, d)) in enumerate((r, s) for r in rows for s in columns):
        part = array[:, :, a:b, c:d].reshape(*array.shape[:2], -1)
        best = part.argmax(axis=-1)
        found[:, :, place] = (a + best // (d - c)) * width + c + best % (d - c)
    return found


@torch_function("adaptive_max_pool2d", f=True)
def adaptive_max_pool2d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest of so many windows. Shapes: (N, C, H, W) -> (N, C, *output_size)."""
    check_adaptive("adaptive_max_pool2d", 2, input, output_size)
    images, was_missing = batched(input, 2, "adaptive_max_pool2d")
    count = _wanted(output_size, tuple(images.form.shape[2:]))
    places = _adaptive_places(images.array, count)
    result = _adaptive_max_pool(input, places, count)
    if not return_indices:
        return result
    return result, unbatched(of_numbers(places.reshape(*places.shape[:2], *count)), was_missing)


@torch_function("adaptive_max_pool1d", f=True)
def adaptive_max_pool1d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest of so many windows. Shapes: (N, C, L) -> (N, C, output_size)."""
    check_adaptive("adaptive_max_pool1d", 1, input, output_size)
    (count,) = output_size if isinstance(output_size, (list, tuple)) else (output_size,)
    found = adaptive_max_pool2d(unsqueeze(input, -2), (1, count), True)
    values, indices = (squeeze(one, -2) for one in found)
    return (values, indices) if return_indices else values


# -- volumes ---------------------------------------------------------------------------------------------


def _blocks(lengths: Lengths, count: Lengths) -> list[tuple[slice, ...]]:
    """Each of so many windows along each axis, the last axis fastest."""
    sides = [[slice(a, b) for a, b in _bounds(n, c)] for n, c in zip(lengths, count, strict=True)]
    return list(product(*sides))


@composite("AdaptiveAvgPool3DBackward0", "input")
def _adaptive_avg_of_volumes(input: Any, count: Any = None) -> Any:
    """Shapes: (N, C, D, H, W) -> (N, C, *count)."""
    n, c, *lengths = input.array.shape
    everything = (slice(None), slice(None))
    parts = [mean(input[(*everything, *one)], (2, 3, 4)) for one in _blocks(tuple(lengths), count)]
    return reshape(stack(parts, -1), (n, c, *count))


@torch_function("adaptive_avg_pool3d", f=True)
def adaptive_avg_pool3d(input: Any, output_size: Any) -> Any:
    """The means of so many windows. Shapes: (N, C, D, H, W) -> (N, C, *output_size)."""
    check_adaptive("adaptive_avg_pool3d", 3, input, output_size)
    images, was_missing = batched(input, 3, "adaptive_avg_pool3d")
    count = _wanted(output_size, tuple(images.array.shape[2:]))
    if count == (1, 1, 1):
        return unbatched(mean(images, (-1, -2, -3), True), was_missing)
    return unbatched(_adaptive_avg_of_volumes(images, count), was_missing)


_adaptive_max_of_volumes = composite("AdaptiveMaxPool3DBackward0", "input")(_largest)


@torch_function("adaptive_max_pool3d", f=True)
def adaptive_max_pool3d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest of so many windows. Shapes: (N, C, D, H, W) -> (N, C, *output_size)."""
    check_adaptive("adaptive_max_pool3d", 3, input, output_size)
    images, was_missing = batched(input, 3, "adaptive_max_pool3d")
    array = images.array
    lengths = tuple(array.shape[2:])
    count = _wanted(output_size, lengths)
    numbers = np.arange(prod(lengths), dtype=INT64.name).reshape(lengths)
    found = np.zeros((*array.shape[:2], prod(count)), dtype=INT64.name)
    for place, block in enumerate(_blocks(lengths, count)):
        part = array[(slice(None), slice(None), *block)].reshape(*array.shape[:2], -1)
        found[:, :, place] = numbers[block].reshape(-1)[part.argmax(axis=-1)]
    result = unbatched(_adaptive_max_of_volumes(images, found, count), was_missing)
    if not return_indices:
        return result
    return result, unbatched(of_numbers(found.reshape(*array.shape[:2], *count)), was_missing)
