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


def test_a_full_backward_hook_sees_the_gradients_of_input_and_output_and_may_exchange_the_first() -> None:
    source = """
double = nn.Linear(1, 1, bias=False)
double.weight.data.fill_(2.0)
double.register_full_backward_hook(lambda m, i, o: print(i[0].item(), o[0].item()) or (i[0] * 10,))
x = torch.tensor([[3.0]], requires_grad=True)
(double(x) * 5).sum().backward()
print(x.grad.item())
"""
    assert printed(source) == ["10.0 5.0", "100.0"]  # 2 * 5, and ten times as much


def test_a_packed_sequence_goes_through_a_layer_without_its_padding() -> None:
    source = """
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
layer = nn.RNN(1, 1, nonlinearity="relu", batch_first=True)
for p in layer.parameters():
    p.data.fill_(1.0)
x = torch.tensor([[[1.0], [7.0]], [[1.0], [1.0]]])
packed = pack_padded_sequence(x, torch.tensor([1, 2]), batch_first=True, enforce_sorted=False)
out, h = layer(packed)
padded, lengths = pad_packed_sequence(out, batch_first=True)
print(padded.flatten().tolist(), h.flatten().tolist(), lengths.tolist())
"""
    # h = x + 2 + h before: 1 + 2 = 3, and then 1 + 2 + 3 = 6; the 7 is padding
    assert printed(source) == ["[3.0, 0.0, 3.0, 6.0] [3.0, 6.0] [1, 2]"]


def test_an_embedding_bag_sums_or_averages_the_rows_of_each_bag() -> None:
    source = """
table = torch.tensor([[1.0], [2.0], [4.0]], requires_grad=True)
print(F.embedding_bag(torch.tensor([0, 2, 1]), table, torch.tensor([0, 2]), mode="sum").flatten().tolist())
F.embedding_bag(torch.tensor([[0, 2]]), table, mode="mean").sum().backward()
print(table.grad.flatten().tolist())
"""
    assert printed(source) == ["[5.0, 2.0]", "[0.5, 0.0, 0.5]"]


def test_a_convolution_can_be_differentiated_twice() -> None:
    source = """
x = torch.tensor([[[[1.0, 2.0]]]], requires_grad=True)
w = torch.tensor([[[[3.0, 5.0]]]], requires_grad=True)
(g,) = torch.autograd.grad((F.conv2d(x, w) ** 2).sum(), x, create_graph=True)
print(g.flatten().tolist(), torch.autograd.grad(g.sum(), w)[0].flatten().tolist())
"""
    # y = 3 + 10 = 13; dy²/dx = 2 y w = (78, 130); its sum 2 y (w1 + w2) has the gradient 2 x 8 + 2 y
    assert printed(source) == ["[78.0, 130.0] [42.0, 58.0]"]


def test_a_mask_of_later_places_is_minus_infinity_above_the_diagonal() -> None:
    lines = printed("print(nn.Transformer.generate_square_subsequent_mask(2).tolist())")
    assert lines == ["[[0.0, -inf], [0.0, 0.0]]"]


def test_a_data_parallel_module_without_graphics_cards_is_the_module_itself() -> None:
    lines = printed("net = nn.DataParallel(nn.Linear(1, 1))\nprint(list(net.state_dict()), net.module)")
    assert lines == [
        "['module.weight', 'module.bias'] Linear(in_features=1, out_features=1, bias=True)",
    ]


def test_the_triangle_of_a_matrix_of_infinities_has_zeros_elsewhere() -> None:
    lines = printed("print(torch.triu(torch.full((2, 2), float('-inf')), diagonal=1).tolist())")
    assert lines == ["[[0.0, -inf], [0.0, 0.0]]"]
