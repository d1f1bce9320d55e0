"""What the reader of a file should know besides its graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a file, in both languages."""

    code: str
    message: str
    message_zh: str
    severity: str = "note"

    def as_json(self) -> dict[str, Any]:
        """A diagnostic without a place in a text."""
        place = dict.fromkeys(("line", "column", "end_line", "end_column"))
        texts = {"message": self.message, "message_zh": self.message_zh, "hint": "", "hint_zh": ""}
        return {"severity": self.severity, "code": self.code, **texts, **place}
