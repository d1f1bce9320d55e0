"""A sentence of a lesson: the same in English and in Simplified Chinese."""

from __future__ import annotations

Sentence = dict[str, str]


def both(english: str, chinese: str) -> Sentence:
    """The two as a step has them."""
    return {"en": english, "zh": chinese}
