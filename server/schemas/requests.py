"""What requests look like. They are checked against these, and `/docs` is made from them."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

from engine.programs import ProgramRequest, RunRequest
from engine.programs.landscapes import MAX_COUNT, AxisRequest, LandscapeRequest
from engine.programs.races import MAX_RUNS, RaceRequest
from engine.programs.runs.optimise import MAX_STEPS
from server.schemas.request_parts import (
    MAX_ARGUMENTS,
    MAX_LINES,
    MAX_NAMES,
    MAX_SOURCE_CHARACTERS,
    Argument,
    Arguments,
    ByName,
    DataSet,
    Few,
    Line,
    Name,
    Tensor,
    check_length,
    refuse_unknown,
)

MAX_DERIVATIVE_CHARACTERS = 1000


class Request(BaseModel):
    """A request names its fields exactly."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _known_fields(cls, value: Any) -> Any:
        return refuse_unknown(fields_of(cls), value)


@cache
def fields_of(form: type[BaseModel]) -> dict[str, bool]:
    """The fields of a request's form as JSON names them, and whether each is required."""
    return {field.alias or name: field.is_required() for name, field in form.model_fields.items()}


class Link(Request):
    """A state of the page."""

    state: dict[str, Any] = Field(
        description="At most 32 kB as JSON.", examples=[{"source": "y = exp(sin(x))", "at": {"x": 3}}]
    )


class Program(Request):
    """A program's text, and what it is given."""

    source: str = Field(
        max_length=MAX_SOURCE_CHARACTERS,
        description="The text, at most 256 kB.",
        examples=["y = exp(sin(x))"],
    )
    dialect: Literal["auto", "math", "tf1", "tf2", "torch", "jax"] = Field(
        default="auto", description="What the text is written in."
    )
    at: ByName[Tensor] = Field(
        default={},
        description="Values of free variables; for programs, of variables at the start.",
        examples=[{"x": 3}],
    )
    feeds: ByName[Tensor] = Field(default={}, description="Values of placeholders, by name.")
    data: ByName[DataSet] = Field(default={}, description="Tables of numbers, nested lists or CSV, by name.")
    inputs: Annotated[list[Line], Field(fail_fast=True, max_length=MAX_LINES)] = Field(
        default=[], description="The lines that `input()` reads, one for each call.", examples=[["0.1"]]
    )
    seed: int = Field(default=0, ge=0, lt=2**32, description="Where the random streams start.")
    gradients: bool = Field(default=True, description="Add the gradients where the program asks for none.")
    wrt: Annotated[list[Name], Field(fail_fast=True, max_length=MAX_NAMES)] | None = Field(
        default=None, description="The variables to take gradients with respect to."
    )

    def to_engine(self) -> ProgramRequest:
        """The engine's own form of this request."""
        wrt = None if self.wrt is None else tuple(self.wrt)
        return ProgramRequest(**{**dict(self), "inputs": tuple(self.inputs), "wrt": wrt})


class Optimizer(BaseModel):
    """An optimizer of `GET /optimizers`, with its hyper-parameters; without a name the program's own."""

    model_config = ConfigDict(extra="allow", strict=True)
    __pydantic_extra__: dict[str, Tensor | bool]

    name: Name | None = Field(default=None, examples=["GradientDescent"])
    learning_rate: float | None = Field(default=None, examples=[0.01])

    @model_validator(mode="before")
    @classmethod
    def _few_arguments(cls, value: Any) -> Any:
        return check_length(value, MAX_ARGUMENTS)


ProgramOrId = Annotated[
    Annotated[Name, Tag("id")] | Annotated[Program, Tag("inline")],
    Discriminator(lambda value: "id" if isinstance(value, str) else "inline"),
]


class OfProgram(Request):
    """A request about a program."""

    program: ProgramOrId = Field(description="A program's id, or the program itself.")

    def program_to_engine(self) -> str | ProgramRequest:
        """The program's id, or the engine's own form of it."""
        return self.program if isinstance(self.program, str) else self.program.to_engine()


class Comparison(OfProgram):
    """A derivative to take three ways."""

    by: Name | None = Field(
        default=None, description="The variable whose partial is shown; the first where it is left out."
    )
    derivative: str | None = Field(
        default=None,
        max_length=MAX_DERIVATIVE_CHARACTERS,
        description="A learner's own derivative by that variable, as mathematics, to be judged.",
        examples=["exp(sin(x)) * cos(x)"],
    )


