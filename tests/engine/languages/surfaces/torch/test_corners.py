"""Corners of PyTorch and of the Python around it, beside PyTorch 2.13.0 (`documented`: 2.14.1)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.languages.surfaces.torch.recorded import check, programs

CORNERS = [*programs("corners"), *programs("documented")]


@pytest.mark.parametrize("case", CORNERS, ids=lambda case: case["name"])
def test_a_corner_is_as_with_pytorch(case: dict[str, Any]) -> None:
    check(case)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", [*programs("practice"), *programs("exercises")], ids=lambda case: case["name"]
)
def test_a_program_of_a_courses_kind_prints_what_pytorch_prints(case: dict[str, Any]) -> None:
    """Written, by hands that had not seen this code, over all that a course of PyTorch asks for."""
    check(case)
