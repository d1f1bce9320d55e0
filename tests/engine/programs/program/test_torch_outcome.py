"""What is shown of a PyTorch program that was stopped."""

from __future__ import annotations

from dataclasses import replace

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

PROGRAM = """import torch
w = torch.nn.Parameter(torch.ones(20, 20))
opt = torch.optim.SGD([w], lr=0.1)
for i in range(1000):
    opt.zero_grad()
    loss = (w @ w).sum() + (w[0] ** 2).sum()
    row = w.T
    loss.backward()
    opt.step()
"""


def test_a_view_that_a_used_up_budget_left_uncomputed_is_not_shown_and_the_rest_is() -> None:
    answer = run_program(ProgramRequest(source=PROGRAM), replace(ROOMY, element_operations=420_000))
    assert answer["status"] == "limit"
    assert [each["name"] for each in answer["bindings"]] == ["w", "opt", "i", "loss"]
