"""What answers on runs and races of optimizers look like, whole and in pieces."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from server.schemas.answers.common import Answer, Diagnostic, Value
from server.schemas.answers.programs import ProgramAnswer

GROWN = "The program, grown by the optimizer. Its `sessions` stand in the program's own answer."
FED = "What every step is fed with: placeholders, and hyper-parameters that the request replaces."


class Stop(Answer):
    """Where a run ended or came to rest, and why; `hint` is what to try, `smaller_rate` whether that."""

    step: int
    node: str | None
    reason: str
    reason_zh: str
    hint: str = ""
    hint_zh: str = ""
    smaller_rate: bool = False


class RunColumns(Answer):
    """Rows of a run: row 0 is the start, row k the state after k updates."""

    steps: list[int]
    loss: list[Value]
    variables: dict[str, list[Value]]
    gradients: dict[str, list[Value]]
    processed: dict[str, list[Value]]
    slots: dict[str, dict[str, list[Value]]] = Field(description="The optimizer's state of each variable.")
    shared: dict[str, list[Value]] = Field(description="Other state, such as step counts, by node name.")
    nodes: dict[str, list[Value]]


class RunEnding(Answer):
    """How a run ended."""

    status: Literal["ok", "converged", "diverged", "non_finite", "limit", "error", "cancelled"]
    stopped_at: Stop | None
    diagnostics: list[Diagnostic] = Field(default=[])


class FeedView(Answer):
    """What a tensor is fed with."""

    tensor: str
    value: Value


class RunAnswer(RunColumns, RunEnding):
    """A whole run: every row, a column for each number, and how it ended."""

    id: str
    program: ProgramAnswer = Field(description=GROWN)
    feeds: list[FeedView] = Field(description=FED)


class RunHeader(Answer):
    """The first line of a streamed run."""

    type: Literal["header"]
    sequence: Literal[0]
    id: str
    program: ProgramAnswer = Field(description=GROWN)
    feeds: list[FeedView] = Field(description=FED)
    rows: int = Field(description="The most rows that there can be.")


class RunChunk(RunColumns):
    """Further rows of a streamed run; a column that is not there is blank in these rows."""

    type: Literal["chunk"]
    sequence: int


class RunFooter(RunEnding):
    """The last line of a streamed run."""

    type: Literal["footer"]
    sequence: int


class RaceRunAnswer(RunEnding):
    """One run of a race: what it was asked to do, its columns, and how it ended."""

    optimizer: dict[str, Value] | None
    schedule: dict[str, Value] | None
    process: list[dict[str, Value]]
    start: dict[str, Value]
    columns: dict[str, Any] = Field(description="As of a run; without `nodes`, or with `loss` alone.")


class RaceAnswer(Answer):
    """Several runs of one program."""

    id: str
    program: str
    steps: int
    runs: list[RaceRunAnswer]


class PairView(Answer):
    """The tensors that hold one variable and what belongs to it; null where there is no gradient."""

    variable: str
    gradient: str | None
    processed: str | None
    slots: dict[str, str]


class RunStepAnswer(Answer):
    """Every tensor's value at one step of a run, and which of them are the update's pairs."""

    step: int
    nodes: dict[str, Value]
    pairs: dict[str, PairView] = Field(description="By the names of the run's columns.")
