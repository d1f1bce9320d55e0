"""Answers in memory: the least recently used ones make room."""

from __future__ import annotations

from cachetools import LRUCache

from server.serialization.answer import Answer


class AnswerCache(LRUCache[str, Answer]):
    """An LRU cache of answers, up to so many bytes of them."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(limit_bytes, getsizeof=lambda answer: answer.size_bytes)

    def keep(self, key: str, answer: Answer) -> None:
        """Keep an answer, unless it is cut short or alone larger than all may be."""
        if answer.complete and answer.size_bytes <= self.maxsize:
            self[key] = answer
