"""Lines for a program's `input()`, from standard input: at a terminal each as it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, run_program


@dataclass(slots=True)
class Answered:
    """A request with the lines that its program asked for, its answer, and what of it is on the screen."""

    request: ProgramRequest
    answer: Mapping[str, Any]
    shown: str = ""


def answered(request: ProgramRequest, limits: Limits, show: Callable[[str], None]) -> Answered:
    """Run a program, with lines of standard input for as long as it waits for one and there are some.

    The same lines make the same program do the same, so it is run anew with each line that is typed.
    """
    here = Answered(request, run_program(request, limits))
    while _waits(here.answer):
        if sys.stdin.isatty():
            _show_new(here, show)
        lines = _lines()
        if not lines:
            break
        here.request = replace(here.request, inputs=(*here.request.inputs, *lines))
        here.answer = run_program(here.request, limits)
    return here


def _waits(answer: Mapping[str, Any]) -> bool:
    asked = answer["inputs"]
    return bool(asked) and asked[-1]["text"] is None


def _lines() -> list[str]:
    """The next line that is typed; all that there are where nobody types. None at the end."""
    if not sys.stdin.isatty():
        return sys.stdin.read().splitlines()
    line = sys.stdin.readline()
    return [line.removesuffix("\n")] if line else []


def _show_new(here: Answered, show: Callable[[str], None]) -> None:
    """What was printed since; without a prompt the line is typed below it."""
    text = "\n".join(here.answer["printed"])
    if text and not here.answer["inputs"][-1]["prompt"]:
        text += "\n"
    show(text.removeprefix(here.shown))
    here.shown = text
