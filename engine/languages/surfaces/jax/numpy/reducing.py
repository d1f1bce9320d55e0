"""Functions of jnp that take axes together."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.surfaces.jax.api.calling import many
from engine.languages.surfaces.jax.core.avals import BFLOAT16, is_complex, is_floating
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import concretization, index_error, type_error, value_error
from engine.languages.surfaces.jax.core.run import default_float, default_int
from engine.languages.surfaces.jax.core.values import Constant, Tracer, aval_of, constant, typed
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.lax.basics import (
    broadcast_in_dim,
    convert,
    expand_dims,
    full_like,
    like,
    reduce_sum,
    reshape,
    shape_of,
)
from engine.languages.surfaces.jax.lax.numerics.complex_numbers import conj, real_p
from engine.languages.surfaces.jax.lax.shapes import slice_of
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, promote_types
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, named, where_jitted
from engine.languages.surfaces.left_out import takes_only


def axes_of(x: Any, axis: Any) -> tuple[int, ...]:
    """The axes that an argument names. Raises: ValueError for one that there is not."""
    ndim = len(shape_of(x))
    if axis is None:
        return tuple(range(ndim))
    if isinstance(axis, Tracer):
        raise concretization(axis, "The axis argument must be known statically.")
    return tuple(place_of(one, ndim) for one in many(axis, "axis"))


def taken_together(x: Any, axis: Any) -> tuple[int, ...]:
    """The axes that are taken together. Raises: ValueError where one is named twice."""
    found = axes_of(x, axis)
    if len(set(found)) < len(found):
        raise value_error(f"duplicate value in 'axis': {found}", f"轴重复：{found}。")
    return found


def check_counted(x: Any, axis: Any) -> None:
    """Raises: IndexError as JAX does where it asks how long an axis is that there is not."""
    ndim = len(shape_of(x))
    if axis is not None and not all(-ndim <= one < ndim for one in many(axis, "axis")):
        raise index_error("tuple index out of range", f"轴 {axis} 超出了 {ndim} 维数组的范围。")


def place_of(axis: int, ndim: int) -> int:
    """An axis, counted from the front. Raises: ValueError where there is none."""
    if not -ndim <= axis < ndim:
        raise value_error(
            f"axis {axis} is out of bounds for array of dimension {ndim}",
            f"轴 {axis} 超出了 {ndim} 维数组的范围。",
        )
    return axis % ndim


def _with_axes(x: Any, axes: Sequence[int], keepdims: Any) -> Any:
    return expand_dims(x, axes) if keepdims and axes else x


def _wide(dtype: str) -> str:
    """Small whole numbers are summed as wide ones."""
    if dtype == "bool":
        return default_int()
    if dtype.startswith("int") and np.dtype(dtype).itemsize < np.dtype(default_int()).itemsize:
        return default_int()
    if dtype.startswith("uint") and np.dtype(dtype).itemsize < np.dtype(default_int()).itemsize:
        return f"u{default_int()}"
    return dtype


def _summed_in(dtype: str) -> str:
    """The type that sums of a type are taken in: numbers of 16 bits in float32."""
    return "float32" if dtype in ("float16", BFLOAT16) else dtype


def _summed(
    name: str,
    primitive: Any,
    identity: int,
    a: Any,
    axis: Any,
    dtype: Any,
    keepdims: Any,
    where: Any,
    initial: Any,
) -> Any:
    (x,) = check_arrays(name, [a])
    kind = dtype_of(dtype) or _wide(aval_of(x).dtype)
    wide = kind if dtype is not None else _summed_in(kind)
    x = convert(x, wide, aval_of(x).weak and dtype is None and wide == aval_of(x).dtype)
    if where is not None:
        x = where_jitted(constant(where), x, like(x, identity))
    axes = taken_together(x, axis)
    out = reduce_sum(x, axes) if primitive is None else primitive(x, axes=axes)
    if initial is not None:
        out = (ar.add if primitive is None else ar.mul)(convert(constant(initial), wide), out)
    return convert(_with_axes(out, axes, keepdims), kind, aval_of(out).weak)


@named("sum")
@takes_only(out=(None,), promote_integers=(True,))
def sum_(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = None,
    promote_integers: Any = True,
) -> Any:
    """The sum of the elements."""
    return _summed("sum", None, 0, a, axis, dtype, keepdims, where, initial)


@named("prod")
@takes_only(out=(None,), promote_integers=(True,))
def prod_(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = None,
    promote_integers: Any = True,
) -> Any:
    """The product of the elements."""
    return _summed("prod", re.reduce_prod_p, 1, a, axis, dtype, keepdims, where, initial)


def _extreme(name: str, a: Any, axis: Any, keepdims: Any, initial: Any, where: Any) -> Any:
    (x,) = check_arrays(name, [a])
    primitive = re.reduce_max_p if name == "max" else re.reduce_min_p
    axes = taken_together(x, axis)
    if aval_of(x).dtype == "bool":
        out = (re.reduce_or_p if name == "max" else re.reduce_and_p)(x, axes=axes)
        return _with_axes(out, axes, keepdims)
    if initial is None and any(shape_of(x)[i] == 0 for i in axes):
        raise value_error(
            f"zero-size array to reduction operation {name} which has no identity",
            "空数组没有最大值或最小值。",
        )
    if where is not None:
        if initial is None:
            raise value_error(
                f"reduction operation {name} does not have an identity, so to use a where mask one has to "
                "specify 'initial'",
                f"{name} 使用 where 时必须给出 initial。",
            )
        x = where_jitted(constant(where), x, convert(constant(initial), aval_of(x).dtype))
    out = primitive(x, axes=axes)
    if initial is not None:
        out = (ar.max_p if name == "max" else ar.min_p)(convert(constant(initial), aval_of(x).dtype), out)
    return _with_axes(out, axes, keepdims)


@named("max", "amax")
@takes_only(out=(None,))
def max_(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = None
) -> Any:
    """The largest element."""
    return _extreme("max", a, axis, keepdims, initial, where)


@named("min", "amin")
@takes_only(out=(None,))
def min_(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = None
) -> Any:
    """The smallest element."""
    return _extreme("min", a, axis, keepdims, initial, where)


@named("all")
@takes_only(out=(None,))
def all_(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = None) -> Any:
    """Whether all elements hold."""
    (x,) = check_arrays("all", [a])
    x = x if where is None else where_jitted(constant(where), _truths(x), constant(True))
    axes = taken_together(x, axis)
    return _with_axes(re.reduce_and_p(_truths(x), axes=axes), axes, keepdims)


@named("any")
@takes_only(out=(None,))
def any_(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = None) -> Any:
    """Whether an element holds."""
    (x,) = check_arrays("any", [a])
    x = x if where is None else where_jitted(constant(where), _truths(x), constant(False))
    axes = taken_together(x, axis)
    return _with_axes(re.reduce_or_p(_truths(x), axes=axes), axes, keepdims)


def _truths(x: Any) -> Any:
    return convert(x, "bool")


def _inexact(x: Any) -> Any:
    return x if aval_of(x).is_float or is_complex(aval_of(x).dtype) else convert(x, default_float())


@named("mean")
@takes_only(out=(None,))
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, where: Any = None
) -> Any:
    """The mean of the elements."""
    (x,) = check_arrays("mean", [a])
    check_counted(x, axis)
    kind = dtype_of(dtype)
    x = convert(x, kind) if kind else _inexact(x)
    given = aval_of(x)
    wide = _summed_in(given.dtype)
    x = convert(x, wide, given.weak and wide == given.dtype)
    if where is not None:
        count = sum_(where_jitted(constant(where), full_like(x, 1), full_like(x, 0)), axis)
        total = sum_(x, axis, keepdims=keepdims, where=where)
        found = ar.div(total, reshape(count, shape_of(total)))
    else:
        axes = taken_together(x, axis)
        count = prod(shape_of(x)[i] for i in axes)
        found = ar.divide_by_number(_with_axes(reduce_sum(x, axes), axes, keepdims), count)
    return convert(found, given.dtype, aval_of(found).weak)


@named("average")
def average(
    a: Any, axis: Any = None, weights: Any = None, returned: Any = False, keepdims: Any = False
) -> Any:
    """The mean of the elements, some of which may count more."""
    if weights is None:
        found = mean(a, axis, keepdims=keepdims)
        if not returned:
            return found
        (x,) = check_arrays("average", [a])
        size = prod(shape_of(x)[i] for i in axes_of(x, axis))
        return found, full_like(found, size)
    x, w = promote_types(check_arrays("average", [a, weights]), inexact=True)
    if shape_of(w) != shape_of(x):
        place = axes_of(x, axis)[0]
        w = broadcast_in_dim(w, shape_of(x), (place,))
    total = sum_(w, axis, keepdims=keepdims)
    found = ar.div(sum_(ar.mul(x, w), axis, keepdims=keepdims), total)
    return (found, total) if returned else found


def _squared_sizes(x: Any) -> Any:
    return real_p(ar.mul(x, conj(x))) if is_complex(aval_of(x).dtype) else ar.square(x)


@library_jit(2, name="_var")
def _variance(x: Any, ddof: Any, axes: tuple[int, ...], keepdims: bool, dtype: str | None = None) -> Any:
    x = x if dtype else _inexact(x)
    kind = dtype or aval_of(x).dtype
    x = convert(x, _summed_in(kind), aval_of(x).weak and _summed_in(kind) == kind)
    center = ar.sub(x, mean(x, axes, keepdims=True)) if axes else ar.sub(x, x)
    squares = _squared_sizes(center)
    count = typed(prod(shape_of(x)[i] for i in axes), aval_of(squares).dtype)
    left = ar.sub(count, convert(ddof, aval_of(squares).dtype))
    total = _with_axes(reduce_sum(squares, axes), axes, keepdims)
    found = ar.div(total, left)
    found = found if is_complex(kind) else convert(found, kind, aval_of(found).weak)
    return where_jitted(
        ar.gt(left, like(left, 0)), found, Constant(np.asarray(np.nan, default_float()), True)
    )


@library_jit(2, name="_std")
def _deviation(x: Any, ddof: Any, axes: tuple[int, ...], keepdims: bool, dtype: str | None = None) -> Any:
    return el.sqrt(_variance(x, ddof, axes=axes, keepdims=keepdims, dtype=dtype))


def _float_or_none(name: str, dtype: Any) -> str | None:
    """The type of floats that an argument names. Raises: ProgramError for another type."""
    kind = dtype_of(dtype)
    if kind is not None and not is_floating(kind):
        raise ProgramError(
            f"{name}(dtype={kind}) is not supported.",
            message_zh=f"不支持 {name}(dtype={kind})。",
            code="unsupported",
            hint="Name a type of floats, such as jnp.float32.",
            hint_zh="请使用浮点类型，例如 jnp.float32。",
        )
    return kind


def _variance_where(x: Any, ddof: Any, axis: Any, keepdims: Any, where: Any) -> Any:
    """The mean square of the distance from the mean, of the elements where a mask holds."""
    x = _inexact(x)
    center = ar.sub(x, mean(x, axis, keepdims=True, where=where))
    count = sum_(where_jitted(constant(where), full_like(x, 1), full_like(x, 0)), axis, keepdims=keepdims)
    left = ar.sub(count, like(count, ddof))
    found = ar.div(sum_(_squared_sizes(center), axis, keepdims=keepdims, where=where), left)
    return where_jitted(ar.gt(left, like(left, 0)), found, like(found, np.nan))


def _freedom(ddof: Any, correction: Any) -> Any:
    """How many the count of elements is less by: `ddof`, or `correction` under its newer name."""
    if correction is None:
        return ddof
    if not isinstance(ddof, int) or ddof != 0:
        raise value_error(
            "ddof and correction can't be provided simultaneously.", "ddof 和 correction 不能同时给出。"
        )
    return correction


@named("var")
@takes_only(out=(None,), mean=(None,))
def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = None,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """The mean square of the distance from the mean."""
    (x,) = check_arrays("var", [a])
    check_counted(x, axis)
    ddof = _freedom(ddof, correction)
    kind = _float_or_none("var", dtype)
    if where is not None:
        x = convert(x, kind) if kind else x
        return _variance_where(x, ddof, axis, keepdims, where)
    return _variance(x, constant(ddof), axes=taken_together(x, axis), keepdims=bool(keepdims), dtype=kind)


@named("std")
@takes_only(out=(None,), mean=(None,))
def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = None,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    """The square root of the variance."""
    (x,) = check_arrays("std", [a])
    check_counted(x, axis)
    ddof = _freedom(ddof, correction)
    kind = _float_or_none("std", dtype)
    if where is not None:
        x = convert(x, kind) if kind else x
        return el.sqrt(_variance_where(x, ddof, axis, keepdims, where))
    return _deviation(x, constant(ddof), axes=taken_together(x, axis), keepdims=bool(keepdims), dtype=kind)


@named("ptp")
@takes_only(out=(None,))
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """The distance from the smallest to the largest element."""
    return ar.sub(max_(a, axis, keepdims=keepdims), min_(a, axis, keepdims=keepdims))


@named("count_nonzero")
def count_nonzero(a: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """How many elements are not zero."""
    (x,) = check_arrays("count_nonzero", [a])
    return sum_(ar.ne(x, like(x, 0)), axis, dtype="int32", keepdims=keepdims)


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
    return _with_axes(out, (place,), keepdims)


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


# -- running sums ------------------------------------------------------------------------------------


def _running(name: str, primitive: Any) -> None:
    @library_jit(1, name=name)
    def along(x: Any, axis: int, dtype: str) -> Any:
        return primitive(convert(x, dtype), axis=axis, reverse=False)

    @takes_only(out=(None,))
    def call(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        (x,) = check_arrays(name, [a])
        if axis is None:
            x, place = reshape(x, (x.aval.size,)), 0
        else:
            place = axes_of(x, axis)[0]
        kind = dtype_of(dtype) or (default_int() if aval_of(x).dtype == "bool" else aval_of(x).dtype)
        return along(x, axis=place, dtype=kind)

    FUNCTIONS[name] = call


_running("cumsum", re.cumsum_p)
_running("cumprod", re.cumprod_p)


@named("diff")
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours; prepend, append: what stands before and behind the array."""
    (x,) = check_arrays("diff", [a])
    if prepend is not None or append is not None:
        place = axes_of(x, axis)[0]
        ends = [_end(one, x, place) for one in (prepend, append)]
        parts = [ends[0], x, ends[1]]
        x = FUNCTIONS["concatenate"]([one for one in parts if one is not None], place)
    return _diff(x, n=int(n), axis=axes_of(x, axis)[0])


