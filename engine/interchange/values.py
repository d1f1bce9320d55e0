"""Tensors and attributes as JSON: strict, small, and with the digits that the dtype really has."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import Any

import numpy as np
import orjson

from engine.interchange.figures import figures_of
from engine.ops.base.tensors import TEXT, Array
from engine.ops.base.texts import weight_of, written_text

FULL_UP_TO = 4096  # elements; above, a summary stands in
HISTOGRAM_BINS = 64
FEWER_BINS = 8  # of a summary, where there are that many
SAFE_INTEGER = 2**53  # the largest that every JSON reader keeps exactly


@dataclass(frozen=True, slots=True)
class Outline:
    """What is shown of a large array, without its elements: `json` as `tensor_json` writes it."""

    size: int
    json: dict[str, Any]


def outline(array: Array) -> Outline:
    """The outline of an array."""
    return Outline(array.size, tensor_json(array, full_up_to=0, bins=FEWER_BINS))


def tensor_json(array: Array, full_up_to: int = FULL_UP_TO, bins: int = HISTOGRAM_BINS) -> dict[str, Any]:
    """`{"dtype", "shape", "data"}`; above so many elements data is null and a summary is added."""
    if array.dtype == object:
        return _texts_json(array, full_up_to)
    if array.dtype.kind == "c":
        return _complex_json(array, full_up_to)
    if not array.shape and full_up_to:  # most values are single numbers
        return {"dtype": dtype_name(array), "shape": [], "data": number_json(array[()])}
    described: dict[str, Any] = {"dtype": dtype_name(array), "shape": list(array.shape)}
    weight = array.size or math.prod(max(length, 1) for length in array.shape)  # empty rows are written, too
    if weight > full_up_to:
        return {**described, "data": None, "summary": summary(array, bins)}
    return {**described, "data": nested_json(array)}


def tensors_json(arrays: Sequence[Array]) -> list[dict[str, Any]]:
    """`tensor_json` of many tensors that are listed in full: float32 numbers, as most hold, all at once."""
    usual = [array.size > 0 < array.ndim and array.dtype == np.float32 for array in arrays]
    numbers = _finite_numbers([np.ascontiguousarray(array) for array in compress(arrays, usual)])
    if numbers is None:
        return [tensor_json(array) for array in arrays]
    data = iter(numbers)
    return [
        {"dtype": "float32", "shape": list(array.shape), "data": next(data)}
        if is_usual
        else tensor_json(array)
        for array, is_usual in zip(arrays, usual, strict=True)
    ]


def _texts_json(array: Array, full_up_to: int) -> dict[str, Any]:
    """Texts as they read; data is null where they are long, and nothing sums them up."""
    fits = weight_of(array) <= full_up_to
    data = nested_json(array) if fits else None
    return {"dtype": TEXT, "shape": list(array.shape), "data": data}


def _complex_json(array: Array, full_up_to: int) -> dict[str, Any]:
    """Complex numbers as they read, each a text such as "1+2j"; nothing sums them up."""
    fits = array.size <= full_up_to
    return {
        "dtype": dtype_name(array),
        "shape": list(array.shape),
        "data": nested_json(array) if fits else None,
    }


def dtype_name(array: Array) -> str:
    """The dtype as TensorFlow calls it: "float32", "bool", "string" for texts."""
    return _name(array.dtype)


@lru_cache(maxsize=64)
def _name(dtype: np.dtype[Any]) -> str:
    return TEXT if dtype.kind in "OUS" else dtype.name


def column_json(rows: list[Any]) -> list[Any]:
    """One tensor's values at consecutive steps, null where there is none; alike ones a whole column at once.

    Rows that are JSON already are the answer themselves.
    """
    if _are_finite_floats(rows):
        return rows
    column = _alike(rows)
    if column is not None and column.dtype.kind == "b":
        return list(column.tolist())
    finite = None if column is None or column.dtype.kind != "f" else _finite_json(column)
    if finite is not None:
        return finite
    return [None if row is None else nested_json(np.asarray(row)) for row in rows]


def _finite_json(array: Array) -> list[Any] | None:
    """Floats, at least one axis of them, with their type's shortest digits; None where one is not finite."""
    if array.dtype == np.float64:
        return list(array.tolist()) if np.isfinite(array).all() else None
    if array.dtype != np.float32:
        return None  # orjson would write a float16 with the digits of its float32
    return _finite_numbers(np.ascontiguousarray(array))


