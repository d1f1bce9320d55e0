"""The functions of `jax.lax`: primitives under their names, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api import (
    control,
)
from engine.languages.surfaces.jax.api.calling import as_value, many, trees, whole
from engine.languages.surfaces.jax.api.derivatives import cotangents
from engine.languages.surfaces.jax.api.refusing import lax as check
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax import basics as ba
from engine.languages.surfaces.jax.lax import dynamic_slices as dy
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax import powers as pw
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.lax.products import dot_general
from engine.languages.surfaces.jax.nn import logsumexp
from engine.languages.surfaces.jax.numpy.further.sorting import sorted_with, top_k_p
from engine.languages.surfaces.jax.numpy.indexing import getitem, normalized
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.operators import rows
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.left_out import takes_only

LAX: dict[str, Callable[..., Any]] = {
    "cond": control.cond,
    "switch": control.switch,
    "while_loop": control.while_loop,
    "fori_loop": control.fori_loop,
    "scan": control.scan,
    "map": control.map_,
    "stop_gradient": cotangents.stop_gradient,
}


def named(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a function of jax.lax under one name or several."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        LAX.update(dict.fromkeys(names, function))
        return function

    return enter


def _of_one(primitive: Any) -> Callable[..., Any]:
    return lambda x, **_: primitive(as_value(x))


def _of_two(primitive: Any) -> Callable[..., Any]:
    def call(x: Any, y: Any, **_: Any) -> Any:
        return primitive(as_value(x), as_value(y))

    return call


for _name, _primitive in {
    "neg": ar.neg,
    "sign": el.sign,
    "floor": el.floor,
    "ceil": el.ceil,
    "exp": el.exp,
    "log": el.log,
    "exp2": el.exp2,
    "expm1": el.expm1,
    "log1p": el.log1p,
    "tanh": el.tanh,
    "logistic": el.logistic,
    "sin": el.sin,
    "cos": el.cos,
    "tan": el.tan,
    "asin": el.asin,
    "acos": el.acos,
    "atan": el.atan,
    "sinh": el.sinh,
    "cosh": el.cosh,
    "asinh": el.asinh,
    "acosh": el.acosh,
    "atanh": el.atanh,
    "sqrt": el.sqrt,
    "rsqrt": el.rsqrt,
    "cbrt": el.cbrt,
    "abs": el.abs_p,
    "square": ar.square,
    "is_finite": el.is_finite,
    "erf": el.erf,
    "erfc": el.erfc,
    "erf_inv": el.erf_inv,
    "lgamma": el.lgamma,
    "digamma": el.digamma,
    "bitwise_not": el.not_p,
    "population_count": el.population_count,
}.items():
    LAX[_name] = _of_one(_primitive)
for _name, _primitive in {
    "add": ar.add,
    "sub": ar.sub,
    "mul": ar.mul,
    "div": ar.div,
    "rem": pw.rem,
    "pow": pw.pow_p,
    "max": ar.max_p,
    "min": ar.min_p,
    "eq": ar.eq,
    "ne": ar.ne,
    "lt": ar.lt,
    "le": ar.le,
    "gt": ar.gt,
    "ge": ar.ge,
    "atan2": ar.atan2,
    "bitwise_and": ar.and_p,
    "bitwise_or": ar.or_p,
    "bitwise_xor": ar.xor,
    "shift_left": ar.shift_left,
    "shift_right_logical": ar.shift_right_logical,
    "shift_right_arithmetic": ar.shift_right_arithmetic,
    "nextafter": ar.nextafter,
}.items():
    LAX[_name] = _of_two(_primitive)


@named("integer_pow")
def integer_pow(x: Any, y: Any) -> Any:
    """A power with a whole exponent."""
    return ar.integer_pow(as_value(x), int(y))


@named("reciprocal")
def reciprocal(x: Any) -> Any:
    """1 / x."""
    return ar.integer_pow(as_value(x), -1)


@named("round")
def round_(x: Any, rounding_method: Any = 0) -> Any:
    """The nearest whole number, halves away from zero."""
    return el.round_p(as_value(x), rounding_method=el.Rounding(int(rounding_method)))


@named("select")
def select(pred: Any, on_true: Any, on_false: Any) -> Any:
    """Elements of one array where the condition holds, of another elsewhere."""
    a, b = as_value(on_true), as_value(on_false)
    check.check_same_types("select", [b, a])
    return ar.select(as_value(pred), a, b)


@named("select_n")
def select_n(which: Any, *cases: Any) -> Any:
    """Elements of the arrays that an index names."""
    return ar.select_n_p(as_value(which), *map(as_value, cases))


@named("clamp")
def clamp(min: Any, x: Any, max: Any) -> Any:
    """The array, cut to a range."""
    low, value, high = map(as_value, (min, x, max))
    check.check_same_types("clamp", [low, value, high])
    for name, bound in (("min", low), ("max", high)):
        check.check_bound(name, bound, value)
    return ar.clamp(low, value, high)


@named("convert_element_type")
def convert_element_type(operand: Any, new_dtype: Any) -> Any:
    """The array in another element type."""
    return JNP["astype"](operand, new_dtype)


@named("bitcast_convert_type")
def bitcast(operand: Any, new_dtype: Any) -> Any:
    """The bits of the elements as another type."""
    return el.bitcast_p(as_value(operand), new_dtype=dtype_of(new_dtype))


@named("dot")
def dot(lhs: Any, rhs: Any, **_: Any) -> Any:
    """The product of vectors and matrices."""
    x, y = as_value(lhs), as_value(rhs)
    check.check_dot(x, y)
    axes = ((len(ba.shape_of(x)) - 1,), (0,))
    return dot_general(x, y, (axes, ((), ())), None, aval_of(x).dtype)


@named("batch_matmul")
def batch_matmul(lhs: Any, rhs: Any, **_: Any) -> Any:
    """The products of matrices, pair by pair."""
    x, y = as_value(lhs), as_value(rhs)
    last = len(ba.shape_of(x)) - 1
    batch = tuple(range(last - 1))
    return dot_general(x, y, (((last,), (last - 1,)), (batch, batch)), None, aval_of(x).dtype)


@named("dot_general")
def dot_general_(lhs: Any, rhs: Any, dimension_numbers: Any, **_: Any) -> Any:
    """Sums of products along some axes."""
    (xc, yc), (xb, yb) = dimension_numbers
    axes = tuple(tuple(int(i) for i in one) for one in (xc, yc, xb, yb))
    x, y = as_value(lhs), as_value(rhs)
    return dot_general(x, y, ((axes[0], axes[1]), (axes[2], axes[3])), None, aval_of(x).dtype)


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


@named("slice")
def slice_(operand: Any, start_indices: Any, limit_indices: Any, strides: Any = None) -> Any:
    """A part of the array."""
    x, first, last = as_value(operand), tuple(start_indices), tuple(limit_indices)
    check.check_sizes(ba.shape_of(x), last)
    return sh.slice_of(x, first, last, strides)


@named("slice_in_dim")
def slice_in_dim(operand: Any, start_index: Any, limit_index: Any, stride: Any = 1, axis: Any = 0) -> Any:
    """A part along one axis."""
    x = as_value(operand)
    length = ba.shape_of(x)[int(axis)]
    start = 0 if start_index is None else int(start_index)
    stop = length if limit_index is None else int(limit_index)
    start, stop = (n + length if n < 0 else n for n in (start, stop))
    return sh.slice_in_dim(x, start, stop, int(axis), int(stride))


@named("index_in_dim")
def index_in_dim(operand: Any, index: Any, axis: Any = 0, keepdims: Any = True) -> Any:
    """One place along an axis."""
    x = slice_in_dim(operand, index, int(index) + 1, 1, axis)
    return x if keepdims else sh.squeeze(x, (int(axis),))


def _starts(x: Any, starts: Any) -> list[Any]:
    shape = ba.shape_of(x)
    if isinstance(starts, (int, float)):
        raise type_error(f"object of type '{type(starts).__name__}' has no len()", "起点必须写成元组。")
    items = list(starts) if isinstance(starts, (tuple, list)) else list(rows(starts))
    check.check_starts(x, items)
    return [normalized(_whole(as_value(one)), n) for one, n in zip(items, shape, strict=True)]


def _whole(value: Any) -> Any:
    return ba.convert(value, aval_of(value).dtype, aval_of(value).weak)


@named("dynamic_slice")
def dynamic_slice(operand: Any, start_indices: Any, slice_sizes: Any, **_: Any) -> Any:
    """A part that begins at a computed place."""
    x, sizes = as_value(operand), lengths(slice_sizes)
    starts = _starts(x, start_indices)
    check.check_places("dynamic_slice", starts)
    check.check_sizes(ba.shape_of(x), sizes)
    return dy.dynamic_slice_p(x, *starts, slice_sizes=sizes)


@named("dynamic_slice_in_dim")
def dynamic_slice_in_dim(operand: Any, start_index: Any, slice_size: Any, axis: Any = 0, **_: Any) -> Any:
    """The same along one axis."""
    x = as_value(operand)
    shape = ba.shape_of(x)
    place = int(axis) % len(shape)
    starts: list[Any] = [0] * len(shape)
    starts[place] = start_index
    sizes = [*shape[:place], int(slice_size), *shape[place + 1 :]]
    return dynamic_slice(x, starts, sizes)


@named("dynamic_index_in_dim")
def dynamic_index_in_dim(operand: Any, index: Any, axis: Any = 0, keepdims: Any = True, **_: Any) -> Any:
    """One computed place along an axis."""
    x = dynamic_slice_in_dim(operand, index, 1, axis)
    return x if keepdims else sh.squeeze(x, (int(axis) % len(ba.shape_of(x)),))


@named("dynamic_update_slice")
def dynamic_update_slice(operand: Any, update: Any, start_indices: Any, **_: Any) -> Any:
    """The array with another part at a computed place."""
    x, new = as_value(operand), as_value(update)
    starts = _starts(x, start_indices)
    check.check_places("dynamic_update_slice", starts)
    check.check_update(x, new)
    return dy.dynamic_update_slice_p(x, new, *starts)


@named("dynamic_update_slice_in_dim", "dynamic_update_index_in_dim")
def dynamic_update_slice_in_dim(operand: Any, update: Any, start_index: Any, axis: Any, **_: Any) -> Any:
    """The same along one axis."""
    x, new = as_value(operand), as_value(update)
    shape = ba.shape_of(x)
    place = int(axis) % len(shape)
    if len(ba.shape_of(new)) < len(shape):
        new = ba.expand_dims(new, (place,))
    starts: list[Any] = [0] * len(shape)
    starts[place] = start_index
    return dynamic_update_slice(x, new, starts)


def _reduction(primitive: Any, **settings: Any) -> Callable[..., Any]:
    return lambda operand, axes, **_: primitive(as_value(operand), axes=tuple(axes), **settings)


for _name, _primitive in {
    "reduce_prod": re.reduce_prod_p,
    "reduce_max": re.reduce_max_p,
    "reduce_min": re.reduce_min_p,
    "reduce_and": re.reduce_and_p,
    "reduce_or": re.reduce_or_p,
    "reduce_xor": re.reduce_xor_p,
}.items():
    LAX[_name] = _reduction(_primitive)
FOLDS = {"add": "reduce_sum", "mul": "reduce_prod", "max": "reduce_max", "min": "reduce_min"}


@named("reduce")
def reduce_(
    interpreter: Interpreter, operands: Any, init_values: Any, computation: Any, dimensions: Any, **_: Any
) -> Any:
    """What a function of two makes of the elements along some axes, and of a first value."""
    x, first = as_value(operands), as_value(init_values)
    first = ba.convert(first, aval_of(x).dtype)
    name = str(getattr(computation, "name", "")).rpartition(".")[2]
    axes = many(dimensions, "dimensions")
    if name in FOLDS:
        return interpreter.call(computation, [LAX[FOLDS[name]](x, axes), first], {})
    rows = JNP["moveaxis"](x, axes, tuple(range(len(axes))))
    rest = ba.shape_of(rows)[len(axes) :]
    rows = ba.reshape(rows, (aval_of(x).size // max(int(np.prod(rest, dtype=int)), 1), *rest))
    total = JNP["broadcast_to"](first, rest)
    for index in range(ba.shape_of(rows)[0]):
        total = interpreter.call(computation, [total, getitem(rows, index)], {})
    return total


LAX["reduce_sum"] = _reduction(ba.reduce_sum_p, out_sharding=None)
for _name, _primitive in {
    "cumsum": re.cumsum_p,
    "cumprod": re.cumprod_p,
    "cummax": re.cummax_p,
    "cummin": re.cummin_p,
    "cumlogsumexp": re.cumlogsumexp_p,
}.items():
    LAX[_name] = lambda operand, axis=0, reverse=False, primitive=_primitive: primitive(
        as_value(operand), axis=int(axis), reverse=bool(reverse)
    )


@named("argmax")
def argmax(operand: Any, axis: Any, index_dtype: Any) -> Any:
    """Where the largest element is."""
    return re.argmax_p(as_value(operand), axes=(int(axis),), index_dtype=dtype_of(index_dtype))


@named("argmin")
def argmin(operand: Any, axis: Any, index_dtype: Any) -> Any:
    """Where the smallest element is."""
    return re.argmin_p(as_value(operand), axes=(int(axis),), index_dtype=dtype_of(index_dtype))


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
    found: list[Any] = top_k_p(x, k=count)
    return found


@named("associative_scan")
def associative_scan(
    interpreter: Interpreter, fn: Any, elems: Any, reverse: Any = False, axis: Any = 0
) -> Any:
    """Running results of an associative function."""
    leaves, structure = trees().flatten(elems)
    xs = [as_value(leaf) for leaf in leaves]

    def combine(a: Any, b: Any) -> Any:
        found = interpreter.call(fn, [trees().unflatten(structure, a), trees().unflatten(structure, b)], {})
        return [as_value(leaf) for leaf in trees().up_to(structure, found)]

    place = check.axis_of(int(axis), len(ba.shape_of(xs[0])))
    sizes = [ba.shape_of(x) for x in xs]
    if len({shape[place] for shape in sizes}) > 1:
        raise value_error(
            f"Array inputs to associative_scan must have the same first dimension. (saw: {sizes})",
            "associative_scan 的各数组长度必须相同。",
        )
    return trees().unflatten(structure, re.associative_scans(combine, xs, place, bool(reverse)))


LAX["logsumexp"] = logsumexp
