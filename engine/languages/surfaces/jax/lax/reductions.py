"""Primitives that take axes together: sums, products, extremes, their places, and running ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.contraction import CONTRACTED, Product
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import reducing
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import by_result, is_zero, jvp, linear, without_tangent
from engine.languages.surfaces.jax.core.values import Zero, aval_of
from engine.languages.surfaces.jax.lax.arithmetic import div, eq, max_p, min_p, mul
from engine.languages.surfaces.jax.lax.basics import (
    broadcast_in_dim,
    convert,
    like,
    reduce_sum,
    reduce_sum_p,
    reshape,
    shape_of,
)
from engine.languages.surfaces.jax.lax.numerics.sums_in_order import sum_in_order, sum_of_products
from engine.languages.surfaces.jax.lax.shapes import concatenate, pad, rev, slice_in_dim, squeeze, transpose


def _without(x: Aval, axes: Sequence[int]) -> tuple[int, ...]:
    return tuple(n for axis, n in enumerate(x.shape) if axis not in axes)


def _types(x: Aval, axes: Sequence[int], **_: Any) -> Aval:
    return x.with_shape(_without(x, axes))


def reduction(name: str, compute: Callable[..., Any], strong: bool = False) -> Primitive:
    """A primitive that takes axes together."""
    primitive = Primitive(name)
    primitive.compute = compute
    primitive.types = (lambda x, axes, **_: _types(x, axes).strong()) if strong else _types
    reducing(primitive)
    return primitive


# -- sums --------------------------------------------------------------------------------------------


def _sum(x: Any, axes: Sequence[int], out_sharding: Any) -> Any:
    found = sum_in_order(x, axes)
    return np.sum(x, axis=tuple(axes), dtype=x.dtype) if found is None else found


def _sum_together(product: Product, a: Any, b: Any, arrays: Sequence[Any], parameters: Any) -> Any | None:
    """The sum of products that are not rounded by themselves."""
    if product.sign < 0:
        return None
    shape = arrays[0].shape
    wide = np.broadcast_to(a, shape)
    return sum_of_products(wide, wide if a is b else np.broadcast_to(b, shape), parameters["axes"])


CONTRACTED["reduce_sum"] = _sum_together


def _sum_transpose(ct: Any, x: Any, axes: Sequence[int], out_sharding: Any) -> list[Any]:
    if is_zero(ct):
        return [Zero(x.aval)]
    shape = x.aval.shape
    places: Any = tuple(np.delete(np.arange(len(shape)), axes))  # numpy's, as JAX shows them
    return [broadcast_in_dim(ct, shape, places)]


reduce_sum_p.compute, reduce_sum_p.types = _sum, _types
linear(reduce_sum_p, _sum_transpose)
reducing(reduce_sum_p)

# -- products ----------------------------------------------------------------------------------------

reduce_prod_p = reduction("reduce_prod", lambda x, axes: np.prod(x, axis=tuple(axes), dtype=x.dtype))


def _tree_product(x: Any) -> Any:
    """The product along the first axis, by halves."""
    while shape_of(x)[0] > 1:
        length = shape_of(x)[0]
        half = (length + 1) // 2
        first, second = slice_in_dim(x, 0, half), slice_in_dim(x, half, None)
        if length % 2:
            config = [(0, 1, 0)] + [(0, 0, 0)] * (len(shape_of(x)) - 1)
            second = pad(second, like(x, 1), config)
        x = mul(first, second)
    return squeeze(x, (0,))


def _product_tangent(primals: Any, tangents: Any, axes: Any) -> tuple[Any, Any]:
    shape = shape_of(primals[0])
    others = [axis for axis in range(len(shape)) if axis not in axes]
    order = (*axes, *others)
    flat = (int(np.prod([shape[axis] for axis in axes])), *(shape[axis] for axis in others))
    moved = [reshape(transpose(x, order), flat) for x in (primals[0], tangents[0])]
    (out,), (out_tangent,) = jvp(lambda x: [_tree_product(x)], [moved[0]], [moved[1]])
    return out, out_tangent


reduce_prod_p.tangent = _product_tangent

# -- extremes ----------------------------------------------------------------------------------------


def _extreme(compute: Callable[..., Any], x: Any, axes: Sequence[int], **_: Any) -> Any:
    if x.size == 0:
        raise value_error(
            "zero-size array to reduction operation which has no identity", "空数组没有最大值或最小值。"
        )
    return compute(x, axis=tuple(axes))


def _chosen(g: Any, ans: Any, x: Any, axes: Sequence[int], **_: Any) -> Any:
    """The mean of the tangents where the extreme is taken."""
    shape = [1 if axis in axes else n for axis, n in enumerate(shape_of(x))]
    here = convert(eq(x, reshape(ans, shape)), aval_of(g).dtype)
    count = reduce_sum(here, axes)
    return div(reduce_sum(mul(g, here), axes), count)


reduce_max_p = reduction("reduce_max", partial(_extreme, np.max))
reduce_min_p = reduction("reduce_min", partial(_extreme, np.min))
by_result(reduce_max_p, _chosen)
by_result(reduce_min_p, _chosen)


def _bitwise(name: str, ufunc: Any) -> Any:
    """Bit by bit of whole numbers, of truth values as they are."""
    primitive = reduction(name, lambda x, axes: ufunc.reduce(x, axis=tuple(axes)), strong=True)
    without_tangent(primitive)
    return primitive


reduce_and_p = _bitwise("reduce_and", np.bitwise_and)
reduce_or_p = _bitwise("reduce_or", np.bitwise_or)
reduce_xor_p = _bitwise("reduce_xor", np.bitwise_xor)


# -- places of extremes ------------------------------------------------------------------------------


def _place(compute: Callable[..., Any], x: Any, axes: Sequence[int], index_dtype: str) -> Any:
    return compute(x, axis=axes[0]).astype(index_dtype)


argmax_p = reduction("argmax", partial(_place, np.argmax))
argmin_p = reduction("argmin", partial(_place, np.argmin))
for primitive in (argmax_p, argmin_p):
    primitive.types = lambda x, axes, index_dtype: Aval(_without(x, axes), index_dtype)
    without_tangent(primitive)


# -- running sums and products -----------------------------------------------------------------------


def _running(compute: Callable[..., Any], x: Any, axis: int, reverse: bool) -> Any:
    if reverse:
        return np.flip(compute(np.flip(x, axis), axis=axis), axis).astype(x.dtype)
    return compute(x, axis=axis).astype(x.dtype)


def _running_batch(
    primitive: Primitive, size: int, values: Any, axes: Any, axis: int, reverse: bool
) -> tuple[Any, int]:
    place = axis if axis < axes[0] else axis + 1
    return primitive(values[0], axis=place, reverse=reverse), axes[0]


def running(name: str, compute: Callable[..., Any]) -> Primitive:
    """A primitive that goes along an axis."""
    primitive = Primitive(name)
    primitive.compute = compute
    primitive.types = lambda x, axis, reverse: x
    primitive.batch = partial(_running_batch, primitive)
    return primitive


def _logsumexp_along(x: Any, axis: int) -> Any:
    return np.logaddexp.accumulate(x, axis=axis)


RUN = 16  # so many along an axis are added one after the other; then the sums of such runs are


def _in_runs(function: Any, neutral: int, x: Any, axis: int, reverse: bool) -> Any:
    """Running results in XLA's order: inside of each run, then with what the runs beside it give."""
    found = _along_last(function, neutral, np.moveaxis(x, axis, -1), reverse)
    return np.moveaxis(found, -1, axis)


