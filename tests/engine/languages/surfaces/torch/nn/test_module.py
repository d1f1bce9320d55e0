"""Facts of modules that can be checked by hand."""

from __future__ import annotations

from typing import Any

from engine.execution.budget import Limits
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request
from engine.programs.service import run_program

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"


def printed(source: str, **request: Any) -> list[str]:
    """What a program prints. Fails where it is stopped."""
    outcome = run_request(ProgramRequest(HEAD + source, dialect="torch", **request), Limits(wall_s=60.0))
    assert [one.message for one in outcome.diagnostics if one.severity == "error"] == []
    return [str(line) for line in outcome.printed]


def test_a_linear_layer_multiplies_by_the_transposed_weight() -> None:
    source = """
layer = nn.Linear(2, 1)
layer.weight.data = torch.tensor([[2.0, 3.0]])
layer.bias.data = torch.tensor([0.5])
print(layer(torch.tensor([1.0, 10.0])).item())
"""
    assert printed(source) == ["32.5"]  # 2 * 1 + 3 * 10 + 0.5


def test_dropout_scales_what_is_left_so_that_the_mean_stays() -> None:
    lines = printed("torch.manual_seed(1)\nprint(F.dropout(torch.ones(8), 0.5).tolist())")
    assert set(lines[0].strip("[]").split(", ")) == {"0.0", "2.0"}


def test_a_request_has_numbers_of_its_own_where_the_program_sets_no_seed() -> None:
    one, other = (printed("print(torch.rand(3).tolist())", seed=seed) for seed in (0, 1))
    assert one != other
    assert one == printed("torch.manual_seed(0)\nprint(torch.rand(3).tolist())")


def test_the_gradient_of_a_convolution_can_be_differentiated_again() -> None:
    source = """
x = torch.tensor([[[1.0, 2.0, 3.0]]], requires_grad=True)
w = torch.tensor([[[1.0, -1.0]]], requires_grad=True)
y = (F.conv1d(x, w) ** 2).sum()
(g,) = torch.autograd.grad(y, w, create_graph=True)
(h,) = torch.autograd.grad(g[0, 0, 0], w)
print(g.tolist(), h.tolist())
"""
    # y = (a + 2b)**2 + (2a + 3b)**2; dy/da = 2 (a + 2b) + 4 (2a + 3b), d2y/da2 = 10, d2y/dadb = 16
    assert printed(source) == ["[[[-6.0, -10.0]]] [[[10.0, 16.0]]]"]


def test_each_update_of_an_optimizer_is_one_node_of_the_graph() -> None:
    source = """
layer = nn.Linear(1, 1)
opt = torch.optim.Adam(layer.parameters(), lr=0.1)
for i in range(5):
    opt.zero_grad()
    loss = layer(torch.ones(4, 1)).pow(2).mean()
    loss.backward()
    opt.step()
"""
    outcome = run_request(ProgramRequest(HEAD + source, dialect="torch"), Limits(wall_s=60.0))
    updates = [node for node in outcome.workspace.graph.nodes if node.op.name == "ApplyTorchAdam"]
    assert len(updates) == 2  # of the weight and of the bias, the same in all five steps
    assert {node.phase for node in updates} == {"update"}
    assert len(outcome.workspace.updates) == 1


def test_a_module_that_does_not_call_its_base_says_what_to_write() -> None:
    source = "class Net(nn.Module):\n    def __init__(self):\n        self.a = 1\nNet()(torch.ones(1))"
    outcome = run_request(ProgramRequest(HEAD + source, dialect="torch"), Limits(wall_s=60.0))
    (error,) = [one for one in outcome.diagnostics if one.severity == "error"]
    assert error.message == "cannot assign module before Module.__init__() call"
    assert error.hint == "Write super().__init__() as the first line of __init__."


def test_an_update_that_ran_is_not_called_unused() -> None:
    source = """
layer = nn.Linear(1, 1)
opt = torch.optim.SGD(layer.parameters(), lr=0.1)
layer(torch.ones(4, 1)).pow(2).mean().backward()
opt.step()
"""
    answer = run_program(ProgramRequest(HEAD + source, dialect="torch"), Limits(wall_s=60.0))
    assert answer["diagnostics"] == []


def test_a_deep_copy_keeps_its_numbers_while_training_goes_on() -> None:
    source = """
import copy
layer = nn.Linear(1, 1)
nn.init.constant_(layer.weight, 2.0)
best = copy.deepcopy(layer.state_dict())
with torch.no_grad():
    layer.weight.zero_()
print(best["weight"].item(), layer.weight.item())
"""
    assert printed(source) == ["2.0 0.0"]
