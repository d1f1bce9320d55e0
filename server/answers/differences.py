"""Two programs or graphs before and after a change: each is answered first, then a worker compares them."""

from __future__ import annotations

from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from engine.execution.budget import Limits
from engine.programs import ProgramRequest
from engine.programs.differences import Tolerance
from server.answers.answers import Answers, Asked
from server.answers.cut_short import problem_cut_short
from server.answers.imports import Imports
from server.answers.maker import request_of
from server.http.problems import Problem
from server.serialization.answer import Answer
from server.serialization.identity import canonical
from server.workers.difference_tasks import NamedSide, answer_differences
from server.workers.workers import CutShort, Workers

IMPORT = "i_"  # what the id of a graph from a file begins with


class Differences:
    """Answers about two programs, by id or by text, or graphs from files, by id.

    Raises: Problem where nothing has an id that is asked for, or a worker had to be stopped; GradlensError
            whose `part` says which of the two does not run.
    """

    def __init__(self, answers: Answers, imports: Imports, workers: Workers, limits: Limits) -> None:
        self._answers = answers
        self._imports = imports
        self._workers = workers
        self._limits = limits

    async def between(self, before: Asked, after: Asked, detail: str, tolerance: Tolerance) -> Answer:
        """The answer of `POST /differences`."""
        one, other = await self._side("before", before), await self._side("after", after)
        key = f"{one.id}/differences/{canonical([other.id, detail, asdict(tolerance)])}"
        return await self._answers.shared(key, lambda _: self._made(key, one, other, detail, tolerance))

    async def _side(self, part: str, asked: Asked) -> NamedSide:
        try:
            if isinstance(asked, str) and asked.startswith(IMPORT):
                return NamedSide(asked, await self._imports.file(asked))
            return await self._program(part, asked)
        except Problem as problem:
            if problem.status == HTTPStatus.NOT_FOUND:
                problem.place = part
            raise

    async def _program(self, part: str, asked: Asked) -> NamedSide:
        kept = self._answers.kept_program(asked) if isinstance(asked, str) else self._answers.program(asked)
        answer = await kept
        if not answer.complete:
            raise _not_finished(part)
        request: ProgramRequest = request_of(answer)
        return NamedSide(answer.id, request)

    async def _made(self, key: str, *asked: Any) -> Answer:
        try:
            return await self._workers.run(answer_differences, key, *asked, self._limits)
        except CutShort as cut:
            raise problem_cut_short(cut.reason, self._limits) from None


def _not_finished(part: str) -> Problem:
    part_zh = {"before": "改动前", "after": "改动后"}[part]
    return Problem(
        422, "program_unfinished",
        f"The program {part} the change was stopped, so there is nothing to compare.",
        f"{part_zh}的程序被中止，无法比较。",
        hint="Run it by itself to see what it met; use fewer steps or smaller tensors.",
        hint_zh="请单独运行它，看看遇到了什么；请减少步数或缩小张量。", place=part,
    )  # fmt: skip
