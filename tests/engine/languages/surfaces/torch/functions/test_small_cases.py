"""Cases at the edge of a function's domain, as PyTorch 2.14.1 prints them."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

PRINTED = {
    "print(torch.empty(0).median(), torch.empty(0, dtype=torch.int64).median())": (
        "tensor(nan) tensor(-9223372036854775808)"
    ),
    "a = torch.ones(2, 3, requires_grad=True)\nprint(torch.linalg.multi_dot([a[0], torch.ones(3, 1)]))": (
        "tensor([3.], grad_fn=<ViewBackward0>)"
    ),
}
OUT_OF_BOUNDS = {
    "x[None, 5]": "index 5 is out of bounds for dimension 1 with size 2",
    "x[0, None, 7]": "index 7 is out of bounds for dimension 2 with size 3",
    "x[..., 9]": "index 9 is out of bounds for dimension 1 with size 3",
}


@pytest.mark.parametrize("source", PRINTED)
def test_what_is_printed(source: str) -> None:
    assert run_program(ProgramRequest(f"import torch\n{source}"), ROOMY)["printed"] == [PRINTED[source]]


@pytest.mark.parametrize("subscript", OUT_OF_BOUNDS)
def test_a_place_out_of_bounds_is_named_by_its_place_in_the_subscript(subscript: str) -> None:
    source = f"import torch\nx = torch.ones(2, 3)\nprint({subscript})"
    (error,) = run_program(ProgramRequest(source), ROOMY)["diagnostics"]
    assert error["message"] == OUT_OF_BOUNDS[subscript]
