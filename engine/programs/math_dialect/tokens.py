"""Mathematical text cut into tokens: the reader's spellings on the way in, one alphabet on the way out.

Every character keeps its column. What a name means at its place is decided here, because it decides
how the line groups: a function, a name that multiplies the bracket after it, or an unknown function.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.errors import ProgramError, Span
from engine.programs.interpreter.suggestions import did_you_mean

SPELLINGS = str.maketrans(
    {
        **dict.fromkeys("×·⋅∙＊", "*"),
        **dict.fromkeys("÷／", "/"),
        **dict.fromkeys("−–—－", "-"),
        **dict.fromkeys("（", "("),
        **dict.fromkeys("）", ")"),
        **dict.fromkeys("【［", "["),
        **dict.fromkeys("】］", "]"),
        **dict.fromkeys("，、", ","),
        "；": ";",
        "＝": "=",
        "＋": "+",
        "＾": "^",
        "｜": "|",
        "．": ".",
        "\u3000": " ",
        "\u00a0": " ",
        **{chr(ord("０") + digit): str(digit) for digit in range(10)},
    }
)

SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")

TOKEN = re.compile(
    r"""(?P<NUMBER>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
      | (?P<NAME>[^\W\d_⁰¹²³⁴-⁹][^\W⁰¹²³⁴-⁹]*)
      | (?P<SUPERSCRIPT>[⁰¹²³⁴-⁹⁻⁺]+)
      | (?P<POWER>\*\*|\^)
      | (?P<OPERATOR>[-+*/@=(),;\[\]|√\n])
      | (?P<SPACE>[ \t\r\f]+|\#[^\n]*)
      | (?P<UNKNOWN>.)""",
    re.VERBOSE | re.DOTALL,
)

KINDS = {
    "+": "PLUS",
    "-": "MINUS",
    "*": "TIMES",
    "/": "OVER",
    "@": "AT",
    "=": "EQUALS",
    "(": "OPEN",
    ")": "CLOSE",
    ",": "COMMA",
    "[": "LIST_OPEN",
    "]": "LIST_CLOSE",
    "|": "BAR",
    "√": "FUNCTION",
    "\n": "NEWLINE",
    ";": "NEWLINE",
}

OPERAND_ENDS = frozenset({"NUMBER", "NAME", "SUPERSCRIPT", "CLOSE", "LIST_CLOSE", "BAR_CLOSE"})


@dataclass(frozen=True, slots=True)
class MathToken:
    """One token: its kind for the grammar, its text, its place."""

    kind: str
    text: str
    span: Span


def tokenize(text: str, functions: Iterable[str], given: Iterable[str]) -> list[MathToken]:
    """The tokens of a text.

    functions: the names that are called.
    given:     the names that have a value in the request.
    Raises: ProgramError at an unknown character, or at an unknown name right before a bracket.
    """
    tokens = list(_cut(text.translate(SPELLINGS)))
    names = frozenset(_assigned(tokens)) | frozenset(given)
    known = frozenset(functions)
    tokens = list(_functions(tokens, known, names))
    return list(_bars(_joined_lines(tokens)))


def _cut(text: str) -> Iterator[MathToken]:
    line, start_of_line = 1, 0
    for found in TOKEN.finditer(text):
        kind, word = found.lastgroup or "UNKNOWN", found.group()
        column = found.start() - start_of_line + 1
        span = Span(line, column, line, column + len(word))
        if kind == "UNKNOWN":
            raise _unknown_character(word, span)
        if word == "\n":
            line, start_of_line = line + 1, found.end()
        if kind == "OPERATOR":
            yield MathToken(KINDS[word], "sqrt" if word == "√" else word, span)
        elif kind != "SPACE":
            yield MathToken(kind, word, span)


def _assigned(tokens: list[MathToken]) -> Iterator[str]:
    """The names that stand before an equals sign at the start of a line."""
    previous = "NEWLINE"
    for token, after in pairwise(tokens):
        if previous == "NEWLINE" and token.kind == "NAME" and after.kind == "EQUALS":
            yield token.text
        previous = token.kind


def _functions(
    tokens: list[MathToken], functions: frozenset[str], names: frozenset[str]
) -> Iterator[MathToken]:
    for index, token in enumerate(tokens):
        following = tokens[index + 1].kind if index + 1 < len(tokens) else ""
        if token.kind != "NAME" or token.text in names:
            yield token
        elif token.text in functions:
            yield replace(token, kind="FUNCTION")
        elif following == "OPEN" and len(token.text) > 1 and token.text not in CONSTANT_NAMES:
            raise unknown_function(token, functions)
        else:
            yield token


CONSTANT_NAMES = frozenset({"pi", "tau", "π", "τ", "e"})


def _joined_lines(tokens: list[MathToken]) -> Iterator[MathToken]:
    """One break between lines, none at the ends; inside brackets a line may break anywhere."""
    depth = 0
    waiting: MathToken | None = None
    begun = False
    for token in tokens:
        depth += (token.kind in ("OPEN", "LIST_OPEN")) - (token.kind in ("CLOSE", "LIST_CLOSE"))
        if token.kind != "NEWLINE":
            if waiting is not None and begun:
                yield waiting
            waiting, begun = None, True
            yield token
        elif waiting is None and (depth <= 0 or token.text == ";"):
            waiting = token


def _bars(tokens: Iterable[MathToken]) -> Iterator[MathToken]:
    """Tell the bar that opens an absolute value from the one that closes it."""
    open_bars: list[int] = [0]  # one count for each bracket around
    previous = ""
    for token in tokens:
        if token.kind == "BAR":
            closes = previous in OPERAND_ENDS and open_bars[-1] > 0
            open_bars[-1] += -1 if closes else 1
            token = replace(token, kind="BAR_CLOSE" if closes else "BAR_OPEN")
        elif token.kind in ("OPEN", "LIST_OPEN"):
            open_bars.append(0)
        elif token.kind in ("CLOSE", "LIST_CLOSE") and len(open_bars) > 1:
            open_bars.pop()
        elif token.kind == "NEWLINE":
            open_bars = [0]
        previous = token.kind
        yield token


def superscript_value(text: str) -> int:
    """`²` as 2, `⁻¹` as -1."""
    return int(text.translate(SUPERSCRIPTS))


def unknown_function(token: MathToken, functions: Iterable[str]) -> ProgramError:
    """A name before a bracket that is neither a function nor a known name."""
    hint, hint_zh = did_you_mean(token.text, functions)
    return ProgramError(
        f"`{token.text}` is not a function that Gradlens knows.",
        message_zh=f"Gradlens 不认识函数 `{token.text}`。",
        hint=hint or f"For a product write {token.text} * (…).",
        hint_zh=hint_zh or f"如果是乘积，请写 {token.text} * (…)。",
        code="unknown_function",
        where=token.span,
    )


def _unknown_character(character: str, span: Span) -> ProgramError:
    if character in "'’′":
        return ProgramError(
            "A prime for a derivative is not needed: every derivative is computed.",
            message_zh="不需要用撇号表示导数：所有导数都会计算。",
            hint="Write the function itself, as in y = x^2.",
            hint_zh="请写函数本身，例如 y = x^2。",
            code="unknown_character",
            where=span,
        )
    name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
    return ProgramError(
        f"`{character}` ({name}) has no meaning in a formula."
        if character.isprintable()
        else f"The invisible character {name} has no meaning in a formula.",
        message_zh=f"公式中不能使用字符“{character}”。"
        if character.isprintable()
        else "公式中有不可见字符。",
        hint="Delete it, or write the operation in words: sqrt, abs, exp.",
        hint_zh="请删除它，或用函数名表示运算：sqrt、abs、exp。",
        code="unknown_character",
        where=span,
    )
