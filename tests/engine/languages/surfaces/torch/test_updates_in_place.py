"""Long loops without a pass backward: where there are many nodes, a change in place ends a turn.

Each text was printed by PyTorch 2.14.1.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

BY_HAND = """import torch
x = torch.linspace(-1, 1, 8)
y = 2 * x + 1
w, b = torch.tensor(0.), torch.tensor(0.)
history = []
for step in range(40):
    error = w * x + b - y
    history.append((error ** 2).mean())
    w -= 0.2 * (2 * error * x).mean()
    b -= 0.2 * (2 * error).mean()
print(w, b, history[0], history[20])"""

NOTED = """import torch
w = torch.tensor(0.9, requires_grad=True)
h = torch.tensor(0.1)
seen, kept = torch.zeros(60), []
for i in range(60):
    h = torch.tanh(w * h + 0.01 * i)
    seen[i] = h.detach()
    kept.append(h)
(sum(kept) + kept[3] * kept[50]).backward()
print(w.grad, seen[:3], kept[10])"""

ON_A_GRID = """import torch
grid, old = torch.zeros(4), []
grid[1:3] = 1.
for t in range(40):
    old.append(grid.clone())
    grid[1:-1] += 0.1 * (grid[2:] + grid[:-2] - 2 * grid[1:-1])
print(grid, old[5], old[39])"""

WITHOUT_GRADIENTS = """import torch
data = torch.arange(40) % 7
table = (torch.arange(49.) / 10).view(7, 7).sin().requires_grad_()
losses = torch.zeros(25)
with torch.no_grad():
    for k in range(25):
        x = torch.stack([data[i:i + 3] for i in torch.tensor([k, k + 5])])
        y = torch.stack([data[i + 1:i + 4] for i in torch.tensor([k, k + 5])])
        losses[k] = torch.nn.functional.cross_entropy(table[x].view(-1, 7), y.view(-1)).item()
print(losses[:3], losses.mean(), x)"""

ROW_BY_ROW = """import torch
torch.manual_seed(0)
table = torch.ones(9, 3)
with torch.no_grad():
    for i in range(40):
        codes = torch.randint(9, (6,))
        rows, grad = (table[codes] * 0.1).tanh(), torch.zeros_like(table)
        for k in range(6):
            row = codes[k]
            grad[row] += rows[k]
        table.data += -0.5 * grad
print(table.sum(), table[1], grad[4])"""

COMPUTED_BEFORE = """import torch
pairs = [(torch.tensor([i % 3, i % 5]).long().view(-1, 1), torch.tensor(i).float() / 40) for i in range(40)]
table = torch.full((5, 2), 0.5, requires_grad=True)
for codes, wanted in pairs:
    loss = 0
    for k in range(2):
        loss += (table[codes[k]].sum() - wanted) ** 2
    loss.backward()
    with torch.no_grad():
        table -= 0.1 * table.grad
    table.grad = None
print(table, loss)"""


@pytest.mark.parametrize(
    ("source", "nodes", "text"),
    [
        (BY_HAND, 250, "tensor(1.9989) tensor(1.0000) tensor(2.7143) tensor(0.0009)"),
        (
            NOTED,
            1600,
            "tensor(33.0427) tensor([0.0898, 0.0905, 0.1011]) tensor(0.3919, grad_fn=<TanhBackward0>)",
        ),
        (
            ON_A_GRID,
            800,
            "tensor([0.0000, 0.0148, 0.0148, 0.0000]) tensor([0.0000, 0.5905, 0.5905, 0.0000]) "
            "tensor([0.0000, 0.0164, 0.0164, 0.0000])",
        ),
        (
            WITHOUT_GRADIENTS,
            500,
            "tensor([2.0440, 1.9911, 2.0306]) tensor(2.0399) tensor([[3, 4, 5],\n        [1, 2, 3]])",
        ),
        (
            ROW_BY_ROW,
            1500,
            "tensor(6.8398) tensor([0.2445, 0.2445, 0.2445]) tensor([0.0271, 0.0271, 0.0271])",
        ),
        (
            COMPUTED_BEFORE,
            800,
            "tensor([[0.4484, 0.4484],\n        [0.4348, 0.4348],\n        [0.4473, 0.4473],\n"
            "        [0.3916, 0.3916],\n        [0.4039, 0.4039]], requires_grad=True) "
            "tensor(0.0946, grad_fn=<AddBackward0>)",
        ),
    ],
    ids=[
        *("gradients worked out by hand", "a history that is noted", "a grid", "losses that are noted"),
        *("a gradient of rows, one after the other", "examples computed before the loop"),
    ],
)
def test_a_loop_that_changes_tensors_in_place_goes_on(source: str, nodes: int, text: str) -> None:
    found = run_program(ProgramRequest(source=source), replace(ROOMY, nodes=nodes))
    assert "\n".join(map(str, found["printed"])) == text


def test_a_loop_that_changes_nothing_in_place_is_stopped() -> None:
    source = "import torch\nx = torch.ones(())\nwhile x > 0:\n    x = x + 1"
    found = run_program(ProgramRequest(source=source), replace(ROOMY, nodes=200))
    assert [note["code"] for note in found["diagnostics"]] == ["node_limit"]
