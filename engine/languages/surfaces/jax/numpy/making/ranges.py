"""Numbers at equal distances or ratios: `jnp.arange`, `jnp.linspace`, `jnp.geomspace`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.jax.api.calling import whole
from engine.languages.surfaces.jax.core.avals import is_floating
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.run import default_float, run_now
from engine.languages.surfaces.jax.core.values import Constant, constant, typed
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax.basics import broadcast, convert, reshape, shape_of
from engine.languages.surfaces.jax.lax.shapes import concatenate, iota
from engine.languages.surfaces.jax.numpy.making.arrays import on_device
from engine.languages.surfaces.jax.numpy.making.broadcasting import broadcast_to
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.equal_steps import equal_steps
from engine.languages.surfaces.jax.numpy.making.lengths import known_number, lengths
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, common_type, promote_types
from engine.languages.surfaces.jax.numpy.ufuncs import named
from engine.languages.surfaces.left_out import takes_only

NARROW = ("float16", "bfloat16")  # whose ranges are made in float32


@named("arange")
def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None, **_: Any) -> Any:
    """Numbers at equal distances, up to a bound that is left out."""
    names = ("stop", "stop", "step") if stop is None else ("start", "stop", "step")
    first: Any
    last: Any
    by: Any
    first, last, by = (
        known_number(value, f"It arose in the jnp.arange argument '{name}'") if value is not None else None
        for value, name in zip((start, stop, step), names, strict=True)
    )
    kind = dtype_of(dtype)
    if last is None:
        first, last = (0 if by is None else type(first)(0)), first
    given = [x for x in (first, last, by) if x is not None]
    kind = kind or common_type([constant(x) for x in given])[0]
    count = max(int(np.ceil((last - first) / (1 if by is None else by))), 0)
    run_now().budget.check_elements((count,))
    is_wide = by is not None or (kind == "bfloat16" and first != 0)
    wide = "float32" if kind in NARROW and is_wide else kind
    found = iota(wide, (count,))
    if by is not None:
        found = ar.mul(_number(by, wide), found)
    if by is not None or first != 0:
        found = ar.add(_number(first, wide), found)
    return found if wide == kind else convert(found, kind)


def _count(name: str, num: Any) -> int:
    return whole(known_number(num, f"'num' argument of jnp.{name}"), "num")


def _number(value: Any, kind: str) -> Constant:
    return Constant(np.asarray(value).astype(kind))


@library_jit(2, name="_linspace")
def _linspace(start: Any, stop: Any, num: int, endpoint: bool, dtype: str, axis: int) -> Any:
    inexact = dtype if is_floating(dtype) else default_float()
    first, last = convert(start, inexact), convert(stop, inexact)
    shape = np.broadcast_shapes(shape_of(first), shape_of(last))
    first, last = broadcast_to(first, shape), broadcast_to(last, shape)
    if num == 1:
        return convert(broadcast(first, (1,)), dtype)
    pieces = num - 1 if endpoint else num
    ar.div(ar.sub(last, first), typed(pieces, inexact))
    count = pieces if endpoint else num
    grid = ar.div(iota(inexact, (count,)), typed(pieces, inexact))
    grid = reshape(grid, (count, *([1] * len(shape))))
    ones = typed(1, inexact)
    out = ar.add(
        ar.mul(reshape(first, (1, *shape)), ar.sub(ones, grid)), ar.mul(reshape(last, (1, *shape)), grid)
    )
    if endpoint:
        out = concatenate([out, broadcast(last, (1,))], 0)
    return convert(out, dtype)


def _are_known_numbers(*values: Any) -> bool:
    """Whether they are numbers of the program itself, and nothing is compiled."""
    run = run_now()
    return run.trace is run.evaluation and all(isinstance(x, Constant) and x.array.ndim == 0 for x in values)


@named("linspace")
@takes_only(axis=(0,))
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: Any = 0,
) -> Any:
    """Numbers at equal distances, both ends among them."""
    start, stop = check_arrays("linspace", [start, stop])
    num = _count("linspace", num)
    if isinstance(num, int) and num < 0:
        raise value_error(f"Number of samples, {num}, must be non-negative.", f"个数 {num} 不能是负数。")
    count = lengths(num)[0]
    kind = dtype_of(dtype) or promote_types([start, stop], inexact=True)[0].aval.dtype
    pieces = count - 1 if endpoint else count
    if pieces > 0 and kind == "float32" and _are_known_numbers(start, stop):
        out = on_device(equal_steps(start.array, stop.array, pieces, bool(endpoint)))
    else:
        out = _linspace(start, stop, num=count, endpoint=bool(endpoint), dtype=kind, axis=int(axis))
    if not retstep:
        return out
    return out, ar.div(ar.sub(convert(stop, kind), convert(start, kind)), typed(pieces, kind))


@named("logspace")
@takes_only(axis=(0,))
def logspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: Any = 0,
) -> Any:
    """Powers at equal ratios."""
    from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS

    grid = linspace(start, stop, _count("logspace", num), endpoint)
    found = FUNCTIONS["float_power"](constant(base), grid)
    return found if dtype is None else convert(found, dtype_of(dtype))


@named("geomspace")
@takes_only(axis=(0,))
def geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0
) -> Any:
    """Numbers at equal ratios, both ends among them."""
    from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS

    ends = [
        FUNCTIONS["log10"](value) for value in promote_types([constant(start), constant(stop)], inexact=True)
    ]
    return logspace(*ends, _count("geomspace", num), endpoint, dtype=dtype)
