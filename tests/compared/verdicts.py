"""Which programs of a recording agree, are refused, or are wrong; and the file that says so of all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .answers import Answer, answers, verdict, verdict_on_formula
from .known import reason
from .recordings import FOLDER, Recording

Program = Mapping[str, Any]
FILE = FOLDER / "verdicts.json"


def text_of(program: Program) -> str:
    """What a person reads of a program: the formula, or the expression."""
    return str(program.get("formula", program["source"]))


def key_of(program: Program) -> str:
    """The same with the point at which a formula is taken: no two of a recording have the same."""
    at = ", ".join(f"{name}={value}" for name, value in program.get("at", {}).items())
    return f"{text_of(program)} at {at}" if at else text_of(program)


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


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Of one recording: how many programs it has, and those that do not agree, by their keys.

    refused: Gradlens says that it does not do this, where the library answers.
    known:   another answer, for a reason that docs/differences.md gives.
    wrong:   another answer without one.
    """

    asked: int
    refused: tuple[str, ...]
    known: tuple[str, ...]
    wrong: tuple[str, ...]

    @classmethod
    def of(cls, recording: Recording, found: Sequence[tuple[str, str, str]]) -> Verdicts:
        """From the key, the text and the verdict of each program."""
        other = [(key, reason(recording.name, text)) for key, text, said in found if said == "wrong"]
        return cls(
            len(found),
            tuple(key for key, _, said in found if said == "refused"),
            tuple(key for key, why in other if why is not None),
            tuple(key for key, why in other if why is None),
        )

    @property
    def agreeing(self) -> int:
        return self.asked - len(self.refused) - len(self.known) - len(self.wrong)

    @property
    def share(self) -> float:
        return self.agreeing / self.asked

    def said_of(self, key: str) -> str:
        """The verdict on one program."""
        if key in self.refused:
            return "refused"
        return "wrong" if key in self.known or key in self.wrong else "agrees"


def read_verdicts() -> dict[str, Verdicts]:
    """What the file says, by the names of the recordings."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        name: Verdicts(one["asked"], tuple(one["refused"]), tuple(one["known"]), tuple(one["wrong"]))
        for name, one in content.items()
    }


def write_verdicts(found: Mapping[str, Verdicts]) -> None:
    """Write the file anew."""
    content = {
        name: {"asked": one.asked, "refused": one.refused, "known": one.known, "wrong": one.wrong}
        for name, one in found.items()
    }
    FILE.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
