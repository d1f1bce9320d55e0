"""Numbers that are drawn one after the other are paid for by the time that they take."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

MANY = "(2000, 2000)"


@pytest.mark.parametrize(
    "call",
    [
        f"torch.poisson(torch.ones{MANY})",
        f"torch.binomial(torch.ones{MANY}, torch.ones{MANY})",
        f"torch.distributions.Gamma(2.0, 1.0).sample({MANY})",
        f"torch.distributions.Beta(2.0, 1.0).sample({MANY})",
        "torch.distributions.Dirichlet(torch.ones(4)).sample((1000, 1000))",
        f"torch.special.polygamma(3, torch.ones{MANY})",
        f"torch.digamma(torch.ones{MANY})",
    ],
)
def test_millions_of_slow_numbers_at_once_are_refused(call: str) -> None:
    (error,) = run_program(ProgramRequest(f"import torch\nx = {call}"))["diagnostics"]
    assert (error["severity"], error["line"]) == ("error", 2)
    assert "element operations at once" in error["message"]


def test_usual_numbers_of_them_are_drawn() -> None:
    program = "import torch\nprint(torch.poisson(torch.ones(100, 100)).shape, torch.digamma(torch.ones(2)))"
    assert run_program(ProgramRequest(program))["printed"] == [
        "torch.Size([100, 100]) tensor([-0.5772, -0.5772])"
    ]
