"""Where the largest and the smallest element stand: `jnp.argmax`, `jnp.argmin`."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.core.avals import is_complex
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.lax.basics import expand_dims, reshape, shape_of
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of, check_counted, with_axes
from engine.languages.surfaces.jax.numpy.ufuncs import named
from engine.languages.surfaces.left_out import takes_only


def _place(primitive: Any, a: Any, axis: Any, keepdims: Any) -> Any:
    (x,) = check_arrays("argmax", [a])
    check_counted(x, axis if not isinstance(axis, (tuple, list)) else None)
    if is_complex(aval_of(x).dtype):
        raise type_error(
            f"gt does not accept dtype {aval_of(x).dtype} at position 0. Accepted dtypes at position 0 are "
            "subtypes of integer, floating, bool.",
            "argmax 和 argmin 不接受复数：复数没有大小顺序。",
        )
    ndim = len(shape_of(x))
    if axis is None:
        out = primitive(reshape(x, (x.aval.size,)), axes=(0,), index_dtype=default_int())
        return expand_dims(out, range(ndim)) if keepdims else out
    if isinstance(axis, (tuple, list)):
        raise type_error(
            f"'{type(axis).__name__}' object cannot be interpreted as an integer", "axis 必须是一个整数。"
        )
    place = axes_of(x, axis)[0]
    out = primitive(x, axes=(place,), index_dtype=default_int())
    return with_axes(out, (place,), keepdims)


@named("argmax")
@takes_only(out=(None,))
def argmax(a: Any, axis: Any = None, out: Any = None, keepdims: Any = None) -> Any:
    """Where the largest element is."""
    return _place(re.argmax_p, a, axis, keepdims)


@named("argmin")
@takes_only(out=(None,))
def argmin(a: Any, axis: Any = None, out: Any = None, keepdims: Any = None) -> Any:
    """Where the smallest element is."""
    return _place(re.argmin_p, a, axis, keepdims)
