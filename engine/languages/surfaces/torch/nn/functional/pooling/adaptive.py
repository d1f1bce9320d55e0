"""As many windows as asked for: `F.adaptive_avg_pool2d`, `F.adaptive_max_pool2d` and their kin."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np

from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.dtypes import INT64
from engine.languages.surfaces.torch.functions.reductions import mean
from engine.languages.surfaces.torch.functions.shaping import reshape, squeeze, stack, unsqueeze
from engine.languages.surfaces.torch.nn.functional.checks.pooling import check_adaptive
from engine.languages.surfaces.torch.nn.functional.pooling.largest import (
    largest,
    of_images,
)
from engine.languages.surfaces.torch.nn.functional.windows import Lengths, batched, unbatched
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import of_numbers
from engine.ops.base.tensors import Array

# -- lines and pictures ----------------------------------------------------------------------------------


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
_adaptive_max_pool = of_images(2, "AdaptiveMaxPool2DBackward0", largest)


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


_adaptive_max_of_volumes = composite("AdaptiveMaxPool3DBackward0", "input")(largest)


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
