"""An answer's JSON text, made part by part and counted meanwhile: one that is too long is given up early.

A program of a hundred bytes can name the same long list in many places, each of which repeats its text.
"""

from __future__ import annotations

import json
from typing import Any

import orjson

FEW = 200  # items, with those of the items, whose text is made at once

CONTAINERS = frozenset({dict, list, tuple})


class AnswerTooLarge(MemoryError):
    """An answer is longer than one may be."""


def as_json(body: Any, limit_bytes: int) -> bytes:
    """Strict JSON. Raises: AnswerTooLarge; by then, little more than so many bytes have been made."""
    text = Text(limit_bytes)
    text.write(body)
    return b"".join(text.parts)


class Text:
    """A text in parts, of a bounded length in all."""

    def __init__(self, limit_bytes: int) -> None:
        self.parts: list[bytes] = []
        self._left_bytes = limit_bytes

    def write(self, value: Any) -> None:
        """Add the text of a value."""
        if is_short(value):
            self._add(text_of(value))
        elif type(value) is dict:
            self._write_object(value)
        else:
            self._write_list(value)

    def _write_object(self, value: dict[Any, Any]) -> None:
        before = b"{"
        for key, item in value.items():
            self._add(before + text_of({key: None})[1:-5])
            self.write(item)
            before = b","
        self._add(b"}")

    def _write_list(self, value: list[Any] | tuple[Any, ...]) -> None:
        before = b"["
        for item in value:
            self._add(before)
            self.write(item)
            before = b","
        self._add(b"]")

    def _add(self, part: bytes) -> None:
        self.parts.append(part)
        self._left_bytes -= len(part)
        if self._left_bytes < 0:
            raise AnswerTooLarge


def is_short(value: Any) -> bool:
    """Whether the text of a value is made at once: it holds few items, or nothing but numbers and texts."""
    kind = type(value)
    if kind not in CONTAINERS or not value:
        return True
    items = value.values() if kind is dict else value
    if kind is not dict and type(value[0]) not in CONTAINERS and type(value[-1]) not in CONTAINERS:
        return True
    return len(value) <= FEW and sum([len(item) for item in items if type(item) in CONTAINERS]) <= FEW


def text_of(value: Any) -> bytes:
    """Strict JSON; a lone surrogate is written as an escape, since UTF-8 cannot hold it."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:  # or a long whole number, or a key that is no text
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
