"""Functions of `jnp` of complex numbers, and `jnp.fft`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import is_complex
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.run import default_float
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.basics import convert, full_like, shape_of
from engine.languages.surfaces.jax.lax.numerics import complex_numbers as cn
from engine.languages.surfaces.jax.lax.numerics import fourier
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.numpy.ufuncs import as_array, named
from engine.languages.surfaces.left_out import takes_only

FFT: dict[str, Callable[..., Any]] = {}


def _is_complex(x: Any) -> bool:
    return is_complex(aval_of(x).dtype)


@named("real")
def real(x: Any, /) -> Any:
    """The real parts."""
    (x,) = check_arrays("real", [x])
    return cn.real_p(x) if _is_complex(x) else as_array(x)


@named("imag")
def imag(x: Any, /) -> Any:
    """The imaginary parts; zeros of real numbers."""
    (x,) = check_arrays("imag", [x])
    return cn.imag_p(x) if _is_complex(x) else full_like(x, 0)


@named("conj", "conjugate")
def conj(x: Any, /) -> Any:
    """The same numbers with the imaginary parts negated."""
    (x,) = check_arrays("conj", [x])
    return cn.conj(x) if _is_complex(x) else as_array(x)


@named("angle")
def angle(z: Any, deg: Any = False) -> Any:
    """The angles in the complex plane, in radians or in degrees."""
    (z,) = promote("angle", z, inexact=True)
    if not shape_of(z) and aval_of(z).is_float:
        z = convert(z, default_float())  # a number alone is widened, as in JAX
    return _angle(z, deg=bool(deg))


@library_jit(1, name="angle")
def _angle(z: Any, deg: bool) -> Any:
    found = cn.angle(z) if _is_complex(z) else JNP["arctan2"](full_like(z, 0), z)
    return JNP["rad2deg"](found) if deg else found


@named("isreal")
def isreal(x: Any, /) -> Any:
    """Where the imaginary parts are zero."""
    return JNP["equal"](imag(x), 0)


@named("iscomplex")
def iscomplex(x: Any, /) -> Any:
    """Where the imaginary parts are not zero."""
    return JNP["not_equal"](imag(x), 0)


@named("iscomplexobj")
def iscomplexobj(x: Any) -> bool:
    """Whether an array is of complex numbers."""
    return _is_complex(array(x))


# -- Fourier transforms ------------------------------------------------------------------------------


def _transform(kind: str, x: Any, counts: Sequence[Any] | None, axes: Sequence[int], norm: Any) -> Any:
    """A transform along axes, of so many elements each. Shapes: (*S) -> (*S), or half of the last axis."""
    last = list(range(-len(axes), 0))
    moved = JNP["moveaxis"](x, list(axes), last)
    lengths = list(shape_of(moved)[len(shape_of(moved)) - len(axes) :])
    if kind == "IRFFT":
        lengths[-1] = 2 * (lengths[-1] - 1)
    wanted = lengths if counts is None else [int(count) for count in counts]
    found = fourier.fft(_fitted(moved, wanted, kind), kind, tuple(wanted))
    return JNP["moveaxis"](_scaled(found, kind, wanted, norm), last, list(axes))


def _fitted(x: Any, wanted: Sequence[int], kind: str) -> Any:
    needed = [*wanted[:-1], wanted[-1] // 2 + 1] if kind == "IRFFT" else wanted
    kept = len(shape_of(x)) - len(needed)
    cut = x[(slice(None),) * kept + tuple(slice(count) for count in needed)]
    missing = [count - have for count, have in zip(needed, shape_of(cut)[kept:], strict=True)]
    return JNP["pad"](cut, [(0, 0)] * kept + [(0, count) for count in missing]) if any(missing) else cut


def _scaled(found: Any, kind: str, lengths: Sequence[int], norm: Any) -> Any:
    count = float(np.prod(lengths))
    forward = not kind.startswith("I")
    if norm == "ortho":
        return found * (1 / count**0.5 if forward else count**0.5)
    if norm == "forward":
        return found * (1 / count if forward else count)
    return found


def _of_one_axis(kind: str) -> Callable[..., Any]:
    @takes_only(norm=(None, "backward", "ortho", "forward"))
    def call(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
        (x,) = promote(kind.lower(), a, inexact=True)
        counts = None if n is None else (int(n),)
        return _transform(kind, x, counts, axes_of(x, axis)[:1], norm)

    return call


def _of_several(kind: str, usual: tuple[int, ...] | None) -> Callable[..., Any]:
    @takes_only(norm=(None, "backward", "ortho", "forward"))
    def call(a: Any, s: Any = None, axes: Any = usual, norm: Any = None) -> Any:
        (x,) = promote(kind.lower(), a, inexact=True)
        return _transform(kind, x, s, axes_of(x, axes), norm)

    return call


for _name in ("fft", "ifft", "rfft", "irfft"):
    FFT[_name] = _of_one_axis(_name.upper())
    FFT[f"{_name}2"] = _of_several(_name.upper(), (-2, -1))
    FFT[f"{_name}n"] = _of_several(_name.upper(), None)


REVERSED = {"backward": "forward", "forward": "backward", None: "forward", "ortho": "ortho"}


@takes_only(norm=(None, "backward", "ortho", "forward"))
def hfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """The real spectrum of a signal that is Hermitian: half of it is given."""
    found: Any = FFT["irfft"](conj(a), n, axis, REVERSED[norm])
    return found


@takes_only(norm=(None, "backward", "ortho", "forward"))
def ihfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """Half of the signal whose spectrum is real."""
    return conj(FFT["rfft"](a, n, axis, REVERSED[norm]))


def fftfreq(n: Any, d: Any = 1.0, *, dtype: Any = None) -> Any:
    """The frequencies of the places of a transform of n elements."""
    return array(np.fft.fftfreq(int(n), d), dtype=dtype or default_float())


def rfftfreq(n: Any, d: Any = 1.0, *, dtype: Any = None) -> Any:
    """The same of a transform of real numbers."""
    return array(np.fft.rfftfreq(int(n), d), dtype=dtype or default_float())


def _shifted(x: Any, axes: Any, back: bool) -> Any:
    x = array(x)
    places = axes_of(x, axes)
    by = [-(shape_of(x)[axis] // 2) if back else shape_of(x)[axis] // 2 for axis in places]
    return JNP["roll"](x, tuple(by), tuple(places))


FFT.update(
    hfft=hfft,
    ihfft=ihfft,
    fftfreq=fftfreq,
    rfftfreq=rfftfreq,
    fftshift=lambda x, axes=None: _shifted(x, axes, back=False),
    ifftshift=lambda x, axes=None: _shifted(x, axes, back=True),
)