def _end(value: Any, x: Any, axis: int) -> Any:
    """What stands at an end of an array: a number stands there once in each row."""
    if value is None:
        return None
    (end,) = check_arrays("diff", [value])
    if shape_of(end):
        return end
    return FUNCTIONS["broadcast_to"](end, [1 if i == axis else n for i, n in enumerate(shape_of(x))])


@library_jit(1, name="diff")
def _diff(x: Any, n: int, axis: int) -> Any:
    for _ in range(n):
        shape = shape_of(x)
        starts, ends = np.eye(1, len(shape), axis, dtype=int)[0].tolist(), list(shape)
        ends[axis] -= 1
        right, left = slice_of(x, starts, shape), slice_of(x, [0] * len(shape), ends)
        x = ar.ne(right, left) if aval_of(x).dtype == "bool" else ar.sub(right, left)
    return x


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
        numbers = where_jitted(ar.ne(x, x), like(x, fill), x)
        return reduce(numbers, axis, dtype, keepdims=keepdims, initial=initial, where=where)

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
        if not aval_of(x).is_float:
            return reduce(x, axis, keepdims=keepdims, initial=initial, where=where)
        is_none = ar.ne(x, x)
        numbers = where_jitted(is_none, like(x, fill), x)
        found = reduce(numbers, axis, keepdims=keepdims, initial=initial, where=where)
        if initial is not None:
            return found
        nothing = all_(is_none, axis, keepdims=keepdims, where=where)
        return where_jitted(nothing, like(found, np.nan), found)

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
    kind = aval_of(x).dtype
    count = sum_(convert(el.not_p(ar.ne(x, x)), kind), axis, dtype=kind, keepdims=keepdims, where=where)
    return ar.div(FUNCTIONS["nansum"](x, axis, kind, keepdims=keepdims, where=where), count)
