"""What a program asks of whoever runs it: the calls of `input()`."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import Span


@dataclass(frozen=True, slots=True)
class Question:
    """One call of `input()`: its prompt, the line that it was given (None where none was left), its place."""

    prompt: str
    line: str | None
    place: Span | None
