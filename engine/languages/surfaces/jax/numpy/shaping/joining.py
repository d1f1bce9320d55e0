"""Arrays one after the other, and apart again: `jnp.concatenate`, `jnp.stack`, `jnp.split`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.api.calling import whole
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.values import aval_of, constant
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.lax.basics import broadcast_in_dim, convert, expand_dims, shape_of
from engine.languages.surfaces.jax.lax.basics import reshape as reshape_to
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import known_number
from engine.languages.surfaces.jax.numpy.promotion import ARRAYS, check_arrays, promote_types
from engine.languages.surfaces.jax.numpy.reducing.axes import place_of
from engine.languages.surfaces.jax.numpy.ufuncs import named
from engine.languages.surfaces.left_out import takes_only


def several(name: str, arrays: Any, dtype: Any = None) -> list[Any]:
    """The arrays of a list, of one type, or of the one that is asked for."""
    if isinstance(arrays, ARRAYS):
        stacked: Any = arrays
        arrays = [stacked[i] for i in range(shape_of(constant(arrays))[0])]
    if not isinstance(arrays, (list, tuple)):
        raise type_error(
            f"Value after * must be an iterable, not {python_name(arrays)}",
            f"{name} 需要由数组组成的列表。",
        )
    items = list(arrays)
    if not items:
        raise value_error("Need at least one array to concatenate.", "至少需要一个数组。")
    values, kind = promote_types(check_arrays(name, items)), dtype_of(dtype)
    return values if kind is None else [convert(x, kind) for x in values]


@named("concatenate", "concat")
def concatenate(arrays: Any, axis: Any = 0, dtype: Any = None) -> Any:
    """Arrays one after the other along an axis."""
    xs = several("concatenate", arrays, dtype)
    if axis is None:
        return sh.concatenate([reshape_to(x, (aval_of(x).size,)) for x in xs], 0)
    if not shape_of(xs[0]):
        raise value_error("Zero-dimensional arrays cannot be concatenated.", "不能连接没有轴的数组。")
    return sh.concatenate(xs, place_of(whole(axis, "axis"), len(shape_of(xs[0]))))


@named("stack")
@takes_only(out=(None,))
def stack(arrays: Any, axis: Any = 0, out: Any = None, dtype: Any = None) -> Any:
    """Arrays along a new axis."""
    if isinstance(arrays, (list, tuple)) and not arrays:
        raise value_error("Need at least one array to stack.", "stack 至少需要一个数组。")
    xs = several("stack", arrays, dtype)
    shapes = {shape_of(x) for x in xs}
    if len(shapes) > 1:
        listed = ", ".join(str(shape_of(x)) for x in xs)
        if len(set(map(len, shapes))) > 1:
            raise value_error(
                f"Cannot stack arrays with different numbers of dimensions: got {listed}.",
                f"各数组的轴数不同：{listed}。",
            )
        raise value_error(
            f"All input arrays must have the same shape. Got {listed}.", f"各数组形状不同：{listed}。"
        )
    return sh.stack_p(*xs, axis=place_of(whole(axis, "axis"), len(shape_of(xs[0])) + 1))


@library_jit(name="atleast_1d")
def _at_least_1(x: Any) -> Any:
    return broadcast_in_dim(x, (1,), ()) if not shape_of(x) else x


@library_jit(name="atleast_2d")
def _at_least_2(x: Any) -> Any:
    missing = 2 - len(shape_of(x))
    return expand_dims(x, range(missing)) if missing > 0 else x


@named("atleast_1d")
def atleast_1d(*arys: Any) -> Any:
    """Arrays with at least one axis."""
    found = [_at_least_1(x) for x in check_arrays("atleast_1d", arys)]
    return found[0] if len(found) == 1 else found


@named("atleast_2d")
def atleast_2d(*arys: Any) -> Any:
    """Arrays with at least two axes."""
    found = [_at_least_2(x) for x in check_arrays("atleast_2d", arys)]
    return found[0] if len(found) == 1 else found


@named("vstack", "row_stack")
def vstack(tup: Any, dtype: Any = None) -> Any:
    """Rows one below the other."""
    return sh.concatenate([_at_least_2(x) for x in several("vstack", tup, dtype)], 0)


@named("hstack")
def hstack(tup: Any, dtype: Any = None) -> Any:
    """Arrays side by side."""
    xs = [_at_least_1(x) for x in several("hstack", tup, dtype)]
    return sh.concatenate(xs, 0 if len(shape_of(xs[0])) == 1 else 1)


@named("column_stack")
def column_stack(tup: Any) -> Any:
    """Vectors as columns."""
    xs = [
        x if len(shape_of(x)) > 1 else reshape_to(x, (aval_of(x).size, 1))
        for x in several("column_stack", tup)
    ]
    return sh.concatenate(xs, 1)


@named("append")
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    """An array with more elements at its end."""
    x, y = check_arrays("ravel" if axis is None else "concatenate", [arr, values])
    return _append(x, y, axis=axis)


@library_jit(2, name="append")
def _append(x: Any, y: Any, axis: Any) -> Any:
    return concatenate([x, y], axis)


def _pieces(ary: Any, given: Any, axis: Any, name: str) -> list[Any]:
    (x,) = check_arrays("split", [ary])
    place = place_of(whole(axis, "axis"), len(shape_of(x)))
    length, said = shape_of(x)[place], f"in jax.numpy.{name} argument 1"
    if isinstance(given, (tuple, list)) or (hasattr(given, "aval") and shape_of(given)):
        listed = given if isinstance(given, (tuple, list)) else known_number(given, said)
        bounds = [int(known_number(one, said)) for one in listed]
        points = np.clip([0, *bounds, length], 0, length)
        sizes = [np.int64(max(int(n), 0)) for n in np.diff(points)]
    else:
        count = whole(known_number(given, said), "indices_or_sections")
        if name != "array_split" and length % count:
            raise value_error(
                f"array split does not result in an equal division: rest is {length % count}",
                f"长度 {length} 不能等分为 {count} 份。",
            )
        sizes = [np.int64(length // count + (i < length % count)) for i in range(count)]
    return list(sh.split(x, sizes, place))


@named("split")
def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Any]:
    """Parts along an axis."""
    return _pieces(ary, indices_or_sections, axis, "split")


@named("array_split")
def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Any]:
    """Parts along an axis, of nearly equal lengths."""
    return _pieces(ary, indices_or_sections, axis, "array_split")


@named("vsplit")
def vsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """Parts of the rows."""
    return _pieces(ary, indices_or_sections, 0, "vsplit")


@named("hsplit")
def hsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """Parts of the columns."""
    return _pieces(ary, indices_or_sections, 1 if len(shape_of(constant(ary))) > 1 else 0, "hsplit")


@named("unstack")
def unstack(x: Any, /, *, axis: Any = 0) -> tuple[Any, ...]:
    """The parts along an axis, without it."""
    (x,) = check_arrays("unstack", [x])
    return tuple(sh.unstack_p(x, axis=place_of(whole(axis, "axis"), len(shape_of(x)))))
