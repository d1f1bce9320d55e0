"""Functions of jnp that arrange elements anew."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.api.calling import many, whole
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import index_error, type_error, value_error
from engine.languages.surfaces.jax.core.values import Tracer, aval_of, constant, known
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.lax.basics import (
    broadcast,
    broadcast_in_dim,
    convert,
    expand_dims,
    like,
    shape_of,
)
from engine.languages.surfaces.jax.lax.basics import reshape as reshape_to
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.making.diagonals import triangle
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.making.filled import full_
from engine.languages.surfaces.jax.numpy.making.lengths import _bad_shape
from engine.languages.surfaces.jax.numpy.promotion import ARRAYS, check_arrays, common_shape, promote_types
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of, place_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, as_array, named, where_jitted
from engine.languages.surfaces.left_out import takes_only


def reshaped(x: Any, shape: Sequence[Any]) -> Any:
    """The same elements in another shape, of which one length may be -1."""
    lengths = []
    for one in shape:
        if isinstance(one, Tracer) and known(one) is None:
            raise _bad_shape(list(shape), one)
        lengths.append(whole(one if not isinstance(one, Tracer) else int(known(one)), "shape"))
    size = aval_of(x).size
    if -1 in lengths:
        rest = prod(n for n in lengths if n != -1)
        if lengths.count(-1) > 1:
            said = f"can only specify one unknown axis size with a `-1` value, got {tuple(lengths)}"
            raise type_error(said, "只能有一个 -1。")
        if rest == 0 or size % rest:
            raise type_error(
                f"cannot reshape array of shape {shape_of(x)} (size {size}) into shape "
                f"{tuple(lengths)} because "
                f"the product of specified axis sizes ({rest}) does not evenly divide {size}",
                f"不能把形状 {shape_of(x)} 变为 {tuple(lengths)}。",
                code="shape_mismatch",
            )
        lengths[lengths.index(-1)] = size // rest
    if prod(lengths) != size:
        raise type_error(
            f"cannot reshape array of shape {shape_of(x)} (size {size}) into shape {tuple(lengths)} "
            f"(size {prod(lengths)})",
            f"不能把形状 {shape_of(x)}（{size} 个元素）变为 {tuple(lengths)}（{prod(lengths)} 个元素）。",
            code="shape_mismatch",
        )
    return reshape_to(x, lengths)


@named("reshape")
@takes_only(order=("C", "F"))
def reshape(a: Any, shape: Any = None, order: Any = "C", **_: Any) -> Any:
    """The same elements in another shape; order "F": the first axis goes fastest."""
    (x,) = check_arrays("reshape", [a])
    wanted = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if order == "F":
        return FUNCTIONS["transpose"](reshaped(FUNCTIONS["transpose"](x), wanted[::-1]))
    return reshaped(x, wanted)


@named("ravel")
@takes_only(order=("C", "F"))
def ravel(a: Any, order: Any = "C") -> Any:
    """All elements along one axis; order "F": the first axis goes fastest."""
    (x,) = check_arrays("ravel", [a])
    x = FUNCTIONS["transpose"](x) if order == "F" else x
    return reshape_to(x, (aval_of(x).size,))


@named("squeeze")
def squeeze(a: Any, axis: Any = None) -> Any:
    """The array without axes of length one."""
    (x,) = check_arrays("squeeze", [a])
    axes = [i for i, n in enumerate(shape_of(x)) if n == 1] if axis is None else axes_of(x, axis)
    return sh.squeeze(x, axes)


@named("expand_dims")
def expand_dims_(a: Any, axis: Any) -> Any:
    """New axes of length one."""
    (x,) = check_arrays("expand_dims", [a])
    axes = many(axis, "axis")
    places = [place_of(one, len(shape_of(x)) + len(axes)) for one in axes]
    if len(set(places)) < len(places):
        said = f"repeated axis in lax.expand_dims: {axes}"
        raise value_error(said, f"expand_dims 的轴重复：{axes}。")
    return expand_dims(x, places)


@named("transpose", "permute_dims")
def transpose(a: Any, axes: Any = None) -> Any:
    """The axes in another order, or in the opposite one."""
    (x,) = check_arrays("transpose", [a])
    order = tuple(range(len(shape_of(x))))[::-1] if axes is None else axes_of(x, axes)
    if sorted(order) != list(range(len(shape_of(x)))):
        raise type_error(
            "transpose permutation isn't a permutation of operand dimensions, got permutation "
            f"{order} for operand shape {shape_of(x)}.",
            f"{order} 不是形状 {shape_of(x)} 各轴的一个排列。",
        )
    return sh.transpose(x, order)


@named("matrix_transpose")
def matrix_transpose(x: Any, /) -> Any:
    """The last two axes exchanged."""
    return swapaxes(x, -1, -2)


def _place_in_list(axis: int, ndim: int) -> int:
    """An axis, counted from the front. Raises: IndexError, as for the place in a list of axes."""
    if not -ndim <= axis < ndim:
        raise index_error(
            f"index {axis} is out of bounds for axis 0 with size {ndim}",
            f"轴 {axis} 超出了 {ndim} 维数组的范围。",
        )
    return axis % ndim


@named("swapaxes")
def swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    """Two axes exchanged."""
    (x,) = check_arrays("swapaxes", [a])
    order = list(range(len(shape_of(x))))
    first, second = (_place_in_list(whole(axis, "axis"), len(order)) for axis in (axis1, axis2))
    order[first], order[second] = second, first
    return sh.transpose(x, order)


@named("moveaxis")
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Axes at other places."""
    (x,) = check_arrays("moveaxis", [a])
    ndim = len(shape_of(x))
    sources = [place_of(axis, ndim) for axis in many(source, "source")]
    targets = [place_of(axis, ndim) for axis in many(destination, "destination")]
    order = [axis for axis in range(ndim) if axis not in sources]
    for target, axis in sorted(zip(targets, sources, strict=True)):
        order.insert(target, axis)
    return sh.transpose(x, order)


