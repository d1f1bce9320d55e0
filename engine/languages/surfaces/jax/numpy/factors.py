"""`jax.scipy.linalg`: triangular systems, and those of a matrix whose Cholesky factor is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import matrices as ma
from engine.languages.surfaces.jax.lax.basics import convert, expand_dims, reshape, shape_of
from engine.languages.surfaces.jax.numpy import linalg
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote_types
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP

TRANSPOSED = {0: False, "N": False, 1: True, "T": True, 2: True, "C": True}  # of real matrices C is T


def cholesky(a: Any, lower: Any = False, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """The triangle whose product with its transpose is the matrix: the upper one, unless lower."""
    factor = linalg.cholesky(a)
    return factor if lower else ma.swapped_axes(factor)


def cho_factor(
    a: Any, lower: Any = False, overwrite_a: Any = False, check_finite: Any = True
) -> tuple[Any, bool]:
    """The Cholesky factor, and whether it is the lower one, for `cho_solve`."""
    return cholesky(a, lower), bool(lower)


def cho_solve(c_and_lower: Any, b: Any, overwrite_b: Any = False, check_finite: Any = True) -> Any:
    """The solution of a x = b by two triangular systems."""
    c, lower = c_and_lower
    first = solve_triangular(c, b, trans=0 if lower else 1, lower=lower)
    return solve_triangular(c, first, trans=1 if lower else 0, lower=lower)


def solve_triangular(
    a: Any,
    b: Any,
    trans: Any = 0,
    lower: Any = False,
    unit_diagonal: Any = False,
    overwrite_b: Any = False,
    debug: Any = None,
    check_finite: Any = True,
) -> Any:
    """The solution of a x = b; of a only one triangle counts. Raises: ValueError where a is not square."""
    x, y = promote_types(check_arrays("solve_triangular", [a, b]), inexact=True)
    shape = shape_of(x)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise value_error(
            f"The first argument must be a square matrix, got shape {shape}.",
            f"第一个参数必须是方阵，但形状是 {shape}。",
        )
    half = JNP["tril"](x) if lower else JNP["triu"](x)
    if unit_diagonal:
        unit = JNP["eye"](shape[-1], dtype="bool")
        half = JNP["where"](unit, convert(unit, aval_of(x).dtype), half)
    half = ma.swapped_axes(half) if TRANSPOSED[trans] else half
    if len(shape_of(y)) == 1:
        return reshape(ma.solve_p(half, expand_dims(y, (1,))), shape_of(y))
    return ma.solve_p(half, y)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: linalg.FUNCTIONS[name] for name in ("solve", "inv", "det", "eigh", "svd", "qr")},
    "expm": linalg.expm,
    "cholesky": cholesky,
    "cho_factor": cho_factor,
    "cho_solve": cho_solve,
    "solve_triangular": solve_triangular,
}
