"""Elements in order, and the largest: `lax.sort`, `lax.top_k`."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.api.calling import as_value, whole
from engine.languages.surfaces.jax.api.lax_functions.table import named
from engine.languages.surfaces.jax.api.refusing import lax as check
from engine.languages.surfaces.jax.lax import basics as ba
from engine.languages.surfaces.jax.numpy.further.sorting import sorted_with
from engine.languages.surfaces.jax.numpy.further.sorting import top_k as largest


@named("sort")
def sort(operand: Any, dimension: Any = -1, is_stable: Any = True, num_keys: Any = 1) -> Any:
    """The elements in order, or several arrays in the order of the first."""
    several = isinstance(operand, (tuple, list))
    xs = [as_value(x) for x in (operand if several else [operand])]
    outs = sorted_with(xs, check.axis_of(int(dimension), len(ba.shape_of(xs[0]))), int(num_keys))
    return tuple(outs) if several else outs[0]


@named("sort_key_val")
def sort_key_val(keys: Any, values: Any, dimension: Any = -1, **_: Any) -> Any:
    """Keys and values in the order of the keys."""
    return sort([keys, values], dimension)


@named("top_k")
def top_k(operand: Any, k: Any, **_: Any) -> list[Any]:
    """The largest elements, and their places."""
    x, count = as_value(operand), whole(k, "k")
    check.check_count(x, count)
    return largest(x, count)