# -- joining -----------------------------------------------------------------------------------------


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
    check_arrays("ravel" if axis is None else "concatenate", [arr, values])
    return concatenate([arr, values], axis)


def _pieces(ary: Any, given: Any, axis: Any, even: bool) -> list[Any]:
    (x,) = check_arrays("split", [ary])
    place = place_of(whole(axis, "axis"), len(shape_of(x)))
    length = shape_of(x)[place]
    if isinstance(given, (tuple, list)) or (hasattr(given, "aval") and shape_of(given)):
        bounds = [int(one) for one in (given if isinstance(given, (tuple, list)) else known(given))]
        points = np.clip([0, *bounds, length], 0, length)
        sizes = [max(int(n), 0) for n in np.diff(points)]
    else:
        count = whole(given, "indices_or_sections")
        if even and length % count:
            raise value_error(
                f"array split does not result in an equal division: rest is {length % count}",
                f"长度 {length} 不能等分为 {count} 份。",
            )
        sizes = [length // count + (i < length % count) for i in range(count)]
    return list(sh.split(x, sizes, place))


@named("split")
def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Any]:
    """Parts along an axis."""
    return _pieces(ary, indices_or_sections, axis, True)


@named("array_split")
def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Any]:
    """Parts along an axis, of nearly equal lengths."""
    return _pieces(ary, indices_or_sections, axis, False)


@named("vsplit")
def vsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """Parts of the rows."""
    return _pieces(ary, indices_or_sections, 0, True)


@named("hsplit")
def hsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """Parts of the columns."""
    return _pieces(ary, indices_or_sections, 1 if len(shape_of(constant(ary))) > 1 else 0, True)


@named("unstack")
def unstack(x: Any, /, *, axis: Any = 0) -> tuple[Any, ...]:
    """The parts along an axis, without it."""
    (x,) = check_arrays("unstack", [x])
    return tuple(sh.unstack_p(x, axis=place_of(whole(axis, "axis"), len(shape_of(x)))))


# -- repeating and turning ---------------------------------------------------------------------------


@named("tile")
def tile(A: Any, reps: Any) -> Any:
    """The array several times beside itself."""
    (x,) = check_arrays("tile", [A])
    times = many(reps, "reps")
    ndim = max(len(times), len(shape_of(x)))
    times = (1,) * (ndim - len(times)) + times
    return sh.tile_p(broadcast(x, (1,) * (ndim - len(shape_of(x)))), reps=times)


@named("repeat")
@takes_only(total_repeat_length=(None,))
def repeat(a: Any, repeats: Any, axis: Any = None, total_repeat_length: Any = None, **_: Any) -> Any:
    """Each element several times."""
    (x,) = check_arrays("repeat", [a])
    if axis is None:
        x, place = reshape_to(x, (aval_of(x).size,)), 0
    else:
        place = axes_of(x, axis)[0]
    if isinstance(repeats, int):
        shape = shape_of(x)
        wide = broadcast_in_dim(
            x,
            (*shape[: place + 1], repeats, *shape[place + 1 :]),
            [i for i in range(len(shape) + 1) if i != place + 1],
        )
        return reshape_to(wide, (*shape[:place], shape[place] * repeats, *shape[place + 1 :]))
    counts = np.asarray(known(array(repeats)))
    from engine.languages.surfaces.jax.numpy.indexing import getitem

    places = np.repeat(np.arange(shape_of(x)[place]), counts).astype("int32")
    return getitem(x, (*([slice(None)] * place), array(places)))


