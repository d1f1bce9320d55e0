"""`torch.fft`: discrete Fourier transforms along axes, and their inverses.

X_k = Σ_j x_j e^(-2πi jk/n)        x_j = 1/n Σ_k X_k e^(2πi jk/n)
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod, sqrt
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.autograd.function import differentiable
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.complex_numbers.parts import real
from engine.languages.surfaces.torch.functions.operands import as_floats, axis_of
from engine.languages.surfaces.torch.functions.shaping import to
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers
from engine.ops.linear_algebra.fourier import fft as fft_op
from engine.ops.linear_algebra.fourier import ifft as ifft_op

# -- complex numbers to complex numbers ------------------------------------------------------------------


@differentiable("FftC2CBackward0", saves="dim forward normalization")
def _c2c(self: Any, dim: Any, forward: Any, normalization: Any) -> Any:
    for axis in dim:
        self = _along(self, axis, fft_op if forward else ifft_op)
    scale = _scale([self.form.shape[axis] for axis in dim], forward, normalization)
    return self if scale == 1 else ops.mul(self, np.asarray(scale, dtype=self.dtype))


def _along(value: Any, axis: int, transform: Any) -> Any:
    """A transform of the last axis, of another one."""
    last = len(value.form.shape) - 1
    if axis == last:
        return transform(value)
    order = list(range(last + 1))
    order[axis], order[last] = last, axis
    return ops.transpose(transform(ops.transpose(value, order)), order)


def _scale(lengths: Iterable[int], forward: bool, normalization: str) -> float:
    """What a transform is multiplied by, where the inverse one has 1/n already."""
    count = prod(lengths)
    wanted: float = {"none": 1.0, "ortho": 1 / sqrt(count), "all": 1 / count}[normalization]
    return wanted if forward else wanted * count


@_c2c.backward
def _c2c_backward(saved: Any, grad: Any) -> Any:
    """The transform's conjugate transpose: the sums the other way round, multiplied by the same number."""
    return _c2c(grad, saved.dim, not saved.forward, saved.normalization)


_c2c.is_analytic = False
DIRECTIONS = {None: ("none", "all"), "backward": ("none", "all"), "forward": ("all", "none")}
DIRECTIONS["ortho"] = ("ortho", "ortho")


def _normalization(norm: Any, forward: bool) -> str:
    if norm not in DIRECTIONS:
        raise torch_error(f'Invalid normalization mode: "{norm}"', f"没有 norm={norm!r} 这种归一化。")
    return DIRECTIONS[norm][0 if forward else 1]


# -- real numbers, of which half of the frequencies say all ------------------------------------------------


