"""Answers by content: the same request is run once, kept, and answered with the same bytes ever after."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any

import structlog

from engine.errors import GradlensError
from engine.execution.budget import Limits
from engine.interchange.picture import Drawing
from engine.programs import ProgramRequest, RunRequest
from engine.programs.answers.picture_files import PICTURE_TYPES, Look
from engine.programs.landscapes import LandscapeRequest
from engine.programs.lesson import default_level
from engine.programs.races import RaceRequest
from server.answers.cache import AnswerCache
from server.answers.maker import Maker, request_of
from server.answers.run_lines import RunLines
from server.answers.single_flight import Make, SingleFlight
from server.answers.store import KeptRun, Store
from server.http.problems import not_found
from server.serialization.answer import Answer
from server.serialization.identity import (
    aside,
    canonical,
    landscape_id,
    picture_id,
    program_id,
    race_id,
    run_id,
)
from server.workers.parts import Progress
from server.workers.streams import Stream
from server.workers.tasks import (
    answer_code,
    answer_comparison,
    answer_derivation,
    answer_graph,
    answer_new_numbers,
    answer_notebook,
    answer_paths,
    answer_picture,
    answer_run_code,
    answer_run_graph,
    answer_run_table,
    answer_side_by_side,
    answer_step,
    answer_tensor,
    stream_run,
)
from server.workers.workers import CutShort, Workers

log = structlog.get_logger("gradlens")

Asked = str | ProgramRequest  # a program by its id, or the program itself


def key_of(look: Look) -> str:
    """What an answer with a graph is kept under, behind the graph's own id; only of a picture all counts."""
    if look.form not in PICTURE_TYPES:
        return f"{look.detail}/{look.form}"
    scopes = "" if look.open is None else f"/{canonical(sorted(set(look.open)))}"
    return f"{look.detail}/{look.form}/{look.theme}/{look.direction}{scopes}"


