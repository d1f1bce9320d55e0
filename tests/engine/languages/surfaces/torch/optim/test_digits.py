"""Weights and losses after a number of steps in single precision, as PyTorch 2.14.1 has them."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

PROGRAM = """
import torch

torch.manual_seed(0)
p = torch.nn.Parameter(torch.randn(3))
optimizer = torch.optim.%s
for step in range(%d):
    p.grad = torch.randn(3)
    optimizer.step()
print(p.tolist())
"""
WEIGHTS = {
    "SGD([p], lr=0.05)": [1.5494240522384644, -0.1100645437836647, -2.040128707885742],
    "SGD([p], lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01)": [
        *(1.444541096687317, 0.30213916301727295, -1.1258573532104492),
    ],
    "Adamax([p], lr=0.05)": [1.4534178972244263, -0.20231901109218597, -1.9690585136413574],
    "RAdam([p], lr=0.05)": [1.4913439750671387, -0.2244665026664734, -1.9636162519454956],
    "ASGD([p], lr=0.05)": [1.5493311882019043, -0.11005505919456482, -2.0400049686431885],
    "Adagrad([p], lr=0.05)": [1.5237212181091309, -0.22218658030033112, -2.094848871231079],
    "Adam([p], lr=0.05)": [1.449162483215332, -0.17652645707130432, -1.8866478204727173],
}


@pytest.mark.parametrize("optimizer", WEIGHTS)
def test_weights_are_pytorchs_to_the_bit(optimizer: str) -> None:
    assert weights(optimizer, 12) == WEIGHTS[optimizer]


def weights(optimizer: str, steps: int) -> list[float]:
    answer = run_program(ProgramRequest(PROGRAM % (optimizer, steps)), ROOMY)
    return [float(one) for one in answer["printed"][-1].strip("[]").split(",")]


COMPLEX = """
import torch

torch.manual_seed(0)
p = torch.nn.Parameter(torch.randn(3, dtype=torch.cfloat))
t = torch.randn(3, dtype=torch.cfloat)
optimizer = torch.optim.%s([p], lr=0.05)
for step in range(41):
    optimizer.zero_grad()
    loss = (p - t).abs().pow(2).sum()
    loss.backward()
    optimizer.step()
print(loss.item())
"""
LOSSES = {
    "SGD": 0.0009160004556179047,
    "RMSprop": 3.774758283725532e-15,
    "Adam": 0.036056049168109894,
    "AdamW": 0.03577611222863197,
    "Adadelta": 4.123130798339844,
}


@pytest.mark.parametrize("optimizer", LOSSES)
def test_a_long_loop_updates_the_parts_of_complex_numbers_each_by_itself(optimizer: str) -> None:
    answer = run_program(ProgramRequest(COMPLEX % optimizer), ROOMY)
    assert float(answer["printed"][-1]) == pytest.approx(LOSSES[optimizer], rel=1e-4)
