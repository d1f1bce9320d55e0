"""Images of another size: nearest neighbours, pixels shuffled, windows as columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.dtypes import INT64
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.indexing import index_select
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.functions.shaping import permute, reshape
from engine.languages.surfaces.torch.nn.functional.windows import (
    batched,
    each,
    folded,
    places_of_windows,
    surrounded,
    unbatched,
    unfolded,
)
from engine.languages.surfaces.torch.registry import TORCH, F, torch_function
from engine.languages.surfaces.torch.tensor import of_numbers


def _nearest(input: Any, places: Any = None) -> Any:
    """The places of each axis after the channels. Shapes: (N, C, *S) -> (N, C, *places)."""
    for axis, one in enumerate(places, start=2):
        input = index_select(input, axis, of_numbers(one.astype(INT64.name)))
    return input


NEAREST = {axes: composite(f"UpsampleNearest{axes}DBackward0", "input")(_nearest) for axes in (1, 2, 3)}


LINEAR = {"linear": 1, "bilinear": 2, "trilinear": 3}


def _between(input: Any, ways: Any = None) -> Any:
    """Along each axis a mean of two neighbours. Shapes: (N, C, *S) -> (N, C, *places)."""
    for axis, (low, high, share) in enumerate(ways, start=2):
        shape = (-1,) + (1,) * (input.form.ndim - axis - 1)
        weight = of_numbers(share.astype(input.form.dtype).reshape(shape))
        below = index_select(input, axis, of_numbers(low))
        input = below + (index_select(input, axis, of_numbers(high)) - below) * weight
    return input


NODES_OF_LINEAR = {1: "UpsampleLinear1DBackward0", 2: "UpsampleBilinear2DBackward0"}
BETWEEN = {axes: composite(name, "input")(_between) for axes, name in NODES_OF_LINEAR.items()}
BETWEEN[3] = composite("UpsampleTrilinear3DBackward0", "input")(_between)


def _way(old: int, new: int, step: float, corners: bool) -> tuple[Any, Any, Any]:
    """For each new place the two old ones around it, and how far it is from the first."""
    count = np.arange(new)
    if corners:
        place = count * ((old - 1) / (new - 1) if new > 1 else 0.0)
    else:
        place = np.maximum((count + 0.5) * step - 0.5, 0.0)
    low = np.minimum(np.floor(place).astype(np.int64), old - 1)
    return low, np.minimum(low + 1, old - 1), place - low


def check_resized(input: Any, size: Any, scale_factor: Any) -> None:
    """Raises: ValueError's messages of PyTorch where it is not said, or said twice, how large it becomes."""
    if (size is None) == (scale_factor is None):
        said = "either size or scale_factor" if size is None else "only one of size or scale_factor"
        raise torch_error(
            f"{said} should be defined",
            "size 与 scale_factor 必须给出一个，且只能给一个。",
            kind="ValueError",
        )
    lengths = list(input.form.shape[2:])
    for given, what in ((size, "output size"), (scale_factor, "scale_factor")):
        if isinstance(given, (list, tuple)) and len(given) != len(lengths):
            verb = "and output size of" if what == "output size" else "and scale_factor of shape"
            tail = (
                "output size in (o1, o2, ...,oK) format."
                if what == "output size"
                else "scale_factor in (s1, s2, ...,sK) format."
            )
            raise torch_error(
                "Input and output must have the same number of spatial dimensions, but got input with "
                f"spatial dimensions of {lengths} {verb} {to_repr(given)}. Please provide input tensor in "
                f"(N, C, d1, d2, ...,dK) format and {tail}",
                f"输入有 {len(lengths)} 个空间维，而这里给了 {len(given)} 个数。",
                kind="ValueError",
            )


def _check_mode(mode: Any) -> None:
    """Raises: ProgramError for a way between neighbours that is not here."""
    if mode not in ("nearest", "area", *LINEAR):
        raise not_here(
            f"mode={mode!r}",
            f" mode={mode!r}",
            'Use "nearest" or "bilinear".',
            '请使用 "nearest" 或 "bilinear"。',
        )


def _check_corners(mode: Any, align_corners: Any) -> None:
    """Raises: ValueError's message of PyTorch for a mode that looks at no corners."""
    if mode not in LINEAR and align_corners is not None:
        raise torch_error(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic "
            "| trilinear",
            "align_corners 只能用于 linear、bilinear、trilinear。",
            kind="ValueError",
        )


def _check_axes(mode: Any, axes: int) -> None:
    """Raises: NotImplementedError's message of PyTorch where a mode is for inputs of other axes."""
    if mode in LINEAR and LINEAR[mode] != axes:
        raise torch_error(
            f"Got {axes + 2}D input, but {mode} mode needs {LINEAR[mode] + 2}D input",
            f"mode={mode!r} 需要 {LINEAR[mode] + 2} 维的输入，而这里有 {axes + 2} 维。",
            kind="NotImplementedError",
        )