def _along_last(function: Any, neutral: int, x: Any, reverse: bool) -> Any:
    """Shapes: x (*S, n) -> (*S, n)."""
    n = x.shape[-1]
    if n <= RUN:
        return _in_one_run(function, x, reverse)
    wide = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, -n % RUN)], constant_values=neutral)
    inside = _in_one_run(function, wide.reshape(*x.shape[:-1], -1, RUN), reverse)
    whole = _along_last(function, neutral, inside[..., 0 if reverse else -1], reverse)
    beside = np.roll(whole, -1 if reverse else 1, axis=-1)
    beside[..., -1 if reverse else 0] = neutral
    return function(inside, beside[..., None]).reshape(wide.shape)[..., :n]


def _in_one_run(function: Any, x: Any, reverse: bool) -> Any:
    """Up to each place, or from each place on. Shapes: x (*S, n) -> (*S, n)."""
    if not reverse:
        return function.accumulate(x, axis=-1, dtype=x.dtype)
    found, n = x.copy(), x.shape[-1]
    for away in range(1, n):
        found[..., : n - away] = function(found[..., : n - away], x[..., away:])
    return found


cumsum_p = running("cumsum", partial(_in_runs, np.add, 0))
cumprod_p = running("cumprod", partial(_in_runs, np.multiply, 1))
cummax_p = running("cummax", partial(_running, np.maximum.accumulate))
cummin_p = running("cummin", partial(_running, np.minimum.accumulate))
cumlogsumexp_p = running("cumlogsumexp", partial(_running, _logsumexp_along))
linear(
    cumsum_p,
    lambda ct, x, axis, reverse: [
        Zero(x.aval) if is_zero(ct) else cumsum_p(ct, axis=axis, reverse=not reverse)
    ],
)


