"""The element types that an op accepts: any, all but texts, numbers but not True and False, or floats only.

TensorFlow lists them for every op; each op's block says which of these it is (`accepts`). A type that is
listed, but that TensorFlow cannot compute with on a processor, is none here: `tf.acos(2)` fails there, too.
Source: the op definitions of TensorFlow 1.15.5, and what 1.15.5 and 2.21 answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from engine.errors import DtypeError
from engine.ops.base.tensors import COMPLEX, FLOATS, INTEGERS, TEXT

ELEMENT_TYPES: Mapping[str, Collection[str] | None] = {
    "any": None,
    "all": FLOATS | INTEGERS | COMPLEX | {"bool", "resource", "variant"},
    "numbers": FLOATS | INTEGERS | COMPLEX,
    "numbers and texts": FLOATS | INTEGERS | COMPLEX | {TEXT},
    "floats and words": FLOATS | {"int32", "int64"},
    "floats": FLOATS | COMPLEX,
    "wide floats": FLOATS - {"float16"},
}


def not_accepted(op: Any, argument: str, tensor: str, dtype: str) -> DtypeError:
    """The error for a tensor whose element type an op does not accept."""
    if dtype == TEXT:
        return DtypeError(
            f"{op.name} takes no texts, but its input {argument}, {tensor}, is a string tensor.",
            hint="tf.strings.to_number(…) makes numbers of digits; tf.strings has what works on texts.",
            message_zh=f"{op.name} 不接受文字，而它的输入 {argument}（{tensor}）是字符串张量。",
            hint_zh="用 tf.strings.to_number(…) 把数字文字变成数；处理文字请用 tf.strings。",
        )
    if op.accepts <= FLOATS | COMPLEX and dtype not in FLOATS:
        return DtypeError(
            f"{op.name} takes only floats for its input {argument}, but {tensor} is {dtype}.",
            hint="Write 3.0 instead of 3, or tf.cast(…, tf.float32).",
            message_zh=f"{op.name} 的输入 {argument} 只接受浮点数，但 {tensor} 是 {dtype}。",
            hint_zh="请把 3 写成 3.0，或用 tf.cast(…, tf.float32)。",
        )
    if dtype != "bool":
        return DtypeError(
            f"{op.name} has no kernel for {dtype}, which its input {argument}, {tensor}, is.",
            hint="Take another type first: tf.cast(…, tf.float32).",
            message_zh=f"{op.name} 不能计算 {dtype}，而它的输入 {argument}（{tensor}）正是 {dtype}。",
            hint_zh="请先转换类型：tf.cast(…, tf.float32)。",
        )
    return DtypeError(
        f"{op.name} computes with numbers, but its input {argument}, {tensor}, is {dtype}.",
        hint="Make numbers of True and False first: tf.cast(…, tf.float32).",
        message_zh=f"{op.name} 只能计算数字，但它的输入 {argument}（{tensor}）是 {dtype}。",
        hint_zh="请先用 tf.cast(…, tf.float32) 把 True 和 False 变成数字。",
    )
