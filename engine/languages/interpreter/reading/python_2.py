"""Python 2's print statements as calls: many programs of TensorFlow 1's time are written with them."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

PRINT_STATEMENT = re.compile(r"Missing parentheses in call to 'print'")  # what Python 3 says of one
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
LAYOUT = frozenset({tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT})
HEADERS = frozenset(
    {"if", "else", "elif", "for", "while", "with", "try", "except", "finally", "def", "class"}
)
ENDS = frozenset({tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.COMMENT})


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of one line, and what stands there instead."""

    line: int
    start: int
    end: int
    text: str


def with_print_calls(text: str) -> str:
    """The text with a call for each print statement, each line at its place; the same where it has none."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text
    lines = text.splitlines(keepends=True)
    for change in sorted(_changes(tokens), key=lambda one: (one.line, one.start), reverse=True):
        line = lines[change.line - 1]
        lines[change.line - 1] = line[: change.start] + change.text + line[change.end :]
    return "".join(lines)


def _changes(tokens: Sequence[tokenize.TokenInfo]) -> Iterator[Change]:
    depth, first, before = 0, "", ";"  # brackets that are open, how the statement begins, the token before
    for place, token in enumerate(tokens):
        begins = depth == 0 and (before == ";" or (before == ":" and first in HEADERS))
        if begins and token.string == "print" and token.type == tokenize.NAME:
            yield from _of_statement(tokens, place)
        depth += _opened(token)
        if token.type in LAYOUT:
            before, first = (";", "") if depth == 0 else (before, first)
        else:
            before, first = token.string, first or token.string


def _opened(token: tokenize.TokenInfo) -> int:
    """By how many brackets the text after a token is deeper."""
    is_sign = token.type == tokenize.OP
    return (is_sign and token.string in OPENING) - (is_sign and token.string in CLOSING)


def _of_statement(tokens: Sequence[tokenize.TokenInfo], place: int) -> Iterator[Change]:
    word = tokens[place]
    row, after = word.end
    items = _items(tokens, place + 1)
    if not items:
        yield Change(row, after, after, "()")
        return
    first, last = items[0], items[-1]
    if first.string == ">>" or _is_one_bracket(items):
        return  # what Python 3 reads alike, or cannot say
    gap = after if first.start[0] != row or first.start[1] == after else first.start[1]
    yield Change(row, after, gap, " " * max(gap - after - 1, 0) + "(")
    if last.string == ",":
        yield Change(last.end[0], last.end[1], last.end[1], ' end=" ")')
    else:
        yield Change(last.end[0], last.end[1], last.end[1], ")")


def _items(tokens: Sequence[tokenize.TokenInfo], start: int) -> list[tokenize.TokenInfo]:
    """The tokens of the statement after `print`."""
    found: list[tokenize.TokenInfo] = []
    depth = 0
    for token in tokens[start:]:
        if depth == 0 and (token.type in ENDS or token.string == ";"):
            break
        if token.type in LAYOUT:
            continue
        depth += _opened(token)
        found.append(token)
    return found


def _is_one_bracket(items: Sequence[tokenize.TokenInfo]) -> bool:
    """Whether all of it stands in one pair of brackets, as the call of Python 3 does."""
    if items[0].string != "(":
        return False
    depth = 0
    for place, token in enumerate(items):
        depth += _opened(token)
        if depth == 0:
            return place == len(items) - 1
    return False
