"""Functions that choose among others by place: `jnp.piecewise`, `jnp.select` and `jax.ops.segment_sum`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import Constant, aval_of, constant, known
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.lax import scattering as sc
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.lax.basics import convert, shape_of
from engine.languages.surfaces.jax.numpy.indexing.putting import put
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.making.broadcasting import broadcast_to
from engine.languages.surfaces.jax.numpy.making.filled import full_
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, common_shape, promote_types
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.numpy.ufuncs import as_array, named


def piecewise(interpreter: Any, x: Any, condlist: Any, funclist: Any, *args: Any, **keywords: Any) -> Any:
    """At each place the last function whose condition holds there; where none holds, one more, or 0."""
    value = as_array(x)
    conditions = list(condlist) if isinstance(condlist, (list, tuple)) else [condlist]
    functions: list[Any] = list(funclist)
    other = functions.pop() if len(functions) > len(conditions) else 0

    def part(function: Any) -> Any:
        if isinstance(function, (int, float)) or hasattr(function, "aval"):
            return convert(constant(function), aval_of(value).dtype)
        return convert(constant(interpreter.call(function, [value, *args], keywords)), aval_of(value).dtype)

    found = JNP["broadcast_to"](part(other), shape_of(value))
    for condition, function in zip(conditions, functions, strict=True):
        found = JNP["where"](condition, part(function), found)
    return found


def _segments(primitive: Any, first: Any) -> Callable[..., Any]:
    def segment(data: Any, segment_ids: Any, num_segments: Any = None, **_: Any) -> Any:
        values, places = array(data), array(segment_ids)
        count = int(known(places).max()) + 1 if num_segments is None else int(num_segments)
        first_of = first
        if isinstance(first, float) and not aval_of(values).is_float:
            info = np.iinfo(aval_of(values).dtype)
            first_of = info.min if first < 0 else info.max
        rest = full_((count, *shape_of(values)[1:]), first_of, aval_of(values).dtype)
        return put(primitive, rest, places, values)

    return segment


SEGMENTS: dict[str, Callable[..., Any]] = {
    "segment_sum": _segments(sc.scatter_add_p, 0),
    "segment_prod": _segments(sc.scatter_mul_p, 1),
    "segment_max": _segments(sc.scatter_max_p, -np.inf),
    "segment_min": _segments(sc.scatter_min_p, np.inf),
}


@named("select")
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Elements of the first of several arrays whose condition holds, or of the default."""
    if len(condlist) != len(choicelist):
        raise value_error(
            f"condlist must have length equal to choicelist ({len(condlist)} vs {len(choicelist)})",
            f"条件有 {len(condlist)} 个，取值有 {len(choicelist)} 个，个数应相同。",
        )
    if not len(condlist):
        raise value_error("condlist must be non-empty", "至少需要一个条件。")
    conditions = [convert(one, "bool") for one in check_arrays("select", condlist)]
    shape = common_shape(conditions)
    conditions = [broadcast_to(one, shape) for one in conditions]
    none = Constant(np.bool_(False))
    rows = sh.stack_p(broadcast_to(none, shape), *conditions, axis=0)
    place = re.argmax_p(rows, axes=(0,), index_dtype=default_int())
    cases = promote_types(check_arrays("select", [default, *choicelist]))
    shape = common_shape([place, *cases])
    return ar.select_n_p(broadcast_to(place, shape), *(broadcast_to(one, shape) for one in cases))
