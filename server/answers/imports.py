"""Graphs that other programs wrote: their files are kept by content, and read by workers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from engine.execution.budget import Limits
from engine.programs.answers.picture_files import Look
from server.answers.answers import Answers, key_of
from server.answers.cut_short import file_cut_short
from server.answers.store import Store
from server.http.problems import not_found
from server.serialization.answer import Answer
from server.serialization.identity import canonical, import_id
from server.workers.import_tasks import (
    Kept,
    answer_import,
    answer_import_gradients,
    answer_import_graph,
    answer_import_values,
    answer_kept_import,
)
from server.workers.workers import CutShort, Workers

T = TypeVar("T")


class Imports:
    """Answers about files of graphs. The id of one is the hash of its bytes.

    Raises: Problem where nothing has the id that is asked for, or a worker had to be stopped;
            FileRefused where a file holds no graph.
    """

    def __init__(self, answers: Answers, workers: Workers, store: Store, limits: Limits) -> None:
        self._answers = answers
        self._workers = workers
        self._store = store
        self._limits = limits

    async def open(self, data: bytes) -> Answer:
        """The answer of `POST /imports`."""
        name = await asyncio.to_thread(import_id, data)
        return await self._answers.shared(name, lambda _: self._keeping(answer_import, name, data))

    async def kept(self, name: str) -> Answer:
        """The answer of `GET /imports/{id}`."""
        return await self._of_file(name, name, answer_kept_import, name)

    async def gradients(self, name: str, y: str, xs: Sequence[str]) -> Answer:
        """The answer of `POST /imports/{id}/gradients`; the graph that it grew is kept as an import, too."""
        key = f"{name}/gradients/{canonical([y, list(xs)])}"
        return await self._answers.shared(key, lambda _: self._grown(name, y, xs))

    async def values(self, name: str, feeds: Mapping[str, Any], variables: Mapping[str, Any]) -> Answer:
        """The answer of `POST /imports/{id}/values`."""
        key = f"{name}/values/{canonical([feeds, variables])}"
        return await self._of_file(key, name, answer_import_values, name, feeds, variables)

    async def graph(self, name: str, look: Look) -> Answer:
        """The answer of `GET /imports/{id}/graph`."""
        key = f"{name}/graph/{key_of(look)}"
        return await self._of_file(key, name, answer_import_graph, key, look)

    async def _grown(self, name: str, y: str, xs: Sequence[str]) -> Answer:
        return await self._keeping(answer_import_gradients, name, await self.file(name), y, xs)

    async def _of_file(
        self, key: str, name: str, task: Callable[..., Answer], first: str, *asked: Any
    ) -> Answer:
        """What a task answers about a file that was kept."""

        async def made(_: Any) -> Answer:
            return await self._by_worker(task, first, await self.file(name), *asked)

        return await self._answers.shared(key, made)

    async def file(self, name: str) -> bytes:
        """The file that is kept under an id, packed."""
        packed = await self._store.get_import(name)
        if packed is None:
            raise not_found("import", name)
        return packed

    async def _keeping(self, task: Callable[..., Kept], *asked: Any) -> Answer:
        """What a task answers, once the file that belongs to it is kept."""
        answer, file = await self._by_worker(task, *asked)
        await self._answers.keep(self._store.put_import(answer.id, file))
        return answer

    async def _by_worker(self, task: Callable[..., T], *asked: Any) -> T:
        try:
            return await self._workers.run(task, *asked, self._limits)
        except CutShort as cut:
            raise file_cut_short(cut.reason, self._limits) from None
