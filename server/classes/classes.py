"""Classes as the routes use them: each call checks who asks, changes the database, and sends events on."""

from __future__ import annotations

import asyncio
import gzip
import json
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import structlog
from sqlalchemy import Connection

from engine.errors import GradlensError
from server import clock
from server.answers.answers import Answers
from server.classes import classroom
from server.classes.asking import AnswerKey, answer_key, ending_key, for_students
from server.classes.bus import Bus, LocalBus
from server.classes.channels import Channel
from server.classes.classroom import Asked, Event, Member
from server.classes.codes import Role, hash_of, new_code, new_token, read_code
from server.classes.following import Following
from server.classes.labels import label
from server.classes.refusals import (
    UnknownCode,
    no_program,
    no_token,
    unknown_class,
    unknown_step,
    wrong_role,
)
from server.classes.shown import program_of
from server.classes.tables import TABLES
from server.classes.wrong_codes import WrongCodes
from server.http.clients import current_client
from server.serialization.answer import Answer
from server.store.database import Database

T = TypeVar("T")

IDLE_S = 4 * 3600.0  # without anything happening; then a class is deleted
SWEEP_S = 60.0  # how often to look for such
CODES_TRIED = 5  # tries for a code that no class has; the first does, in practice

log = structlog.get_logger("gradlens")


