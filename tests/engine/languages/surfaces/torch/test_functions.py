"""PyTorch's functions beside the real ones: value, first and second derivative, name of the node."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request
from tests.data.torch.functions import program_of
from tests.limits import ROOMY

DATA = Path(__file__).parents[4] / "data" / "torch"
FUNCTIONS = json.loads((DATA / "functions.json").read_text(encoding="utf-8"))
NUMBER = re.compile(r"[-+]?(?:\d+\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+|inf|nan)")


@pytest.mark.parametrize("one", FUNCTIONS, ids=lambda one: one["expression"])
def test_a_function_and_its_derivatives_are_those_of_pytorch(one: dict[str, Any]) -> None:
    outcome = run_request(ProgramRequest(source=program_of(one["expression"])), ROOMY)

    ours, theirs = "\n".join(outcome.printed), "\n".join(one["printed"])
    assert NUMBER.sub("#", ours) == NUMBER.sub("#", theirs)
    numbers = [[float(text) for text in NUMBER.findall(lines)] for lines in (ours, theirs)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-6, abs=1e-6, nan_ok=True)
