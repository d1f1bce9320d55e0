"""What is asked of two programs or graphs, before and after a change, and what the answer looks like."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from engine.programs import ProgramRequest
from engine.programs.differences import Tolerance
from server.schemas.answers.common import Answer, Text, Value
from server.schemas.answers.programs import NodeView
from server.schemas.requests import ProgramOrId, Request

USUAL = Tolerance()
OF_ONE = "A program's id, an import's id, or the program itself."
Change = Literal["op", "attribute", "constant", "initial_value", "inputs", "control_inputs", "dtype", "shape"]


class AllowedGap(Request):
    """Numbers a and b are equal where |a − b| ≤ absolute + relative · max(|a|, |b|)."""

    relative: float = Field(default=USUAL.relative, ge=0, lt=1)
    absolute: float = Field(default=USUAL.absolute, ge=0, allow_inf_nan=False)


class TwoPrograms(Request):
    """Two programs or graphs to compare."""

    before: ProgramOrId = Field(description=OF_ONE)
    after: ProgramOrId = Field(description=OF_ONE)
    detail: Literal["essentials", "tensorflow"] = Field(
        default="essentials", description="The nodes that carry the mathematics, or every node."
    )
    tolerance: AllowedGap = Field(default=AllowedGap(), description="How far equal numbers may be apart.")

    def sides_to_engine(self) -> tuple[str | ProgramRequest, str | ProgramRequest]:
        """The two, each by its id or in the engine's own form."""
        one, other = (
            side if isinstance(side, str) else side.to_engine() for side in (self.before, self.after)
        )
        return one, other

    def tolerance_to_engine(self) -> Tolerance:
        """The engine's own form of the tolerance."""
        return Tolerance(self.tolerance.relative, self.tolerance.absolute)


class SideView(Answer):
    """One of the two: a program that ran, or a graph from a file."""

    id: str
    kind: Literal["program", "graph"]
    dialect: str | None
    format: str | None
    nodes: int = Field(description="In the detail asked for.")
    target: str | None


class VerdictView(Answer):
    """What is equal; null where there is nothing to compare, or numbers are not known."""

    structure: bool = Field(description="The graphs, but for names and the order in which they were built.")
    target: bool | None
    gradients: bool | None
    printed: bool | None


class Counts(Answer):
    """How many nodes there are of each kind."""

    matched: int
    added: int
    removed: int
    changed: int
    following: int
    renamed: int
    values: int


class NamePair(Answer):
    """A node by its name in both graphs."""

    before: str
    after: str


class ChangeView(Answer):
    """One thing that differs between the two nodes of a pair; `name` is that of an attribute."""

    kind: Change
    name: str | None
    before: Any
    after: Any


class ChangedNode(NamePair):
    """A node that is in both graphs, and what of it differs."""

    changes: list[ChangeView]


class GapView(Answer):
    """Whether two values are numerically equal, and how far apart they are at most; null: not known."""

    equal: bool | None
    absolute: Value
    relative: Value = Field(description="|a − b| / max(|a|, |b|)")


class ChangedValue(NamePair, GapView):
    """A node that is in both graphs and has other numbers."""


class TwoTexts(Answer):
    """A name on both sides, null where one has none."""

    before: str | None
    after: str | None


class TwoValues(Answer):
    """A value on both sides, null where it is not known."""

    before: Value
    after: Value


class TargetGap(GapView):
    """What the two programs compute in the end."""

    tensor: NamePair
    is_same_node: bool
    value: TwoValues
    reason: Text | None = Field(description="Why there are no numbers, where there are none.")


class GradientGap(GapView):
    """A gradient of both programs: of the variable of one name, else of those that are matched."""

    name: TwoTexts
    x: TwoTexts
    y: TwoTexts
    tensor: TwoTexts
    value: TwoValues
    reason: Text | None


class PrintedLine(Answer):
    """A line of the output, counted from 1; null on the side that has fewer."""

    line: int
    before: str | None
    after: str | None


class PrintedGap(Answer):
    """Whether the two printed the same."""

    equal: bool
    first_difference: PrintedLine | None


class MarkedNode(NodeView):
    """A node of the one graph that is drawn of both; `was` is its name before."""

    difference: Literal["same", "following", "changed", "added", "removed"]
    was: str | None
    removed_inputs: list[str] = Field(description="What it took before and does not take any more.")


class MarkedGraph(Answer):
    """The graph after the change, with what is gone behind what it was computed from."""

    nodes: list[MarkedNode]


class DifferencesAnswer(Answer):
    """What differs between two programs or graphs."""

    before: SideView
    after: SideView
    detail: Literal["essentials", "tensorflow"]
    tolerance: dict[Literal["relative", "absolute"], float]
    equal: bool = Field(description="Nothing differs but names and the order of what is alike.")
    verdict: VerdictView
    says: Text
    counts: Counts
    added: list[str]
    removed: list[str]
    changed: list[ChangedNode]
    following: list[ChangedNode] = Field(description="Only types and shapes differ, for what comes before.")
    renamed: list[NamePair]
    values: list[ChangedValue]
    target: TargetGap | None
    gradients: list[GradientGap]
    printed: PrintedGap | None
    graph: MarkedGraph
