"""A run of an optimizer of PyTorch shows the slots that PyTorch keeps, and goes on from them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, RunRequest
from engine.programs.service import optimise
from tests.limits import ROOMY

PROGRAM = """import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.%s
loss = ((w - 3) ** 2).sum()
loss.backward()
optimizer.step()
"""
SHOWN = {
    "Adam([w])": ["exp_avg", "exp_avg_sq", "step"],
    "Adam([w], amsgrad=True)": ["exp_avg", "exp_avg_sq", "max_exp_avg_sq", "step"],
    "SGD([w], lr=0.1, weight_decay=0.1)": [],
    "SGD([w], lr=0.1, momentum=0.9)": ["momentum_buffer"],
    "SGD([w], lr=0.1, momentum=0.9, dampening=0.5)": ["momentum_buffer"],
    "RMSprop([w])": ["square_avg", "step"],
    "RMSprop([w], centered=True)": ["grad_avg", "square_avg", "step"],
    "Adafactor([w])": ["step", "variance"],
}


def run(optimizer: str, **asked: Any) -> dict[str, Any]:
    """Some steps of an optimizer."""
    return optimise(ProgramRequest(PROGRAM % optimizer), RunRequest(**asked), ROOMY)


@pytest.mark.parametrize("optimizer", SHOWN)
def test_a_run_shows_what_pytorch_keeps(optimizer: str) -> None:
    assert sorted(run(optimizer, steps=1)["slots"].get("w", {})) == SHOWN[optimizer]


@pytest.mark.parametrize("optimizer", SHOWN)
def test_a_run_goes_on_from_the_slots_that_are_shown(optimizer: str) -> None:
    whole = run(optimizer, steps=4)
    row = {name: {slot: rows[2] for slot, rows in table.items()} for name, table in whole["slots"].items()}
    rest = run(optimizer, steps=2, start={"w": whole["variables"]["w"][2]}, slots=row)
    assert rest["loss"] == whole["loss"][2:]
