"""`tf.keras.utils.pad_sequences`: lists of different lengths as one array."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.languages.interpreter.arguments import word_of
from engine.languages.interpreter.builtins.containers import iterate, taken
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.numpy.module import numpy_dtype, to_array
from engine.ops.base.shapes import whole_number

Array = np.ndarray[Any, Any]
SIDE = word_of("pre", "post")


def pad_sequences(
    interpreter: Interpreter,
    sequences: Any,
    maxlen: Any = None,
    dtype: Any = "int32",
    padding: Any = "pre",
    truncating: Any = "pre",
    value: Any = 0.0,
) -> Any:
    """Each list as a row; short ones are filled up with a value before or behind, long ones are cut.

    Shapes: so many lists of numbers, or of vectors of one length (*S) -> (lists, maxlen, *S).
    """
    rows = [to_array(interpreter, list(taken(one, interpreter.budget))) for one in iterate(sequences)]
    longest = max(map(len, rows), default=0) if maxlen is None else whole_number(maxlen, "maxlen")
    inner = next((row.shape[1:] for row in rows if len(row)), ())
    if any(row.shape[1:] != inner for row in rows if len(row)):
        raise ValueRefused(
            "The items of all lists must have the same shape.",
            message_zh="所有列表中元素的形状必须相同。",
        )
    shape = (len(rows), max(longest, 0), *inner)
    interpreter.budget.check_elements(shape)
    made = _filled(shape, to_array(interpreter, value), numpy_dtype(dtype))
    for place, row in enumerate(rows):
        kept = row[len(row) - min(len(row), longest) :] if truncating == "pre" else row[:longest]
        if len(kept):
            where = slice(longest - len(kept), longest) if padding == "pre" else slice(0, len(kept))
            made[place, where] = _in_type(kept, made.dtype)
    return made


def _filled(shape: tuple[int, ...], value: Array, dtype: Any) -> Array:
    """An array of one value all over, or of one vector in every place. Raises: ValueRefused."""
    if value.ndim > len(shape) or any(
        length not in (1, whole)
        for length, whole in zip(reversed(value.shape), reversed(shape), strict=False)
    ):
        raise ValueRefused(
            f"A `value` of shape {value.shape} does not fill an array of shape {shape}.",
            message_zh=f"形状为 {value.shape} 的 `value` 不能填充形状为 {shape} 的数组。",
            hint="`value` is a single number, such as 0.",
            hint_zh="`value` 应是一个数，例如 0。",
        )
    return np.full(shape, _in_type(value, dtype), dtype=dtype)


def _in_type(values: Array, dtype: Any) -> Array:
    """Numbers in another type. Raises: ValueRefused for one that it cannot hold."""
    try:
        return np.asarray(values.tolist(), dtype=dtype)
    except (OverflowError, TypeError, ValueError):
        raise ValueRefused(
            f"The type {dtype} cannot hold all of these numbers.",
            message_zh=f"类型 {dtype} 无法表示其中的某些数。",
            hint="Name a wider type, such as dtype='float32' or dtype='int64'.",
            hint_zh="请使用范围更大的类型，例如 dtype='float32' 或 dtype='int64'。",
        ) from None


def members() -> Mapping[str, Any]:
    """The names below `tf.` that this file offers."""
    words = {"padding": SIDE, "truncating": SIDE}
    names = ("keras.utils.pad_sequences", "keras.preprocessing.sequence.pad_sequences")
    return {name: Native(f"tf.{name}", pad_sequences, arguments=words) for name in names}