@named("flip")
def flip(m: Any, axis: Any = None) -> Any:
    """The elements in the opposite order."""
    (x,) = check_arrays("flip", [m])
    return _flip(x, axes=axes_of(x, axis))


@library_jit(1, name="_flip")
def _flip(x: Any, axes: tuple[int, ...]) -> Any:
    return sh.rev(x, axes)


@named("fliplr")
def fliplr(m: Any) -> Any:
    """The columns in the opposite order."""
    return flip(m, 1)


@named("flipud")
def flipud(m: Any) -> Any:
    """The rows in the opposite order."""
    return flip(m, 0)


@named("roll")
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Elements moved along, those at the end to the front."""
    (x,) = check_arrays("roll", [a])
    if axis is None:
        flat = reshape_to(x, (aval_of(x).size,))
        return reshape_to(_roll(flat, shifts=many(shift, "shift"), axes=(0,)), shape_of(x))
    axes, shifts = axes_of(x, axis), many(shift, "shift")
    if len(shifts) == 1:
        shifts = shifts * len(axes)
    return _roll(x, shifts=shifts, axes=axes)


@library_jit(1, name="_roll_static")
def _roll(x: Any, shifts: tuple[int, ...], axes: tuple[int, ...]) -> Any:
    for shift, axis in zip(shifts, axes, strict=True):
        length = shape_of(x)[axis]
        if not length:
            return x
        by = (-shift) % length
        if by:
            shape = shape_of(x)
            starts, limits, ones = [0] * len(shape), list(shape), [1] * len(shape)
            first = sh.slice_of(x, [*starts[:axis], by, *starts[axis + 1 :]], limits, ones)
            second = sh.slice_of(x, starts, [*limits[:axis], by, *limits[axis + 1 :]], ones)
            x = sh.concatenate([first, second], axis)
    return x


@named("rot90")
def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """The array swapped_axes by quarters."""
    turns = whole(k, "k") % 4
    first, second = axes
    if turns == 0:
        return as_array(constant(m))
    if turns == 2:
        return flip(flip(m, first), second)
    return (
        swapaxes(flip(m, second), first, second) if turns == 1 else flip(swapaxes(m, first, second), second)
    )


@named("tril")
def tril(m: Any, k: Any = 0) -> Any:
    """The elements on and below a diagonal."""
    (x,) = check_arrays("tril", [m])
    return _lower(x, k=int(k))


@named("triu")
def triu(m: Any, k: Any = 0) -> Any:
    """The elements on and above a diagonal."""
    (x,) = check_arrays("triu", [m])
    return _upper(x, k=int(k))


def _zeros_like(x: Any) -> Any:
    return broadcast(like(x, 0), shape_of(x))


@library_jit(1, name="tril")
def _lower(x: Any, k: int) -> Any:
    from engine.languages.surfaces.jax.lax.arithmetic import select

    rows, columns = shape_of(x)[-2:]
    mask = broadcast(triangle((rows, columns), k), shape_of(x)[:-2])
    return select(mask, x, _zeros_like(x))


@library_jit(1, name="triu")
def _upper(x: Any, k: int) -> Any:
    from engine.languages.surfaces.jax.lax.arithmetic import select

    rows, columns = shape_of(x)[-2:]
    mask = broadcast(triangle((rows, columns), k - 1), shape_of(x)[:-2])
    return select(mask, _zeros_like(x), x)


# -- choices -----------------------------------------------------------------------------------------


@named("where")
def where(
    condition: Any, x: Any = None, y: Any = None, /, *, size: Any = None, fill_value: Any = None
) -> Any:
    """Elements of x where the condition holds, of y elsewhere."""
    if x is None and y is None:
        return FUNCTIONS["nonzero"](condition, size=size, fill_value=fill_value)
    condition, x, y = check_arrays("where", [condition, x, y])
    common_shape([condition, x, y])
    return where_jitted(condition, x, y)


@named("broadcast_arrays")
def broadcast_arrays(*args: Any) -> list[Any]:
    """Arrays in the shape that they have together."""
    xs = check_arrays("broadcast_arrays", args)
    shape = common_shape(xs)
    return [FUNCTIONS["broadcast_to"](x, shape) for x in xs]


@named("astype")
def astype(x: Any, dtype: Any, /, **_: Any) -> Any:
    """The array in another element type."""
    (x,) = check_arrays("astype", [x])
    kind = dtype_of(dtype)
    if aval_of(x).is_inexact and kind is not None and kind == "bool":
        from engine.languages.surfaces.jax.lax.arithmetic import ne

        return ne(x, like(x, 0))
    return as_array(convert(x, kind))


@named("copy")
def copy(a: Any, **_: Any) -> Any:
    """A copy: another array of the same elements."""
    from engine.languages.surfaces.jax.lax.elementwise import copy_p

    (x,) = check_arrays("copy", [a])
    return copy_p(x)


FULL = full_
