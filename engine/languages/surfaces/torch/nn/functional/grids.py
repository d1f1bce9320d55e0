"""Images looked at through a grid of places: `affine_grid` and `grid_sample`, of spatial transformers.

Source: Jaderberg et al. (2015), Spatial transformer networks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.dtypes import INT64
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.bounding import clamp
from engine.languages.surfaces.torch.functions.indexing import gather
from engine.languages.surfaces.torch.functions.matrices import matmul
from engine.languages.surfaces.torch.functions.shaping import expand, reshape, transpose
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, of_numbers
from engine.ops.base.tensors import Array

MODES = ("bilinear", "nearest")
AROUND = ("zeros", "border", "reflection")
FLAT = 4  # axes of a batch of pictures


def _line(count: int, corners: bool, dtype: Any) -> Array:
    """The places of so many pixels between -1 and 1. Shapes: () -> (count,)."""
    if count == 1:
        return np.zeros(1, dtype)
    line = np.linspace(-1, 1, count)
    return (line if corners else line * ((count - 1) / count)).astype(dtype)


@composite("AffineGridGeneratorBackward0", "theta")
def _affine(theta: Any, lengths: Any = None, corners: bool = False) -> Any:
    """Shapes: theta (N, 2, 3) -> (N, H, W, 2)."""
    n, _, h, w = lengths
    kind = theta.array.dtype
    y, x = np.meshgrid(_line(h, corners, kind), _line(w, corners, kind), indexing="ij")
    base = np.stack([x, y, np.ones_like(x)], -1).reshape(1, h * w, 3)
    places = matmul(expand(of_numbers(base), (n, h * w, 3)), transpose(theta, 1, 2))
    return reshape(places, (n, h, w, 2))


@torch_function("affine_grid", f=True)
def affine_grid(theta: Any, size: Any, align_corners: Any = None) -> Any:
    """Where each pixel lies before a linear map and a shift. Shapes: (N, 2, 3) -> (N, H, W, 2)."""
    lengths = tuple(int(one) for one in size)
    if len(lengths) != FLAT:
        raise not_here("affine_grid over volumes", "三维的 affine_grid")
    if theta.array.ndim != 3 or theta.array.shape[1:] != (2, 3):
        raise torch_error(
            "Expected a batch of 2D affine matrices of shape Nx2x3 for size "
            f"torch.Size({list(lengths)}). Got {to_repr(theta.shape)}.",
            f"theta 的形状应为 N×2×3，但得到 {list(theta.array.shape)}。",
            kind="ValueError",
            code="shape_mismatch",
        )
    return _affine(theta, lengths, bool(align_corners))


def _in_pixels(places: Any, length: int, corners: bool) -> Any:
    """From [-1, 1] to pixels."""
    if corners:
        return (places + 1) * ((length - 1) / 2)
    return ((places + 1) * length - 1) / 2


def _bounded(at: Any, length: int, around: str, corners: bool) -> Any:
    """Places beyond the image brought back into it, unless zeros stand there."""
    if around == "zeros":
        return at
    if around == "reflection":
        low, span = (0.0, length - 1.0) if corners else (-0.5, float(length))
        at = _reflected(at, low, span) if span else at * 0
    return clamp(at, 0, length - 1)


def _reflected(at: Any, low: float, span: float) -> Any:
    """Places folded back at both ends."""
    away = OPERATORS["abs"](at - low)
    turns = np.floor(away.array / span)
    rest = away - of_numbers((turns * span).astype(away.array.dtype))
    odd = of_numbers(turns % 2 == 1)
    return OPERATORS["where"](odd, span - rest, rest) + low


def _picked(input: Any, x: Array, y: Array) -> Any:
    """The pixels at whole places, zeros outside. Shapes: input (N, C, H, W), x, y (N, P) -> (N, C, P)."""
    n, c, h, w = input.array.shape
    inside = (x >= 0) & (x < w) & (y >= 0) & (y < h)
    places = (np.clip(y, 0, h - 1) * w + np.clip(x, 0, w - 1)).astype(INT64.name)
    wide = np.broadcast_to(places[:, None], (n, c, places.shape[1])).copy()
    found = gather(reshape(input, (n, c, h * w)), 2, of_numbers(wide))
    return found * of_numbers(inside[:, None].astype(input.array.dtype))


@composite("GridSampler2DBackward0", "input grid")
def _sampled(
    input: Any, grid: Any, mode: str = "bilinear", around: str = "zeros", corners: bool = False
) -> Any:
    """Shapes: input (N, C, H, W), grid (N, K, L, 2) -> (N, C, K, L)."""
    n, c, h, w = input.array.shape
    _, rows, columns, _ = grid.array.shape
    flat = reshape(grid, (n, rows * columns, 2))
    x = _bounded(_in_pixels(flat[:, :, 0], w, corners), w, around, corners)
    y = _bounded(_in_pixels(flat[:, :, 1], h, corners), h, around, corners)
    if mode == "nearest":
        found = _picked(input, np.rint(x.array), np.rint(y.array))
        return reshape(found, (n, c, rows, columns))
    left, top = np.floor(x.array), np.floor(y.array)
    right_share, low_share = x - of_numbers(left), y - of_numbers(top)
    total: Any = None
    for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
        share = (right_share if dx else 1 - right_share) * (low_share if dy else 1 - low_share)
        part = _picked(input, left + dx, top + dy) * OPERATORS["unsqueeze"](share, 1)
        total = part if total is None else total + part
    return reshape(total, (n, c, rows, columns))


@torch_function("grid_sample", f=True)
def grid_sample(
    input: Any, grid: Any, mode: Any = "bilinear", padding_mode: Any = "zeros", align_corners: Any = None
) -> Any:
    """The image at the places of a grid. Shapes: (N, C, H, W), (N, K, L, 2) -> (N, C, K, L)."""
    if mode not in MODES or padding_mode not in AROUND or input.array.ndim != FLAT:
        raise not_here(
            f"grid_sample(mode={mode!r}, padding_mode={padding_mode!r}) of {input.array.ndim} axes",
            f" grid_sample(mode={mode!r}, padding_mode={padding_mode!r})（{input.array.ndim} 个轴）",
            'Use mode="bilinear" on a batch of pictures.',
            '请对一批图片使用 mode="bilinear"。',
        )
    if grid.array.ndim != FLAT or grid.array.shape[0] != input.array.shape[0] or grid.array.shape[-1] != 2:
        raise torch_error(
            "grid_sampler(): expected grid to have size 2 in last dimension and the batch size of input, but "
            f"got input with sizes {list(input.array.shape)} and grid with sizes {list(grid.array.shape)}",
            f"grid 的形状应为 (N, H, W, 2)，但得到 {list(grid.array.shape)}。",
            code="shape_mismatch",
        )
    return _sampled(input, grid, mode, padding_mode, bool(align_corners))