def associative_scan(combine: Callable[[Any, Any], Any], x: Any, axis: int = 0, reverse: bool = False) -> Any:
    """Running results of an associative function, by pairs."""
    return associative_scans(lambda a, b: [combine(a[0], b[0])], [x], axis, reverse)[0]


def associative_scans(
    combine: Callable[[list[Any], list[Any]], list[Any]], xs: list[Any], axis: int, reverse: bool = False
) -> list[Any]:
    """The same of several arrays together."""
    if reverse:
        found = associative_scans(combine, [rev(x, (axis,)) for x in xs], axis)
        return [rev(x, (axis,)) for x in found]
    length = shape_of(xs[0])[axis]
    if length < 2:
        return xs

    def part(values: list[Any], start: int, stop: int | None, stride: int = 1) -> list[Any]:
        return [slice_in_dim(x, start, stop, axis, stride=stride) for x in values]

    pairs = combine(part(xs, 0, length - 1, 2), part(xs, 1, None, 2))
    odd = associative_scans(combine, pairs, axis)
    left = part(odd, 0, shape_of(odd[0])[axis] - 1) if length % 2 == 0 else odd
    even = combine(left, part(xs, 2, None, 2))
    even = [concatenate([*part([x], 0, 1), rest], axis) for x, rest in zip(xs, even, strict=True)]
    return [_interleaved(a, b, axis) for a, b in zip(even, odd, strict=True)]


def _interleaved(a: Any, b: Any, axis: int) -> Any:
    """The elements of two arrays in turn."""
    from engine.languages.surfaces.jax.lax.arithmetic import add

    ndim, m, n = len(shape_of(a)), shape_of(a)[axis], shape_of(b)[axis]
    spread_a: list[Any] = [(0, 0, 0)] * ndim
    spread_b: list[Any] = [(0, 0, 0)] * ndim
    spread_a[axis] = (0, 1 if m == n else 0, 1)
    spread_b[axis] = (1, 0 if m == n else 1, 1)
    found = add(pad(a, like(a, 0), spread_a), pad(b, like(b, 0), spread_b))
    return convert(found, aval_of(found).dtype, False)


def _running_tangent(
    combine: Callable[[Any, Any], Any], primals: Any, tangents: Any, axis: int, reverse: bool
) -> tuple[Any, Any]:
    outs, out_tangents = jvp(
        lambda x: [associative_scan(combine, x, axis, reverse)], [primals[0]], [tangents[0]]
    )
    return outs[0], out_tangents[0]


cumprod_p.tangent = partial(_running_tangent, mul)
cummax_p.tangent = partial(_running_tangent, max_p)
cummin_p.tangent = partial(_running_tangent, min_p)
