"""What requests about classes look like, and their answers."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from server.schemas.answers.common import Answer, Text
from server.schemas.requests import Request

Mode = Literal["follow", "free"]
Tool = Literal[
    "optimizer", "curves", "output", "landscape", "race", "compare", "changes", "table", "outline", "ops"
]
Kind = Literal["number", "sign", "formula", "node", "ending"]
MAX_LINK = 8_000  # characters; the page's own links have 2,000 at most, or a short one stands for them
MAX_TEXT = 1_000  # characters of an option or a node's name
MAX_NUMBERS = 16  # of an answer


class NewClass(Request):
    """A class to be opened."""

    state: dict[str, Any] = Field(
        default={},
        description="What it is shown first, at most 32 kB: a state of the page, or `{link, step, node}`.",
        examples=[{"source": "y = exp(sin(x))", "at": {"x": 3}}],
    )


class Shown(Request):
    """What the class is shown."""

    link: str | None = Field(default=None, max_length=MAX_LINK, description="A link to a state of the page.")
    step: int | None = Field(default=None, ge=0, le=10**6)
    node: str | None = Field(default=None, max_length=MAX_TEXT)
    mode: Mode = "follow"
    tools: list[Tool] | None = Field(
        default=None, max_length=20, description="The tools that students have; all where none are named."
    )
    locked: bool = Field(default=False, description="Whether the code lets nobody else in.")

    def fields(self) -> dict[str, Any]:
        """What is shown, as the class keeps it and its events have it."""
        plain = {"link": self.link, "step": self.step, "node": self.node}
        tools = {} if self.tools is None else {"tools": self.tools}
        return {**plain, **tools, **({"locked": True} if self.locked else {})}


class NewQuestion(Request):
    """A question about a step of the lesson."""

    step: int = Field(ge=0, le=10**6)
    kind: Kind
    round: Literal[1, 2] = 1
    program: str | None = Field(
        default=None, max_length=MAX_TEXT, description="A program's id; that of what the class is shown."
    )
    level: Literal["mathematics", "tensorflow", "torch", "jax"] | None = None
    run: str | None = Field(default=None, max_length=MAX_TEXT, description="Of an `ending`: the run's id.")

    def about(self) -> dict[str, str]:
        """What the question is of, where it is said."""
        named = {"program": self.program, "level": self.level, "run": self.run}
        return {name: value for name, value in named.items() if value is not None}


class NewAnswer(Request):
    """A student's answer: one of the three, as the question asks for."""

    value: float | list[float] | None = None
    option: str | None = Field(default=None, max_length=MAX_TEXT)
    node: str | None = Field(default=None, max_length=MAX_TEXT)

    @model_validator(mode="after")
    def _one_of_them(self) -> NewAnswer:
        if len(self.model_fields_set) != 1:
            raise ValueError("exactly one of value, option and node")
        if isinstance(self.value, list) and len(self.value) > MAX_NUMBERS:
            raise ValueError(f"at most {MAX_NUMBERS} numbers")
        return self

    @property
    def said(self) -> Any:
        """The answer itself."""
        return getattr(self, next(iter(self.model_fields_set)))


class Place(Request):
    """Where a student is."""

    step: int = Field(ge=0, le=10**6)


class ClassAnswer(Answer):
    """A class that was opened."""

    code: str
    teacher_token: str
    expires_at: str


class JoinAnswer(Answer):
    """What a student finds who joins; `seq` is the number of the last event."""

    student_token: str
    label: Text
    state: dict[str, Any]
    mode: Mode
    question: dict[str, Any] | None
    seq: int


class EventView(Answer):
    """One event."""

    seq: int
    type: Literal["state", "question", "closed", "reveal", "ended"]
    data: dict[str, Any]


class PollAnswer(Answer):
    """The events after a number."""

    seq: int
    events: list[EventView]


class Option(Answer):
    """One of the answers to choose from; `text` is a line of text for it."""

    value: str
    text: str


class QuestionAnswer(Answer):
    """A question that was put to the class, as students see it."""

    id: str
    step: int
    kind: Kind
    round: int
    prompt: Text | None
    options: list[Option]


class Bin(Answer):
    """How many have given an answer; `misconception` is the id of a known wrong way."""

    label: Text
    misconception: str | None
    correct: bool
    count: int


class QuestionResult(Answer):
    """What has come of a question; `bins` is null until it is closed."""

    id: str
    round: int
    step: int
    kind: Kind
    answered: int
    closed: bool
    revealed: bool
    bins: list[Bin] | None


class ResultsAnswer(Answer):
    """Counts for the teacher; steps by their number."""

    students: int
    steps: dict[str, int]
    lost: dict[str, int]
    questions: list[QuestionResult]