@composite("FftR2CBackward0", "self", "dim normalization onesided")
def _r2c(self: Any, dim: Any, normalization: Any, onesided: Any) -> Any:
    found = _c2c(to(self, self.dtype.with_parts), dim, True, normalization)
    return OPERATORS["narrow"](found, dim[-1], 0, self.shape[dim[-1]] // 2 + 1) if onesided else found


@composite("FftC2RBackward0", "self", "dim normalization last_dim_size")
def _c2r(self: Any, dim: Any, normalization: Any, last_dim_size: Any) -> Any:
    """Half of the frequencies stand for the others, their conjugates: Re Σ w X e^…, w = 1, 2, …, 2 (, 1)."""
    n, last = last_dim_size, dim[-1]
    half = n // 2 + 1
    weights = np.full(half, 2.0)
    weights[0] = 1
    weights[n // 2] = 1 if n % 2 == 0 else weights[n // 2]
    shape = [half if axis == last else 1 for axis in range(self.form.ndim)]
    weighted = self * of_numbers(weights.reshape(shape).astype(self.dtype.of_parts.name))
    return real(_c2c(_resized(weighted, last, n), dim, False, normalization))


def _resized(tensor: Tensor, axis: int, length: int) -> Any:
    """An axis of another length: cut off, or with zeros behind."""
    present = tensor.shape[axis]
    if length <= present:
        return tensor if length == present else OPERATORS["narrow"](tensor, axis, 0, length)
    shape = list(tensor.shape)
    shape[axis] = length - present
    zeros = of_numbers(np.zeros(shape, dtype=tensor.dtype.held_as))
    return OPERATORS["cat"]([tensor, zeros], axis)


# -- what programs call ----------------------------------------------------------------------------------


def _axes(input: Any, s: Any, dim: Any) -> list[int]:
    """The axes to transform: those named, else the last ones for which lengths are given, else all."""
    rank = input.form.ndim
    if dim is None:
        dim = range(rank) if s is None else range(-len(s), 0)
    listed = list(dim) if isinstance(dim, (list, tuple, range)) else [dim]
    return [axis_of(axis, rank) for axis in listed]


def _sized(input: Any, axes: Any, s: Any) -> Any:
    lengths = [input.shape[axis] for axis in axes] if s is None else list(s)
    for axis, length in zip(axes, lengths, strict=True):
        if length < 1 and length != -1:
            raise torch_error(
                f"Invalid number of data points ({length}) specified", f"数据点的个数 {length} 无效。"
            )
        input = input if length == -1 else _resized(input, axis, length)
    return input


def _forward(input: Any, s: Any, dim: Any, norm: Any) -> Any:
    axes, normalization = _axes(input, s, dim), _normalization(norm, True)
    input = _sized(as_floats(input), axes, s)
    if input.dtype.is_complex:
        return _c2c(input, axes, True, normalization)
    return _r2c(input, dim=axes, normalization=normalization, onesided=False)


def _inverse(input: Any, s: Any, dim: Any, norm: Any) -> Any:
    axes, normalization = _axes(input, s, dim), _normalization(norm, False)
    input = as_floats(input)
    input = _sized(to(input, input.dtype.with_parts), axes, s)
    return _c2c(input, axes, False, normalization)


def _half(input: Any, s: Any, dim: Any, norm: Any) -> Any:
    axes = _axes(input, s, dim)
    if input.dtype.is_complex:
        raise torch_error(
            f"rfft expects a real input tensor, but got {input.dtype.scalar_name}",
            "rfft 只适用于实数张量。",
            kind="TypeError",
        )
    input = _sized(as_floats(input), axes, s)
    return _r2c(input, dim=axes, normalization=_normalization(norm, True), onesided=True)


def _from_half(input: Any, s: Any, dim: Any, norm: Any) -> Any:
    axes = _axes(input, s, dim)
    last = 2 * (input.shape[axes[-1]] - 1) if s is None or s[-1] == -1 else s[-1]
    if last < 1:
        raise torch_error(f"Invalid number of data points ({last}) specified", f"数据点的个数 {last} 无效。")
    lengths = [-1] * len(axes) if s is None else list(s)
    input = as_floats(input)
    input = _sized(to(input, input.dtype.with_parts), axes, [*lengths[:-1], last // 2 + 1])
    return _c2r(input, dim=axes, normalization=_normalization(norm, False), last_dim_size=last)


def _enter(name: str, transform: Any) -> None:
    """Its forms of one axis, of two, and of any number."""

    def of_one(input: Any, n: Any = None, dim: Any = -1, norm: Any = None, *, out: Any = None) -> Any:
        return transform(input, None if n is None else [n], [dim], norm)

    def of_two(input: Any, s: Any = None, dim: Any = (-2, -1), norm: Any = None, *, out: Any = None) -> Any:
        return transform(input, s, dim, norm)

    def of_many(input: Any, s: Any = None, dim: Any = None, norm: Any = None, *, out: Any = None) -> Any:
        return transform(input, s, dim, norm)

    for suffix, call in (("", of_one), ("2", of_two), ("n", of_many)):
        call.__doc__ = f"`torch.fft.{name}{suffix}`."
        torch_function(f"fft.{name}{suffix}")(call)


_enter("fft", _forward)
_enter("ifft", _inverse)
_enter("rfft", _half)
_enter("irfft", _from_half)
