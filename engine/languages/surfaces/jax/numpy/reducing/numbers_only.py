"""Reductions that leave out what is no number: `jnp.nansum`, `jnp.nanmean`, `jnp.nanmax`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.basics import convert, like
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.reducing.extremes import all_, max_, min_
from engine.languages.surfaces.jax.numpy.reducing.means import mean
from engine.languages.surfaces.jax.numpy.reducing.sums import prod_, sum_
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, named, where_jitted
from engine.languages.surfaces.left_out import takes_only


def _skipping(name: str, fill: float, reduce: Any) -> None:
    @takes_only(out=(None,))
    def call(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = None,
    ) -> Any:
        (x,) = check_arrays(name, [a])
        about = {"axis": axis, "dtype": dtype, "keepdims": keepdims}
        return of_numbers(x, **about) if initial is where is None else plain(x, initial, where, **about)

    def plain(x: Any, initial: Any, where: Any, axis: Any, dtype: Any, keepdims: Any) -> Any:
        numbers = where_jitted(ar.ne(x, x), like(x, fill), x)
        return reduce(numbers, axis, dtype, keepdims=keepdims, initial=initial, where=where)

    @library_jit(1, name=name)
    def of_numbers(x: Any, axis: Any, dtype: Any, keepdims: Any) -> Any:
        return plain(x, None, None, axis, dtype, keepdims)

    FUNCTIONS[name] = call


def _extreme_of_numbers(name: str, fill: float, reduce: Any) -> None:
    """The largest or smallest of the elements that are numbers; none where there are none."""

    @takes_only(out=(None,))
    def call(
        a: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = None,
    ) -> Any:
        (x,) = check_arrays(name, [a])
        about = {"axis": axis, "keepdims": keepdims}
        return of_numbers(x, **about) if initial is where is None else plain(x, initial, where, **about)

    def plain(x: Any, initial: Any, where: Any, axis: Any, keepdims: Any) -> Any:
        if not aval_of(x).is_float:
            return reduce(x, axis, keepdims=keepdims, initial=initial, where=where)
        numbers = where_jitted(ar.ne(x, x), like(x, fill), x)
        found = reduce(numbers, axis, keepdims=keepdims, initial=initial, where=where)
        if initial is not None:
            return found
        nothing = all_(ar.ne(x, x), axis, keepdims=keepdims, where=where)
        return where_jitted(nothing, like(found, np.nan), found)

    @library_jit(1, name=name)
    def of_numbers(x: Any, axis: Any, keepdims: Any) -> Any:
        return plain(x, None, None, axis, keepdims)

    FUNCTIONS[name] = call


_skipping("nansum", 0, sum_)
_skipping("nanprod", 1, prod_)
_extreme_of_numbers("nanmax", -np.inf, max_)
_extreme_of_numbers("nanmin", np.inf, min_)


@named("nanmean")
@takes_only(dtype=(None,), out=(None,))
def nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, where: Any = None
) -> Any:
    """The mean of the elements that are numbers."""
    (x,) = check_arrays("nanmean", [a])
    about = {"axis": axis, "keepdims": keepdims}
    return _mean_of_numbers(x, **about) if where is None else _mean(x, where, **about)


@library_jit(1, name="nanmean")
def _mean_of_numbers(x: Any, axis: Any, keepdims: Any) -> Any:
    return _mean(x, None, axis, keepdims)


def _mean(x: Any, where: Any, axis: Any, keepdims: Any) -> Any:
    kind = aval_of(x).dtype
    if not aval_of(x).is_inexact:
        return mean(x, axis, keepdims=keepdims, where=where)
    are_numbers = convert(el.not_p(ar.ne(x, x)), default_int())
    count = sum_(are_numbers, axis, dtype=kind, keepdims=keepdims, where=where)
    return ar.div(FUNCTIONS["nansum"](x, axis, kind, keepdims=keepdims, where=where), count)
