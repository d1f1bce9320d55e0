"""Answers and classes: the tables as they were before they had versions, so some may be there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v001"
down_revision = None


def upgrade() -> None:
    """Make the tables that are missing."""
    op.create_table(
        "results",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("id", sa.String(40), nullable=False, unique=True),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("packed", sa.LargeBinary, nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "probes",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("packed", sa.LargeBinary, nullable=False),
        if_not_exists=True,
    )
    make_classes()


def make_classes() -> None:
    """A class, and what belongs to it: all of it goes when the class goes."""
    op.create_table(
        "classes",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("teacher", sa.LargeBinary(32), nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("mode", sa.String(6), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("students", sa.Integer, nullable=False),
        sa.Column("active_at", sa.Float, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "class_students",
        of_class(primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("token", sa.LargeBinary(32), nullable=False, unique=True),
        sa.Column("step", sa.Integer),
        sa.Column("lost", sa.Boolean, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "class_events",
        of_class(primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        if_not_exists=True,
    )
    make_questions()


def make_questions() -> None:
    """Questions to a class, and its answers."""
    op.create_table(
        "class_questions",
        sa.Column("id", sa.String(24), primary_key=True),
        of_class(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("answer_key", sa.Text, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("revealed", sa.Boolean, nullable=False),
        if_not_exists=True,
    )
    op.create_index("ix_class_questions_class_code", "class_questions", ["class_code"], if_not_exists=True)
    question = sa.ForeignKey("class_questions.id", ondelete="CASCADE")
    op.create_table(
        "class_answers",
        sa.Column("question", sa.String(24), question, primary_key=True),
        sa.Column("student", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("said", sa.Text, nullable=False),
        if_not_exists=True,
    )


def of_class(*, primary_key: bool = False) -> sa.Column[str]:
    """The class that a row belongs to."""
    parent = sa.ForeignKey("classes.code", ondelete="CASCADE")
    return sa.Column("class_code", sa.String(8), parent, primary_key=primary_key, nullable=False)