def _finite_numbers(array: Array | list[Array]) -> list[Any] | None:
    """Float32 numbers of contiguous memory, with their shortest digits; None where one is not finite."""
    packed = orjson.dumps(array, option=orjson.OPT_SERIALIZE_NUMPY)
    try:
        return None if b"null" in packed else list(orjson.loads(packed))
    except orjson.JSONDecodeError:  # of what it wrote itself: it has run out of memory
        raise MemoryError from None


def _are_finite_floats(rows: Sequence[Any]) -> bool:
    """Whether all rows are Python floats; a sum shows an infinity or NaN, and what is no float."""
    if not rows or type(rows[0]) is not float:
        return False
    try:
        total = sum(rows)
    except TypeError:
        return False
    return type(total) is float and math.isfinite(total)


def _alike(rows: Sequence[Any]) -> Array | None:
    """The rows as one array, where all are of one type and shape."""
    kinds = set(map(type, rows))
    if len(kinds) == 1 and issubclass(next(iter(kinds)), np.generic):
        return np.array(rows)
    arrays = rows if kinds == {np.ndarray} else [np.asarray(row) for row in rows if row is not None]
    alike = len(arrays) == len(rows) > 0 and len({(row.dtype, row.shape) for row in arrays}) == 1
    return np.array(arrays) if alike else None


def nested_json(array: Array) -> Any:
    """The elements as nested lists of JSON numbers."""
    if array.ndim == 0:
        return number_json(array[()])
    finite = _finite_json(array) if array.dtype.kind == "f" else None
    if finite is not None:
        return finite
    if array.ndim == 1:
        return [number_json(value) for value in array]
    return [nested_json(row) for row in array]


def packed_json(array: Array) -> dict[str, Any]:
    """`{"dtype", "shape", "base64"}`: the bytes of the elements, as `little_endian` has them."""
    text = base64.b64encode(little_endian(array)).decode()
    return {"dtype": dtype_name(array), "shape": list(array.shape), "base64": text}


def little_endian(array: Array) -> bytes:
    """The bytes of the elements, row by row, the lowest byte of each first."""
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def array_text(array: Array) -> bytes:
    """The JSON text of `nested_json`, at once where all numbers are finite floats."""
    if array.dtype in (np.float64, np.float32) and np.isfinite(array).all():
        return orjson.dumps(np.ascontiguousarray(array), option=orjson.OPT_SERIALIZE_NUMPY)
    return orjson.dumps(nested_json(array))


def number_json(value: Any) -> Any:
    """A number that strict JSON can hold; nan and the infinities as texts.

    A float32 is written with its own shortest digits (1.1515628), not with those of its float64.
    """
    if isinstance(value, (float, np.floating)):
        number = float(value) if isinstance(value, float) else float(str(value))
        if math.isfinite(number):
            return number
        return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (str, bytes)):
        return written_text(value)
    if isinstance(value, np.complexfloating):
        return str(value).strip("()")
    return int(value) if abs(int(value)) <= SAFE_INTEGER else str(int(value))


def summary(array: Array, bins: int = HISTOGRAM_BINS) -> dict[str, Any]:
    """Minimum, maximum, mean, spread, the counts of what is not finite, and a histogram of the rest."""
    found = figures_of(array, bins)
    edges = [number_json(edge) for edge in found.edges]
    return {
        "min": number_json(found.low),
        "max": number_json(found.high),
        "mean": number_json(found.mean),
        "std": number_json(found.std),
        "nan_count": found.nan_count,
        "inf_count": found.inf_count,
        "histogram": {"counts": found.counts.tolist(), "edges": edges},
    }


def shape_json(shape: tuple[int | None, ...] | None) -> list[int | None] | None:
    """A static shape; null for an unknown rank, null for an unknown length."""
    return None if shape is None else list(shape)


def attributes_json(attributes: Mapping[str, Any], full_up_to: int = FULL_UP_TO) -> dict[str, Any]:
    """A node's attributes: types by name, shapes as lists (-1: unknown), a small constant's value in full."""
    return {name: _attribute(value, full_up_to) for name, value in sorted(attributes.items())}


def _attribute(value: Any, full_up_to: int) -> Any:
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, np.ndarray):
        described = {"dtype": dtype_name(value), "shape": list(value.shape)}
        return {**described, "value": nested_json(value)} if value.size <= full_up_to else described
    if isinstance(value, (tuple, list)):
        return [-1 if item is None else _attribute(item, full_up_to) for item in value]
    if isinstance(value, (bool, int, float, np.generic)):
        return number_json(value)
    return str(value)
