"""Texts changed one by one: capital and small letters, parts of them, patterns in them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from engine.errors import LimitError, ShapeError, ValueRefused, quoted
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.shapes import broadcast, same, written
from engine.ops.base.tensors import TEXT, Array, Shape
from engine.ops.base.texts import array_of_texts, check_bytes
from engine.ops.texts.joining import A_TEXT, PARTS
from engine.ops.texts.pattern_cost import cost_of

COUNTED = ("it counts characters", "它数字符的个数")
CONTINUES = frozenset(range(0x80, 0xC0))  # bytes of UTF-8 that begin no character
MOST_WORK = 10_000_000  # element operations of one look for a pattern in all texts of a tensor
LONGEST_PATTERN = 1000
UNIT = ("BYTE", "UTF8_CHAR")
ONLY_OF_PYTHON = re.compile(r"\(\?(?![imsU:-]|P<)|\\[1-9Z]|\[\[:|\\[pPC]")  # what RE2 does not read so


def each(change: Callable[[bytes], bytes], texts: Array) -> Array:
    """Every text changed."""
    return array_of_texts(map(change, texts.flat), texts.shape)


def _changed(name: str, doc: str, doc_zh: str, of_bytes: Any, of_text: Any) -> OpDef:
    """A change of letters: of ASCII's, or with the encoding utf-8 of all."""

    def kernel(input: Array, encoding: str = "") -> Any:
        if encoding == "utf-8":
            return each(lambda text: of_text(text.decode(errors="replace")).encode(), input)
        return each(of_bytes, input)

    kernel.__doc__ = f"{doc} Shapes: input (*S) -> (*S)."
    return op(
        name,
        inputs="input",
        types=TEXT,
        outputs=(TEXT,),
        shape=same,
        latex=rf"\mathrm{{{name[6:].lower()}}}({{input}})",
        no_gradient=A_TEXT,
        ends_path=True,
    )(in_chinese(doc_zh)(kernel))


string_lower = _changed("StringLower", "Small letters.", "变为小写字母。", bytes.lower, str.lower)
string_upper = _changed("StringUpper", "Capital letters.", "变为大写字母。", bytes.upper, str.upper)


@op(
    "StringStrip",
    inputs="input",
    types=TEXT,
    outputs=(TEXT,),
    shape=same,
    latex=r"\mathrm{strip}({input})",
    no_gradient=A_TEXT,
    ends_path=True,
)
@in_chinese("去掉两端的空白。")
def string_strip(input: Array) -> Any:
    """Without white space at the ends. Shapes: input (*S) -> (*S)."""
    return each(bytes.strip, input)


def _characters(text: bytes) -> list[int]:
    """Where the characters of a UTF-8 text begin, and its end."""
    return [place for place, byte in enumerate(text) if byte not in CONTINUES] + [len(text)]


@op(
    "StringLength",
    inputs="input",
    types=TEXT,
    outputs=("int32",),
    shape=same,
    latex=r"|{input}|",
    no_gradient=COUNTED,
    ends_path=True,
)
@in_chinese("每个文本的长度，以字节或字符计。")
def string_length(input: Array, unit: str = "BYTE") -> Any:
    """How long each text is, in bytes or characters. Shapes: input (*S) -> (*S) (int32)."""
    count = len if unit == "BYTE" else lambda text: len(_characters(text)) - 1
    return np.asarray([count(text) for text in input.flat], np.int32).reshape(input.shape)


def _of_a_part(input: Shape, pos: Shape, length: Shape) -> Shape:
    if pos is not None and length is not None and len(pos) != len(length):
        raise _not_alike(pos, length)
    return broadcast(input, broadcast(pos, length))


def _not_alike(pos: Any, length: Any) -> ShapeError:
    return ShapeError(
        f"pos and len should have the same shape, got: {written(pos)} vs. {written(length)}.",
        message_zh=f"pos 与 len 的形状应当相同，而这里是 {written(pos)} 和 {written(length)}。",
    )


@op(
    "Substr",
    inputs="input pos len",
    types=f"{TEXT} T T",
    outputs=(TEXT,),
    shape=_of_a_part,
    latex=r"{input}_{{pos} \ldots}",
    no_gradient=PARTS,
    ends_path=True,
)
@in_chinese("每个文本从 pos 开始、长为 len 的一段；pos 为负时从末尾数起。")
def substr(input: Array, pos: Array, len: Array, unit: str = "BYTE") -> Any:  # TensorFlow's name
    """The part of each text from pos on, so many bytes or characters; a negative pos counts from the end.

    Shapes: pos and len alike, and broadcast with input to the result.
    """
    if pos.shape != len.shape:
        raise _not_alike(pos.shape, len.shape)
    rows = np.broadcast_arrays(input, pos, len)
    found = [_part(*row, unit=unit) for row in zip(*(row.flat for row in rows), strict=True)]
    return array_of_texts(found, rows[0].shape)


