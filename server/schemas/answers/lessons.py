"""What answers on a lesson look like: its steps, its paths, and two levels side by side."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from server.schemas.answers.common import Answer, Diagnostic, Text, Value


class Step(BaseModel):
    """One step of the lesson; `rule` and `rule_numbers` are LaTeX, `rule_text` is a line of text."""

    model_config = ConfigDict(extra="allow")

    index: int
    phase: str
    node: str
    of: str | None
    sentence: Text


class LessonAnswer(Answer):
    """The steps of one forward and one backward pass, in order."""

    program: str
    level: Literal["mathematics", "tensorflow", "torch", "jax"]
    steps: list[Step]
    values: dict[str, Value] = Field(
        default={}, description="Of nodes, in the run of the lesson, where the program's answer has others."
    )
    reason: Text | None = Field(
        default=None, description="Why its level is `tensorflow` where `mathematics` was asked for."
    )
    written: str | None = Field(
        default=None,
        description="The program as it was written for the framework of the level, if for another.",
    )
    diagnostics: list[Diagnostic] = Field(default=[])


class Quantity(Answer):
    """Something that a path goes through, in the learner's names, in LaTeX and as a line of text."""

    tensor: str
    expression: str
    expression_text: str


class Factor(Answer):
    """A local derivative on a path."""

    formula: str | None
    formula_text: str | None
    value: Value


class PathView(Answer):
    """One path from the variable to the target; `sum` is that of the products so far."""

    quantities: list[Quantity]
    factors: list[Factor]
    product: Value
    sum: Value


class Visits(Answer):
    """How often naive recursion goes to an operation, and how often the reverse sweep does."""

    naive: int | None
    reverse: int


class PathsAnswer(Answer):
    """All paths from a variable to the target; `reason` says why none are shown."""

    program: str
    y: str | None
    x: str | None
    count: int
    paths: list[PathView]
    gradient: Value
    naive: Value
    visits: Visits | None
    reason: Text | None


class PairedQuantity(Answer):
    """A quantity that both pictures show: the nodes of each, and what the learner calls it."""

    kind: Literal["value", "gradient", "factor"]
    text: str
    left: list[str]
    right: list[str]


class Difference(Answer):
    """A difference between two pictures, with the nodes of each that it is about."""

    kind: Literal["result", "local", "kept", "sum", "count", "order", "written"]
    sentence: Text
    left: list[str]
    right: list[str]


class Corner(Answer):
    """A point at which both take another slope; `here` where the program's inputs are at it."""

    op: str
    title: Text
    left: str
    right: str
    here: bool


class SideBySideAnswer(Answer):
    """Two levels of one program side by side."""

    program: str
    left: str
    right: str
    quantities: list[PairedQuantity]
    differences: list[Difference]
    corners: list[Corner]
