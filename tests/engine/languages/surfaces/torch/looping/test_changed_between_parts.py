"""Training loops that change a loss in place, checked against numbers that PyTorch printed."""

from __future__ import annotations

import json

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

W = "import torch\nw = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)\nfor turn in range(12):\n"
STEP = "    with torch.no_grad():\n        w -= 0.01 * w.grad\nprint([cost.item(), *w.grad.tolist()])"
MODEL = """
import torch
torch.manual_seed(1)
x, y = torch.randn(5, 3), torch.randn(5, 1)
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(12):
    cost = torch.nn.functional.mse_loss(model(x), y)
    penalty = 0
    for p in model.parameters():
        penalty += torch.norm(p)
    cost += penalty
    optimizer.zero_grad()
    cost.backward()
    optimizer.step()
print([cost.item(), *model.weight.tolist()[0]])
"""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            MODEL,
            [0.6044624447822571, 0.019811276346445084, 0.02016965113580227, 0.008154998533427715],
            id="penalty",
        ),
        pytest.param(
            W
            + "    cost = (w ** 2).sum()\n    cost += (w ** 4).mean()\n    w.grad = None\n"
            + "    cost.backward()\n"
            + STEP,
            [5.010986328125, 1.921683430671692, -4.126092910766602, 5.500988960266113],
            id="a-new-grad",
        ),
        pytest.param(
            W
            + "    a = w * 2\n    cost = a.exp().sum()\n    cost += 1.0\n    w.grad = None\n"
            + "    cost.backward(retain_graph=True)\n"
            + STEP.replace("0.01", "0.001"),
            [24.549924850463867, 11.116687774658203, 0.03660169988870621, 35.94655990600586],
            id="a-graph-that-stays",
        ),
    ],
)
def test_a_loss_that_is_changed_in_place_is_differentiated_through_the_turn_s_own_nodes(
    source: str, expected: list[float]
) -> None:
    answer = run_program(ProgramRequest(source=source), ROOMY)
    assert answer["status"] == "ok", answer["diagnostics"]
    assert json.loads(answer["printed"][-1]) == pytest.approx(expected, rel=1e-6)
