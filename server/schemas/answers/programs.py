"""What answers on programs look like, field for field."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from server.schemas.answers.common import Answer, Diagnostic, Span, Value


class Binding(BaseModel):
    """A name of the program and what it is bound to; lists have `items`, dicts `entries`."""

    model_config = ConfigDict(extra="allow")

    name: str
    kind: str


class GradientView(Answer):
    """dy/dx; `tensor` is null where no path joins x to y, and `reason` says why."""

    y: str
    x: str
    name: str
    tensor: str | None
    value: Value
    reason: str | None
    reason_zh: str | None = None


class Output(BaseModel):
    """One output of a node."""

    model_config = ConfigDict(extra="allow")

    dtype: str
    shape: list[int | None] | None


class NodeView(Answer):
    """One use of an op, as TensorFlow 1.15 names and wires it."""

    name: str
    op: str
    inputs: list[str]
    control_inputs: list[str]
    attrs: dict[str, Any]
    device: str
    phase: Literal["forward", "gradient", "process", "update", "after"]
    of: str | None
    span: Span | None
    outputs: list[Output]
    value: Value


class GraphView(Answer):
    """The graph, in the order in which it was built."""

    nodes: list[NodeView]


class InputView(Answer):
    """A call of `input()`; `text` is null where no line was left for it: there the program stops."""

    prompt: str
    text: str | None
    line: int | None
    column: int | None


class Usage(Answer):
    """How much of the budgets the program used."""

    steps: int
    nodes: int
    elements: int


class FigureAxes(Answer):
    """One pair of axes of a figure. A series has its `kind`, `label`, columns of numbers and looks."""

    row: int
    column: int
    title: str
    x_label: str
    y_label: str
    x_scale: Literal["linear", "log"]
    y_scale: Literal["linear", "log"]
    x_limits: list[float | None]
    y_limits: list[float | None]
    x_ticks: dict[str, Any] | None
    y_ticks: dict[str, Any] | None
    grid: bool
    legend: bool
    frame: bool
    upside_down: bool
    equal: bool
    series: list[dict[str, Any]]
    left_out: int


class FigureView(Answer):
    """A figure that the program drew with matplotlib; `after` so many printed lines it was shown."""

    after: int
    title: str
    rows: int
    columns: int
    axes: list[FigureAxes]


class ProgramAnswer(Answer):
    """What a program did: its output, its names, its graph with values, its gradients."""

    id: str
    dialect: str
    status: Literal["ok", "error", "limit", "refused"]
    printed: list[str]
    figures: list[FigureView] = Field(default=[])
    inputs: list[InputView] = Field(default=[])
    bindings: list[Binding]
    target: str | None
    gradients: list[GradientView]
    graph: GraphView
    sessions: list[dict[str, Any]]
    diagnostics: list[Diagnostic]
    result: Any
    usage: Usage


class NewNumbersAnswer(Answer):
    """Other numbers for a program's variables."""

    program: str
    at: dict[str, Any]
    alike: int


class Progress(Answer):
    """A line of an answer that is computed in parts: how many are done."""

    type: Literal["progress"]
    sequence: int
    done: int
    parts: int


class ProgramProgress(Answer):
    """A line while a program runs: the line that it is at, and what it did so far."""

    type: Literal["progress"]
    sequence: int
    line: int
    steps: int
    runs: int = Field(description="Of its sessions and tapes.")
    printed: list[str] = Field(description="The lines printed since the one before.")
    elapsed_ms: int


class TensorAnswer(Answer):
    """One tensor's whole value."""

    tensor: str
    dtype: str
    shape: list[int]
    data: Value


class CodeAnswer(Answer):
    """A program's computation, written in another language."""

    language: str
    source: str
