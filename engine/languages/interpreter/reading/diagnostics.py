"""What an answer says about a program: errors, limits and notes, each at its place, in two languages."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from engine.errors import GradlensError, LimitError, Span

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One line for the reader: what, where, what to try.

    rate:        where that is a learning rate.
    replacement: the whole text, where it could have been read in another way and is written so.
    instead:     a piece of the text at its place, and what to write there to mend it.
    fix:         the same as a place of its own and the text to write there.
    """

    severity: Severity
    code: str
    message: str
    message_zh: str
    hint: str = ""
    hint_zh: str = ""
    span: Span | None = None
    rate: float | None = None
    replacement: str | None = None
    instead: tuple[str, str] | None = None
    fix: tuple[Span, str] | None = None

    @classmethod
    def of(cls, error: GradlensError) -> Diagnostic:
        """The diagnostic of an error."""
        code, hint, hint_zh = error.code, error.hint, error.hint_zh
        return cls(
            *("error", code, error.message, error.message_zh, hint, hint_zh, error.where),
            instead=error.instead,
        )

    def located(self, source: str) -> Diagnostic:
        """The same with its fix, where what is to be replaced stands at its place just once."""
        if self.instead is None or self.span is None:
            return self
        wrong, text = self.instead
        place = place_of_word(wrong, source, self.span)
        return self if place is None else replace(self, fix=(place, text))

    def as_json(self) -> dict[str, Any]:
        """The fields of the API, the place as line and column (null where there is none)."""
        place = self.span
        return {
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "message_zh": self.message_zh or self.message,
            "hint_zh": self.hint_zh or self.hint,
            "line": place.line if place else None,
            "column": place.column if place else None,
            "end_line": place.end_line if place else None,
            "end_column": place.end_column if place else None,
            **({} if self.rate is None else {"rate": self.rate}),
            **({} if self.replacement is None else {"replacement": self.replacement}),
            **({} if self.fix is None else {"fix": _fix_json(*self.fix)}),
        }


def _fix_json(place: Span, text: str) -> dict[str, Any]:
    return {**asdict(place), "text": text}


def place_of_word(word: str, source: str, within: Span) -> Span | None:
    """Where a word stands in a line's part of the text; None where that is nowhere, or in several places."""
    lines = source.splitlines()
    if not word or within.line > len(lines):
        return None
    line = lines[within.line - 1]
    end = within.end_column - 1 if within.end_line == within.line else len(line)
    part = line[within.column - 1 : max(end, within.column)]
    pattern = rf"(?<!\w){re.escape(word)}(?!\w)" if word.isidentifier() else re.escape(word)
    found = [match.start() + within.column for match in re.finditer(pattern, part)]
    if len(found) != 1:
        return None
    return Span(within.line, found[0], within.line, found[0] + len(word))


def status_of(error: GradlensError) -> Literal["error", "limit"]:
    """What an error that stopped a running program makes of the whole answer."""
    return "limit" if isinstance(error, LimitError) else "error"
