"""Answers by content: the same request is run once, kept, and answered with the same bytes ever after."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import structlog
from sqlalchemy.exc import SQLAlchemyError

from engine.errors import GradlensError
from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest
from engine.programs.landscapes import LandscapeRequest
from engine.programs.program.running import OPEN, dialect_of
from engine.programs.races import RaceRequest
from server.answers.cut_short import lesson_cut_short, problem_cut_short, program_cut_short, run_cut_short
from server.answers.recent import Recent
from server.answers.run_lines import RunLines
from server.answers.single_flight import Once
from server.answers.store import KeptRun, Store
from server.http.problems import Problem, not_found
from server.serialization.bounded_json import AnswerTooLarge
from server.serialization.identity import aside, landscape_id, program_id, race_id, run_id
from server.serialization.landscape_bands import join_landscape
from server.workers.parts import Parts, Told, nobody
from server.workers.streams import Stream
from server.workers.tasks import (
    Answer,
    answer_code,
    answer_comparison,
    answer_graph,
    answer_landscape,
    answer_lesson,
    answer_program,
    answer_race,
    answer_run,
    answer_run_code,
    answer_run_graph,
    answer_step,
    answer_tensor,
    finish_landscape,
    join_race,
    landscape_part,
    race_part,
    stream_run,
)
from server.workers.workers import CutShort, Workers

T = TypeVar("T")

log = structlog.get_logger("gradlens")


class Answers:
    """Where an answer comes from: memory, the store, a worker; in this order."""

    def __init__(self, workers: Workers, store: Store, limits: Limits, memory_bytes: int) -> None:
        self.workers = workers
        self.parts = Parts(workers)
        self.store = store
        self.limits = limits
        self._recent = Recent(memory_bytes)
        self._under_way = Once()
        self._coming: dict[str, asyncio.Future[Answer]] = {}  # programs whose runs are told already

    async def program(self, request: ProgramRequest) -> Answer:
        """The answer of `POST /programs`."""
        name = await aside(program_id, request, request.dialect)
        return await self._once(name, lambda: self._run_program(request))

    async def kept_program(self, name: str) -> Answer:
        """The answer of `GET /programs/{id}`; raises Problem if no program has this id."""
        if name in self._coming:
            return await asyncio.shield(self._coming[name])
        recent = self._recent.get(name)
        if recent and recent.request:
            return recent
        answer = await self.store.get(name)
        if answer is None:
            raise not_found("program", name)
        return await self._of_today(name, request_of(answer)) or answer

    async def _of_today(self, kept: str, request: ProgramRequest) -> Answer | None:
        """The answer of this version of the engine where that called `kept` is another one's."""
        name = await aside(program_id, request, request.dialect)
        if name == kept:
            return None
        return await self.store.get(name) or await self.program(request)

    async def lesson(self, name: str) -> Answer:
        """The answer of `GET /programs/{id}/lesson`."""
        request = request_of(await self.kept_program(name))
        return await self._once(f"{name}/lesson", lambda: self._tell_lesson(name, request))

    async def graph(self, name: str, detail: str, form: str) -> Answer:
        """The answer of `GET /programs/{id}/graph`; raises Problem where it takes too long to build again."""
        request = request_of(await self.kept_program(name))
        key = f"{name}/graph/{detail}/{form}"
        return await self._once(key, lambda: self._work(answer_graph, key, request, detail, form))

    async def code(self, name: str, language: str) -> Answer:
        """The answer of `GET /programs/{id}/code`; raises Problem where the language has no words for it."""
        request = request_of(await self.kept_program(name))
        key = f"{name}/code/{language}"
        return await self._once(key, lambda: self._work(answer_code, key, request, language))

    async def run(self, program: Answer, run: RunRequest) -> Answer:
        """The answer of `POST /runs`."""
        request = request_of(program)
        name = await aside(run_id, program.id, run)
        return await self._once(name, lambda: self._optimise(program.id, request, run))

    async def run_lines(self, asked: str | ProgramRequest, run: RunRequest) -> RunLines:
        """The same line by line while it is computed, for this reader alone; whose going away ends it.

        asked: a program's id, or a program. The first rows of a new one come before its answer, if a second
               worker is free for that; who asks for it by its id, which the run tells, waits for the answer.
        """
        if isinstance(asked, str):
            return await self._begun(request_of(await self.kept_program(asked)), run)
        known = self._recent.get(await aside(program_id, asked, asked.dialect))
        if known is None and self.workers.free < 2:
            known = await self.program(asked)
        lines = await self._begun(request_of(known) if known else asked, run)
        if known is None:
            self._await(lines.program, asyncio.ensure_future(self.program(asked)))
        return lines

    async def _begun(self, request: ProgramRequest, run: RunRequest) -> RunLines:
        """The lines of a run, the first of which is there; the run is kept by then."""
        stream = await self.workers.stream(stream_run, request, run, self.limits)
        try:
            request = replace(request, dialect=await self._dialect_told(stream, request))
            program = await aside(program_id, request, request.dialect)
            name = await aside(run_id, program, run)

            async def keep(checkpoints: bytes | None) -> None:
                await self._keep(self.store.put_run(name, program, run, checkpoints))

            lines = RunLines(stream, program, request, run, self.limits, keep)
            await self._kept_meanwhile(name, lines.begin(), keep(None))
        except BaseException:
            stream.close()
            raise
        return lines

    async def _kept_meanwhile(
        self, name: str, beginning: Coroutine[Any, Any, None], keeping: Coroutine[Any, Any, None]
    ) -> None:
        """Keep a run while its first rows are computed; nothing of it is left where they are refused."""
        ended = await asyncio.gather(beginning, keeping, return_exceptions=True)
        errors = [error for error in ended if error is not None]
        if any(isinstance(error, GradlensError) for error in errors):
            await self._keep(self.store.drop_run(name))
        for error in errors:
            raise error

    async def _dialect_told(self, stream: Stream, request: ProgramRequest) -> str:
        """What a run's program is read as: its worker tells it first."""
        with suppress(CutShort):
            told = await stream.receive()
            if told is not None:
                return told.decode()
        return await self._dialect_of(request)

    async def _dialect_of(self, request: ProgramRequest) -> str:
        """What a program is read as whose worker was stopped; left open where that stops another one."""
        with suppress(CutShort, Problem):
            if request.dialect == OPEN:
                return await self.workers.run(dialect_of, request)
        return request.dialect

    def _await(self, program: str, answering: asyncio.Future[Answer]) -> None:
        """Let who asks for a program by its id wait for the answer that is still to come."""

        def came(answering: asyncio.Future[Answer]) -> None:
            self._coming.pop(program, None)
            if not answering.cancelled() and answering.exception():
                log.error("program not answered", error=repr(answering.exception()))

        self._coming[program] = answering
        answering.add_done_callback(came)

    async def kept_run(self, name: str) -> Answer:
        """The answer of `GET /runs/{id}`, computed again where it is no longer in memory."""
        kept = await self._kept_run(name)
        return await self.run(await self.kept_program(kept.program), kept.run)

    async def step(self, name: str, step: int) -> Answer:
        """The answer of `GET /runs/{id}/steps/{k}`."""
        kept = await self._kept_run(name)
        request, key = request_of(await self.kept_program(kept.program)), f"{name}/steps/{step}"
        asked = key, request, kept.run, step, kept.checkpoints
        return await self._once(key, lambda: self._work(answer_step, *asked))

    async def run_graph(self, name: str, detail: str, form: str) -> Answer:
        """The answer of `GET /runs/{id}/graph`; raises Problem where it takes too long to build again."""
        kept = await self._kept_run(name)
        request, key = request_of(await self.kept_program(kept.program)), f"{name}/graph/{detail}/{form}"
        return await self._once(
            key, lambda: self._work(answer_run_graph, key, request, kept.run, detail, form)
        )

    async def run_code(self, name: str) -> Answer:
        """The answer of `GET /runs/{id}/code`; raises Problem where no function is generated for the run."""
        kept = await self._kept_run(name)
        request, key = request_of(await self.kept_program(kept.program)), f"{name}/code"
        return await self._once(key, lambda: self._work(answer_run_code, key, request, kept.run))

    async def _kept_run(self, name: str) -> KeptRun:
        """What is kept of a run; raises Problem if no run has this id."""
        kept = await self.store.get_run(name)
        if kept is None:
            raise not_found("run", name)
        return kept

    async def tensor(self, name: str, tensor: str) -> Answer:
        """The answer of `GET /programs/{id}/tensors/{name}`."""
        request = request_of(await self.kept_program(name))
        key = f"{name}/tensors/{tensor}"
        return await self._once(key, lambda: self._work(answer_tensor, key, request, tensor))

    async def comparison(self, program: Answer) -> Answer:
        """The answer of `POST /comparisons`; raises Problem where it takes too long."""
        request = request_of(program)
        return await self._once(
            f"{program.id}/comparison", lambda: self._work(answer_comparison, program.id, request)
        )

    async def race(self, program: Answer, race: RaceRequest, told: Told = nobody) -> Answer:
        """The answer of `POST /races`; raises Problem where it takes too long."""
        asked = program.id, request_of(program), race
        name = await aside(race_id, program.id, race)
        return await self._once_told(name, lambda tell: self._race(*asked, tell), told)

    async def landscape(self, program: Answer, asked: LandscapeRequest, told: Told = nobody) -> Answer:
        """The answer of `POST /landscapes`; raises Problem where it takes too long."""
        key, request = await aside(landscape_id, program.id, asked), request_of(program)
        return await self._once_told(
            key, lambda tell: self._landscape(program.id, request, asked, tell), told
        )

    async def _once(self, key: str, make: Callable[[], Awaitable[Answer]]) -> Answer:
        """Answer from memory, or make the answer; those who ask meanwhile wait for the same one."""
        return await self._once_told(key, lambda _: make(), nobody)

    async def _once_told(self, key: str, make: Callable[[Told], Awaitable[Answer]], told: Told) -> Answer:
        """The same for work in parts, as whose parts are done `told` is called."""
        recent = self._recent.get(key)
        if recent is not None:
            return recent
        return await self._under_way.answer(key, lambda tell: self._make(key, make(tell)), told)

    async def _make(self, key: str, making: Awaitable[Answer]) -> Answer:
        answer = await making
        if answer.complete:
            self._recent.put(key, answer)
        return answer

    async def _run_program(self, request: ProgramRequest) -> Answer:
        try:
            answer = await self.workers.run(answer_program, request, self.limits)
        except CutShort as cut:
            understood = replace(request, dialect=await self._dialect_of(request))
            answer = program_cut_short(understood, cut.reason, self.limits)
        await self._keep(self.store.put(answer))
        if answer.complete:
            self._recent.put(answer.id, answer)
        return answer

    async def _keep(self, writing: Awaitable[None]) -> None:
        """Wait until something is kept; who stops waiting leaves no half-written row."""
        try:
            await asyncio.shield(asyncio.ensure_future(writing))
        except SQLAlchemyError:  # a full disk costs the link, not the lesson
            log.exception("result not kept")

    async def _tell_lesson(self, name: str, request: ProgramRequest) -> Answer:
        try:
            return await self.workers.run(answer_lesson, name, request, self.limits)
        except CutShort as cut:
            return lesson_cut_short(name, cut.reason, self.limits)

    async def _work(self, task: Callable[..., T], *asked: Any) -> T:
        """An answer of which there is no half; raises Problem where its worker has to be stopped."""
        try:
            return await self.parts.tried(task, *asked, self.limits)
        except CutShort as cut:
            raise problem_cut_short(cut.reason, self.limits) from None

    async def _in_parts(self, task: Callable[..., T], asked: list[tuple[Any, ...]], tell: Told) -> list[T]:
        """The same of work in parts; raises Problem where one of them takes too long."""
        try:
            return await self.parts.results(task, [(*part, self.limits) for part in asked], tell)
        except CutShort as cut:
            raise problem_cut_short(cut.reason, self.limits) from None

    async def _joined(self, join: Callable[..., T], *parts: Any) -> T:
        """Parts put together beside the event loop; raises Problem where they are too long."""
        try:
            return await asyncio.to_thread(join, *parts, self.limits)
        except AnswerTooLarge:
            raise problem_cut_short("answer_too_large", self.limits) from None

    async def _race(self, name: str, request: ProgramRequest, race: RaceRequest, tell: Told) -> Answer:
        """A race in one piece where it is small enough, else in parts side by side."""
        whole = await self._work(answer_race, name, request, race)
        if isinstance(whole, Answer):
            return whole
        parts = await self._in_parts(race_part, [(request, race, cut) for cut in whole], tell)
        return await self._joined(join_race, name, race, parts)

    async def _landscape(
        self, name: str, request: ProgramRequest, asked: LandscapeRequest, tell: Told
    ) -> Answer:
        """A landscape in one piece where it is small enough, else in bands side by side."""
        whole = await self._work(answer_landscape, name, request, asked)
        if isinstance(whole, Answer):
            return whole
        parts = await self._in_parts(landscape_part, [(request, asked, band) for band in whole], tell)
        told = await self._work(finish_landscape, request, asked, [part.glimpse for part in parts])
        packed = await self._joined(join_landscape, name, asked, told, parts)
        return Answer(await aside(landscape_id, name, asked), packed)

    async def _optimise(self, name: str, request: ProgramRequest, run: RunRequest) -> Answer:
        try:
            answer = await self.workers.run(answer_run, name, request, run, self.limits)
        except CutShort as cut:
            answer = run_cut_short(name, request, run, cut.reason, self.limits)
        checkpoints = answer.checkpoints if answer.complete else None
        await self._keep(self.store.put_run(answer.id, name, run, checkpoints))
        return answer


def request_of(program: Answer) -> ProgramRequest:
    """The request that a program's answer carries."""
    if program.request is None:
        raise ValueError(f"{program.id} is no program")
    return program.request
