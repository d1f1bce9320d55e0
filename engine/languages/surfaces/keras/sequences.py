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
    rows = [list(taken(one, interpreter.budget)) for one in iterate(sequences)]
    longest = max(map(len, rows), default=0) if maxlen is None else whole_number(maxlen, "maxlen")
    parts = [to_array(interpreter, row) for row in rows if row]
    inner = parts[0].shape[1:] if parts else ()
    if any(part.shape[1:] != inner for part in parts):
        raise ValueRefused(
            "The items of all lists must have the same shape.",
            message_zh="所有列表中元素的形状必须相同。",
        )
    interpreter.budget.check_elements((len(rows), max(longest, 0), *inner))
    made = np.full((len(rows), longest, *inner), value, dtype=numpy_dtype(dtype))
    for place, row in enumerate(rows):
        kept = row[len(row) - min(len(row), longest) :] if truncating == "pre" else row[:longest]
        if kept:
            where = slice(longest - len(kept), longest) if padding == "pre" else slice(0, len(kept))
            made[place, where] = np.asarray(kept, dtype=made.dtype)
    return made


def members() -> Mapping[str, Any]:
    """The names below `tf.` that this file offers."""
    words = {"padding": SIDE, "truncating": SIDE}
    names = ("keras.utils.pad_sequences", "keras.preprocessing.sequence.pad_sequences")
    return {name: Native(f"tf.{name}", pad_sequences, arguments=words) for name in names}
