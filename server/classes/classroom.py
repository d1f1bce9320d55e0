"""What can happen in a class, each as one transaction on a connection.

Each function reads what it needs, changes rows, and returns the events that follow from it; `classes.py` runs
it and sends the events on. So whatever was answered to a request is on the disk, and a restart loses nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, insert, select, true, update

from server.classes import refusals
from server.classes.asking import AnswerKey, for_students
from server.classes.codes import Role, hash_of, is_token, role_of
from server.classes.judging import bins_of
from server.classes.tables import answers, classes, events, questions, students

EVENTS_KEPT = 500  # of a class, for who was away; before that, the present state says enough
MOST_QUESTIONS = 500  # of a class
SHOWN_FROM = 5  # answers from which on a histogram is shown to the class

Event = tuple[int, str, dict[str, Any]]  # number, kind, data


@dataclass(frozen=True, slots=True)
class Member:
    """Who asks: the teacher, or the student of a number."""

    role: Role
    number: int = -1


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to be put to the class."""

    id: str
    step: int
    kind: str
    round: int
    key: AnswerKey


# -- coming and going --------------------------------------------------------------------------------------


def start(
    connection: Connection, code: str, teacher: bytes, state: dict[str, Any], now: float, most: int
) -> bool:
    """Open a class; False where the code is taken. Raises: Problem where there are too many classes."""
    if connection.execute(select(func.count()).select_from(classes)).scalar_one() >= most:
        raise refusals.too_many_classes(most)
    if connection.execute(select(classes.c.code).where(classes.c.code == code)).first():
        return False
    row = {"code": code, "teacher": teacher, "state": json.dumps(state), "mode": "follow"}
    connection.execute(insert(classes).values(**row, seq=0, students=0, active_at=now))
    return True


def join(connection: Connection, code: str, token: str, now: float, most: int) -> tuple[int, dict[str, Any]]:
    """A student comes in, or comes again with the same token. Returns: their number, and what they find."""
    room = _room(connection, code)
    number = _student(connection, code, token)
    if number is None:
        if json.loads(room.state).get("locked"):
            raise refusals.class_locked()
        if room.students >= most:
            raise refusals.class_full(most)
        number = room.students
        row = {"class_code": code, "number": number, "token": hash_of(token), "lost": False}
        connection.execute(insert(students).values(**row))
        _touch(connection, code, now, students=number + 1)
    asked = _latest_question(connection, code)
    found = {"state": json.loads(room.state), "mode": room.mode, "seq": room.seq}
    return number, {**found, "question": _as_students_see(connection, asked, number) if asked else None}


def member(connection: Connection, code: str, token: str) -> Member | None:
    """Whose token this is in this class. Raises: Problem where there is no such class."""
    room = _room(connection, code)
    role = role_of(token)
    if role == "teacher":
        return Member("teacher") if is_token(token, room.teacher) else None
    number = _student(connection, code, token) if role == "student" else None
    return None if number is None else Member("student", number)


def end(connection: Connection, code: str) -> int:
    """Delete a class with all that belongs to it. Returns: the number of its last event, 0 without any."""
    gone = delete(classes).where(classes.c.code == code).returning(classes.c.seq)
    return connection.execute(gone).scalar_one_or_none() or 0


def idle(connection: Connection, before: float) -> Sequence[str]:
    """The codes of classes in which nothing has happened since then."""
    return connection.execute(select(classes.c.code).where(classes.c.active_at < before)).scalars().all()


# -- what is shown -----------------------------------------------------------------------------------------


def show(connection: Connection, code: str, state: dict[str, Any], mode: str, now: float) -> list[Event]:
    """The teacher shows something else."""
    _touch(connection, code, now, state=json.dumps(state), mode=mode)
    return [_emit(connection, code, "state", {**state, "mode": mode})]


def shown_state(connection: Connection, code: str) -> dict[str, Any]:
    """What is shown to the class."""
    state: dict[str, Any] = json.loads(_room(connection, code).state)
    return state


def stand_at(connection: Connection, code: str, student: int, step: int, lost: bool, now: float) -> None:
    """A student is at a step, and perhaps lost there; who was lost at this very step still is."""
    here = and_(students.c.class_code == code, students.c.number == student)
    still = and_(students.c.lost, students.c.step == step)
    connection.execute(update(students).where(here).values(step=step, lost=true() if lost else still))
    _touch(connection, code, now)


