"""Models that a loop makes one after the other: each is trained by itself, also later on.

Each text was printed by PyTorch 2.14.1.
"""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

MODEL = """import torch
from torch import nn
torch.manual_seed(0)
x = torch.tensor([[1., 2.], [3., -1.]])
def build():
    return nn.Sequential(*[m for _ in range(2) for m in (nn.Linear(2, 2), nn.Tanh())])
"""

ONE_AFTER_THE_OTHER = """for name in ["SGD", "Adam"]:
    net = build()
    opt = getattr(torch.optim, name)(net.parameters(), lr=0.1)
    for i in range(3):
        loss = (net(x) ** 2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print([round(p.sum().item(), 4) for p in net.parameters()])
"""

TRAINED_FURTHER = """pairs = []
for r in range(3):
    net = build()
    pairs.append((net, torch.optim.Adam(net.parameters(), lr=0.05)))
    for net, opt in pairs:
        for i in range(2):
            loss = (net(x) ** 2).sum()
            opt.zero_grad()
            loss.backward()
            opt.step()
print([[round(p.sum().item(), 4) for p in net.parameters()] for net, _ in pairs])
print([int(opt.state[net[0].weight]["step"]) for net, opt in pairs])
"""

LEAVES = """import torch
leaves = []
for i in range(6):
    w = torch.tensor(float(i), requires_grad=True)
    (w ** 2).backward()
    leaves.append(w)
for w in leaves:
    with torch.no_grad():
        w -= 0.25 * w.grad
print([w.item() for w in leaves])
"""


def printed(source: str) -> str:
    answer = run_program(ProgramRequest(source), ROOMY)
    assert [one["message"] for one in answer["diagnostics"] if one["severity"] == "error"] == []
    return "\n".join(answer["printed"]).rstrip()


def test_layers_made_in_one_place_are_all_trained_in_the_second_model_too() -> None:
    assert printed(MODEL + ONE_AFTER_THE_OTHER) == (
        "[-0.6128, -0.0324, 0.2665, 0.1477]\n[-1.5029, 0.6691, 0.5212, -0.0699]"
    )


def test_a_model_of_an_earlier_turn_is_trained_further_with_the_state_of_its_optimizer() -> None:
    assert printed(MODEL + TRAINED_FURTHER) == (
        "[[-0.7337, -0.0843, -0.0452, 0.1174], [-1.5284, 0.7074, 0.4734, 0.028], "
        "[-0.0544, -0.624, -0.4782, -0.9566]]\n[6, 4, 2]"
    )


def test_leaves_kept_from_turns_of_a_loop_are_changed_each_by_itself() -> None:
    assert printed(LEAVES) == "[0.0, 0.5, 1.0, 1.5, 2.0, 2.5]"
