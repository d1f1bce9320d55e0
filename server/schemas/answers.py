"""What answers look like, field for field."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

GROWN = "The program, grown by the optimizer. Its `sessions` stand in the program's own answer."
FED = "What every step is fed with: placeholders, and hyper-parameters that the request replaces."
Value = Any  # a tensor {"dtype", "shape", "data"}, or a plain number, text or boolean


class Answer(BaseModel):
    """An answer holds these fields and no others."""

    model_config = ConfigDict(extra="forbid")


class ProblemDocument(Answer):
    """An error, as RFC 9457 has it; `message_zh` is `detail` in Simplified Chinese."""

    type: str
    title: str
    status: int
    detail: str
    code: str = Field(description="Stable: programs may rely on it.")
    hint: str
    message_zh: str
    hint_zh: str
    where: str | None


class Text(Answer):
    """One text in both languages."""

    en: str
    zh: str


class Span(Answer):
    """A stretch of the source: lines and columns count from 1 in code points, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Fix(Answer):
    """A place in the source, and the text to write there in place of what stands there."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Diagnostic(Answer):
    """A message about a place in the program, or about all of it (then the place is null)."""

    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    severity: Literal["error", "warning", "note"]
    code: str
    message: str
    hint: str
    message_zh: str
    hint_zh: str
    rate: float | None = Field(default=None, description="A learning rate to try; only where there is one.")
    replacement: str | None = Field(
        default=None, description="The whole source, written so that it is read the other way."
    )
    fix: Fix | None = Field(default=None, description="What mends it; only where that is one word.")


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
    figures: list[FigureView] = []
    inputs: list[InputView] = []
    bindings: list[Binding]
    target: str | None
    gradients: list[GradientView]
    graph: GraphView
    sessions: list[dict[str, Any]]
    diagnostics: list[Diagnostic]
    result: Any
    usage: Usage


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
    diagnostics: list[Diagnostic] = []


class NewNumbersAnswer(Answer):
    """Other numbers for a program's variables."""

    program: str
    at: dict[str, Any]
    alike: int


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
    diagnostics: list[Diagnostic] = []


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


class LandscapeAxisView(Answer):
    """An axis and its coordinates."""

    variable: str
    values: list[Value]


class CriticalPointView(Answer):
    """A point where every slope along the axes is zero."""

    kind: Literal["minimum", "maximum", "saddle"]
    at: dict[str, Value]
    value: Value
    eigenvalues: list[Value] = Field(description="Of the Hessian along the axes, ascending.")
    condition: Value = Field(description="The largest size of an eigenvalue over the smallest.")
    degenerate: bool = Field(description="An eigenvalue is zero, so that the values around decided.")
    isolated: bool = Field(description="False on a line of such points, of which only some are listed.")


class ExtentView(Answer):
    """The range of the values, and how many there are outside of all numbers."""

    min: Value
    max: Value
    not_finite: int


class PackedGrid(Answer):
    """A grid as the bytes of its numbers, row by row, the lowest byte of each first."""

    dtype: str
    shape: list[int]
    base64: str


class LandscapeAnswer(Answer):
    """A target over one or two axes; with two, `values[i][j]` stands at the i-th and j-th coordinate."""

    id: str
    program: str
    target: str
    axes: list[LandscapeAxisView]
    values: list[Any] | PackedGrid
    gradient: list[Any] | None = Field(description="For each axis the slope along it, as `values`.")
    extent: ExtentView
    points: list[CriticalPointView]
    path: dict[str, list[Value]] | None = Field(description="Where the run went, by axis.")
    diagnostics: list[Diagnostic]


class LandscapeHeader(Answer):
    """The first line of a streamed landscape."""

    type: Literal["header"]
    sequence: Literal[0]
    id: str
    program: str
    target: str
    axes: list[LandscapeAxisView]
    bands: int = Field(description="How many there will be.")


class LandscapeBand(Answer):
    """Rows of a streamed landscape's grids, along the first axis: from `first` up to, and without, `end`."""

    type: Literal["band"]
    sequence: int
    first: int
    end: int
    values: list[Any] | PackedGrid
    gradient: list[Any] | None = Field(description="For each axis the slope along it, as `values`.")


class LandscapeFooter(Answer):
    """The last line of a streamed landscape: what was found of the whole."""

    type: Literal["footer"]
    sequence: int
    extent: ExtentView
    points: list[CriticalPointView]
    path: dict[str, list[Value]] | None
    diagnostics: list[Diagnostic]


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


class LinkAnswer(Answer):
    """Where a state of the page is kept; `url` is relative to the page."""

    id: str
    url: str


class LinkedState(Answer):
    """A state of the page as it was kept."""

    state: dict[str, Any]


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
