"""Methods in double underscores that change a value, or stand on its right, by name."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

USES = {
    "a = [1]\na.__iadd__([2])\na.__imul__(2)\nprint(a)": ["[1, 2, 1, 2]"],
    "a = {1}\na.__ior__({2})\nprint(a)": ["{1, 2}"],
    "import torch\nx = torch.tensor([1.0, 2.0])\ny = x.__iadd__(1)\nprint(x, y is x)": [
        "tensor([2., 3.]) True"
    ],
    "import torch\nprint(torch.tensor([1.0, 2.0]).__rsub__(1))": ["tensor([ 0., -1.])"],
}


@pytest.mark.parametrize("use", USES)
def test_they_do_what_their_operator_does(use: str) -> None:
    assert run_program(ProgramRequest(use))["printed"] == USES[use]


def test_what_does_not_change_has_no_such_method() -> None:
    (error,) = run_program(ProgramRequest("a = (1,)\na.__iadd__((2,))\nprint(a)"))["diagnostics"]
    assert error["code"] == "refused_attribute"
