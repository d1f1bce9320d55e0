"""Values and lists of names as sentences have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

import numpy as np

from engine.ops.base.tensors import Array
from engine.programs.lesson.formulas import MINUS, value_text

UNKNOWN = "?"

MOST_IN_A_SENTENCE = 18  # numbers
SMALL = 9  # elements of a matrix that is written out in a sentence


def in_words(value: Array | None) -> str:
    """A value for a sentence: numbers where they are few, else the shape; one number without brackets."""
    if value is None:
        return UNKNOWN
    if value.size == 1:
        return value_text(value.reshape(()))
    if value.ndim < 2 or value.size > SMALL or value.size == 0:
        return value_text(value)
    return "[" + ", ".join(_row(row) for row in value) + "]"


def _row(row: Array) -> str:
    return (
        "["
        + ", ".join(value_text(item) if item.ndim == 0 else _row(item) for item in map(np.asarray, row))
        + "]"
    )


def is_large(value: Array | None) -> TypeGuard[Array]:
    """Whether a sentence gives the shape alone."""
    return value is not None and value.size != 1 and "," not in in_words(value)


def are_many(*values: Array | None) -> bool:
    """Whether these are too many numbers for one sentence, or some of them are not written out."""
    known = [value for value in values if value is not None]
    return any(map(is_large, known)) or sum(value.size for value in known) > MOST_IN_A_SENTENCE


def number_of(value: Array | None) -> float | None:
    """The one number that a value is, or None."""
    return float(value.reshape(())) if value is not None and value.size == 1 else None


def in_brackets(text: str) -> str:
    """A negative number after a sign."""
    return f"({text})" if text.startswith(MINUS) else text


def counted(number: int) -> str:
    """A small number as a word."""
    return {2: "two", 3: "three"}.get(number, str(number))


def enumerated(names: Sequence[str]) -> str:
    """`a, b and c`, each once."""
    unique = list(dict.fromkeys(names))
    return unique[0] if len(unique) == 1 else f"{', '.join(unique[:-1])} and {unique[-1]}"


def enumerated_zh(names: Sequence[str]) -> str:
    """The same in Chinese."""
    return "、".join(dict.fromkeys(names))