def _lengths_and_steps(lengths: Any, size: Any, scale_factor: Any) -> tuple[tuple[int, ...], list[float]]:
    """The lengths that are asked for, and how far apart in the input neighbours of the result stand."""
    axes = len(lengths)
    if size is not None:
        wanted = each(size, axes, "size")
        steps = [n / m for n, m in zip(lengths, wanted, strict=True)]
    else:
        factors = scale_factor if isinstance(scale_factor, (list, tuple)) else [scale_factor] * axes
        wanted = tuple(int(np.floor(n * plain(f))) for n, f in zip(lengths, factors, strict=True))
        steps = [1.0 / plain(f) for f in factors]
    return wanted, steps


@torch_function("interpolate", "upsample", f=True)
@takes_only(recompute_scale_factor=(None, False), antialias=(False,))
def interpolate(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: Any = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
    antialias: Any = False,
) -> Any:
    """The nearest number, or a mean of neighbours. Shapes: (N, C, *S) -> (N, C, *size)."""
    _check_mode(mode)
    check_resized(input, size, scale_factor)
    _check_corners(mode, align_corners)
    lengths = input.form.shape[2:]
    axes = len(lengths)
    wanted, steps = _lengths_and_steps(lengths, size, scale_factor)
    _check_axes(mode, axes)
    if mode == "area":
        means: Any = TORCH[f"{F}adaptive_avg_pool{axes}d"].function
        return means(input, wanted)
    if mode in LINEAR:
        ways = [_way(*one, bool(align_corners)) for one in zip(lengths, wanted, steps, strict=True)]
        return BETWEEN[axes](input, ways)
    places = [
        np.minimum((np.arange(m) * np.float32(step)).astype(np.int64), n - 1)
        for m, step, n in zip(wanted, steps, lengths, strict=True)
    ]
    return NEAREST[axes](input, places)


@composite("PixelShuffleBackward0", "input")
def _shuffle(input: Any, factor: int = 1) -> Any:
    *batch, c, h, w = input.form.shape
    n = len(batch)
    split = reshape(input, (*batch, c // factor**2, factor, factor, h, w))
    order = (*range(n), *(n + place for place in (0, 3, 1, 4, 2)))
    return reshape(permute(split, order), (*batch, c // factor**2, h * factor, w * factor))


@torch_function("pixel_shuffle", f=True)
def pixel_shuffle(input: Any, upscale_factor: Any) -> Any:
    """Channels become pixels. Shapes: (*B, C r r, H, W) -> (*B, C, H r, W r)."""
    factor = factor_of_pixels("pixel_shuffle", input, upscale_factor, "upscale_factor")
    channels = input.form.shape[-3]
    if channels % factor**2:
        raise torch_error(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
            f"upscale_factor, but input.size(-3)={channels} is not divisible by {factor**2}",
            f"通道数 {channels} 必须能被 {factor**2} 整除。",
            code="shape_mismatch",
        )
    return _shuffle(input, factor)


def factor_of_pixels(function: str, input: Any, given: Any, name: str) -> int:
    """By how much an image grows or shrinks. Raises: RuntimeError's messages of PyTorch."""
    factor, rank = int(plain(given)), input.form.ndim
    if rank < 3:
        raise torch_error(
            f"{function} expects input to have at least 3 dimensions, but got input with {rank} dimension(s)",
            f"{function} 的输入至少要有 3 个轴，但有 {rank} 个。",
            code="shape_mismatch",
        )
    if factor <= 0:
        raise torch_error(
            f"{function} expects a positive {name}, but got {factor}", f"{function} 的 {name} 必须是正数。"
        )
    return factor


@composite("Im2ColBackward0", "input")
def _as_columns(
    input: Any, around: Any = None, size: Any = None, stride: Any = None, dilation: Any = None
) -> Any:
    images = surrounded(input, around)
    n, c, *lengths = images.form.shape
    places, _ = places_of_windows(tuple(lengths), size, stride, dilation)
    return reshape(unfolded(images, places), (n, c * places.shape[0], -1))


@torch_function("unfold", f=True)
def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """Each window as a column. Shapes: (N, C, H, W) -> (N, C K L, windows)."""
    images, was_missing = batched(input, 2, "unfold")
    around = [(one, one) for one in each(padding, 2, "padding")]
    sizes = (each(kernel_size, 2), each(stride, 2, "stride"), each(dilation, 2, "dilation"))
    return unbatched(_as_columns(images, around, *sizes), was_missing)


@composite("Col2ImBackward0", "input")
def _from_columns(input: Any, whole: Any = None, padding: Any = None, places: Any = None) -> Any:
    n, rows, _ = input.form.shape
    columns = reshape(input, (n, rows // places.shape[0], *places.shape))
    return surrounded(folded(columns, places, whole), [(-one, -one) for one in padding])


@torch_function("fold", f=True)
def fold(
    input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Any:
    """Columns put back as windows, summed where they overlap. Shapes: (N, C K L, windows) -> (N, C, H, W)."""
    lengths, around = each(output_size, 2, "output_size"), each(padding, 2, "padding")
    whole = tuple(n + 2 * p for n, p in zip(lengths, around, strict=True))
    sizes = (each(kernel_size, 2), each(stride, 2, "stride"), each(dilation, 2, "dilation"))
    places, _ = places_of_windows(whole, *sizes)
    return _from_columns(input, whole, around, places)
