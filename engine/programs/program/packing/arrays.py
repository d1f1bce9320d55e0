"""Small arrays as plain data, which pickle writes without asking how each is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

PLAIN = "biufc"  # kinds of numbers that are their bytes
SMALL_BYTES = 4_096  # of an array that is written as its bytes, without asking pickle about it


def bare(array: Any) -> Any:
    """A small array as its type, shape and bytes; any other as it is."""
    if type(array) is not np.ndarray or array.dtype.kind not in PLAIN or array.nbytes > SMALL_BYTES:
        return array
    return (array.dtype.str, array.shape, array.tobytes()) if array.flags.c_contiguous else array


def whole(bare: Any) -> Any:
    """The array again."""
    if type(bare) is not tuple:
        return bare
    dtype, shape, data = bare
    return np.frombuffer(data, dtype).reshape(shape).copy()


def in_data(data: Any, change: Callable[[Any], Any]) -> Any:
    """Lists and dicts in each other, with all that stands in them changed: by `bare`, or back by `whole`."""
    kind = type(data)
    if kind is list:
        return [in_data(one, change) for one in data]
    if kind is dict:
        return {name: in_data(one, change) for name, one in data.items()}
    return change(data)
