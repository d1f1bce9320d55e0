"""The tensors that a file holds: their elements as one piece of bytes, or as a list of numbers.

Where the list is shorter than the tensor, its last number fills the rest.
Source: tensorflow/core/framework/tensor.proto; tensorflow/python/framework/tensor_util.py, MakeNdarray.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from engine.errors import quoted
from engine.interchange.graphdef import VALUE_FIELDS
from engine.interchange.reading.notes import Note
from engine.ops.base.shapes import written
from engine.ops.base.tensors import DTYPES, TEXT, Array, Shape
from engine.ops.base.texts import array_of_texts


class Unreadable(Exception):
    """A value of a file that cannot be what it says; `str` describes it in place of the value."""

    def __init__(self, described: str, why: str, why_zh: str) -> None:
        super().__init__(described)
        self.why, self.why_zh = why, why_zh

    @classmethod
    def shape(cls, sizes: Sequence[int]) -> Self:
        """Lengths below -1, or too many axes."""
        described = f"shape {[*sizes[:5]]}"
        return cls(described, f"{described} is no shape", f"{described} 不是形状")

    def note(self, node: str) -> Note:
        """What its reader should know of it."""
        return Note(
            "unreadable_attribute",
            f"Of node {quoted(node)} an attribute cannot be read: {self.why}.",
            f"节点 {quoted(node)} 有一个属性无法读取：{self.why_zh}。",
            "warning",
        )


def tensor_of(message: Any, dtype: str, shape: Shape, limit_elements: int) -> Any:
    """The array; a text that describes it for types without arrays here, such as complex64.

    Raises: Unreadable where the elements do not fit the shape, or there are more than `limit_elements`.
    """
    if shape is None or None in shape:
        raise Unreadable(f"{dtype} tensor", "a value has no known shape", "一个值没有已知的形状")
    known = tuple([length or 0 for length in shape])
    count = math.prod(known)
    if count > limit_elements:
        size = f"{dtype} {written(shape)}"
        raise Unreadable(
            size,
            f"{size} has {count:,} elements, more than the {limit_elements:,} that are read",
            f"{size} 有 {count:,} 个元素，超过可读取的 {limit_elements:,} 个",
        )
    if dtype == TEXT:
        return array_of_texts(_filled(list(message.string_val), count, b"", dtype, shape), known)
    if dtype not in DTYPES:
        return f"{dtype} {written(shape)}"
    if message.tensor_content:
        return _unpacked(message.tensor_content, dtype, known)
    return _numbers(message, dtype, known)


def _unpacked(content: bytes, dtype: str, shape: tuple[int, ...]) -> Array:
    kind = np.dtype(dtype).newbyteorder("<")
    wanted = math.prod(shape) * kind.itemsize
    if len(content) != wanted:
        raise _other_count(
            dtype, shape, f"{len(content)} bytes, not {wanted}", f"{len(content)} 字节，而不是 {wanted}"
        )
    return np.frombuffer(content, kind).astype(dtype, copy=False).reshape(shape)


def _numbers(message: Any, dtype: str, shape: tuple[int, ...]) -> Array:
    count = math.prod(shape)
    if dtype == "float16":
        given: Any = np.array(message.half_val, np.uint16).view(np.float16)
    else:
        given = np.array(getattr(message, VALUE_FIELDS[dtype]), dtype)
    if len(given) == 1:
        return np.broadcast_to(given[0], shape)  # as `graphdef.py` writes one that fills the whole
    return np.array(_filled(list(given), count, 0, dtype, shape), dtype).reshape(shape)


def _filled(given: list[Any], count: int, zero: Any, dtype: str, shape: Shape) -> list[Any]:
    if len(given) > count:
        raise _other_count(
            dtype, shape, f"{len(given)} elements, not {count}", f"{len(given)} 个元素，而不是 {count}"
        )
    return given + [given[-1] if given else zero] * (count - len(given))


def _other_count(dtype: str, shape: Shape, found: str, found_zh: str) -> Unreadable:
    size = f"{dtype} {written(shape)}"
    return Unreadable(size, f"{size} has {found}", f"{size} 有 {found_zh}")
