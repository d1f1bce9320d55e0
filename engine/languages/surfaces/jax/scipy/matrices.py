"""`jax.scipy.linalg`: matrices of a known form, and eigenvalues with the arguments of scipy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.run import default_float
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy import linalg
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.left_out import takes_only

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def block_diag(*arrs: Any) -> Any:
    """Matrices along the diagonal, zeros elsewhere."""
    parts = [JNP["atleast_2d"](array(one)) for one in arrs]
    width, rows, before = sum(shape_of(x)[1] for x in parts), [], 0
    for x in parts:
        columns = shape_of(x)[1]
        rows.append(JNP["pad"](x, ((0, 0), (before, width - before - columns))))
        before += columns
    return JNP["concatenate"](rows, 0)


def toeplitz(c: Any, r: Any = None) -> Any:
    """A matrix whose diagonals are constant: its first column, and its first row."""
    column = JNP["ravel"](array(c))
    row = column if r is None else JNP["ravel"](array(r))
    n, m = shape_of(column)[0], shape_of(row)[0]
    every = JNP["concatenate"]([JNP["flip"](column), row[1:]])
    return JNP["take"](every, np.arange(m)[None, :] - np.arange(n)[:, None] + n - 1, 0)


def hilbert(n: Any) -> Any:
    """1 / (i + j + 1)."""
    places = np.arange(int(n), dtype="float64")
    return JNP["true_divide"](
        1.0, JNP["asarray"](places[:, None] + places[None, :] + 1, dtype=default_float())
    )


@takes_only(b=(None,), eigvals=(None,), type=(1,), turbo=(True,))
def eigh(
    a: Any,
    b: Any = None,
    lower: Any = True,
    eigvals_only: Any = False,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    turbo: Any = True,
    eigvals: Any = None,
    type: Any = 1,
    check_finite: Any = True,
) -> Any:
    """Eigenvalues of a symmetric matrix, and the eigenvectors as columns."""
    if eigvals_only:
        return linalg.FUNCTIONS["eigvalsh"](a)
    return tuple(linalg.FUNCTIONS["eigh"](a))


@takes_only(assume_a=("gen", "sym", "her", "pos"))
def solve(
    a: Any,
    b: Any,
    lower: Any = False,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    debug: Any = False,
    check_finite: Any = True,
    assume_a: Any = "gen",
) -> Any:
    """The solution of a x = b; of a symmetric matrix ("pos", "sym") one triangle counts."""
    if assume_a == "gen":
        return linalg.FUNCTIONS["solve"](a, b)
    half = JNP["tril"](a) if lower else JNP["triu"](a)
    rest = JNP["tril"](a, -1) if lower else JNP["triu"](a, 1)
    return linalg.FUNCTIONS["solve"](JNP["add"](half, JNP["transpose"](rest)), b)


@takes_only(mode=("full", "r", "economic"), pivoting=(False,), lwork=(None,))
def qr(
    a: Any,
    overwrite_a: Any = False,
    lwork: Any = None,
    mode: Any = "full",
    pivoting: Any = False,
    check_finite: Any = True,
) -> Any:
    """Q and R of scipy: whole, R alone, or as many columns of Q as there are rows of R."""
    if mode == "r":
        return (linalg.FUNCTIONS["qr"](a, "r"),)
    return tuple(linalg.FUNCTIONS["qr"](a, "complete" if mode == "full" else "reduced"))


@takes_only(lapack_driver=("gesdd", "gesvd"))
def svd(
    a: Any,
    full_matrices: Any = True,
    compute_uv: Any = True,
    overwrite_a: Any = False,
    check_finite: Any = True,
    lapack_driver: Any = "gesdd",
) -> Any:
    """Singular values and vectors."""
    found = linalg.FUNCTIONS["svd"](a, full_matrices, compute_uv)
    return tuple(found) if compute_uv else found


def inv(a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """The inverse of a matrix."""
    return linalg.FUNCTIONS["inv"](a)


def det(a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """The determinant."""
    return linalg.FUNCTIONS["det"](a)


FUNCTIONS.update({"qr": qr, "svd": svd, "inv": inv, "det": det})
FUNCTIONS.update(
    {"block_diag": block_diag, "toeplitz": toeplitz, "hilbert": hilbert, "eigh": eigh, "solve": solve}
)
