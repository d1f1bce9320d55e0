"""What all answers share: the words of a message, where it points, and what mends it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Value = Any  # a tensor {"dtype", "shape", "data"}, or a plain number, text or boolean


class Answer(BaseModel):
    """An answer holds these fields and no others."""

    model_config = ConfigDict(extra="forbid")


class ProblemDocument(Answer):
    """An error, as RFC 9457 has it; `message_zh` is `detail` in Simplified Chinese."""

    type: str
    title: str
    status: int
    detail: str
    code: str = Field(description="Stable: programs may rely on it.")
    hint: str
    message_zh: str
    hint_zh: str
    where: str | None


class Text(Answer):
    """One text in both languages."""

    en: str
    zh: str


class Span(Answer):
    """A stretch of the source: lines and columns count from 1 in code points, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Fix(Answer):
    """A place in the source, and the text to write there in place of what stands there."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Diagnostic(Answer):
    """A message about a place in the program, or about all of it (then the place is null)."""

    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    severity: Literal["error", "warning", "note"]
    code: str
    message: str
    hint: str
    message_zh: str
    hint_zh: str
    rate: float | None = Field(default=None, description="A learning rate to try; only where there is one.")
    replacement: str | None = Field(
        default=None, description="The whole source, written so that it is read the other way."
    )
    fix: Fix | None = Field(default=None, description="What mends it; only where that is one word.")
