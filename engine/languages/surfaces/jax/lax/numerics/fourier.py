"""Discrete Fourier transforms of the last axes, with their derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval, is_complex
from engine.languages.surfaces.jax.core.batching import move_axis
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.tangents import is_zero, linear
from engine.languages.surfaces.jax.core.values import Zero, aval_of, typed
from engine.languages.surfaces.jax.lax.arithmetic import div, mul
from engine.languages.surfaces.jax.lax.basics import broadcast_in_dim, convert, full, like, shape_of
from engine.languages.surfaces.jax.lax.dynamic_slices import dynamic_update_slice_p
from engine.languages.surfaces.jax.lax.numerics.complex_numbers import conj


class Transform(int):
    """Which transform it is; written as its number."""


NAMES = ("FFT", "IFFT", "RFFT", "IRFFT")
fft_p = Primitive("fft")
KINDS: dict[str, Any] = {
    "FFT": np.fft.fftn,
    "IFFT": np.fft.ifftn,
    "RFFT": np.fft.rfftn,
    "IRFFT": np.fft.irfftn,
}


def _fft(x: Any, fft_lengths: tuple[int, ...], fft_type: int) -> Any:
    axes = tuple(range(x.ndim - len(fft_lengths), x.ndim))
    return KINDS[NAMES[fft_type]](x, fft_lengths, axes)


def _fft_type(x: Aval, fft_lengths: tuple[int, ...], fft_type: int) -> Aval:
    name = NAMES[fft_type]
    if name != "RFFT" and not is_complex(x.dtype):
        raise type_error(f"{name} does not accept {x.dtype}.", f"{name} 不接受 {x.dtype}。")
    wide = x.dtype in ("float64", "complex128")
    kept, last = x.shape[: -len(fft_lengths)], fft_lengths[-1]
    if name == "IRFFT":
        return Aval((*kept, *fft_lengths), "float64" if wide else "float32")
    last = last // 2 + 1 if name == "RFFT" else last
    return Aval((*kept, *fft_lengths[:-1], last), "complex128" if wide else "complex64")


def _fft_work(avals: Any, types: Any, parameters: Any) -> int:
    count = max(avals[0].size, types[0].size, 1)
    return int(count * (5 + 5 * np.log2(count)))


fft_p.compute, fft_p.types, fft_p.work = _fft, _fft_type, _fft_work


def _fft_batch(size: int, values: Any, axes: Any, **parameters: Any) -> tuple[Any, int]:
    """The transforms of all examples: the axes that are transformed stay the last ones."""
    return fft_p(move_axis(values[0], axes[0], 0), **parameters), 0


fft_p.batch = _fft_batch


@library_jit(1, name="fft")
def _fft_jitted(x: Any, kind: str, lengths: tuple[int, ...]) -> Any:
    if kind != "RFFT" and not is_complex(aval_of(x).dtype):
        x = convert(x, "complex128" if aval_of(x).dtype == "float64" else "complex64")
    return fft_p(x, fft_lengths=lengths, fft_type=Transform(NAMES.index(kind)))


def fft(x: Any, kind: str, lengths: tuple[int, ...]) -> Any:
    """A transform of the last axes of these lengths. kind: one of NAMES."""
    return _fft_jitted(x, kind=kind, lengths=lengths)


# -- derivatives -------------------------------------------------------------------------------------


def _counted_twice(lengths: tuple[int, ...], dtype: str, count: int) -> Any:
    """How often each term of half a spectrum stands in the whole: once at its ends, else twice."""
    mask = full((count,), 2.0, dtype)
    ends = (0, count - 1) if lengths[-1] % 2 == 0 else (0,)
    for place in ends:
        mask = dynamic_update_slice_p(mask, full((1,), 1.0, dtype), typed(place, default_int()))
    return mask


@library_jit(1, name="_rfft_transpose")
def _rfft_transpose(ct: Any, lengths: tuple[int, ...]) -> Any:
    """The real part of the whole inverse transform, by half of the spectrum."""
    shape = shape_of(ct)
    scale = float(np.prod(lengths))
    mask = _counted_twice(lengths, aval_of(ct).dtype, shape[-1])
    mask = mask if len(shape) == 1 else broadcast_in_dim(mask, shape, (len(shape) - 1,))
    out = fft(div(conj(ct), mask), "IRFFT", lengths)
    return mul(like(out, scale), out)


def _irfft_transpose(ct: Any, lengths: tuple[int, ...]) -> Any:
    found = fft(ct, "RFFT", lengths)
    dtype, shape = aval_of(found).dtype, shape_of(found)
    mask = _counted_twice(lengths, dtype, shape[-1])
    mask = mask if len(shape) == 1 else broadcast_in_dim(mask, shape, (len(shape) - 1,))
    mask = mul(like(mask, 1 / float(np.prod(lengths))), mask)
    return conj(mul(mask, found))


def _fft_transpose(ct: Any, x: Any, fft_lengths: tuple[int, ...], fft_type: int) -> list[Any]:
    if is_zero(ct):
        return [Zero(x.aval)]
    name = NAMES[fft_type]
    if name == "RFFT":
        return [_rfft_transpose(ct, lengths=fft_lengths)]
    if name == "IRFFT":
        return [_irfft_transpose(ct, fft_lengths)]
    return [fft(ct, name, fft_lengths)]


linear(fft_p, _fft_transpose)
