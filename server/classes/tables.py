"""What is kept of a class, and nothing else: hashes of tokens, its state, questions, answers, events."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Integer, LargeBinary, String, Table, Text

from server.store.database import metadata


def _of_class(*, primary_key: bool = False) -> Column[str]:
    parent = ForeignKey("classes.code", ondelete="CASCADE")
    return Column(
        "class_code", String(8), parent, primary_key=primary_key, nullable=False, index=not primary_key
    )


classes = Table(
    "classes",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("teacher", LargeBinary(32), nullable=False),  # the hash of the teacher's token
    Column("state", Text, nullable=False),  # JSON: what is shown to the class
    Column("mode", String(6), nullable=False),  # follow, free
    Column("seq", Integer, nullable=False),  # of the last event
    Column("students", Integer, nullable=False),  # who have joined
    Column("active_at", Float, nullable=False),  # seconds since 1970
)
students = Table(
    "class_students",
    metadata,
    _of_class(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("token", LargeBinary(32), nullable=False, unique=True),
    Column("step", Integer),  # where they are
    Column("lost", Boolean, nullable=False, default=False),  # "I don't get this", at that step
)
events = Table(
    "class_events",
    metadata,
    _of_class(primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("data", Text, nullable=False),
)
questions = Table(
    "class_questions",
    metadata,
    Column("id", String(24), primary_key=True),
    _of_class(),
    Column("number", Integer, nullable=False),  # within the class
    Column("step", Integer, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("round", Integer, nullable=False),
    Column("answer_key", Text, nullable=False),  # JSON: the right answer, the wrong ones that are recognised
    Column("closed", Boolean, nullable=False),
    Column("revealed", Boolean, nullable=False),
)
answers = Table(
    "class_answers",
    metadata,
    Column("question", String(24), ForeignKey("class_questions.id", ondelete="CASCADE"), primary_key=True),
    Column("student", Integer, primary_key=True, autoincrement=False),
    Column("said", Text, nullable=False),  # JSON: a number, numbers, an option or a node
)

TABLES = [each.name for each in (answers, questions, events, students, classes)]