def _part(text: bytes, pos: Any, length: Any, *, unit: str) -> bytes:
    """Raises: ValueRefused where the text has no such place."""
    marks = list(range(len(text) + 1)) if unit == "BYTE" else _characters(text)
    count = len(marks) - 1
    if not -count <= pos <= count:
        raise ValueRefused(
            f"pos {pos} out of range for string {text!r:.60}",
            hint=f"It has {count} {'bytes' if unit == 'BYTE' else 'characters'}.",
            message_zh=f"文本 {text!r:.60} 中没有位置 {pos}。",
            hint_zh=f"它有 {count} 个{'字节' if unit == 'BYTE' else '字符'}。",
            kind="InvalidArgumentError",
        )
    first = int(pos) % count if pos < 0 else int(pos)
    last = count if length < 0 else min(first + int(length), count)
    return text[marks[first] : marks[last]]


# -- patterns ----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def pattern_of(written: str) -> re.Pattern[str]:
    """A pattern of RE2 as Python reads it. Raises: ValueRefused where Python would read another one."""
    if len(written) <= LONGEST_PATTERN and not ONLY_OF_PYTHON.search(written):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", FutureWarning)  # sets inside of sets
                return re.compile(_ends_where_the_text_ends(written), re.ASCII)
        except (re.error, OverflowError, RecursionError, FutureWarning):
            pass
    raise ValueRefused(
        f"The pattern {quoted(written):.80} cannot be read here.",
        hint="Letters, sets such as [a-z], groups, and the signs . * + ? | ^ $ are understood.",
        message_zh=f"这里无法读取模式 {quoted(written):.80}。",
        hint_zh="可以使用字母、[a-z] 这样的集合、分组，以及 . * + ? | ^ $。",
    )


def _ends_where_the_text_ends(written: str) -> str:
    """`$` means the end of the text, also before a last line break; `\\z` is Python's `\\Z`."""
    signs = re.findall(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", written, re.DOTALL)
    return "".join({"$": r"\Z", r"\z": r"\Z"}.get(sign, sign) for sign in signs)


def _looked_for(pattern: re.Pattern[str], texts: Array) -> list[str]:
    """The texts, of which the look for a pattern costs no more than it may. Raises: LimitError."""
    work = sum(cost_of(pattern, len(text)) for text in texts.flat)
    if work > MOST_WORK:
        raise LimitError(
            f"The pattern {pattern.pattern!r:.60} may be tried in too many ways on these texts.",
            hint="Put no repeat inside of a repeat, or look in shorter texts.",
            message_zh=f"模式 {pattern.pattern!r:.60} 在这些文本上可能的匹配方式太多。",
            hint_zh="请不要在重复里再套重复，或在更短的文本中查找。",
            code="operation_limit",
        )
    return [text.decode(errors="surrogateescape") for text in texts.flat]


def _replaced(input: Array, pattern: str, rewrite: str, replace_global: bool) -> Array:
    compiled = pattern_of(pattern)
    if compiled.match("") is not None and replace_global:
        raise ValueRefused(
            f"The pattern {quoted(pattern):.60} also fits nothing at all, so it is not replaced here.",
            hint="Write + in place of *.",
            message_zh=f"模式 {quoted(pattern):.60} 也能匹配空文本，这里不作替换。",
            hint_zh="请用 + 代替 *。",
        )
    texts = _looked_for(compiled, input)
    groups = len(re.findall(r"\\\d", rewrite))
    check_bytes(sum((len(text) + 1) * (len(rewrite) + 1 + groups * len(text)) for text in texts))
    template = re.sub(r"\\(\d)|\\(.)", lambda m: f"\\g<{m[1]}>" if m[1] else m[0], rewrite)
    try:
        found = [compiled.sub(template, text, 0 if replace_global else 1) for text in texts]
    except (re.error, IndexError):
        raise ValueRefused(
            f"The text to put in, {quoted(rewrite):.60}, names a group that the pattern does not have.",
            message_zh=f"替换文本 {quoted(rewrite):.60} 引用了模式中没有的分组。",
            kind="InvalidArgumentError",
        ) from None
    return array_of_texts((text.encode(errors="surrogateescape") for text in found), input.shape)


@op(
    "StaticRegexReplace",
    inputs="input",
    types=TEXT,
    outputs=(TEXT,),
    shape=same,
    latex=r"\mathrm{replace}({input})",
    no_gradient=A_TEXT,
    ends_path=True,
)
@in_chinese("把每个文本中符合模式的部分换成另一段文本。")
def regex_replace(input: Array, pattern: str = "", rewrite: str = "", replace_global: bool = True) -> Any:
    """What fits the pattern in each text, with another text in its place. Shapes: input (*S) -> (*S)."""
    return _replaced(input, pattern, rewrite, replace_global)


@op(
    "StaticRegexFullMatch",
    inputs="input",
    types=TEXT,
    outputs=("bool",),
    shape=same,
    latex=r"\mathrm{fits}({input})",
    no_gradient=PARTS,
    ends_path=True,
)
@in_chinese("每个文本是否整个符合模式。")
def regex_full_match(input: Array, pattern: str = "") -> Any:
    """Whether all of each text fits the pattern. Shapes: input (*S) -> (*S) (bool)."""
    compiled = pattern_of(pattern)
    found = [compiled.fullmatch(text) is not None for text in _looked_for(compiled, input)]
    return np.asarray(found, bool).reshape(input.shape)
