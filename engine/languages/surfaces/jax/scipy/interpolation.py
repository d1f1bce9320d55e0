"""`jax.scipy.ndimage.map_coordinates`: the values of an array between its places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import product
from operator import add, and_, mul
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import elementwise as el
from engine.languages.surfaces.jax.lax.basics import convert, shape_of
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP


def _mirrored(index: Any, size: int) -> Any:
    """… 2 1 0 1 2 …: the first and the last place stand once."""
    last = size - 1
    return JNP["absolute"](JNP["mod"](index + last, 2 * last) - last)


# Which place is taken for one outside of 0 … size - 1.
MODES: Mapping[str, Callable[[Any, int], Any]] = MappingProxyType(
    {
        "constant": lambda index, size: index,
        "nearest": lambda index, size: JNP["clip"](index, 0, size - 1),
        "wrap": lambda index, size: JNP["mod"](index, size),
        "mirror": _mirrored,
        "reflect": lambda index, size: JNP["floor_divide"](_mirrored(2 * index + 1, 2 * size + 1) - 1, 2),
    }
)


def _rounded(x: Any) -> Any:
    """The nearest whole number, halves away from zero."""
    return x if not aval_of(x).is_inexact else el.round_p(x, rounding_method=el.AWAY_FROM_ZERO)


def _nearest(x: Any) -> list[tuple[Any, Any]]:
    return [(convert(_rounded(x), "int32"), 1.0)]


def _linear(x: Any) -> list[tuple[Any, Any]]:
    """The places below and above, each with the distance to the other as its weight."""
    below = JNP["floor"](x)
    above_weight = x - below
    index = convert(below, "int32")
    return [(index, 1 - above_weight), (index + 1, above_weight)]


def _check(order: Any, mode: Any, ndim: int, coordinates: Sequence[Any]) -> None:
    if len(coordinates) != ndim:
        raise value_error(
            f"coordinates must be a sequence of length input.ndim, but {len(coordinates)} != {ndim}",
            f"coordinates 需要 {ndim} 项（每个轴一项），但得到 {len(coordinates)} 项。",
        )
    said = said_zh = ""
    if mode not in MODES:
        named = "{" + ", ".join(map(repr, MODES)) + "}"
        said = f"does not yet support mode {mode}. Currently supported modes are {named}."
        said_zh = f"不支持 mode {mode}，可选：{named}。"
    elif order not in (0, 1):
        said, said_zh = "currently requires order<=1", "只支持 order 为 0 或 1。"
    if said:
        said = f"jax.scipy.ndimage.map_coordinates {said}"
        raise ProgramError(
            said,
            message_zh=f"map_coordinates {said_zh}",
            code="bad_value",
            kind="NotImplementedError",
            said=said,
        )


def map_coordinates(input: Any, coordinates: Any, order: Any, mode: Any = "constant", cval: Any = 0.0) -> Any:
    """The array at coordinates between its places. Shapes: (*S), one (*T) for each axis of S -> (*T).

    Raises: ValueError for another number of coordinates than axes; NotImplementedError for another order or
    mode.
    """
    x = JNP["asarray"](input)
    places = [JNP["asarray"](one) for one in iterate(coordinates)]
    _check(order, mode, len(shape_of(x)), places)
    outside = convert(JNP["asarray"](cval), aval_of(x).dtype)
    nodes = [
        [
            (MODES[mode](index, size), (index >= 0) & (index < size), weight)
            for index, weight in (_linear if order else _nearest)(place)
        ]
        for place, size in zip(places, shape_of(x), strict=True)
    ]
    parts = []
    for corner in product(*nodes):
        indices, inside, weights = zip(*corner, strict=True)
        value = getitem(x, tuple(indices))
        if mode == "constant":
            value = JNP["where"](reduce(and_, inside), value, outside)
        parts.append(reduce(mul, weights) * value)
    total = reduce(add, parts)
    return convert(total if aval_of(x).is_inexact else _rounded(total), aval_of(x).dtype)


FUNCTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType({"map_coordinates": map_coordinates})
