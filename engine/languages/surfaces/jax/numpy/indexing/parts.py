"""What each part of a subscript takes: a place, a slice, an array of places, a new axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.core.errors import boolean_index, index_error, type_error
from engine.languages.surfaces.jax.core.run import default_int
from engine.languages.surfaces.jax.core.values import Constant, JaxArray, Tracer, aval_of, constant, known
from engine.languages.surfaces.jax.numpy.making.arrays import array

NEW = "new"  # a new axis of length one


@dataclass
class Part:
    """What happens along one axis. kind: "one" place, a "slice", "array" places, or a "new" axis."""

    kind: str
    start: Any = 0
    stop: int = 0
    step: int = 1
    axis: int = 0
    given: Any = None


def index_parts(shape: Sequence[int], key: Any) -> list[Part]:
    """The parts of a key, one for each axis and each new one. Raises: as JAX does."""
    _check_no_list(key)
    items = [_as_array(item) for item in (key if isinstance(key, tuple) else (key,))]
    items = [part for item, axis in _with_axes(items, len(shape)) for part in _expanded(item, shape, axis)]
    if sum(item is Ellipsis for item in items) > 1:
        raise index_error("an index can only have a single ellipsis ('...')", "下标中只能有一个省略号。")
    used = sum(item is not None and item is not Ellipsis for item in items)
    if used > len(shape):
        raise index_error(
            f"Too many indices: array is {len(shape)}-dimensional, but {used} were indexed",
            f"下标太多：数组有 {len(shape)} 维，但给了 {used} 个下标。",
        )
    if Ellipsis not in [item for item in items if item is None or item is Ellipsis]:
        items.append(Ellipsis)
    place = next(i for i, item in enumerate(items) if item is Ellipsis)
    items[place : place + 1] = [slice(None)] * (len(shape) - used)
    parts, axis = [], 0
    for item in items:
        if item is None:
            parts.append(Part("new"))
            continue
        parts.append(_part(item, axis, shape[axis]))
        axis += 1
    return parts


def _check_no_list(key: Any) -> None:
    """Raises: TypeError for a key that is a list, which numpy takes for an array or a tuple."""
    if not isinstance(key, list):
        return
    kind = "tuple" if any(map(_has_axes, key)) else "array"
    raise type_error(
        f"Using a non-tuple sequence for multidimensional indexing is not allowed; use `arr[{kind}(seq)]` "
        "instead of `arr[seq]`. See https://github.com/jax-ml/jax/issues/4564 for more information.",
        "不能用列表作下标。",
        "Make an array of it: x[jnp.array([...])].",
        "请先转换为数组：x[jnp.array([...])]。",
    )


def _has_axes(item: Any) -> bool:
    """Whether something in a list is no single place."""
    if isinstance(item, (JaxArray, Tracer, Constant, np.ndarray)):
        return bool(aval_of(item).ndim)
    return item is None or item is Ellipsis or isinstance(item, (list, tuple, slice))


def _as_array(item: Any) -> Any:
    """A list among the parts of a key as the array of its places."""
    if not isinstance(item, (list, tuple)):
        return item
    return array(list(item)) if item else constant(np.zeros(0, default_int()))


def _is_mask(item: Any) -> bool:
    return isinstance(item, (JaxArray, Tracer, Constant, np.ndarray)) and aval_of(item).dtype == "bool"


def _with_axes(items: Sequence[Any], ndim: int) -> list[tuple[Any, int]]:
    """Each part of a key with the first axis that it is about."""
    widths = [
        max(aval_of(item).ndim, 1) if _is_mask(item) else int(item is not None and item is not Ellipsis)
        for item in items
    ]
    pairs, axis = [], 0
    for item, width in zip(items, widths, strict=True):
        pairs.append((item, axis))
        axis += ndim - sum(widths) if item is Ellipsis else width
    return pairs


def _check_mask(shape: Sequence[int], item: Any, axis: int) -> None:
    """Raises: IndexError where a mask has another shape than the axes that it stands for."""
    have = aval_of(item).shape
    want = list(shape[axis : axis + len(have)])
    if len(want) == len(have) and list(have) != want:
        raise index_error(
            f"boolean index did not match shape of indexed array in index {axis}: got {have}, "
            f"expected {want}",
            f"布尔下标的形状 {have} 与数组的形状 {tuple(want)} 不同。",
        )


def _expanded(item: Any, shape: Sequence[int], axis: int) -> list[Any]:
    """A mask of these axes as the places that it marks."""
    if isinstance(item, bool):
        raise ProgramError(
            "A truth value is no index here.", message_zh="这里不能用真假值作下标。", code="bad_index"
        )
    if _is_mask(item):
        _check_mask(shape, item, axis)
        mask = known(constant(item))
        if mask is None or (isinstance(item, Tracer) and not _is_plain(item)):
            raise boolean_index(item)
        return [constant(np.asarray(one).astype(default_int())) for one in np.nonzero(mask)]
    return [item]


def _is_plain(item: Tracer) -> bool:
    return known(item) is not None


def _part(item: Any, axis: int, length: int) -> Part:
    if isinstance(item, slice):
        return _slice_part(item, axis, length)
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        start = int(item) + length if item < 0 else int(item)
        return Part("one", min(max(start, 0), max(length - 1, 0)), axis=axis, given=int(item))
    if isinstance(item, (JaxArray, Tracer, Constant, np.ndarray)):
        value = constant(item)
        if aval_of(value).dtype.startswith(("int", "uint")):
            return Part("array", value, axis=axis)
    if isinstance(item, str):
        raise type_error(f"JAX does not support string indexing; got idx={item!r}", "不能用文本作下标。")
    if not isinstance(item, (float, JaxArray, Tracer, Constant, np.ndarray)):
        raise index_error(
            "only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and integer or boolean "
            "arrays are "
            f"valid indices. Got {to_repr(item)}",
            "这不是有效的下标。",
        )
    kind = aval_of(item).dtype if isinstance(item, (float, JaxArray, Tracer, np.ndarray)) else to_repr(item)
    kind = "float64" if isinstance(item, float) else kind
    raise type_error(
        f"Indexer must have integer or boolean type, got indexer with type {kind}",
        f"下标必须是整数或真假值，不能是 {kind}。",
    )


def _slice_part(item: slice, axis: int, length: int) -> Part:
    bounds = [_bound(one, item, axis) for one in (item.start, item.stop, item.step)]
    start, stop, step = slice(*bounds).indices(length)
    return Part("slice", start, stop, step, axis)


def _bound(value: Any, of: slice, axis: int) -> int | None:
    if value is None or isinstance(value, (int, np.integer)):
        return None if value is None else int(value)
    if not isinstance(value, (JaxArray, Tracer, Constant, np.ndarray)):
        raise type_error(
            f"'{python_name(value)}' object cannot be interpreted as an integer", "切片的起止必须是整数。"
        )
    array = known(constant(value))
    if array is None:
        bounds = ", ".join(map(to_repr, (of.start, of.stop, of.step)))
        raise index_error(
            f"Slice entries must be static integers. Got slice({bounds}) at position {axis}",
            "切片的起止必须是静态的整数。",
            hint="Take a part of a fixed length: jax.lax.dynamic_slice(x, (start,), (length,)).",
            hint_zh="请取长度固定的一段：jax.lax.dynamic_slice(x, (start,), (length,))。",
        )
    if array.ndim or array.dtype.kind not in "iu":
        raise type_error(
            "Only integer scalar arrays can be converted to a scalar index.", "切片的起止必须是整数标量。"
        )
    return int(array)


def outside_start(part: Part, shape: Sequence[int]) -> int:
    """Where a part begins; a single place outside of the array stays there, and is left out."""
    if part.kind == "one" and part.given is not None:
        length = shape[part.axis]
        return int(part.given + length if part.given < 0 else part.given)
    return int(part.start)
