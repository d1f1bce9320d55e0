"""Texts of numbers, and the numbers that texts write."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import same
from engine.ops.base.tensors import FLOATS, TEXT, Array
from engine.ops.base.texts import array_of_texts, check_bytes
from engine.ops.texts.joining import A_TEXT

OF_DIGITS = ("it reads digits", "它读取数字字符")
NUMBER = re.compile(rb"\s*[-+]?(\d+\.?\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?|inf(inity)?|nan)\s*", re.I)
HEXADECIMAL = re.compile(rb"\s*[-+]?0[xX][0-9a-fA-F]{1,30}\s*")
INTEGER = re.compile(rb"\s*[-+]?\d+\s*")
LONGEST = 400  # characters of a float written in full, from above
MOST_WIDTH = 1000


@op(
    "AsString",
    inputs="input",
    outputs=(TEXT,),
    shape=same,
    latex=r"\text{{input} as text}",
    no_gradient=A_TEXT,
    ends_path=True,
)
@in_chinese("把每个数写成文本。")
def as_string(
    input: Array,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
) -> Any:
    """Each number written as a text, as C's printf does. Shapes: input (*S) -> (*S)."""
    if width > MOST_WIDTH or precision > MOST_WIDTH:
        raise _refused(
            f"A number may be at most {MOST_WIDTH} characters wide.", f"数字宽度最多 {MOST_WIDTH} 个字符。"
        )
    if scientific and shortest:
        raise _refused(
            "Cannot select both scientific and shortest notation", "不能同时选择科学计数法和最短写法。"
        )
    kind = input.dtype.kind
    if kind != "f" and (scientific or shortest):
        raise _refused(
            f"scientific and shortest format not supported for datatype {input.dtype.name}",
            f"{input.dtype.name} 不支持科学计数法和最短写法。",
        )
    if kind != "f" and precision >= 0:
        raise _refused(
            f"precision not supported for datatype {input.dtype.name}",
            f"{input.dtype.name} 不支持 precision。",
        )
    if fill not in ("", " ", "+", "-", "0", "#"):
        raise _refused(f"Fill argument not supported: {fill!r:.20}", f"不支持的填充字符：{fill!r:.20}。")
    check_bytes(input.size * (max(width, precision, 0) + (LONGEST if input.dtype.kind == "f" else 32)))
    if kind == "b":
        return array_of_texts((b"true" if one else b"false" for one in input.flat), input.shape)
    sign = "e" if scientific else "g" if shortest else "f"
    form = "%" + fill + (str(width) if width > -1 else "")
    form += (f".{precision}" if precision > -1 else "") + sign if kind == "f" else "d"
    return array_of_texts(((form % one.item()).encode() for one in input.flat), input.shape)


@op(
    "StringToNumber",
    inputs="string_tensor",
    types=TEXT,
    outputs=("out_type",),
    shape=same,
    latex=r"\mathrm{number}({string_tensor})",
    no_gradient=OF_DIGITS,
    ends_path=True,
)
@in_chinese("每个文本所写的数。")
def string_to_number(string_tensor: Array, out_type: str = "float32") -> Any:
    """The number that each text writes. Shapes: string_tensor (*S) -> (*S)."""
    found = [_number(text, out_type) for text in string_tensor.flat]
    return np.asarray(found, out_type).reshape(string_tensor.shape)


def _number(text: bytes, dtype: str) -> Any:
    """Raises: ValueRefused where the text writes no number of the type."""
    if dtype in FLOATS and HEXADECIMAL.fullmatch(text):
        return float.fromhex(text.decode())
    if dtype in FLOATS and NUMBER.fullmatch(text):
        return float(text)
    if dtype not in FLOATS and INTEGER.fullmatch(text) and len(text) < LONGEST:
        number = int(text)
        limits = np.iinfo(dtype)
        if limits.min <= number <= limits.max:
            return number
    raise ValueRefused(
        f"StringToNumberOp could not correctly convert string: {text.decode(errors='backslashreplace'):.60}",
        message_zh=f"文本 {text!r:.60} 不是 {dtype} 类型的数。",
        kind="InvalidArgumentError",
    )


def _refused(message: str, message_zh: str) -> ValueRefused:
    return ValueRefused(message, message_zh=message_zh, kind="InvalidArgumentError")