# -- questions ---------------------------------------------------------------------------------------------


def ask(connection: Connection, code: str, asked: Asked, now: float) -> list[Event]:
    """Put a question to the class; one that is open is closed with it."""
    if (
        connection.execute(_count_of(questions, questions.c.class_code == code)).scalar_one()
        >= MOST_QUESTIONS
    ):
        raise refusals.too_many_questions(MOST_QUESTIONS)
    sent = [event for one in _open_questions(connection, code) for event in _close(connection, code, one.id)]
    number = connection.execute(_count_of(questions, questions.c.class_code == code)).scalar_one()
    row = {"id": asked.id, "class_code": code, "number": number, "step": asked.step, "kind": asked.kind}
    key = json.dumps(asked.key, ensure_ascii=False)
    connection.execute(
        insert(questions).values(**row, round=asked.round, answer_key=key, closed=False, revealed=False)
    )
    _touch(connection, code, now)
    found = _question(connection, code, asked.id)
    return [*sent, _emit(connection, code, "question", _public(found))]


def answer(connection: Connection, code: str, question: str, student: int, said: Any, now: float) -> None:
    """A student's answer, which may be changed until the question is closed."""
    found = _question(connection, code, question)
    if found.closed:
        raise refusals.question_closed()
    refusals.check_answer(json.loads(found.answer_key), said)
    mine = and_(answers.c.question == question, answers.c.student == student)
    text = json.dumps(said)
    if not connection.execute(update(answers).where(mine).values(said=text)).rowcount:
        connection.execute(insert(answers).values(question=question, student=student, said=text))
    _touch(connection, code, now)


def close(connection: Connection, code: str, question: str, now: float) -> list[Event]:
    """No more answers; a question that is closed stays so."""
    found = _question(connection, code, question)
    _touch(connection, code, now)
    return [] if found.closed else _close(connection, code, question)


def reveal(connection: Connection, code: str, question: str, now: float) -> list[Event]:
    """Show the answer, and what the class has said in each round where enough have answered."""
    found = _question(connection, code, question)
    sent = close(connection, code, question, now)
    connection.execute(update(questions).where(questions.c.id == question).values(revealed=True))
    key = json.loads(found.answer_key)
    rounds = [
        {"round": one.round, **_histogram(connection, one, SHOWN_FROM)}
        for one in _rounds(connection, code, found)
    ]
    data = {"id": found.id, "step": found.step, "answer": key["answer"], "rounds": rounds}
    return [*sent, _emit(connection, code, "reveal", data)]


def results(connection: Connection, code: str) -> dict[str, Any]:
    """Counts for the teacher: of students, steps, who is lost, and of answers once a question is closed."""
    room = _room(connection, code)
    here = students.c.class_code == code
    by_step = select(students.c.step, func.count()).where(here, students.c.step.is_not(None))
    steps = connection.execute(by_step.group_by(students.c.step)).all()
    lost = connection.execute(by_step.where(students.c.lost).group_by(students.c.step)).all()
    asked = connection.execute(_questions_of(code)).all()
    return {
        "students": room.students,
        "steps": {str(step): count for step, count in steps},
        "lost": {str(step): count for step, count in lost},
        "questions": [_result(connection, one) for one in asked],
    }


def _result(connection: Connection, question: Row[Any]) -> dict[str, Any]:
    facts = {name: getattr(question, name) for name in ("id", "round", "step", "kind", "closed", "revealed")}
    return {**facts, **_histogram(connection, question, 0)}


def _histogram(connection: Connection, question: Row[Any], at_least: int) -> dict[str, Any]:
    """How many have answered, and the bins: None while the question is open, or too few have."""
    said = connection.execute(select(answers.c.said).where(answers.c.question == question.id)).scalars().all()
    shown = question.closed and len(said) >= at_least
    bins = bins_of(json.loads(question.answer_key), [json.loads(each) for each in said]) if shown else None
    return {"answered": len(said), "bins": bins}


# -- events ------------------------------------------------------------------------------------------------


def events_after(connection: Connection, code: str, after: int) -> tuple[int, list[Event]]:
    """The last number, and the events after `after`; where some are gone, one with the present state."""
    room = _room(connection, code)
    newer = select(events).where(events.c.class_code == code, events.c.seq > after).order_by(events.c.seq)
    found = [(row.seq, row.kind, json.loads(row.data)) for row in connection.execute(newer)]
    if after > room.seq or (room.seq > after and (not found or found[0][0] > after + 1)):
        return room.seq, [(room.seq, "state", {**json.loads(room.state), "mode": room.mode})]
    return room.seq, found


