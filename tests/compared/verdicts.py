"""Which programs of a recording agree, are refused, or are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .answers import Answer, answers, verdict, verdict_on_formula
from .recordings import Recording

Program = Mapping[str, Any]


def text_of(program: Program) -> str:
    """What a person reads of a program: the formula, or the expression."""
    return str(program.get("formula", program["source"]))


def judged(recording: Recording, every: int = 1, first: int = 0) -> Iterator[tuple[Program, str]]:
    """Each program with `agrees`, `refused` or `wrong`; or every so many of them from the first on."""
    content = recording.content()
    programs: Sequence[Program] = content["programs"][first::every]
    if recording.dialect == "math":
        yield from ((program, verdict_on_formula(program)) for program in programs)
        return
    given = answers(recording.dialect, content["preamble"], programs)
    yield from zip(programs, map(verdict, programs, given), strict=True)


def answered(recording: Recording, programs: Sequence[Program]) -> Iterator[Answer]:
    """What Gradlens answers to some programs of a recording."""
    return answers(recording.dialect, recording.content()["preamble"], programs)