class Answers:
    """Where an answer comes from: memory, the store, a worker; in this order.

    Raises: Problem where nothing has the id that is asked for, or as `Maker`.
    """

    def __init__(self, workers: Workers, store: Store, limits: Limits, memory_bytes: int) -> None:
        self.workers = workers
        self.store = store
        self.limits = limits
        self._maker = Maker(workers, store, limits)
        self._recent = AnswerCache(memory_bytes)
        self._under_way = SingleFlight()
        self._coming: dict[str, asyncio.Future[Answer]] = {}  # programs whose runs have been announced

    @property
    def memory_bytes(self) -> int:
        """What is kept in memory."""
        return int(self._recent.currsize)

    # -- programs ------------------------------------------------------------------------------------------

    async def program(self, request: ProgramRequest, progress: Progress | None = None) -> Answer:
        """The answer of `POST /programs`."""

        def make(report: Progress) -> Coroutine[Any, Any, Answer]:
            return self._maker.program(request, None if progress is None else report)

        name = await aside(program_id, request, request.dialect)
        answer = await self.shared(name, make, progress)
        self._recent.keep(answer.id, answer)  # which follows from the dialect that it was read in
        return answer

    async def kept_program(self, name: str) -> Answer:
        """The answer of `GET /programs/{id}`."""
        if name in self._coming:
            return await asyncio.shield(self._coming[name])
        recent = self._recent.get(name)
        if recent and recent.request:
            return recent
        answer = await self.store.get(name)
        if answer is None:
            raise not_found("program", name)
        return await self._of_today(name, request_of(answer)) or answer

    async def lesson(self, name: str, asked: str | None = None) -> Answer:
        """The answer of `GET /programs/{id}/lesson`. asked: the level, None for the dialect's own."""
        request = await self._request(name)
        level = asked or default_level(request.dialect)
        return await self.shared(f"{name}/lesson/{level}", lambda _: self._maker.lesson(name, request, level))

    async def derivation(self, name: str, level: str | None, language: str) -> Answer:
        """The answer of `GET /programs/{id}/lesson?format=latex`."""
        request = await self._request(name)
        key = f"{name}/derivation/{level or ''}/{language}"
        return await self._task(key, answer_derivation, request, level, language)

    async def new_numbers(self, name: str, again: int) -> Answer:
        """The answer of `GET /programs/{id}/new-numbers`."""
        request = await self._request(name)
        return await self._task(f"{name}/new-numbers/{again}", answer_new_numbers, request, again)

    async def paths(self, name: str, x: str | None) -> Answer:
        """The answer of `GET /programs/{id}/paths`."""
        return await self._task(f"{name}/paths/{x or ''}", answer_paths, await self._request(name), x)

    async def side_by_side(self, name: str, left: str, right: str) -> Answer:
        """The answer of `GET /programs/{id}/side-by-side`."""
        key = f"{name}/side-by-side/{left}/{right}"
        return await self._task(key, answer_side_by_side, await self._request(name), left, right)

    async def graph(self, name: str, look: Look) -> Answer:
        """The answer of `GET /programs/{id}/graph`."""
        request = await self._request(name)
        return await self._task(f"{name}/graph/{key_of(look)}", answer_graph, request, look)

    async def code(self, name: str, language: str) -> Answer:
        """The answer of `GET /programs/{id}/code`."""
        return await self._task(f"{name}/code/{language}", answer_code, await self._request(name), language)

    async def notebook(self, name: str) -> Answer:
        """The answer of `GET /programs/{id}/notebook`."""
        return await self._task(f"{name}/notebook", answer_notebook, await self._request(name))

    async def tensor(self, name: str, tensor: str) -> Answer:
        """The answer of `GET /programs/{id}/tensors/{name}`."""
        return await self._task(f"{name}/tensors/{tensor}", answer_tensor, await self._request(name), tensor)

    async def comparison(self, asked: Asked, by: str | None = None, derivative: str | None = None) -> Answer:
        """The answer of `POST /comparisons`."""
        program = await self._program(asked)
        key = f"{program.id}/comparison/{canonical([by, derivative])}"
        return await self._task(key, answer_comparison, request_of(program), by, derivative)

    async def race(self, asked: Asked, race: RaceRequest, progress: Progress | None = None) -> Answer:
        """The answer of `POST /races`."""
        program = await self._program(asked)
        name = await aside(race_id, program.id, race)
        return await self.shared(name, lambda report: self._maker.race(program, race, report), progress)

    async def landscape(
        self, asked: Asked, view: LandscapeRequest, progress: Progress | None = None
    ) -> Answer:
        """The answer of `POST /landscapes`."""
        program = await self._program(asked)
        name = await aside(landscape_id, program.id, view)
        return await self.shared(name, lambda report: self._maker.landscape(program, view, report), progress)

    async def picture(self, drawing: Drawing) -> Answer:
        """The answer of `POST /pictures`."""
        name = await asyncio.to_thread(picture_id, drawing)
        return await self._task(name, answer_picture, drawing)

    # -- runs ----------------------------------------------------------------------------------------------

    async def run(self, asked: Asked, run: RunRequest) -> Answer:
        """The answer of `POST /runs`."""
        program = await self._program(asked)
        name = await aside(run_id, program.id, run)
        return await self.shared(name, lambda _: self._maker.run(program, run))

    async def kept_run(self, name: str) -> Answer:
        """The answer of `GET /runs/{id}`, computed again where it is no longer in memory."""
        kept = await self._kept_run(name)
        return await self.run(kept.program, kept.run)

    async def step(self, name: str, step: int) -> Answer:
        """The answer of `GET /runs/{id}/steps/{k}`."""
        kept = await self._kept_run(name)
        request = await self._request(kept.program)
        key = f"{name}/steps/{step}"
        return await self._task(key, answer_step, request, kept.run, step, kept.checkpoints)

    async def run_graph(self, name: str, look: Look) -> Answer:
        """The answer of `GET /runs/{id}/graph`."""
        kept = await self._kept_run(name)
        request = await self._request(kept.program)
        return await self._task(f"{name}/graph/{key_of(look)}", answer_run_graph, request, kept.run, look)

    async def run_table(self, name: str, form: str) -> Answer:
        """The answer of `GET /runs/{id}?format=csv`."""
        kept = await self._kept_run(name)
        request = await self._request(kept.program)
        return await self._task(f"{name}/table/{form}", answer_run_table, request, kept.run, form)

    async def run_code(self, name: str) -> Answer:
        """The answer of `GET /runs/{id}/code`."""
        kept = await self._kept_run(name)
        return await self._task(f"{name}/code", answer_run_code, await self._request(kept.program), kept.run)

    async def run_lines(self, asked: Asked, run: RunRequest) -> RunLines:
        """The answer of `POST /runs` line by line while it is computed, for this reader alone.

        Its reader's going away ends the run. The first rows of a new program come before its answer, if a
        second worker is free for that; who asks for it by the id that the run names waits for the answer.
        """
        if isinstance(asked, str):
            return await self._begun(await self._request(asked), run)
        known = self._recent.get(await aside(program_id, asked, asked.dialect))
        if known is None and self.workers.free < 2:
            known = await self.program(asked)
        lines = await self._begun(request_of(known) if known else asked, run)
        if known is None:
            self._announce(lines.program, asyncio.ensure_future(self.program(asked)))
        return lines

    async def _begun(self, request: ProgramRequest, run: RunRequest) -> RunLines:
        """The lines of a run, the first of which is there; the run is kept by then."""
        stream = await self.workers.stream(stream_run, request, run, self.limits)
        try:
            request = replace(request, dialect=await self._streamed_dialect(stream, request))
            program = await aside(program_id, request, request.dialect)
            name = await aside(run_id, program, run)

            async def keep(checkpoints: bytes | None) -> None:
                await self._maker.keep(self.store.put_run(name, program, run, checkpoints))

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
            await self._maker.keep(self.store.drop_run(name))
        for error in errors:
            raise error

    async def _streamed_dialect(self, stream: Stream, request: ProgramRequest) -> str:
        """What a run's program is read as: the first message of its worker."""
        with suppress(CutShort):
            dialect = await stream.receive()
            if dialect is not None:
                return dialect.decode()
        return await self._maker.dialect_of(request)

    def _announce(self, program: str, answering: asyncio.Future[Answer]) -> None:
        """Let who asks for a program by its id wait for the answer that is still to come."""

        def came(answering: asyncio.Future[Answer]) -> None:
            self._coming.pop(program, None)
            if not answering.cancelled() and answering.exception():
                log.error("program not answered", error=repr(answering.exception()))

        self._coming[program] = answering
        answering.add_done_callback(came)

    # -- what is kept --------------------------------------------------------------------------------------

    async def _program(self, asked: Asked) -> Answer:
        """The answer of a program that a request names by its id or brings along."""
        return await (self.kept_program(asked) if isinstance(asked, str) else self.program(asked))

    async def _request(self, name: str) -> ProgramRequest:
        """What was asked for by the program of this id, with what it left behind where that is in memory."""
        return request_of(await self.kept_program(name))

    async def _of_today(self, kept: str, request: ProgramRequest) -> Answer | None:
        """The answer of this version of the engine where that called `kept` is another one's."""
        name = await aside(program_id, request, request.dialect)
        if name == kept:
            return None
        return await self.store.get(name) or await self.program(request)

    async def _kept_run(self, name: str) -> KeptRun:
        """What is kept of a run."""
        kept = await self.store.get_run(name)
        if kept is None:
            raise not_found("run", name)
        return kept

    async def keep(self, writing: Awaitable[None]) -> None:
        """Wait until something is in the store."""
        await self._maker.keep(writing)

    # -- one piece of work for all who ask -----------------------------------------------------------------

    async def shared(self, key: str, make: Make, progress: Progress | None = None) -> Answer:
        """Answer from memory, or make the answer; those who ask meanwhile wait for the same one."""
        recent = self._recent.get(key)
        if recent is not None:
            return recent

        async def made(report: Progress) -> Answer:
            answer = await make(report)
            self._recent.keep(key, answer)
            return answer

        return await self._under_way.answer(key, made, progress)

    async def _task(self, key: str, task: Callable[..., Answer], *asked: Any) -> Answer:
        """What a task answers to `key`, shared."""
        return await self.shared(key, lambda _: self._maker.by_worker(task, key, *asked))
