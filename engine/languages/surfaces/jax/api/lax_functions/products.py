"""Products of vectors and matrices: `lax.dot`, `lax.dot_general`."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.api.calling import as_value
from engine.languages.surfaces.jax.api.lax_functions.table import named
from engine.languages.surfaces.jax.api.refusing import lax as check
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import basics as ba
from engine.languages.surfaces.jax.lax.products import dot_general


@named("dot")
def dot(lhs: Any, rhs: Any, **_: Any) -> Any:
    """The product of vectors and matrices."""
    x, y = as_value(lhs), as_value(rhs)
    check.check_dot(x, y)
    axes = ((len(ba.shape_of(x)) - 1,), (0,))
    return dot_general(x, y, (axes, ((), ())), None, aval_of(x).dtype)


@named("batch_matmul")
def batch_matmul(lhs: Any, rhs: Any, **_: Any) -> Any:
    """The products of matrices, pair by pair."""
    x, y = as_value(lhs), as_value(rhs)
    last = len(ba.shape_of(x)) - 1
    batch = tuple(range(last - 1))
    return dot_general(x, y, (((last,), (last - 1,)), (batch, batch)), None, aval_of(x).dtype)


@named("dot_general")
def dot_general_(lhs: Any, rhs: Any, dimension_numbers: Any, **_: Any) -> Any:
    """Sums of products along some axes."""
    (xc, yc), (xb, yb) = dimension_numbers
    axes = tuple(tuple(int(i) for i in one) for one in (xc, yc, xb, yb))
    x, y = as_value(lhs), as_value(rhs)
    return dot_general(x, y, ((axes[0], axes[1]), (axes[2], axes[3])), None, aval_of(x).dtype)
