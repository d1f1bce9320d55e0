"""One run of a race: it knows its number, so that a mistake can name it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.errors import GradlensError
from engine.programs.program.request import RunRequest

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RaceRun:
    """A run of a race.

    number:  which of the race's runs it is, from 0.
    request: what it is asked to do.
    """

    number: int
    request: RunRequest

    def asks(self, make: Callable[..., T], *arguments: Any) -> T:
        """What `make` gives for this run; a mistake names the run."""
        try:
            return make(*arguments)
        except GradlensError as error:
            error.message = f"Run {self.number + 1}: {error.message}"
            error.message_zh = f"第 {self.number + 1} 次运行：{error.message_zh}"
            error.args = (error.message,)
            raise


def race_runs(requests: Iterable[RunRequest], first: int = 0) -> tuple[RaceRun, ...]:
    """The runs of a race, the first of which has this number."""
    return tuple(RaceRun(number, request) for number, request in enumerate(requests, first))
