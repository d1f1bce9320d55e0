"""Eigenvalues of any square matrix, and the roots of a polynomial, which are some."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.basics import convert, shape_of
from engine.languages.surfaces.jax.lax.eigenvalues import eig_p
from engine.languages.surfaces.jax.numpy import linalg
from engine.languages.surfaces.jax.numpy.further.elements import concrete
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.promotion import promote
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.numpy.ufuncs import named

EIG = RecordKind("EigResult", ("eigenvalues", "eigenvectors"))


def eig(a: Any) -> Any:
    """Eigenvalues and, as columns, eigenvectors: complex numbers. Shapes: (n, n) -> (n,), (n, n)."""
    return Record(EIG, eig_p(linalg.square_matrix("eig", a), vectors=True))


def eigvals(a: Any) -> Any:
    """Eigenvalues: complex numbers. Shapes: (n, n) -> (n,)."""
    return eig_p(linalg.square_matrix("eigvals", a), vectors=False)[0]


LINALG = {"eig": eig, "eigvals": eigvals}


@named("roots")
def roots(p: Any, *, strip_zeros: Any = True) -> Any:
    """The roots of a polynomial, its coefficients from the highest power on. Shapes: (n,) -> (n - 1,)."""
    (p,) = promote("roots", array(p), inexact=True)
    if not strip_zeros:
        return _companion_roots(p)
    held = concrete(p, "roots")
    places = np.flatnonzero(held)
    if not len(places):
        return JNP["zeros"](0, aval_of(eigvals(JNP["eye"](1, dtype=aval_of(p).dtype))).dtype)
    found = _companion_roots(p[int(places[0]) : int(places[-1]) + 1])
    at_zero = len(held) - 1 - int(places[-1])
    return JNP["hstack"]([found, JNP["zeros"](at_zero, aval_of(found).dtype)]) if at_zero else found


def _companion_roots(p: Any) -> Any:
    """The eigenvalues of the matrix whose characteristic polynomial it is."""
    count = shape_of(p)[0] - 1
    if count < 1:
        return convert(JNP["zeros"](0), "complex64")
    below = JNP["diag"](JNP["ones"](count - 1, aval_of(p).dtype), -1)
    return eigvals(JNP["vstack"]([-p[1:] / p[0], below[1:]]))
