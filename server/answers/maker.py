"""Answers that are not there yet: made by workers, and kept in the store where a link may lead to them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import orjson
import structlog
from sqlalchemy.exc import SQLAlchemyError

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest
from engine.programs.landscapes import LandscapeRequest
from engine.programs.program.running import OPEN, dialect_of
from engine.programs.races import RaceRequest
from server.answers.cut_short import lesson_cut_short, problem_cut_short, program_cut_short, run_cut_short
from server.answers.landscape_lines import band_report
from server.answers.store import Store
from server.http.problems import Problem
from server.serialization.answer import Answer
from server.serialization.bounded_json import AnswerTooLarge
from server.serialization.identity import aside, landscape_id
from server.serialization.landscape_bands import WrittenBand, join_landscape
from server.workers.parts import Parts, Progress
from server.workers.tasks import (
    answer_landscape,
    answer_lesson,
    answer_program,
    answer_race,
    answer_run,
    finish_landscape,
    join_race,
    landscape_part,
    race_part,
    stream_program,
)
from server.workers.workers import CutShort, Workers

T = TypeVar("T")

log = structlog.get_logger("gradlens")


class Maker:
    """Makes answers. Where a worker has to be stopped, a program, a lesson and a run say so in their answer.

    Raises: Problem where other work is stopped, of which there is no half.
    """

    def __init__(self, workers: Workers, store: Store, limits: Limits) -> None:
        self._workers = workers
        self._parts = Parts(workers)
        self._store = store
        self._limits = limits

    async def program(self, request: ProgramRequest, progress: Progress | None = None) -> Answer:
        """A program run; its answer is kept under the id that its dialect gives it."""
        try:
            if progress is None:
                answer = await self._workers.run(answer_program, request, self._limits)
            else:
                answer = await self._with_progress(request, progress)
        except CutShort as cut:
            understood = replace(request, dialect=await self.dialect_of(request))
            answer = program_cut_short(understood, cut.reason, self._limits)
        await self.keep(self._store.put(answer))
        return answer

    async def _with_progress(self, request: ProgramRequest, progress: Progress) -> Answer:
        """The same, with what the worker reports on its way."""
        stream = await self._workers.stream(stream_program, request, self._limits, waits=False)
        try:
            while (report := await stream.receive()) is not None:
                progress(orjson.loads(report))
            answer: Answer = await stream.result()
            return answer
        finally:
            stream.close()

    async def lesson(self, name: str, request: ProgramRequest, level: str) -> Answer:
        """The steps of a program's lesson."""
        try:
            return await self._workers.run(answer_lesson, name, request, level, self._limits)
        except CutShort as cut:
            return lesson_cut_short(name, level, cut.reason, self._limits)

    async def run(self, program: Answer, run: RunRequest) -> Answer:
        """A run of a program, kept with states on its way where it came to its end."""
        name, request = program.id, request_of(program)
        try:
            answer = await self._workers.run(answer_run, name, request, run, self._limits)
        except CutShort as cut:
            answer = run_cut_short(name, request, run, cut.reason, self._limits)
        checkpoints = answer.checkpoints if answer.complete else None
        await self.keep(self._store.put_run(answer.id, name, run, checkpoints))
        return answer

    async def race(self, program: Answer, race: RaceRequest, progress: Progress) -> Answer:
        """A race in one piece where it is small enough, else in parts side by side."""
        request = request_of(program)
        whole = await self.by_worker(answer_race, program.id, request, race)
        if isinstance(whole, Answer):
            return whole
        parts = await self.by_workers(race_part, [(request, race, cut) for cut in whole], progress)
        return await self._joined(join_race, program.id, race, parts)

    async def landscape(self, program: Answer, view: LandscapeRequest, progress: Progress) -> Answer:
        """A landscape in one piece where it is small enough, else in bands side by side.

        progress: called with what lines are made of (see LandscapeLines): a header, bands as they come in
                  any order, a footer.
        """
        name, request = program.id, request_of(program)
        whole = await self.by_worker(answer_landscape, name, request, view)
        if isinstance(whole, Answer):
            return whole
        cuts, landscape = whole.cuts, await aside(landscape_id, name, view)
        progress({"type": "header", "id": landscape, "program": name, **whole.frame, "bands": len(cuts)})

        def arrived(place: int, part: WrittenBand) -> None:
            progress(band_report(view, whole.frame, cuts[place], part))

        bands = [(request, view, cut) for cut in cuts]
        parts = await self.by_workers(landscape_part, bands, arrived=arrived)
        findings = await self.by_worker(finish_landscape, request, view, [part.glimpse for part in parts])
        packed = await self._joined(join_landscape, name, view, findings, parts)
        progress({"type": "footer", **{key: findings[key] for key in findings if key not in whole.frame}})
        return Answer(landscape, packed)

    async def by_worker(self, task: Callable[..., T], *asked: Any) -> T:
        """What a task returns, done by one worker."""
        try:
            return await self._parts.tried(task, *asked, self._limits)
        except CutShort as cut:
            raise problem_cut_short(cut.reason, self._limits) from None

    async def by_workers(
        self,
        task: Callable[..., T],
        asked: list[tuple[Any, ...]],
        progress: Progress = lambda report: None,
        arrived: Callable[[int, T], None] = lambda place, result: None,
    ) -> list[T]:
        """What a task returns for each part, done by several workers."""
        parts = [(*part, self._limits) for part in asked]
        try:
            return await self._parts.results(task, parts, progress, arrived)
        except CutShort as cut:
            raise problem_cut_short(cut.reason, self._limits) from None

    async def _joined(self, join: Callable[..., T], *parts: Any) -> T:
        """Parts put together beside the event loop; raises Problem where they are too long."""
        try:
            return await asyncio.to_thread(join, *parts, self._limits)
        except AnswerTooLarge:
            raise problem_cut_short("answer_too_large", self._limits) from None

    async def dialect_of(self, request: ProgramRequest) -> str:
        """What a program is read as whose worker was stopped; left open where that stops another one."""
        with suppress(CutShort, Problem):
            if request.dialect == OPEN:
                return await self._workers.run(dialect_of, request)
        return request.dialect

    async def keep(self, writing: Awaitable[None]) -> None:
        """Wait until something is kept; who stops waiting leaves no half-written row."""
        try:
            await asyncio.shield(asyncio.ensure_future(writing))
        except SQLAlchemyError:  # a full disk costs the link, not the lesson
            log.exception("result not kept")


def request_of(program: Answer) -> ProgramRequest:
    """The request that a program's answer carries."""
    if program.request is None:
        raise ValueError(f"{program.id} is no program")
    return program.request