class Classes:
    """All classes of the service.

    students, classes: the most there may be of a class, and of classes.
    following: who listens, here and at other replicas.
    """

    def __init__(
        self, database: Database, answers: Answers, students: int, classes: int, bus: Bus | None = None
    ) -> None:
        self._database = database
        self._answers = answers
        self._students = students
        self._classes = classes
        self.following = Following(database, bus or LocalBus())
        self._wrong_codes = WrongCodes(self.following.send_aside)
        self.following.hear_aside = self._wrong_codes.hear

    @property
    def followers(self) -> int:
        """How many listen to events, of all classes."""
        return self.following.listeners

    # -- coming and going ----------------------------------------------------------------------------------

    async def start(self, state: dict[str, Any]) -> tuple[str, str, float]:
        """Open a class that is shown a state. Returns: its code, the teacher's token, when it is deleted."""
        token, now = new_token("teacher"), clock.now()
        for _ in range(CODES_TRIED):
            code = new_code()
            if await self._change(classroom.start, code, hash_of(token), state, now, self._classes):
                return code, token, now + IDLE_S
        raise RuntimeError("no code is free")

    async def join(self, typed: str, token: str | None) -> dict[str, Any]:
        """A student comes in, or again with the token of the first time."""
        token = token or new_token("student")
        code = self._code(typed)
        joining = self._change(classroom.join, code, token, clock.now(), self._students)
        number, found = await self._known(code, joining)
        return {"student_token": token, "label": label(number), **found}

    async def end(self, typed: str, token: str | None) -> None:
        """Delete a class; whoever follows it hears so."""
        code, _ = await self._member(typed, token, "teacher")
        await self._delete([code])

    # -- what the teacher does -----------------------------------------------------------------------------

    async def show(self, typed: str, token: str | None, state: dict[str, Any], mode: str) -> None:
        """Show the class something else."""
        code, _ = await self._member(typed, token, "teacher")
        await self._announce(code, classroom.show, state, mode)

    async def ask(
        self, typed: str, token: str | None, step: int, kind: str, number: int, about: dict[str, str]
    ) -> dict[str, Any]:
        """Put a question about a step to the class. about: the program, level or run, where named."""
        code, _ = await self._member(typed, token, "teacher")
        key = await self._answer_key(code, step, kind, about)
        asked = Asked(f"q_{secrets.token_urlsafe(12)}", step, kind, number, key)
        await self._announce(code, classroom.ask, asked)
        return {"id": asked.id, "step": step, "round": number, **for_students(key)}

    async def close(self, typed: str, token: str | None, question: str) -> None:
        """Take no more answers."""
        code, _ = await self._member(typed, token, "teacher")
        await self._announce(code, classroom.close, question)

    async def reveal(self, typed: str, token: str | None, question: str) -> None:
        """Show the class the answer."""
        code, _ = await self._member(typed, token, "teacher")
        await self._announce(code, classroom.reveal, question)

    async def results(self, typed: str, token: str | None) -> dict[str, Any]:
        """Counts of all kinds."""
        code, _ = await self._member(typed, token, "teacher")
        counts: dict[str, Any] = await self._read(code, classroom.results)
        return counts

    # -- what a student does -------------------------------------------------------------------------------

    async def answer(self, typed: str, token: str | None, question: str, said: Any) -> None:
        """A student's answer."""
        code, student = await self._member(typed, token, "student")
        writing = self._change(classroom.answer, code, question, student.number, said, clock.now())
        await self._known(code, writing)

    async def stand_at(self, typed: str, token: str | None, step: int, lost: bool) -> None:
        """A student is at a step, and perhaps does not understand it."""
        code, student = await self._member(typed, token, "student")
        writing = self._change(classroom.stand_at, code, student.number, step, lost, clock.now())
        await self._known(code, writing)

    # -- events --------------------------------------------------------------------------------------------

    async def events(self, typed: str, token: str | None, after: int | None) -> tuple[int, list[Event]]:
        """The last number, and the events after `after`; None counts from now on."""
        code, _ = await self._member(typed, token, None)
        asked = 2**62 if after is None else after
        found: tuple[int, list[Event]] = await self._read(code, classroom.events_after, asked)
        return found

    async def follow(self, typed: str, token: str | None) -> tuple[str, Channel]:
        """The channel of a class, for who is in it; `leave` it in any case."""
        code, _ = await self._member(typed, token, None)
        return code, self.following.open(code)

    # -- tidying -------------------------------------------------------------------------------------------

    async def tidy_regularly(self) -> None:
        """Delete classes in which nothing has happened for hours, again and again."""
        while True:
            await asyncio.sleep(SWEEP_S)
            with suppress(Exception):  # a store that cannot be written now is looked at again
                await self.tidy()

    async def tidy(self) -> None:
        """Delete classes in which nothing has happened for hours."""

        def idle(connection: Connection) -> Sequence[str]:
            return classroom.idle(connection, clock.now() - IDLE_S)

        await self._delete(await self._database.read(idle))

    async def _delete(self, codes: Sequence[str]) -> None:
        for code in codes:

            def ended(seq: int, code: str = code) -> None:
                self.following.publish(code, [(seq + 1, "ended", {})])

            await self._database.transact(partial(classroom.end, code=code), ended)
        if codes:
            await self._database.forget(TABLES)

    # -- parts ---------------------------------------------------------------------------------------------

    def _code(self, typed: str) -> str:
        """The code that was typed. Raises: Problem where it can be none."""
        address = current_client().address
        self._wrong_codes.check(address)
        code = read_code(typed)
        if code is None:
            self._wrong_codes.count(address)
            raise unknown_class()
        return code

    async def _known(self, code: str, work: Any) -> Any:
        """What the work gives. Raises: Problem where there is no such class."""
        try:
            return await work
        except UnknownCode:
            self._wrong_codes.check(current_client().address)
            self._wrong_codes.count(current_client().address)
            raise unknown_class() from None

    async def _member(self, typed: str, token: str | None, role: Role | None) -> tuple[str, Member]:
        """The class, and who asks. Raises: Problem where it is nobody in it, or not of this role.

        Who is in it is never held up by the wrong codes that others of the same address have tried.
        """
        code = read_code(typed)
        if code is None or token is None:
            self._code(typed)
            raise no_token()
        found = await self._read(code, classroom.member, token)
        if found is None:
            self._wrong_codes.check(current_client().address)
            raise no_token()
        if role is not None and found.role != role:
            raise wrong_role(role)
        return code, found

    async def _read(self, code: str, question: Callable[..., Any], *arguments: Any) -> Any:
        """What the database says of a class. Raises: Problem where there is none of this code."""
        return await self._known(
            code, self._database.read(lambda connection: question(connection, code, *arguments))
        )

    async def _change(self, change: Callable[..., T], *arguments: Any) -> T:
        return await self._database.transact(lambda connection: change(connection, *arguments))

    async def _announce(self, code: str, change: Callable[..., list[Event]], *arguments: Any) -> None:
        """Change a class, and send what follows from it to all in it."""
        now = clock.now()
        changing = self._database.transact(
            lambda connection: change(connection, code, *arguments, now),
            partial(self.following.publish, code),
        )
        await self._known(code, changing)

    async def _answer_key(self, code: str, step: int, kind: str, about: dict[str, str]) -> AnswerKey:
        if "run" in about:
            run = await read(await self._answers.kept_run(about["run"]))
            return ending_key(run["loss"], run["status"])
        program = about.get("program") or await self._shown_program(code)
        lesson = await read(await self._answers.lesson(program, about.get("level")))
        steps = {one["index"]: one for one in lesson["steps"]}
        if step not in steps:
            raise unknown_step(step, len(steps))
        return answer_key(steps[step], kind)

    async def _shown_program(self, code: str) -> str:
        """The id of the program that the class is shown. Raises: Problem where there is none."""
        state = await self._read(code, classroom.shown_state)
        with suppress(GradlensError, ValueError):
            request = await program_of(state, self._answers)
            if request is not None:
                return (await self._answers.program(request)).id
        raise no_program()


async def read(answer: Answer) -> Any:
    """What an answer says; a long one is read beside the event loop."""
    return await asyncio.to_thread(lambda: json.loads(gzip.decompress(answer.packed)))
