"""`jnp.pad`: elements before and after those of an array, in each of numpy's ways."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import ProgramError, RefusedError
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.run import written_otherwise
from engine.languages.surfaces.jax.core.values import aval_of, constant
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.lax.basics import convert, shape_of
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.making.lengths import known_number
from engine.languages.surfaces.jax.numpy.making.ranges import linspace
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.numpy.ufuncs import named
from engine.languages.surfaces.left_out import takes_only

Widths = Sequence[tuple[int, int]]
STATISTICS = MappingProxyType({"maximum": "max", "minimum": "min", "mean": "mean", "median": "median"})
MODES = ("constant", "empty", "linear_ramp", "edge", "reflect", "symmetric", "wrap", *STATISTICS)


@named("pad")
@takes_only(reflect_type=("even",))
def pad(
    array: Any,
    pad_width: Any,
    mode: Any = "constant",
    *,
    constant_values: Any = 0,
    end_values: Any = 0,
    stat_length: Any = None,
    reflect_type: Any = "even",
) -> Any:
    """Elements before and after those of the array, along each axis."""
    (x,) = check_arrays("pad", [array])
    if not isinstance(mode, str):
        raise RefusedError(
            "pad() with a function as its mode is not supported.",
            message_zh="不支持以函数作为 pad() 的 mode。",
            code="refused_name",
        )
    if mode not in MODES:
        said = f"Unimplemented padding mode '{mode}' for np.pad."
        zh = f"pad 的 mode 不能是 {mode!r}。"
        raise ProgramError(said, message_zh=zh, code="bad_value", kind="NotImplementedError", said=said)
    _check_unused(mode, constant_values, end_values, stat_length)
    widths = _widths(x, pad_width)
    if mode in ("constant", "empty"):
        return _constant(x, widths, constant_values)
    written_otherwise("jax.numpy.pad")
    if mode in STATISTICS:
        return _by_statistic(x, widths, STATISTICS[mode], stat_length)
    if mode == "linear_ramp":
        return _linear_ramp(x, widths, end_values)
    return _by_places(x, widths, mode)


def _check_unused(mode: str, constant_values: Any, end_values: Any, stat_length: Any) -> None:
    """Raise ValueError for an argument that another mode takes."""
    others = set()
    if not _is_zero(constant_values) and mode != "constant":
        others.add("constant_values")
    if not _is_zero(end_values) and mode != "linear_ramp":
        others.add("end_values")
    if stat_length is not None and mode not in STATISTICS:
        others.add("stat_length")
    if others:
        said = f"unsupported keyword arguments for mode '{mode}': {others}"
        raise value_error(said, f"mode={mode!r} 时不能给出 {'、'.join(sorted(others))}。")


def _is_zero(value: Any) -> bool:
    return isinstance(value, int) and value == 0


def _widths(x: Any, given: Any) -> Widths:
    """How many elements before and after along each axis. Raises: TypeError, ValueError."""
    ndim = len(shape_of(x))
    parts = given if isinstance(given, (tuple, list)) else [given]
    for part in parts:
        for one in part if isinstance(part, (tuple, list)) else [part]:
            known_number(one, "pad_width argument of jnp.pad")
    widths = np.asarray(given)
    if widths.dtype.kind not in "iu":
        raise type_error("`pad_width` must be of integral type.", "pad_width 必须是整数。")
    try:
        pairs = np.broadcast_to(widths, (ndim, 2))
    except ValueError:
        said = (
            f"jnp.pad: pad_width with nd={ndim} has unsupported shape {widths.shape}. "
            f"Valid shapes are ({ndim}, 2), (1, 2), (2,), (1,), or ()."
        )
        raise value_error(said, f"pad_width 的形状 {widths.shape} 与 {ndim} 维数组不符。") from None
    if np.any(pairs < 0):
        raise value_error("index can't contain negative values", "pad_width 不能有负数。")
    return [(int(low), int(high)) for low, high in pairs]


def _of_each_axis(x: Any, given: Any) -> list[tuple[Any, Any]]:
    """A number before and one after, of the array's type, for each axis."""
    dtype, ndim = aval_of(x).dtype, len(shape_of(x))
    values = JNP["broadcast_to"](convert(array(given), dtype), (ndim, 2))
    return [(getitem(values, (i, 0)), getitem(values, (i, 1))) for i in range(ndim)]


def _constant(x: Any, widths: Widths, values: Any) -> Any:
    if not isinstance(values, (tuple, list)):
        value = constant(values)
        if not shape_of(value):
            return _pad(x, value, padding=tuple((np.int64(low), np.int64(high), 0) for low, high in widths))
    for axis, (before, after) in enumerate(_of_each_axis(x, values)):
        none = [(0, 0, 0)] * len(widths)
        x = sh.pad(x, before, _replaced(none, axis, (widths[axis][0], 0, 0)))
        x = sh.pad(x, after, _replaced(none, axis, (0, widths[axis][1], 0)))
    return x


@library_jit(2)
def _pad(x: Any, value: Any, padding: tuple[tuple[Any, Any, int], ...]) -> Any:
    aval = aval_of(x)
    return sh.pad(x, convert(value, aval.dtype, aval.weak), list(padding))


def _replaced(items: Sequence[Any], place: int, item: Any) -> list[Any]:
    return [item if i == place else one for i, one in enumerate(items)]


def _by_places(x: Any, widths: Widths, mode: str) -> Any:
    """Elements of the array itself once more."""
    for axis, (length, width) in enumerate(zip(shape_of(x), widths, strict=True)):
        places = np.pad(np.arange(length, dtype="int32"), width, mode=mode)  # type: ignore[call-overload]
        x = getitem(x, (*([slice(None)] * axis), array(places)))
    return x


def _linear_ramp(x: Any, widths: Widths, end_values: Any) -> Any:
    """Numbers at equal distances, from an end value to the element at the edge."""
    dtype = aval_of(x).dtype
    for axis, (start, end) in enumerate(_of_each_axis(x, end_values)):
        first, last = (_taken(x, place, axis) for place in (0, -1))
        before = linspace(start, first, widths[axis][0], endpoint=False, dtype=dtype)
        after = JNP["flip"](linspace(end, last, widths[axis][1], endpoint=False, dtype=dtype), 0)
        parts = [JNP["moveaxis"](before, 0, axis), x, JNP["moveaxis"](after, 0, axis)]
        x = JNP["concatenate"](parts, axis)
    return x


def _taken(x: Any, place: int | slice, axis: int) -> Any:
    return getitem(x, (*([slice(None)] * axis), place))


def _by_statistic(x: Any, widths: Widths, name: str, stat_length: Any) -> Any:
    """The mean, the largest element, … along each axis, of the elements next to the edge."""
    dtype = aval_of(x).dtype
    for axis, (low, high) in enumerate(widths):
        length = shape_of(x)[axis]
        first, last = np.broadcast_to(length if stat_length is None else stat_length, (len(widths), 2))[axis]
        ends = slice(0, min(first, length)), slice(length - min(last, length), length)
        found = [JNP[name](_taken(x, end, axis), axis=axis, keepdims=True) for end in ends]
        if not aval_of(x).is_float:
            found = [JNP["round"](one) for one in found]
        before, after = (
            JNP["repeat"](convert(one, dtype), count, axis)
            for one, count in zip(found, (low, high), strict=True)
        )
        x = JNP["concatenate"]([before, x, after], axis)
    return x
