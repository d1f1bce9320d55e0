"""Arrays in other shapes, and new ones: `lax.reshape`, `lax.pad`, `lax.iota`."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.jax.api.calling import as_value, many
from engine.languages.surfaces.jax.api.lax_functions.table import named
from engine.languages.surfaces.jax.api.refusing import lax as check
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import basics as ba
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.left_out import takes_only


@named("broadcast")
def broadcast(operand: Any, sizes: Any) -> Any:
    """New axes in front."""
    return ba.broadcast(as_value(operand), lengths(sizes))


@named("broadcast_in_dim")
def broadcast_in_dim(operand: Any, shape: Any, broadcast_dimensions: Any) -> Any:
    """The array in a larger shape."""
    x, wide, places = as_value(operand), lengths(shape), tuple(broadcast_dimensions)
    check.check_broadcast(x, wide, places)
    return ba.broadcast_in_dim(x, wide, places)


@named("reshape")
@takes_only(dimensions=(None,))
def reshape(operand: Any, new_sizes: Any, dimensions: Any = None, **_: Any) -> Any:
    """The same elements in another shape."""
    return ba.reshape(as_value(operand), lengths(new_sizes))


@named("expand_dims")
def expand_dims(array: Any, dimensions: Any) -> Any:
    """New axes of length one."""
    x, places = as_value(array), many(dimensions, "dimensions")
    ndim = len(ba.shape_of(x)) + len(places)
    return ba.expand_dims(x, [check.axis_of(place, ndim) for place in places])


@named("squeeze")
def squeeze(array: Any, dimensions: Any) -> Any:
    """The array without axes of length one."""
    x = as_value(array)
    ndim = len(ba.shape_of(x))
    return sh.squeeze(x, [axis % ndim for axis in many(dimensions, "dimensions")])


@named("transpose")
def transpose(operand: Any, permutation: Any) -> Any:
    """The axes in another order."""
    x, order = as_value(operand), tuple(permutation)
    check.check_permutation(x, order)
    return sh.transpose(x, order)


@named("rev")
def rev(operand: Any, dimensions: Any) -> Any:
    """The elements in the opposite order."""
    return sh.rev(as_value(operand), many(dimensions, "dimensions"))


@named("concatenate")
def concatenate(operands: Any, dimension: Any) -> Any:
    """Arrays one after the other."""
    xs = [as_value(x) for x in operands]
    if not xs:
        raise value_error(
            "concatenate requires a non-empty sequences of arrays", "concatenate 至少需要一个数组。"
        )
    check.check_same_types("concatenate", xs)
    return sh.concatenate(xs, int(dimension))


@named("pad")
def pad(operand: Any, padding_value: Any, padding_config: Any) -> Any:
    """Elements around and between those of the array."""
    x = as_value(operand)
    return sh.pad(
        x, ba.convert(as_value(padding_value), aval_of(x).dtype), [tuple(one) for one in padding_config]
    )


@named("iota")
def iota(dtype: Any, size: Any) -> Any:
    """0, 1, 2, …"""
    return sh.iota(dtype_of(dtype) or default_int(), lengths(size))


@named("broadcasted_iota")
def broadcasted_iota(dtype: Any, shape: Any, dimension: Any, **_: Any) -> Any:
    """0, 1, 2, … along an axis."""
    return sh.iota(dtype_of(dtype) or default_int(), lengths(shape), int(dimension))


@named("full")
def full(shape: Any, fill_value: Any, dtype: Any = None, **_: Any) -> Any:
    """An array of one number."""
    return JNP["full"](shape, fill_value, dtype)


@named("full_like")
def full_like(x: Any, fill_value: Any, dtype: Any = None, shape: Any = None, **_: Any) -> Any:
    """An array of one number, like another one."""
    return JNP["full_like"](x, fill_value, dtype, shape)
