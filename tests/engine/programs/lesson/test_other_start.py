"""A PyTorch program that trains by itself is told at other numbers of its variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.programs import ProgramRequest, run_program, tell_lesson
from engine.programs.service import other_numbers
from tests.limits import ROOMY

LINE = """
import torch
from torch import nn

x = torch.linspace(-1, 1, 20).reshape(-1, 1)
y = 2 * x + 1
model = nn.Linear(1, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for epoch in range(12):
    optimizer.zero_grad()
    loss = nn.MSELoss()(model(x), y)
    loss.backward()
    optimizer.step()
"""
AT = {"model.weight": [[0.5]], "model.bias": [0.1]}
SQUARE = "import torch\nx = torch.tensor(3.0, requires_grad=True)\ny = x ** 2 + torch.sin(x)\ny.backward()"


def told(request: ProgramRequest) -> dict[str, Any]:
    """What the lesson says of the loss, and of the gradient of each variable."""
    steps = tell_lesson(request, ROOMY, "mathematics")["steps"]
    forward = [step["output"]["value"]["data"] for step in steps if step["phase"] == "forward"]
    ends = {step["node"]: step["output"]["value"]["data"] for step in steps if step["phase"] == "close"}
    return {"loss": forward[-1], **ends}


def test_the_lesson_begins_at_the_numbers_that_are_given() -> None:
    found = told(ProgramRequest(LINE, at=AT))
    assert found["loss"] == pytest.approx(1.6389472484588623)
    assert np.ravel(found["Variable"]) == pytest.approx([-1.1053], abs=1e-4)
    assert np.ravel(found["Variable_1"]) == pytest.approx([-1.8])


def test_a_name_without_a_variable_changes_nothing() -> None:
    assert told(ProgramRequest(LINE, at={"weight": [[2.0]]})) == told(ProgramRequest(LINE))


def test_only_a_name_without_a_variable_is_warned_of() -> None:
    answer = run_program(ProgramRequest(LINE, at={**AT, "weight": 1.0}), ROOMY)
    assert [one["message"] for one in answer["diagnostics"] if one["code"] == "unknown_value_name"] == [
        "A value was given for `weight`, but the program has no such variable."
    ]


def test_other_numbers_are_told_at_those_numbers() -> None:
    at = other_numbers(ProgramRequest(SQUARE), ROOMY)["at"]
    x = at["x"]
    assert x != 3.0
    assert told(ProgramRequest(SQUARE, at=at))["loss"] == pytest.approx(x**2 + np.sin(x), rel=1e-6)


DRAWN = """
import torch
logits = torch.zeros(3, requires_grad=True)
optimizer = torch.optim.RMSprop([logits], lr=0.1)
torch.manual_seed(1)
rewards = torch.tensor([1.0, 2.0, 3.0])
for i in range(60):
    policy = torch.distributions.Categorical(logits=logits)
    action = policy.sample()
    loss = -policy.log_prob(action) * (rewards[action] - (policy.probs.detach() * rewards).sum())
    loss = loss - 0.01 * policy.entropy()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("start", [[-1.5, 2.0, -0.5], [0.5, 1.0, 2.0]])
def test_a_loop_that_draws_is_told_at_other_numbers(start: list[float]) -> None:
    assert tell_lesson(ProgramRequest(DRAWN, at={"logits": start}), ROOMY, "mathematics")["steps"]