class Run(OfProgram):
    """An optimisation to carry out."""

    steps: int = Field(ge=0, le=MAX_STEPS)
    optimizer: Optimizer | None = Field(
        default=None, description="May be left out where the program built one."
    )
    process: Few[Arguments[Tensor]] = Field(
        default=[],
        examples=[[{"clip_by_norm": 5}]],
        description="What happens to gradients in between.",
    )
    schedule: Arguments[Argument] | None = Field(default=None, description="How the learning rate changes.")
    start: ByName[Tensor] = Field(default={}, description="Values of variables at the start, by name.")
    slots: ByName[ByName[Tensor]] = Field(
        default={},
        description="The optimizer's state at the start, by variable and slot.",
        examples=[{"x": {"momentum": 6}}],
    )
    record: Literal["all", "variables"] = "all"

    def to_engine(self) -> RunRequest:
        """The engine's own form of this request."""
        return RunRequest(
            steps=self.steps,
            optimizer=self.optimizer.model_dump(exclude_none=True) if self.optimizer else None,
            process=tuple(self.process),
            schedule=self.schedule,
            start=self.start,
            slots=self.slots,
            record=self.record,
        )


class RaceRun(Request):
    """One run of a race: its optimizer and where it starts."""

    optimizer: Optimizer | None = None
    process: Few[Arguments[Tensor]] = []
    schedule: Arguments[Argument] | None = None
    start: ByName[Tensor] = {}
    slots: ByName[ByName[Tensor]] = {}

    def with_steps(self, steps: int) -> RunRequest:
        """The engine's own form of this run."""
        return Run(program="", **{**dict(self), "steps": steps}).to_engine()


class Race(OfProgram):
    """Several runs of one program, to be computed together."""

    steps: int = Field(ge=0, le=MAX_STEPS, description="The same for all of them.")
    runs: list[RaceRun] = Field(min_length=1, max_length=MAX_RUNS, fail_fast=True)
    record: Literal["variables", "loss"] = Field(
        default="variables", description="Every column of a run but its nodes', or the loss alone."
    )

    def to_engine(self) -> RaceRequest:
        """The engine's own form of this request."""
        runs = tuple(run.with_steps(self.steps) for run in self.runs)
        return RaceRequest(runs, self.steps, self.record)


class LandscapeAxis(Request):
    """A variable's number between two bounds, or a direction."""

    variable: Name | None = Field(default=None, examples=["x"])
    index: Few[int] = Field(
        default=[], description="Which number of an array, counted from 0 along each axis."
    )
    direction: Literal["random", "hessian", "trajectory"] | None = Field(
        default=None, description="Instead of a variable, where there are more than two numbers."
    )
    start: float | None = Field(default=None, alias="from", description="The first coordinate.")
    stop: float | None = Field(default=None, alias="to", description="The last coordinate.")
    count: int = Field(ge=1, le=MAX_COUNT)

    def to_engine(self) -> AxisRequest:
        """The engine's own form of this axis."""
        return AxisRequest(**{**dict(self), "index": tuple(self.index)})


class LandscapeRun(RaceRun):
    """A run whose path is given in the coordinates of a landscape's axes."""

    steps: int = Field(ge=0, le=MAX_STEPS)


class Landscape(OfProgram):
    """A target to look at over one or two axes."""

    axes: list[LandscapeAxis] = Field(min_length=1, max_length=2, fail_fast=True)
    gradient: bool = Field(default=False, description="Also give the slopes along the axes.")
    points: bool = Field(default=True, description="Look for minima, maxima and saddle points.")
    run: LandscapeRun | None = Field(
        default=None, description="Its path is part of the answer; `trajectory` directions follow it."
    )
    encoding: Literal["lists", "base64"] = Field(
        default="lists", description="How grids are written: nested lists, or the bytes of their numbers."
    )

    def to_engine(self) -> LandscapeRequest:
        """The engine's own form of this request."""
        axes = tuple(axis.to_engine() for axis in self.axes)
        run = self.run.with_steps(self.run.steps) if self.run else None
        return LandscapeRequest(axes, self.gradient, self.points, run, self.encoding)


REQUESTS = (Program, Run, Race, RaceRun, Landscape, LandscapeAxis)
FIELD_NAMES = sorted({field.alias or name for form in REQUESTS for name, field in form.model_fields.items()})
