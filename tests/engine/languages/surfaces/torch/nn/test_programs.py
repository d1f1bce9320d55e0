"""Modules in programs, beside PyTorch 2.13.0."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.languages.surfaces.torch.recorded import check, programs

PROGRAMS = [*programs("nn"), *programs("lessons"), *programs("tutorials"), *programs("further")]


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: case["name"])
def test_a_program_prints_what_it_prints_with_pytorch(case: dict[str, Any]) -> None:
    check(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", programs("courses"), ids=lambda case: case["name"])
def test_a_program_as_courses_write_them_prints_what_it_prints_with_pytorch(case: dict[str, Any]) -> None:
    check(case)
