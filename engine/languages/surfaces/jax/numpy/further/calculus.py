"""Functions of `jnp` of numerical analysis: differences, polynomials, windows, histograms of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.core.run import default_float, default_int
from engine.languages.surfaces.jax.core.values import aval_of, constant
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.further.elements import concrete
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.promotion import promote, promote_types
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.numpy.ufuncs import named
from engine.languages.surfaces.left_out import takes_only


def _value(x: Any) -> Any:
    return array(x) if isinstance(x, (list, tuple, np.ndarray)) else constant(x)


# -- gradient ----------------------------------------------------------------------------------------


@named("gradient")
@takes_only(edge_order=(None, 1))
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = None) -> Any:
    """Slopes by central differences, by one-sided ones at the ends."""
    (x,) = promote("gradient", _value(f), inexact=True)
    ndim = len(shape_of(x))
    every = tuple(range(ndim)) if axis is None else axis
    axes = [int(one) % ndim for one in (every if isinstance(every, (tuple, list)) else (every,))]
    spacings = list(varargs) if len(varargs) == len(axes) else [varargs[0] if varargs else 1.0] * len(axes)
    found = [_slopes(x, spacing, place) for spacing, place in zip(spacings, axes, strict=True)]
    return found[0] if len(found) == 1 else found


def _slopes(x: Any, spacing: Any, axis: int) -> Any:
    rows = JNP["moveaxis"](x, axis, 0)
    h = _value(spacing)
    if not shape_of(h):
        inner = (rows[2:] - rows[:-2]) * 0.5 / h
        first, last = (rows[1:2] - rows[0:1]) / h, (rows[-1:] - rows[-2:-1]) / h
    else:
        steps = JNP["reshape"](JNP["diff"](h), (-1, *(1 for _ in shape_of(rows)[1:])))
        before, behind = steps[:-1], steps[1:]
        a = -behind / (before * (before + behind))
        b = (behind - before) / (before * behind)
        c = before / (behind * (before + behind))
        inner = a * rows[:-2] + b * rows[1:-1] + c * rows[2:]
        first, last = (rows[1:2] - rows[0:1]) / steps[:1], (rows[-1:] - rows[-2:-1]) / steps[-1:]
    return JNP["moveaxis"](JNP["concatenate"]([first, inner, last], 0), 0, axis)


# -- polynomials, their coefficients from the highest power on ---------------------------------------


def _same_length(a1: Any, a2: Any) -> list[Any]:
    x, y = promote_types([_value(a1), _value(a2)])
    most = max(shape_of(x)[0], shape_of(y)[0])
    return [JNP["pad"](one, (most - shape_of(one)[0], 0)) for one in (x, y)]


@named("polyadd")
def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of two polynomials."""
    return JNP["add"](*_same_length(a1, a2))


@named("polysub")
def polysub(a1: Any, a2: Any) -> Any:
    """Their difference."""
    return JNP["subtract"](*_same_length(a1, a2))


@named("polymul")
@takes_only(trim_leading_zeros=(False,))
def polymul(a1: Any, a2: Any, *, trim_leading_zeros: Any = False) -> Any:
    """Their product."""
    x, y = promote("polymul", _value(a1), _value(a2), inexact=True)
    return JNP["convolve"](x, y, "full")


@named("polydiv")
@takes_only(trim_leading_zeros=(False,))
def polydiv(u: Any, v: Any, *, trim_leading_zeros: Any = False) -> tuple[Any, Any]:
    """Quotient and remainder of polynomials, by long division; the remainder is as long as u."""
    rest, by = promote("polydiv", _value(u), _value(v), inexact=True)
    length = shape_of(by)[0]
    found = []
    for place in range(shape_of(rest)[0] - length + 1):
        share = getitem(rest, place) / getitem(by, 0)
        found.append(share)
        rest = JNP["concatenate"](
            [
                getitem(rest, slice(place)),
                getitem(rest, slice(place, place + length)) - share * by,
                getitem(rest, slice(place + length, None)),
            ]
        )
    return (JNP["stack"](found) if found else rest[:0]), rest


@named("polyder")
def polyder(p: Any, m: Any = 1) -> Any:
    """The derivative of a polynomial."""
    (p,) = promote("polyder", _value(p), inexact=True)
    for _ in range(int(m)):
        degree = shape_of(p)[0] - 1
        p = getitem(p, slice(0, degree)) * np.arange(degree, 0, -1).astype(aval_of(p).dtype)
    return p


