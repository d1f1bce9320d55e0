"""Programs print, letter for letter, what Python 3.11 printed (tests/data/compared/python.json)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

FILE = Path(__file__).parents[3] / "data" / "compared" / "python.json"
PROGRAMS = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_prints_what_python_printed(program: dict[str, Any]) -> None:
    answer = run_program(ProgramRequest(program["source"]))
    assert (answer["status"] == "error") == (program["error"] is not None), answer["diagnostics"]
    assert "\n".join(answer["printed"]).split("\n") == "\n".join(program["printed"]).rstrip("\n").split("\n")


def test_an_element_type_is_equal_to_the_type_that_it_is_called_by() -> None:
    source = "import numpy as np\na = np.arange(3.)\n"
    source += "print(a.dtype == np.float64, np.float64 == a.dtype, a.dtype == np.float32, a.dtype == float)"
    assert run_program(ProgramRequest(source))["printed"] == ["True True False True"]
