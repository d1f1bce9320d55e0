"""dot_general: sums of products of two arrays along some axes, for each index of others."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval, held_as
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import by_argument, is_zero
from engine.languages.surfaces.jax.core.transposing import is_undefined
from engine.languages.surfaces.jax.core.values import Zero, aval_of
from engine.languages.surfaces.jax.lax.basics import convert, shape_of
from engine.languages.surfaces.jax.lax.numerics.products_in_order import product
from engine.languages.surfaces.jax.lax.shapes import transpose

Dimensions = tuple[tuple[Any, Any], tuple[Any, Any]]  # contracted axes of both sides, then those of the batch

dot_general_p = Primitive("dot_general")


def _free(ndim: int, *taken: Any) -> list[int]:
    used = {int(axis) for axes in taken for axis in axes}
    return [axis for axis in range(ndim) if axis not in used]


def _product_type(a: str, b: str) -> str:
    """The type of products, bfloat16 beside other floats as the wider of the two."""
    return a if a == b else np.result_type(held_as(a), held_as(b)).name


def _types(
    x: Aval,
    y: Aval,
    dimension_numbers: Dimensions,
    precision: Any,
    preferred_element_type: str | None,
    out_sharding: Any,
) -> Aval:
    (xc, yc), (xb, yb) = dimension_numbers
    for which, axes, others in (("contracting", xc, yc), ("batch", xb, yb)):
        a, b = tuple(x.shape[i] for i in axes), tuple(y.shape[i] for i in others)
        if a != b:
            raise type_error(
                f"dot_general requires {which} dimensions to have the same shape, got {a} and {b}.",
                f"矩阵乘积要求相乘的轴长度相同，但得到 {a} 和 {b}。",
                code="shape_mismatch",
            )
    shape = [x.shape[i] for i in xb]
    shape += [x.shape[i] for i in _free(x.ndim, xc, xb)] + [y.shape[i] for i in _free(y.ndim, yc, yb)]
    dtype = preferred_element_type or _product_type(x.dtype, y.dtype)
    return Aval(tuple(shape), dtype, x.weak and y.weak)


def _compute(
    x: Any,
    y: Any,
    dimension_numbers: Dimensions,
    precision: Any,
    preferred_element_type: str | None,
    out_sharding: Any,
) -> Any:
    (xc, yc), (xb, yb) = dimension_numbers
    xf, yf = _free(x.ndim, xc, xb), _free(y.ndim, yc, yb)
    dtype = held_as(preferred_element_type) if preferred_element_type else np.result_type(x, y)
    a = np.transpose(x, (*xb, *xf, *xc)).astype(dtype)
    b = np.transpose(y, (*yb, *yc, *yf)).astype(dtype)
    batch, rows = [x.shape[i] for i in xb], [x.shape[i] for i in xf]
    columns, inner = [y.shape[i] for i in yf], prod(x.shape[i] for i in xc)
    a, b = a.reshape(prod(batch), prod(rows), inner), b.reshape(prod(batch), inner, prod(columns))
    found = product(a, b, _is_last(xc, x.ndim), _is_last(yc, y.ndim))
    return found.reshape((*batch, *rows, *columns))


def _is_last(axes: Any, ndim: int) -> bool:
    return bool(len(axes)) and int(axes[-1]) == ndim - 1


def _work(avals: Any, types: Any, parameters: Any) -> int:
    (xc, _), _ = parameters["dimension_numbers"]
    inner: int = prod(avals[0].shape[i] for i in xc)
    return int(types[0].size * max(inner, 1))


def _left_transpose(
    ct: Any,
    x: Any,
    y: Any,
    dimension_numbers: Dimensions,
    precision: Any,
    preferred_element_type: Any,
    out_sharding: Any,
    swapped: bool = False,
) -> Any:
    (xc, yc), (xb, yb) = dimension_numbers
    x_free, y_free = _free(x.aval.ndim, xc, xb), _free(len(shape_of(y)), yc, yb)
    batch = list(range(len(xb)))
    first, second = (y_free, x_free) if swapped else (x_free, y_free)
    begin = len(batch)
    of_first = list(range(begin, begin + len(first)))
    of_second = list(range(begin + len(first), begin + len(first) + len(second)))
    of_y = of_first if swapped else of_second
    contracted = [list(xc)[i] for i in np.argsort(yc)]
    unsorted = [*xb, *x_free, *contracted]
    product = dot_general(
        ct, y, ((tuple(of_y), tuple(y_free)), (tuple(batch), tuple(yb))), precision, preferred_element_type
    )
    out = transpose(product, np.argsort(unsorted).tolist())
    return convert(out, x.aval.dtype, x.aval.weak) if aval_of(out).dtype != x.aval.dtype else out


def _transpose(ct: Any, x: Any, y: Any, dimension_numbers: Dimensions, **parameters: Any) -> list[Any]:
    if is_zero(ct):
        return [Zero(one.aval) if is_undefined(one) else None for one in (x, y)]
    if is_undefined(x):
        return [_left_transpose(ct, x, y, dimension_numbers, **parameters), None]
    (xc, yc), (xb, yb) = dimension_numbers
    return [None, _left_transpose(ct, y, x, ((yc, xc), (yb, xb)), **parameters, swapped=True)]


def _moved(axes: Any, axis: int) -> tuple[Any, ...]:
    """Axes of one example as those of a batch."""
    return tuple(np.add(axes, np.greater_equal(axes, axis)))


def _batch(size: int, values: Any, axes: Any, dimension_numbers: Dimensions, **parameters: Any) -> Any:
    (x, y), (i, j) = values, axes
    (xc, yc), (xb, yb) = dimension_numbers
    if i is not None and j is not None:
        xb, yb = (i, *_moved(xb, i)), (j, *_moved(yb, j))
        xc, yc, place = _moved(xc, i), _moved(yc, j), 0
    elif i is not None:
        free = _free(len(shape_of(x)), _moved(xc, i), _moved(xb, i))
        place = len(xb) + free.index(i)
        xb, xc = _moved(xb, i), _moved(xc, i)
    else:
        free = _free(len(shape_of(y)), _moved(yc, j), _moved(yb, j))
        place = len(shape_of(x)) - len(xc) + free.index(j)
        yb, yc = _moved(yb, j), _moved(yc, j)
    numbers: Any = tuple(tuple(tuple(map(int, axes)) for axes in pair) for pair in ((xc, yc), (xb, yb)))
    return dot_general_p(x, y, dimension_numbers=numbers, **parameters), place


def _shown(parameters: Any) -> Any:
    (xc, yc), (xb, yb) = parameters["dimension_numbers"]
    kept = {k: v for k, v in parameters.items() if v is not None and k != "out_sharding"}
    return {**kept, "dimension_numbers": (([*xc], [*yc]), ([*xb], [*yb]))}


dot_general_p.types, dot_general_p.compute, dot_general_p.work = _types, _compute, _work
by_argument(
    dot_general_p,
    lambda g, x, y, **parameters: dot_general_p(g, y, **parameters),
    lambda g, x, y, **parameters: dot_general_p(x, g, **parameters),
)
dot_general_p.transpose, dot_general_p.batch, dot_general_p.shown = _transpose, _batch, _shown


def dot_general(
    x: Any, y: Any, dimensions: Dimensions, precision: Any = None, preferred: str | None = None
) -> Any:
    """The sum of products along the contracted axes."""
    return dot_general_p(
        x,
        y,
        dimension_numbers=dimensions,
        precision=precision,
        preferred_element_type=preferred,
        out_sharding=None,
    )
