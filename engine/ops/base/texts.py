"""Texts in tensors: arrays of Python's bytes, of dtype `string`, as TensorFlow has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.errors import LimitError, ValueRefused, quoted
from engine.ops.base.tensors import TEXT, Array

MOST_BYTES = 1_000_000  # of the texts of one tensor, counted before they are made
LISTS = (list, tuple)
BYTES_OF_AN_ELEMENT = 8


def is_text(value: Any) -> bool:
    """Whether a plain value is a text, a list that begins with one, or an array of them."""
    while isinstance(value, LISTS) and len(value):
        value = value[0]
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "US" or (
            value.dtype == object and value.size > 0 and is_text(value.flat[0])
        )
    return isinstance(value, (str, bytes))


def text_array(value: Any) -> Array:
    """A text, or nested lists of them, as an array of bytes.

    Raises: ValueRefused for rows of different lengths, or where something else stands among the texts.
    """
    made = np.array(value, dtype=object)
    check_bytes(sum(map(len, map(_as_text_or_bytes, made.flat))))
    return array_of_texts(map(_encoded, made.flat), made.shape)


def array_of_texts(texts: Iterable[bytes], shape: tuple[int, ...]) -> Array:
    """An array of this shape that holds these."""
    found = list(texts)
    made = np.empty(len(found), dtype=object)
    made[:] = found
    return made.reshape(shape)


def _as_text_or_bytes(item: Any) -> str | bytes:
    if isinstance(item, (str, bytes)):
        return item
    if isinstance(item, LISTS):
        raise ValueRefused(
            "The rows of a nested list must all have the same length.",
            message_zh="嵌套列表的各行长度必须相同。",
        )
    raise ValueRefused(
        f"A tensor holds texts or numbers, not both: {quoted(item):.40} stands among texts.",
        message_zh=f"一个张量只能全是文字或全是数字，而文字中间有 {quoted(item):.40}。",
    )


def _encoded(item: str | bytes) -> bytes:
    if isinstance(item, bytes):
        return bytes(item)
    try:
        return item.encode()
    except UnicodeEncodeError:
        raise ValueRefused(
            f"The text {item!r:.40} holds half of a character.",
            message_zh=f"文字 {item!r:.40} 含有不完整的字符。",
        ) from None


def written_text(text: Any) -> str:
    """Bytes as a text to be read; those that are no UTF-8 as `\\xff`."""
    return text.decode(errors="backslashreplace") if isinstance(text, bytes) else str(text)


def is_texts(array: Any) -> bool:
    """Whether an array, or what stands for one, holds texts."""
    return getattr(getattr(array, "dtype", None), "kind", "") == "O"


def row_of(array: Array, place: int) -> Array:
    """One row of an array as an array: numpy gives a text as it is, and a number as one of its own."""
    return np.asarray(array[place], dtype=array.dtype)


def weight_of(array: Array) -> int:
    """How many elements' room the texts of an array take."""
    return array.size + sum(map(len, array.flat)) // BYTES_OF_AN_ELEMENT


def check_bytes(count: int) -> None:
    """So many bytes of texts are about to be made for one tensor. Raises: LimitError."""
    if count > MOST_BYTES:
        raise LimitError(
            f"The texts of one tensor would have {count:,} bytes; the limit is {MOST_BYTES:,}.",
            message_zh=f"一个张量的文字会有 {count:,} 字节；上限是 {MOST_BYTES:,}。",
            code="text_limit",
        )


__all__ = [
    "MOST_BYTES",
    "TEXT",
    "array_of_texts",
    "check_bytes",
    "is_text",
    "is_texts",
    "row_of",
    "text_array",
    "weight_of",
    "written_text",
]
