"""Classes: a teacher shows something to students, who answer questions about it. Tokens say who asks."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import RedirectResponse

from server.classes.classes import Classes
from server.classes.codes import shown
from server.classes.event_stream import EventStream
from server.http.body_route import BodyRoute
from server.http.problems import state_too_large
from server.routes.shared import problems
from server.schemas.classes import (
    ClassAnswer,
    JoinAnswer,
    NewAnswer,
    NewClass,
    NewQuestion,
    Place,
    PollAnswer,
    QuestionAnswer,
    ResultsAnswer,
    Shown,
)

MOST_STATE_BYTES = 32_000
STARTS_A_FORMULA = re.compile("[\\s\u00a0]*[=+\\-@＝＋－＠−]|[\\t\\r\\n]")  # in a spreadsheet

short = APIRouter(include_in_schema=False)
router = APIRouter(prefix="/classes", tags=["classes"], route_class=BodyRoute)
MEMBERS = problems(401, 403, 404, 422, 429, 503)


async def classes_of(request: Request) -> Classes:
    """The application's classes."""
    classes: Classes = request.app.state.classes
    return classes


async def token_of(authorization: Annotated[str | None, Header()] = None) -> str | None:
    """The token that a request carries; None without one."""
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


ClassesOf = Annotated[Classes, Depends(classes_of)]
Token = Annotated[str | None, Depends(token_of)]
After = Annotated[int | None, Query(ge=0, description="The number of the last event that was seen.")]


@router.post("", status_code=201, response_model=ClassAnswer, responses=problems(413, 422, 503))
async def start_class(new: NewClass, classes: ClassesOf) -> dict[str, str]:
    """Open a class. The token is the teacher's; the code is for the students."""
    if len(json.dumps(new.state, ensure_ascii=False).encode()) > MOST_STATE_BYTES:
        raise state_too_large(MOST_STATE_BYTES)
    code, token, expires_at = await classes.start(new.state)
    until = datetime.fromtimestamp(expires_at, UTC).isoformat(timespec="seconds")
    return {"code": shown(code), "teacher_token": token, "expires_at": until}


@router.delete("/{code}", status_code=204, responses=MEMBERS)
async def end_class(code: str, classes: ClassesOf, token: Token) -> None:
    """End a class, and delete all that is kept of it."""
    await classes.end(code, token)


@router.post(
    "/{code}/join", status_code=201, response_model=JoinAnswer, responses=problems(404, 409, 429, 503)
)
async def join_class(code: str, classes: ClassesOf, token: Token) -> dict[str, Any]:
    """Join a class; with a student's token of this class, as the same student again."""
    return await classes.join(code, token)


@router.put("/{code}/state", status_code=204, responses=MEMBERS)
async def show_state(code: str, state: Shown, classes: ClassesOf, token: Token) -> None:
    """Show the class something else: whether all follow it, which tools it has, whether more may join."""
    await classes.show(code, token, state.fields(), state.mode)


@router.post("/{code}/questions", status_code=201, response_model=QuestionAnswer, responses=MEMBERS)
async def ask_class(code: str, new: NewQuestion, classes: ClassesOf, token: Token) -> dict[str, Any]:
    """Ask the class about a step: of the program that it is shown, or of one that is named."""
    return await classes.ask(code, token, new.step, new.kind, new.round, new.about())


@router.post("/{code}/questions/{question}/close", status_code=204, responses=MEMBERS)
async def close_question(code: str, question: str, classes: ClassesOf, token: Token) -> None:
    """Take no more answers; the teacher sees what was answered."""
    await classes.close(code, token, question)


@router.post("/{code}/questions/{question}/reveal", status_code=204, responses=MEMBERS)
async def reveal_answer(code: str, question: str, classes: ClassesOf, token: Token) -> None:
    """Show the class the answer and, where five or more have answered, what they said."""
    await classes.reveal(code, token, question)


@router.put("/{code}/answers/{question}", status_code=204, responses={**MEMBERS, **problems(409)})
async def answer_question(
    code: str, question: str, answer: NewAnswer, classes: ClassesOf, token: Token
) -> None:
    """Answer a question; the answer may be changed until it is closed."""
    await classes.answer(code, token, question, answer.said)


@router.post("/{code}/lost", status_code=204, responses=MEMBERS)
async def say_lost(code: str, place: Place, classes: ClassesOf, token: Token) -> None:
    """Say that one does not understand a step; nobody is named."""
    await classes.stand_at(code, token, place.step, lost=True)


@router.put("/{code}/place", status_code=204, responses=MEMBERS)
async def stand_at(code: str, place: Place, classes: ClassesOf, token: Token) -> None:
    """Say at which step one is, for the teacher's counts; whoever goes on is no longer lost."""
    await classes.stand_at(code, token, place.step, lost=False)


@router.get("/{code}/results", response_model=ResultsAnswer, responses=MEMBERS)
async def class_results(
    code: str,
    classes: ClassesOf,
    token: Token,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> Any:
    """Counts for the teacher: students, steps, answers; as JSON, or as CSV for a spreadsheet."""
    found = await classes.results(code, token)
    if form == "json":
        return found
    headers = {"content-disposition": 'attachment; filename="class.csv"'}
    return Response("\ufeff" + as_csv(found), media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/{code}/poll", response_model=PollAnswer, responses=MEMBERS)
async def poll_events(code: str, classes: ClassesOf, token: Token, after: After = None) -> dict[str, Any]:
    """The events after a number, for where streams do not come through."""
    seq, found = await classes.events(code, token, after)
    return {"seq": seq, "events": [{"seq": each[0], "type": each[1], "data": each[2]} for each in found]}


@router.get("/{code}/events", responses={200: {"content": {"text/event-stream": {}}}, **MEMBERS})
async def follow_class(
    code: str,
    classes: ClassesOf,
    token: Token,
    after: After = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """Events as they come: `id` is their number, `event` one of state, question, closed, reveal, ended."""
    if last_event_id is not None and last_event_id.isdecimal():
        after = int(last_event_id[:18])
    if after is None:
        after, _ = await classes.events(code, token, None)
    name, channel = await classes.follow(code, token)
    following = classes.following
    return EventStream(
        channel, after, partial(following.missed, name), partial(following.leave, name, channel)
    )


@short.get("/j/{code}")
async def open_class(code: Annotated[str, Path(pattern="^[0-9A-Za-z-]{1,12}$")]) -> RedirectResponse:
    """The page on a class that is to be joined."""
    return RedirectResponse(f"../?join={code}")


def as_csv(results: dict[str, Any]) -> str:
    """Counts as rows: what, of which step and round, the answer in both languages, how many."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["what", "step", "round", "answer", "answer_zh", "correct", "count"])
    table.writerows([safe_cell(cell) for cell in row] for row in rows_of(results))
    return text.getvalue()


def rows_of(results: dict[str, Any]) -> Iterator[list[Any]]:
    """The rows below the heading."""
    yield ["students", "", "", "", "", "", results["students"]]
    for what in ("steps", "lost"):
        for step, count in results[what].items():
            yield [what, int(step), "", "", "", "", count]
    for asked in results["questions"]:
        place = [asked["step"], asked["round"]]
        yield ["answered", *place, "", "", "", asked["answered"]]
        for one in asked["bins"] or ():
            yield ["answer", *place, one["label"]["en"], one["label"]["zh"], one["correct"], one["count"]]


def safe_cell(cell: Any) -> Any:
    """A text that a spreadsheet would take for a formula begins with an apostrophe, as OWASP advises."""
    return f"'{cell}" if isinstance(cell, str) and STARTS_A_FORMULA.match(cell) else cell
