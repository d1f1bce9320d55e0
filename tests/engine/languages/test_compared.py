"""Programs print what the real TensorFlow 1.15.5 and 2.21 printed for them (tests/data/compared)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program
from tests.compared.agreement import alike, numbers_of, words_of
from tests.limits import ROOMY

pytestmark = pytest.mark.slow  # hundreds of whole programs

FOLDER = Path(__file__).parents[2] / "data" / "compared"
PROGRAMS = [
    pytest.param(program, dialect, id=f"{file.stem}-{number}")
    for dialect, files in (("tf1", "tensorflow1*.json"), ("tf2", "tensorflow2*.json"))
    for file in sorted(FOLDER.glob(files))
    for number, program in enumerate(json.loads(file.read_text()))
]


@pytest.mark.parametrize(("program", "dialect"), PROGRAMS)
def test_a_program_prints_what_tensorflow_printed(program: dict[str, Any], dialect: str) -> None:
    answer = run_program(ProgramRequest(program["source"], dialect=dialect), ROOMY)
    ours, theirs = "\n".join(answer["printed"]), "\n".join(program["printed"])
    assert (answer["status"] == "error") == (program["error"] is not None), answer["diagnostics"]
    assert words_of(ours) == words_of(theirs)
    assert len(numbers_of(ours)) == len(numbers_of(theirs))
    assert all(map(alike, numbers_of(ours), numbers_of(theirs))), (ours, theirs)
