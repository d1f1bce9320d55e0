"""What a program computes in the end, and what is said where that is nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import ProgramError
from engine.programs import ProgramRequest, RunRequest, optimise
from engine.programs.answers.code import written_code
from engine.programs.answers.comparison import compare_ways
from engine.programs.landscapes import AxisRequest, LandscapeRequest, landscape
from tests.limits import ROOMY

LIMITS = ROOMY
GRID = LandscapeRequest((AxisRequest(2, "x", start=0, stop=1),))
ASKED: dict[str, Callable[[ProgramRequest], Any]] = {
    "optimised": lambda program: optimise(program, RunRequest(1, {"name": "Adam"}), LIMITS),
    "differentiated": lambda program: compare_ways(program, LIMITS),
    "drawn as a landscape": lambda program: landscape(program, GRID, LIMITS),
    "written in another language": lambda program: written_code(program, "tf2", LIMITS),
    "run as a function": lambda program: written_code(program, "generated", LIMITS),
}


@pytest.mark.parametrize("done", ASKED)
def test_whatever_is_asked_of_a_program_without_a_target_is_refused_in_the_same_words(done: str) -> None:
    with pytest.raises(ProgramError) as caught:
        ASKED[done](ProgramRequest("print(1)"))
    assert caught.value.message == f"The program computes nothing that could be {done}."
    assert caught.value.hint == "Write a formula or a loss that depends on a variable."
    assert caught.value.code == "no_target"
