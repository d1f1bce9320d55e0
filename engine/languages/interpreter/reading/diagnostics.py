"""What an answer says about a program: errors, limits and notes, each at its place, in two languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from engine.errors import GradlensError, LimitError, Span

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One line for the reader: what, where, what to try.

    rate:        where that is a learning rate.
    replacement: the whole text, where it could have been read in another way and is written so.
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

    @classmethod
    def of(cls, error: GradlensError) -> Diagnostic:
        """The diagnostic of an error."""
        code, hint, hint_zh = error.code, error.hint, error.hint_zh
        return cls("error", code, error.message, error.message_zh, hint, hint_zh, error.where)

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
        }


def status_of(error: GradlensError) -> Literal["error", "limit"]:
    """What an error that stopped a running program makes of the whole answer."""
    return "limit" if isinstance(error, LimitError) else "error"
