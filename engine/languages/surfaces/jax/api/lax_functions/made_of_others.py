"""Functions of `jax.lax` that are made of others: stacking, tiles, shapes, halves of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.api.calling import as_value, trees
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import linear, without_tangent
from engine.languages.surfaces.jax.lax import basics as ba
from engine.languages.surfaces.jax.lax.basics import shape_of, unary
from engine.languages.surfaces.jax.lax.matrices import product
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def of_lax(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: a function of jax.lax under its own name."""
    FUNCTIONS[function.__name__.strip("_")] = function
    return function


@of_lax
def stack(operands: Sequence[Any], axis: Any = 0) -> Any:
    """Arrays of one shape along a new axis."""
    return JNP["stack"](list(operands), axis)


@of_lax
def unstack(operand: Any, axis: Any = 0) -> Any:
    """The parts along an axis, which is gone."""
    return JNP["unstack"](as_value(operand), axis=axis)


@of_lax
def tile(operand: Any, reps: Any) -> Any:
    """The array, so often along each axis."""
    return JNP["tile"](as_value(operand), tuple(reps))


@of_lax
def batch_matmul(lhs: Any, rhs: Any, precision: Any = None) -> Any:
    """The product of matrices, one after the other. Shapes: (..., n, k), (..., k, m) -> (..., n, m)."""
    return product(as_value(lhs), as_value(rhs))


@of_lax
def broadcast_to_rank(x: Any, rank: Any) -> Any:
    """New axes of length one in front, up to so many."""
    value = as_value(x)
    missing = int(rank) - len(shape_of(value))
    return ba.expand_dims(value, tuple(range(missing))) if missing > 0 else value


@of_lax
def broadcast_like(x: Any, y: Any) -> Any:
    """The array in the shape of another one."""
    return JNP["broadcast_to"](as_value(x), shape_of(as_value(y)))


@of_lax
def empty(shape: Any, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Zeros."""
    return JNP["zeros"](lengths(shape), dtype_of(dtype))


# -- whole numbers -----------------------------------------------------------------------------------


def _leading_zeros(x: Any) -> Any:
    bits = x.dtype.itemsize * 8
    unsigned = x.view(f"uint{bits}").astype("uint64")
    length = np.zeros(x.shape, "int64")
    for k in range(bits):
        length = np.where(unsigned >> np.uint64(k) != 0, k + 1, length)
    return (bits - length).astype(x.dtype)


clz_p = unary("clz", _leading_zeros)
without_tangent(clz_p)


@of_lax
def clz(x: Any) -> Any:
    """How many bits are zero in front of the first one."""
    return clz_p(as_value(x))


# -- precision ---------------------------------------------------------------------------------------


def _reduced(x: Any, exponent_bits: int, mantissa_bits: int) -> Any:
    """Rounded to so many bits, halves to even; infinite beyond the largest exponent, 0 below the least."""
    fraction, exponent = np.frexp(x.astype("float64"))
    kept = np.ldexp(np.rint(np.ldexp(fraction, mantissa_bits + 1)), exponent - mantissa_bits - 1)
    bias = 2 ** (exponent_bits - 1) - 1
    kept = np.where(np.abs(kept) >= 2.0 ** (bias + 1), np.copysign(np.inf, kept), kept)
    return np.where(np.abs(kept) < 2.0 ** (1 - bias), np.copysign(0.0, kept), kept).astype(x.dtype)


reduce_precision_p = unary("reduce_precision", _reduced)
linear(reduce_precision_p, lambda ct, x, **bits: [reduce_precision_p(ct, **bits)])


@of_lax
def reduce_precision(operand: Any, exponent_bits: Any, mantissa_bits: Any) -> Any:
    """The numbers as one of so many bits would hold them."""
    return reduce_precision_p(
        as_value(operand), exponent_bits=int(exponent_bits), mantissa_bits=int(mantissa_bits)
    )


barrier_p = Primitive("optimization_barrier", several=True)
barrier_p.compute = lambda *arrays: list(arrays)
barrier_p.types = lambda *avals: list(avals)
barrier_p.batch = lambda size, values, axes: (barrier_p(*values), list(axes))
linear(barrier_p, lambda cts, *args: list(cts))


@of_lax
def optimization_barrier(operand: Any, /) -> Any:
    """The same values."""
    leaves, structure = trees().flatten(operand)
    return trees().unflatten(structure, barrier_p(*map(as_value, leaves)))
