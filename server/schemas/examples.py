"""What the gallery answers: programs to open first, and how each of them is worked on."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from server.schemas.answers.common import Answer, Text


class ContenderView(Answer):
    """One of those who race: an optimizer of the catalogue, its rate, and where it starts."""

    name: str
    rate: float = Field(gt=0, description="The learning rate.")
    parameters: dict[str, Any] = Field(default_factory=dict)
    start: dict[str, float] | None = Field(default=None, description="Null: where the variables are.")


class RaceSettings(Answer):
    """A race to be looked at."""

    contenders: list[ContenderView] = Field(min_length=1, max_length=6)
    steps: int = Field(ge=1, le=10_000)
    scale: Literal["linear", "log"] = "linear"


class Command(Answer):
    """One change of the page, of the few that an example may ask for: exactly one field is given."""

    text: str | None = Field(default=None, description="Open a text of this example; `main` is the first.")
    value: dict[str, float] | None = Field(default=None, description="Give variables of a formula values.")
    wrt: list[str] | None = Field(default=None, description="Train these variables of a formula.")
    optimizer: dict[str, Any] | None = Field(default=None, description="`name` and hyper-parameters.")
    rate: float | None = Field(default=None, gt=0, description="The learning rate.")
    process: dict[str, float] | None = Field(default=None, description="As in a run; null for none.")
    updates: int | None = Field(default=None, ge=1, le=1000, description="Make as many updates.")
    reset: Literal[True] | None = Field(default=None, description="Back to the start of a run.")
    step: Literal["first", "backward", "last"] | None = Field(default=None, description="Of the lesson.")
    dock: Literal["optimizer", "output", "table", "outline", "landscape", "race", "none"] | None = None
    level: Literal["mathematics", "tensorflow", "torch", "jax"] | None = None
    race: RaceSettings | None = Field(default=None, description="Open the race with these contenders.")

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("a command has exactly one field")
        return self


class ActionView(Answer):
    """A button: what stands on it, and what it does, in order."""

    label: Text
    do: list[Command]


class AskView(Answer):
    """A prediction: the question, its answer, and the mistake that is near at hand."""

    question: Text
    answer: Text
    trap: Text


class ClosingView(Answer):
    """The last question, and its answer."""

    question: Text
    answer: Text


class TextView(Answer):
    """Another text of the same example. `status` is how it ends, where its point is that it fails."""

    id: str
    label: Text
    source: str
    at: dict[str, Any]
    status: Literal["ok", "error", "limit"]


class FormView(Answer):
    """The same example as a program for another framework."""

    dialect: Literal["torch", "jax"]
    source: str


class NextView(Answer):
    """Where one goes from an example."""

    id: str
    title: Text


class ExampleView(Answer):
    """A program to open first, and how it is worked on."""

    id: str
    dialect: str
    title: Text
    teaches: Text
    at: dict[str, Any]
    source: str
    forms: list[FormView]
    core: bool
    goal: Text
    prompts: list[Text] = Field(min_length=2, max_length=3)
    ask: AskView
    closing: ClosingView
    start: list[Command]
    actions: list[ActionView]
    texts: list[TextView]
    next: list[NextView] = Field(min_length=1, max_length=2)


class GroupView(Answer):
    """Examples that belong together."""

    id: str
    title: Text
    items: list[str]


class StopView(Answer):
    """A stop of a lesson: an example, and what is done with it there."""

    item: str
    do: Text


class LessonView(Answer):
    """A ready lesson: a sequence of examples, and how long it takes."""

    id: str
    title: Text
    minutes: int
    stops: list[StopView]


class ExamplesAnswer(Answer):
    """Every example, in groups, and the lessons made of them."""

    examples: list[ExampleView]
    groups: list[GroupView]
    lessons: list[LessonView]
