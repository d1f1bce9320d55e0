"""Mathematical text cut into pieces: numbers, names, signs, LaTeX's commands, each with its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.errors import Span
from engine.languages.mathematics.characters import RAISED_LETTERS, SUPERSCRIPTS
from engine.languages.mathematics.refusals import unknown_character

NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
TOKEN = re.compile(
    (
        rf"(?P<NUMBER>{NUMBER})"
        r"""
      | (?P<NAME>[^\W\d_⁰¹²³⁴-⁹ᵀ¼-¾⅐-⅟LETTERS][^\W⁰¹²³⁴-⁹ᵀ¼-¾⅐-⅟LETTERS]*)
      | (?P<SUPERSCRIPT>[⁰¹²³⁴-⁹⁻⁺]+(?![LETTERS]))
      | (?P<RAISED>[⁰¹²³⁴-⁹⁻⁺LETTERS]+)
      | (?P<VULGAR>[¼-¾⅐-⅞])
      | (?P<POWER>\*\*|\^)
      | (?P<EQUALS>:=)
      | (?P<COMPARE>==|!=|<=|>=|[<>≤≥≠])
      | (?P<OPERATOR>[-+*/@=(),;\[\]|√∛\n{}&_‖⌊⌋⌈⌉∑∏∧∨¬ᵀ])
      | (?P<ENVIRONMENT>\\(?:begin|end)\s*\{[A-Za-z]+\*?\})
      | (?P<STYLED>\\(?:text\w*|math[a-z]+|boldsymbol|bm|operatorname\*?|hat|bar|tilde|vec|overline
                       |widehat|widetilde)\s*\{[^{}]*\})
      | (?P<FENCE>\\(?:left|right|[bB]igg?[lr]?)(?![A-Za-z])\s*(?:\\[lr]?[vV]ert(?![A-Za-z])|\\?\||\.)?)
      | (?P<COMMAND>\\(?:[A-Za-z]+|\S|\ |\n)?)
      | (?P<SPACE>[ \t\r\f~]+|\#[^\n]*)
      | (?P<UNKNOWN>.)"""
    ).replace("LETTERS", RAISED_LETTERS),
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
    "{": "BRACE_OPEN",
    "}": "BRACE_CLOSE",
    "|": "BAR",
    "‖": "NORM",
    "√": "FUNCTION",
    "∛": "FUNCTION",
    "⌊": "FLOOR_OPEN",
    "⌋": "FLOOR_CLOSE",
    "⌈": "CEIL_OPEN",
    "⌉": "CEIL_CLOSE",
    "∑": "BIG",
    "∏": "BIG",
    "∧": "AND",
    "∨": "OR",
    "¬": "NOT",
    "ᵀ": "TRANSPOSE",
    "&": "COLUMN",
    "_": "UNDER",
    "\n": "NEWLINE",
    ";": "NEWLINE",
}
MEANINGS = {
    "√": "sqrt",
    "∛": "cbrt",
    "∑": "sum",
    "∏": "prod",
    "==": "=",
    ":=": "=",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
}

RAISED = re.compile(r"[⁰¹²³⁴-⁹]+|.")
DOLLARS = re.compile(r"[ \t]*\$.*\$[ \t]*[.,;]?[ \t]*")
LONE_DOLLARS = re.compile(r"[ \t]*\$\$[ \t]*")


@dataclass(frozen=True, slots=True)
class MathToken:
    """One token: its kind for the grammar, its text, its place."""

    kind: str
    text: str
    span: Span


def without_dollars(text: str) -> str:
    """The text without the `$` around a formula; spaces keep the columns."""
    if "$" not in text:
        return text
    return "\n".join(
        line.replace("$", " ") if DOLLARS.fullmatch(line) or LONE_DOLLARS.fullmatch(line) else line
        for line in text.split("\n")
    )


def cut(text: str) -> Iterator[MathToken]:
    """The tokens of a text, without its blanks. Raises: ProgramError at a character that is none."""
    line, start_of_line = 1, 0
    for found in TOKEN.finditer(text):
        kind, word = found.lastgroup or "UNKNOWN", found.group()
        column = found.start() - start_of_line + 1
        span = Span(line, column, line, column + len(word))
        if kind == "UNKNOWN":
            raise unknown_character(word, span)
        if "\n" in word:
            line, start_of_line = line + word.count("\n"), found.start() + word.rindex("\n") + 1
        if kind == "OPERATOR":
            yield MathToken(KINDS[word], MEANINGS.get(word, word), span)
        elif kind == "RAISED":
            yield from _raised(word, span)
        elif kind == "VULGAR":
            yield from _vulgar(word, span)
        elif kind != "SPACE":
            yield MathToken(kind, MEANINGS.get(word, word), span)


def _vulgar(sign: str, span: Span) -> Iterator[MathToken]:
    """`½` as (1/2)."""
    value = Fraction(unicodedata.numeric(sign)).limit_denominator(10)
    parts = ("OPEN", "("), ("NUMBER", str(value.numerator)), ("OVER", "/"), ("NUMBER", str(value.denominator))
    for kind, text in (*parts, ("CLOSE", ")")):
        yield MathToken(kind, text, span)


def _raised(text: str, span: Span) -> Iterator[MathToken]:
    """`⁻ˣ` as `^(-x)`: each raised letter is a name, digits side by side are a number."""
    yield MathToken("POWER", "^", replace(span, end_column=span.column))
    yield MathToken("OPEN", "(", replace(span, end_column=span.column))
    for found in RAISED.finditer(text):
        plain = found.group().translate(SUPERSCRIPTS)
        kind = {"-": "MINUS", "+": "PLUS"}.get(plain, "NUMBER" if plain.isdigit() else "NAME")
        column = span.column + found.start()
        yield MathToken(kind, plain, replace(span, column=column, end_column=column + len(plain)))
    yield MathToken("CLOSE", ")", replace(span, column=span.end_column))
