"""Windows that slide over images, and convolution and pooling by them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from engine.languages.surfaces.torch.dtypes import INT64
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.indexing import index_add, index_select
from engine.languages.surfaces.torch.functions.shaping import reshape, squeeze, unsqueeze
from engine.languages.surfaces.torch.nn.functional.padding import padded
from engine.languages.surfaces.torch.sizes import whole
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.ops.base.tensors import Array

Lengths = tuple[int, ...]


def each(value: Any, axes: int, what: str = "kernel_size") -> Lengths:
    """A setting for each axis. Raises: RuntimeError where there are more or fewer."""
    if isinstance(value, (list, tuple)):
        found = tuple(whole(one) for one in value)
        if len(found) == 1:
            found *= axes
        if len(found) != axes:
            raise torch_error(
                f"{what} must either be a single int, or a tuple of {axes} ints",
                f"{what} 应是一个整数，或 {axes} 个整数。",
            )
        return found
    return (whole(value),) * axes


def places_of_windows(
    lengths: Lengths, size: Lengths, stride: Lengths, dilation: Lengths
) -> tuple[Array, Lengths]:
    """Where in the flattened image each element of each window lies.

    Returns: the places (elements of a window, windows) and how many windows there are along each axis.
    """
    count = tuple(
        (length - step * (n - 1) - 1) // s + 1
        for length, n, s, step in zip(lengths, size, stride, dilation, strict=True)
    )
    state().graph.meter.check_elements((prod(size), prod(max(one, 0) for one in count)))
    along = [
        np.arange(n)[:, None] * step + np.arange(c)[None, :] * s
        for n, step, c, s in zip(size, dilation, count, stride, strict=True)
    ]
    strides = [prod(lengths[axis + 1 :]) for axis in range(len(lengths))]
    places = np.zeros((prod(size), prod(count)), dtype=np.int64)
    for row, inside in enumerate(product(*map(range, size))):
        grids = np.ix_(*[along[axis][at] for axis, at in enumerate(inside)])
        places[row] = sum(grid * step for grid, step in zip(grids, strides, strict=True)).reshape(-1)
    return places, count


def unfolded(images: Any, places: Array) -> Any:
    """The elements of all windows. Shapes: images (N, C, *S) -> (N, C, elements, windows)."""
    n, c, *_ = images.form.shape
    flat = reshape(images, (n, c, -1))
    taken = index_select(flat, 2, of_numbers(places.reshape(-1).astype(INT64.name)))
    return reshape(taken, (n, c, *places.shape))


def folded(columns: Any, places: Array, lengths: Lengths) -> Any:
    """The sum of what windows give to each place.

    Shapes: columns (N, C, elements, windows) -> (N, C, *lengths).
    """
    n, c = columns.form.shape[:2]
    zeros = of_numbers(np.zeros((n, c, prod(lengths)), dtype=columns.form.dtype))
    index = of_numbers(places.reshape(-1).astype(INT64.name))
    return reshape(index_add(zeros, 2, index, reshape(columns, (n, c, -1))), (n, c, *lengths))


def batched(input: Any, axes: int, function: str) -> tuple[Tensor, bool]:
    """Images with an axis of the batch, and whether it was missing. Raises: RuntimeError for another rank."""
    rank = input.form.ndim
    if rank == axes + 2:
        return input, False
    if rank == axes + 1:
        return unsqueeze(input, 0), True
    raise torch_error(
        f"Expected {axes + 1}D (unbatched) or {axes + 2}D (batched) input to {function}, but got input of "
        f"size: {list(input.form.shape)}",
        f"{function} 需要 {axes + 1} 维（不分批）或 {axes + 2} 维（分批）的输入，"
        f"但形状是 {list(input.form.shape)}。",
        code="shape_mismatch",
    )


def unbatched(result: Any, was_missing: bool) -> Any:
    """The result without the axis that was added."""
    return squeeze(result, 0) if was_missing else result


def pad_of(padding: Any, size: Lengths, dilation: Lengths, stride: Lengths) -> list[tuple[int, int]]:
    """How much is added before and after each axis: numbers, or the words `valid` and `same`."""
    if padding == "valid":
        return [(0, 0)] * len(size)
    if padding == "same":
        if any(one != 1 for one in stride):
            raise torch_error(
                "padding='same' is not supported for strided convolutions", "padding='same' 要求步长为 1。"
            )
        whole = [step * (n - 1) for n, step in zip(size, dilation, strict=True)]
        return [(one // 2, one - one // 2) for one in whole]
    if isinstance(padding, str):
        raise torch_error(
            f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}",
            f"padding 不能是 {padding!r}。",
            kind="ValueError",
        )
    return [(one, one) for one in each(padding, len(size), "padding")]


def surrounded(images: Any, around: Sequence[tuple[int, int]], value: float = 0.0) -> Any:
    """Images with so many numbers before and after each axis. Shapes: (N, C, *S) -> (N, C, *S + around)."""
    if not any(before or after for before, after in around):
        return images
    return padded(images, [one for pair in reversed(around) for one in pair], value)
