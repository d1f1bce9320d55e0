"""What answers on one derivative made in three ways look like."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from server.schemas.answers.common import Answer, Text, Value


class AutomaticAnswer(Answer):
    """What the gradient graph gives, and what it costs: passes over the graph, nodes from x to dy/dx."""

    value: Value
    evaluations: int
    nodes: int


class SymbolicAnswer(Answer):
    """The derivative as a formula; blank where the target is none. `size_naive` counts it rule by rule."""

    value: Value
    latex: str | None
    size: int | None
    size_naive: int | None
    derivatives: dict[str, str] = Field(
        default={}, description="By variable, in LaTeX and its shortest form, where that is short."
    )


class NumericAnswer(Answer):
    """Difference quotients against δ in one float type, their errors, and how many runs one δ takes."""

    delta: list[float]
    forward: list[Value]
    central: list[Value]
    complex_step: list[Value] = Field(description="Empty where an op has no complex form.")
    errors: dict[str, list[Value]]
    evaluations: dict[str, int]


class JudgementAnswer(Answer):
    """A learner's derivative: compared at `points` points, and what stands first in it that should not.

    `refused` where it cannot be judged; `says` has the reason then, and all else is null.
    """

    by: str
    verdict: Literal["right", "wrong", "refused"]
    latex: str | None = Field(description="What was typed, as it is read.")
    here: dict[Literal["typed", "right"], Value] | None = Field(description="The values at the point.")
    points: int | None
    identical: bool | None = Field(description="True where SymPy brings the difference to 0.")
    apart: dict[str, Any] | None = Field(description="A point `at` which the values differ.")
    difference: dict[Literal["kind", "right", "typed"], str | None] | None = Field(
        description="The first `factor`, `term` or `sign` that differs, in LaTeX; null where nothing stands."
    )
    misconception: str | None = Field(description="The one that leads to this formula, by its id.")
    says: Text


class ComparisonAnswer(Answer):
    """One derivative three ways; `component` is the partial that formulas and columns show."""

    target: str
    at: dict[str, Value]
    component: dict[str, Any]
    automatic: AutomaticAnswer
    symbolic: SymbolicAnswer
    numeric: dict[Literal["float32", "float64"], NumericAnswer]
    verdict: Text
    judgement: JudgementAnswer | None = Field(default=None, description="Of the request's `derivative`.")
