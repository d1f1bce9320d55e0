"""The files of compared programs: what stands in them, and asking the real libraries for it again.

A library is found by an environment variable that holds the path of a Python which has it: GRADLENS_TF1,
GRADLENS_TF2 (with its numpy) and GRADLENS_SYMPY. Without one, what is recorded stays.
"""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .drawn import preambles
from .drawn.expressions import expressions
from .drawn.formulas import PREAMBLE, formulas
from .drawn.numpy_expressions import numpy_expressions
from .drawn.programs import programs

FOLDER = Path(__file__).parents[1] / "data" / "compared"


@dataclass(frozen=True, slots=True)
class Recording:
    """One file: the dialect of its programs, and the variable that names a Python with their library."""

    name: str
    dialect: str
    library: str

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.json.gz"

    def content(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(gzip.decompress(self.path.read_bytes()))
        return content

    def made_anew(self) -> dict[str, Any]:
        """The programs as they are made now, without what they print."""
        return {"preamble": PREAMBLES[self.name], "programs": PROGRAMS[self.name]()}

    def record(self, python: str) -> None:
        """Write the programs anew, and have a Python with the library write down what they print."""
        self.path.write_bytes(gzip.compress(json.dumps(self.made_anew()).encode(), mtime=0))
        subprocess.run([python, str(FOLDER / "record.py"), str(self.path)], check=True)


RECORDINGS = (
    Recording("expressions1", "tf1", "GRADLENS_TF1"),
    Recording("expressions2", "tf2", "GRADLENS_TF2"),
    Recording("numpy", "tf2", "GRADLENS_TF2"),
    Recording("formulas", "math", "GRADLENS_SYMPY"),
    Recording("programs_numpy", "auto", "GRADLENS_TF2"),
    Recording("programs1", "auto", "GRADLENS_TF1"),
    Recording("programs2", "auto", "GRADLENS_TF2"),
)
PREAMBLES = {
    "expressions1": preambles.TENSORFLOW_1,
    "expressions2": preambles.TENSORFLOW_2,
    "numpy": preambles.NUMPY,
    "formulas": PREAMBLE,
    **dict.fromkeys(("programs_numpy", "programs1", "programs2"), ""),  # each is a whole program
}


def _sources(found: Iterable[str]) -> list[dict[str, Any]]:
    return [{"source": source} for source in found]


PROGRAMS: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "expressions1": lambda: _sources(expressions("tf1")),
    "expressions2": lambda: _sources(expressions("tf2")),
    "numpy": lambda: _sources(numpy_expressions()),
    "programs_numpy": lambda: _sources(programs("numpy", 160)),
    "programs1": lambda: _sources(programs("tf1", 140)),
    "programs2": lambda: _sources(programs("tf2", 160)),
    "formulas": lambda: [{"source": each.sympy, "formula": each.text, "at": each.at} for each in formulas()],
}
