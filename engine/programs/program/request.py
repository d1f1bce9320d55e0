"""What is asked of the engine: a program to run, or steps of an optimizer to take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ProgramRequest:
    """A program and the values that come with it (fields as in `POST /programs`).

    inputs: the lines that `input()` reads, one for each call.
    ran: what it left behind when it ran before, packed; no part of what is asked.
    """

    source: str
    dialect: str = "auto"
    at: Mapping[str, Any] = field(default_factory=dict)
    feeds: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)
    inputs: Sequence[str] = ()
    seed: int = 0
    gradients: bool = True
    wrt: tuple[str, ...] | None = None
    ran: bytes = field(default=b"", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Steps of an optimizer on a program's target (fields as in `POST /runs`).

    optimizer: without a name, hyper-parameters of the program's own one.
    slots:     the optimizer's state at the start, by variable and slot; as one row of the answer's columns.
    """

    steps: int
    optimizer: Mapping[str, Any] | None = None
    process: tuple[Mapping[str, Any], ...] = ()
    schedule: Mapping[str, Any] | None = None
    start: Mapping[str, Any] = field(default_factory=dict)
    slots: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    record: str = "all"
