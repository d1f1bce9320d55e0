"""What primitives compute of complex numbers: values only, without derivatives.

A primitive without an entry is refused (core/primitive.py), so that no imaginary part is lost in silence.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval, is_complex
from engine.languages.surfaces.jax.core.batching import move_axis
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.primitive import IN_COMPLEX, Primitive
from engine.languages.surfaces.jax.lax.arithmetic import atan2
from engine.languages.surfaces.jax.lax.basics import unary
from engine.languages.surfaces.jax.lax.elementwise import abs_p

AS_THEY_ARE = """
    add sub mul div neg eq ne square integer_pow add_any select_n convert_element_type stop_gradient copy
    broadcast_in_dim reshape squeeze transpose rev concatenate split stack unstack slice tile pad gather
    dynamic_slice dynamic_update_slice reduce_sum reduce_prod cumsum dot_general abs real imag conj fft
    scatter jit while cond scan empty2
"""
IN_COMPLEX.update(dict.fromkeys(AS_THEY_ARE.split()))
IN_COMPLEX.update(div=np.divide, exp=np.exp, log=np.log, sin=np.sin, cos=np.cos, sqrt=np.sqrt, tanh=np.tanh)


def _part_type(dtype: str) -> str:
    """The type of the two parts of complex numbers, or of the absolute value of any."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def _part(name: str, compute: Any) -> Primitive:
    primitive = unary(name, compute)
    primitive.types = lambda x, **_: Aval(x.shape, _part_type(x.dtype), x.weak)
    return primitive


real_p, imag_p = _part("real", np.real), _part("imag", np.imag)
conj_p = unary("conj", np.conj)
abs_p.types = lambda x, **_: Aval(x.shape, _part_type(x.dtype), x.weak)


def angle(z: Any) -> Any:
    """The angle of complex numbers, in radians. Shapes: (*S) -> (*S)."""
    return atan2(imag_p(z), real_p(z))


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