@named("polyint")
def polyint(p: Any, m: Any = 1, k: Any = None) -> Any:
    """The antiderivative of a polynomial, with these constants."""
    (p,) = promote("polyint", _value(p), inexact=True)
    given = [0] * int(m) if k is None else list(np.broadcast_to(concrete(k, "polyint"), (int(m),)))
    for one in given:
        count = shape_of(p)[0]
        p = JNP["append"](p / np.arange(count, 0, -1).astype(aval_of(p).dtype), float(one))
    return p


@named("poly")
def poly(seq_of_zeros: Any) -> Any:
    """The polynomial with these roots."""
    (roots,) = promote("poly", _value(seq_of_zeros), inexact=True)
    found = JNP["ones"](1, aval_of(roots).dtype)
    for i in range(shape_of(roots)[0]):
        found = JNP["convolve"](found, JNP["stack"]([JNP["ones_like"](roots[i]), -roots[i]]), "full")
    return found


# -- windows -----------------------------------------------------------------------------------------


def _window(name: str, make: Any) -> None:
    def window(M: Any) -> Any:  # numpy's name
        return array(make(int(M)), dtype=default_float())

    window.__name__ = name
    window.__doc__ = f"The {name} window of so many numbers."
    named(name)(window)


for _name, _made in {
    "hanning": np.hanning,
    "hamming": np.hamming,
    "blackman": np.blackman,
    "bartlett": np.bartlett,
}.items():
    _window(_name, _made)


@named("kaiser")
def kaiser(M: Any, beta: Any) -> Any:  # numpy's name
    """Kaiser's window of so many numbers."""
    return array(np.kaiser(int(M), float(beta)), dtype=default_float())


@named("correlate")
def correlate(a: Any, v: Any, mode: Any = "valid", *, precision: Any = None) -> Any:
    """Sums of products of one row with the other, moved along it."""
    x, w = promote_types([_value(a), _value(v)])
    if shape_of(x)[0] < shape_of(w)[0]:
        return JNP["flip"](JNP["convolve"](JNP["flip"](x), JNP["conj"](w), mode))
    return JNP["convolve"](x, JNP["flip"](JNP["conj"](w)), mode)


# -- of functions ------------------------------------------------------------------------------------


@named("fromfunction")
def fromfunction(
    interpreter: Interpreter, function: Any, shape: Any, *, dtype: Any = "float32", **kwargs: Any
) -> Any:
    """A function of the coordinates of each place."""
    grids = JNP["indices"](lengths(shape), dtype=dtype_of(dtype))
    parts = [getitem(grids, i) for i in range(len(lengths(shape)))]
    return interpreter.call(function, parts, kwargs)


@named("apply_over_axes")
def apply_over_axes(interpreter: Interpreter, func: Any, a: Any, axes: Any) -> Any:
    """A function of an array along one axis after the other."""
    x = _value(a)
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        found = interpreter.call(func, [x], {"axis": axis})
        x = JNP["expand_dims"](found, axis) if len(shape_of(found)) < len(shape_of(x)) else found
    return x


@named("histogram2d")
@takes_only(weights=(None,), density=(None, False))
def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: Any = None
) -> Any:
    """How many points fall into each cell of a grid, and the edges along both axes."""
    spans = (None, None) if range is None else range
    counts = tuple(bins) if isinstance(bins, (tuple, list)) else (bins, bins)
    values = [concrete(one, "histogram2d") for one in (x, y)]
    edges = [
        JNP["histogram_bin_edges"](one, count, span)
        for one, count, span in zip(values, counts, spans, strict=True)
    ]
    cells: Any = np.histogram2d  # its overloads do not take these lists
    found, *_ = cells(*values, bins=[concrete(one, "histogram2d") for one in edges])
    return (array(found.astype(default_int())), *edges)


@named("vecmat")
def vecmat(x1: Any, x2: Any, /) -> Any:
    """A row times matrices."""
    return JNP["einsum"]("...n,...nm->...m", x1, x2)


@named("matvec")
def matvec(x1: Any, x2: Any, /) -> Any:
    """Matrices times a column."""
    return JNP["einsum"]("...mn,...n->...m", x1, x2)
