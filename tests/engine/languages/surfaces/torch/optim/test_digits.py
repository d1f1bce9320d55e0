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


PARTS = """
import torch

torch.manual_seed(0)
p = torch.nn.Parameter(torch.randn(3, dtype=torch.cfloat))
t = torch.randn(3, dtype=torch.cfloat)
optimizer = torch.optim.%s
for step in range(50):
    optimizer.zero_grad()
    loss = (torch.view_as_real(p - t) ** 2).sum()
    loss.backward()
    optimizer.step()
print(torch.view_as_real(p.detach()).flatten().tolist())
"""
COMPLEX_WEIGHTS = {
    "Adagrad([p], lr=0.05, initial_accumulator_value=0.5)": [
        *(0.5785236358642578, 0.30281564593315125, -0.9970681667327881),
        *(-0.08323881775140762, -0.44207215309143066, -0.4369266629219055),
    ],
    "NAdam([p], lr=0.05, weight_decay=0.1)": [
        *(0.25433358550071716, 0.5777357220649719, -0.4597654938697815),
        *(-0.2769604027271271, -0.40201714634895325, 0.14372272789478302),
    ],
    "RAdam([p], lr=0.05)": [
        *(0.539135754108429, 0.34095484018325806, -0.8837993144989014),
        *(-0.09253288805484772, -0.4513700008392334, -0.2926110625267029),
    ],
    "ASGD([p], lr=0.05, t0=20, lambd=0.01)": [
        *(0.2880392372608185, 0.5854231715202332, -0.5115163922309875),
        *(-0.2801724672317505, -0.42161595821380615, 0.12218926846981049),
    ],
    "Rprop([p], lr=0.05)": [
        *(0.28519827127456665, 0.5925631523132324, -0.5086193680763245),
        *(-0.28522229194641113, -0.4218858480453491, 0.12881360948085785),
    ],
}


@pytest.mark.parametrize("optimizer", COMPLEX_WEIGHTS)
def test_complex_weights_are_pytorchs(optimizer: str) -> None:
    answer = run_program(ProgramRequest(PARTS % optimizer), ROOMY)
    found = [float(one) for one in answer["printed"][-1].strip("[]").split(",")]
    assert found == pytest.approx(COMPLEX_WEIGHTS[optimizer], rel=2e-6)


def test_parts_of_complex_normal_numbers_are_rounded_once() -> None:
    source = """
import torch

torch.manual_seed(0)
print(torch.view_as_real(torch.randn(1, dtype=torch.cfloat)).tolist())
"""
    assert run_program(ProgramRequest(source), ROOMY)["printed"] == [
        "[[1.0896488428115845, -0.20748557150363922]]"
    ]
