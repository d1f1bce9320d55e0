"""Answers in memory, up to a number of bytes."""

from __future__ import annotations

from collections import OrderedDict

from server.workers.tasks import Answer


class Recent:
    """The answers asked for last, up to `limit_bytes` of them."""

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self._size_bytes = 0
        self._answers: OrderedDict[str, Answer] = OrderedDict()

    def get(self, key: str) -> Answer | None:
        """The answer kept under `key`, which is now the one asked for last."""
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def put(self, key: str, answer: Answer) -> None:
        """Keep `answer`, and let go of those that nobody asked for the longest."""
        previous = self._answers.pop(key, None)
        self._answers[key] = answer
        self._size_bytes += answer.size_bytes - (previous.size_bytes if previous else 0)
        while self._size_bytes > self.limit_bytes and self._answers:
            _, dropped = self._answers.popitem(last=False)
            self._size_bytes -= dropped.size_bytes
