"""Arrays in larger shapes: `jnp.broadcast_to`, `jnp.meshgrid`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import aval_of, constant
from engine.languages.surfaces.jax.lax.basics import broadcast_in_dim, reshape, shape_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.ufuncs import as_array, named


@named("broadcast_to")
def broadcast_to(array: Any, shape: Any) -> Any:
    """The array in a larger shape."""
    x = constant(array)
    want, have = lengths(shape), shape_of(x)
    if want == have:
        return as_array(x)
    try:
        fits = np.broadcast_shapes(have, want) == want
    except ValueError:
        fits = False
    if not fits:
        raise value_error(
            f"Incompatible types for broadcasting: input type={aval_of(x).long()} and requested "
            f"type={Aval(want, aval_of(x).dtype).long()}",
            f"形状 {have} 不能广播为 {want}。",
            code="shape_mismatch",
        )
    return broadcast_in_dim(x, want, tuple(range(len(want) - len(have), len(want))))


@named("meshgrid")
def meshgrid(*xi: Any, indexing: Any = "xy", sparse: Any = False, copy: Any = True) -> list[Any]:
    """Grids of coordinates."""
    axes = [reshape(x, (-1,)) if not shape_of(x) else x for x in check_arrays("meshgrid", xi)]
    order = list(range(len(axes)))
    if indexing == "xy" and len(axes) > 1:
        order[0], order[1] = 1, 0
    shape: list[int] = [0] * len(axes)
    for x, place in zip(axes, order, strict=True):
        shape[place] = shape_of(x)[0]
    if sparse:
        return [
            reshape(x, [n if i == place else 1 for i, n in enumerate(shape)])
            for x, place in zip(axes, order, strict=True)
        ]
    return [broadcast_in_dim(x, shape, (place,)) for x, place in zip(axes, order, strict=True)]
