"""The triangles of matrices: `jnp.tril`, `jnp.triu`."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.lax.basics import broadcast, like, shape_of
from engine.languages.surfaces.jax.numpy.making.diagonals import triangle
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.ufuncs import named


@named("tril")
def tril(m: Any, k: Any = 0) -> Any:
    """The elements on and below a diagonal."""
    (x,) = check_arrays("tril", [m])
    return _lower(x, k=int(k))


@named("triu")
def triu(m: Any, k: Any = 0) -> Any:
    """The elements on and above a diagonal."""
    (x,) = check_arrays("triu", [m])
    return _upper(x, k=int(k))


def _zeros_like(x: Any) -> Any:
    return broadcast(like(x, 0), shape_of(x))


@library_jit(1, name="tril")
def _lower(x: Any, k: int) -> Any:
    from engine.languages.surfaces.jax.lax.arithmetic import select

    rows, columns = shape_of(x)[-2:]
    mask = broadcast(triangle((rows, columns), k), shape_of(x)[:-2])
    return select(mask, x, _zeros_like(x))


@library_jit(1, name="triu")
def _upper(x: Any, k: int) -> Any:
    from engine.languages.surfaces.jax.lax.arithmetic import select

    rows, columns = shape_of(x)[-2:]
    mask = broadcast(triangle((rows, columns), k - 1), shape_of(x)[:-2])
    return select(mask, _zeros_like(x), x)
