"""Matrices by their diagonals: `jnp.eye`, `jnp.tri`, `jnp.diag`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.run import default_float
from engine.languages.surfaces.jax.core.values import Constant, aval_of, typed
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax.basics import broadcast_in_dim, convert, full, shape_of
from engine.languages.surfaces.jax.lax.shapes import iota
from engine.languages.surfaces.jax.numpy.making.arrays import on_device
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.ufuncs import named


@named("eye")
def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None, **_: Any) -> Any:
    """Ones along a diagonal."""
    (rows,) = lengths(N, "argument of 'N' jnp.eye().")
    columns = rows if M is None else lengths(M, "argument 'M' of jnp.eye().")[0]
    shape = (rows, columns)
    row, column = iota("int32", shape, 0), iota("int32", shape, 1)
    on = ar.eq(ar.add(row, Constant(np.int32(int(k)))), column)
    return convert(on, dtype_of(dtype) or default_float())


@named("identity")
def identity(n: Any, dtype: Any = None) -> Any:
    """Ones along the diagonal."""
    return eye(n, dtype=dtype)


@named("tri")
def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> Any:
    """Ones on and below a diagonal."""
    rows, columns = lengths((N, N if M is None else M))
    shape = (rows, columns)
    return convert(triangle(shape, int(k)), dtype_of(dtype) or default_float())


def triangle(shape: tuple[int, int], k: int) -> Any:
    """Where an element stands on or below a diagonal."""
    rows = ar.add(iota("int32", shape, 0), Constant(np.int32(k)))
    return ar.ge(rows, iota("int32", shape, 1))


@named("diag")
def diag(v: Any, k: Any = 0) -> Any:
    """A matrix of its diagonal, or the diagonal of a matrix."""
    (x,) = check_arrays("diag", [v])
    if len(shape_of(x)) not in (1, 2):
        raise value_error("diag input must be 1d or 2d", "diag 的参数必须是一维或二维数组。")
    return _diag(x, k=int(k))


@library_jit(1, name="_diag")
def _diag(x: Any, k: int) -> Any:
    shape = shape_of(x)
    if len(shape) == 1:
        size = shape[0] + abs(k)
        if size == 0:
            return full((0, 0), 0, aval_of(x).dtype)
        from engine.languages.surfaces.jax.lax.shapes import pad
        from engine.languages.surfaces.jax.numpy.ufuncs import where_jitted

        config = [(max(k, 0), max(-k, 0), 0)]
        wide = pad(x, typed(0, aval_of(x).dtype), config)
        rows = broadcast_in_dim(wide, (size, size), (1,))
        zeros_ = full((size, size), 0, aval_of(x).dtype)
        return where_jitted(eye(size, k=k, dtype="bool"), rows, zeros_)
    return diagonal(x, k)


@named("diagonal")
def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """The elements of a diagonal."""
    from engine.languages.surfaces.jax.lax.shapes import transpose
    from engine.languages.surfaces.jax.numpy.indexing.taking import getitem

    (x,) = check_arrays("diagonal", [a])
    ndim, k = len(shape_of(x)), int(offset)
    first, second = int(axis1) % ndim, int(axis2) % ndim
    order = [axis for axis in range(ndim) if axis not in (first, second)]
    x = transpose(x, (*order, first, second))
    rows, columns = shape_of(x)[-2:]
    count = max(0, min(rows + min(k, 0), columns - max(k, 0)))
    line = np.arange(count)
    places = (on_device((line + max(-k, 0)).astype("int32")), on_device((line + max(k, 0)).astype("int32")))
    return getitem(x, (Ellipsis, *places))