def last_numbers(connection: Connection, codes: Sequence[str]) -> dict[str, int]:
    """The number of the last event of each of these classes that there is."""
    found = select(classes.c.code, classes.c.seq).where(classes.c.code.in_(codes))
    return {row.code: row.seq for row in connection.execute(found)}


def _emit(connection: Connection, code: str, kind: str, data: dict[str, Any]) -> Event:
    seq: int = connection.execute(
        update(classes).where(classes.c.code == code).values(seq=classes.c.seq + 1).returning(classes.c.seq)
    ).scalar_one()
    text = json.dumps(data, ensure_ascii=False)
    connection.execute(insert(events).values(class_code=code, seq=seq, kind=kind, data=text))
    if seq % 100 == 0:
        old = and_(events.c.class_code == code, events.c.seq <= seq - EVENTS_KEPT)
        connection.execute(delete(events).where(old))
    return seq, kind, data


# -- rows --------------------------------------------------------------------------------------------------


def _room(connection: Connection, code: str) -> Row[Any]:
    row = connection.execute(select(classes).where(classes.c.code == code)).one_or_none()
    if row is None:
        raise refusals.UnknownCode
    return row


def _touch(connection: Connection, code: str, now: float, **changed: Any) -> None:
    """Change the class's row; something has happened in it."""
    here = update(classes).where(classes.c.code == code)
    if not connection.execute(here.values(active_at=now, **changed)).rowcount:
        raise refusals.UnknownCode


def _student(connection: Connection, code: str, token: str) -> int | None:
    mine = and_(students.c.class_code == code, students.c.token == hash_of(token))
    number: int | None = connection.execute(select(students.c.number).where(mine)).scalar_one_or_none()
    return number


def _question(connection: Connection, code: str, name: str) -> Row[Any]:
    here = and_(questions.c.class_code == code, questions.c.id == name)
    row = connection.execute(select(questions).where(here)).one_or_none()
    if row is None:
        raise refusals.unknown_question(name)
    return row


def _questions_of(code: str) -> Any:
    return select(questions).where(questions.c.class_code == code).order_by(questions.c.number)


def _open_questions(connection: Connection, code: str) -> Sequence[Row[Any]]:
    return connection.execute(_questions_of(code).where(~questions.c.closed)).all()


def _latest_question(connection: Connection, code: str) -> Row[Any] | None:
    latest = select(questions).where(questions.c.class_code == code).order_by(questions.c.number.desc())
    return connection.execute(latest.limit(1)).one_or_none()


def _rounds(connection: Connection, code: str, question: Row[Any]) -> list[Row[Any]]:
    """The rounds of a question: the last of each number that asked the same at this step, up to this one."""
    same = _questions_of(code).where(
        questions.c.step == question.step,
        questions.c.kind == question.kind,
        questions.c.number <= question.number,
    )
    by_round = {row.round: row for row in connection.execute(same) if row.round <= question.round}
    by_round[question.round] = _question(connection, code, question.id)
    return [by_round[number] for number in sorted(by_round)]


def _close(connection: Connection, code: str, question: str) -> list[Event]:
    connection.execute(update(questions).where(questions.c.id == question).values(closed=True))
    return [_emit(connection, code, "closed", {"id": question})]


def _public(question: Row[Any]) -> dict[str, Any]:
    facts = {name: getattr(question, name) for name in ("id", "step", "round")}
    return {**facts, **for_students(json.loads(question.answer_key))}


def _as_students_see(connection: Connection, question: Row[Any], student: int) -> dict[str, Any]:
    """A question for who comes in: with their own answer, and once it is revealed with the right one."""
    mine = select(answers.c.said).where(answers.c.question == question.id, answers.c.student == student)
    said = connection.execute(mine).scalar_one_or_none()
    state = {"closed": question.closed, "revealed": question.revealed, "said": said and json.loads(said)}
    shown = {"answer": json.loads(question.answer_key)["answer"]} if question.revealed else {}
    return {**_public(question), **state, **shown}


def _count_of(table: Any, *which: Any) -> Any:
    return select(func.count()).select_from(table).where(*which)
