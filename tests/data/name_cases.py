"""Programs for the names of `tests/data/names`, and what the real library prints for each.

A file holds sections: a line `## names`, a program, and lines `> …` with the output that the real
library gave (TensorFlow 1.15.5, numpy, Python). In `graphs.txt` these lines are the nodes that
TensorFlow 1.15.5 built. The first section, `## preamble`, stands before every program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "names"


@dataclass(frozen=True)
class Case:
    """One program: the names that it is there for, its text, and the lines that it prints."""

    names: tuple[str, ...]
    source: str
    printed: str


def cases(file_name: str) -> list[Case]:
    """All programs of one file."""
    parts = re.split(r"(?m)^## (.+)\n", (FOLDER / file_name).read_text(encoding="utf-8"))
    (_, preamble), *sections = zip(parts[1::2], parts[2::2], strict=True)
    return [_case(names, preamble, body) for names, body in sections]


def _case(names: str, preamble: str, body: str) -> Case:
    lines = body.rstrip("\n").split("\n")
    program = [line for line in lines if not line.startswith(">")]
    printed = [line[2:] for line in lines if line.startswith(">")]
    return Case(tuple(names.split()), preamble + "\n".join(program) + "\n", "\n".join(printed))
