"""Where tensors lie in memory, what a size makes, and what a file keeps of a tensor.

Each text was printed by PyTorch 2.14.1.
"""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY


def printed(source: str) -> str:
    """What a program of PyTorch prints."""
    return "\n".join(
        map(str, run_program(ProgramRequest(source=f"import torch\n{source}"), ROOMY)["printed"])
    )


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("v[1].data_ptr() - x.data_ptr()", "24"),
        ("x[2:].data_ptr() - x.data_ptr()", "16"),
        ("v.t().data_ptr() == x.data_ptr()", "True"),
        ("x.detach().data_ptr() == x.data_ptr()", "True"),
        ("x.clone().data_ptr() == x.data_ptr()", "False"),
        ("torch.empty(0).data_ptr()", "0"),
        ("torch.from_numpy(a).data_ptr() == torch.as_tensor(a).data_ptr()", "True"),
        ("torch.from_numpy(a[1:]).data_ptr() - torch.from_numpy(a).data_ptr()", "8"),
        ("torch.tensor(a).data_ptr() == torch.from_numpy(a).data_ptr()", "False"),
        ("v[1].untyped_storage().nbytes(), v[1].nbytes", "48 24"),
        ("v.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()", "True"),
    ],
)
def test_tensors_of_one_memory_have_addresses_that_say_so(expression: str, text: str) -> None:
    source = (
        f"import numpy as np\nx = torch.arange(6)\nv = x.view(2, 3)\na = np.zeros(4)\nprint({expression})"
    )
    assert printed(source) == text


@pytest.mark.parametrize("made", ["torch.FloatTensor(s)", "torch.Tensor(s)", "torch.ones(1).new(s)"])
def test_a_size_makes_a_tensor_of_that_size_and_not_of_its_numbers(made: str) -> None:
    assert printed(f"s = torch.zeros(2, 3).size()\nprint({made}.normal_().shape)") == "torch.Size([2, 3])"


def test_a_tuple_makes_a_tensor_of_its_numbers() -> None:
    assert (
        printed("print(torch.FloatTensor((2, 3)), torch.ones(1).new([2]))") == "tensor([2., 3.]) tensor([2.])"
    )


def test_a_file_keeps_of_a_result_its_numbers_and_that_it_requires_gradients() -> None:
    source = """w = torch.ones(2, requires_grad=True)
y = (w * 3).sum()
y.backward()
torch.save({"loss": y, "w": w, "half": torch.ones(2, dtype=torch.bfloat16)}, "checkpoint.pt")
c = torch.load("checkpoint.pt")
print(c["loss"], c["loss"].is_leaf, c["w"], c["w"].grad, c["half"])"""
    assert printed(source) == (
        "tensor(6., requires_grad=True) True tensor([1., 1.], requires_grad=True) None "
        "tensor([1., 1.], dtype=torch.bfloat16)"
    )


def test_a_deep_copy_of_bfloat16_is_bfloat16() -> None:
    source = "import copy\nprint(copy.deepcopy(torch.ones(1, dtype=torch.bfloat16)).dtype)"
    assert printed(source) == "torch.bfloat16"


def test_the_norm_of_all_gradients_together_has_no_gradient() -> None:
    source = "w = torch.tensor([3., 4.], requires_grad=True)\nprint(torch.nn.utils.get_total_norm([w]))"
    assert printed(source) == "tensor(5.)"


def test_a_histogram_has_a_hundred_bins_where_none_are_named() -> None:
    assert printed("print(torch.histogram(torch.arange(10.)).bin_edges.shape)") == "torch.Size([101])"


@pytest.mark.parametrize(
    ("window", "text"),
    [
        ("(2,), (1,)", "tensor([2., 3.])"),
        ("(2,), (1,), 2", "tensor([2., 3.])"),
        ("(2,), (2,), 3", "tensor([3., 5.])"),
    ],
)
def test_a_window_on_a_view_begins_where_the_memory_says(window: str, text: str) -> None:
    assert printed(f"print(torch.arange(6.)[2:].as_strided({window}))") == text


def test_a_window_before_a_view_is_refused() -> None:
    found = run_program(
        ProgramRequest(source="import torch\ntorch.arange(6.)[2:].as_strided((2,), (1,), 0)"), ROOMY
    )
    assert "as_strided beyond what a view shows" in found["diagnostics"][0]["message"]


def test_a_part_by_steps_is_exchanged_and_receives_its_gradient() -> None:
    source = """s = torch.ones(2, requires_grad=True)
y = torch.as_strided_scatter(torch.zeros(4), s, (2,), (2,), 1)
(y * torch.arange(4.)).sum().backward()
print(y, s.grad)"""
    assert printed(source) == (
        "tensor([0., 1., 0., 1.], grad_fn=<AsStridedScatterBackward0>) tensor([1., 3.])"
    )


TWO = "a, b = (torch.tensor([n, n + 1.], requires_grad=True) for n in (1., 5.))\n"


def test_data_exchanges_the_memory_of_two_tensors_and_leaves_the_old_as_it_was() -> None:
    source = f"""{TWO}old = a.data
a.data, b.data = b.data, a.data
t = torch.zeros(2)
a.data = t
t += 7
with torch.no_grad():
    a.mul_(2)
print(a.tolist(), t.tolist(), b.tolist(), old.tolist())"""
    assert printed(source) == "[14.0, 14.0] [14.0, 14.0] [1.0, 2.0] [1.0, 2.0]"


def test_the_state_of_an_optimizer_goes_with_a_parameter_to_other_memory() -> None:
    source = f"""{TWO}a.data, b.data = torch.full((2,), 14.), a.data
opt = torch.optim.Adam([a, b], lr=0.1)
for i in range(4):
    opt.zero_grad()
    ((a + 2 * b) ** 2).sum().backward()
    opt.step()
    if i == 1:
        a.data, b.data = b.data, a.data
print([round(v, 3) for v in a.tolist() + b.tolist()])"""
    assert printed(source) == "[0.603, 1.602, 13.603, 13.602]"


def test_a_module_that_becomes_double_is_trained_further() -> None:
    source = """net = torch.nn.Linear(2, 1)
torch.nn.init.ones_(net.weight)
opt = torch.optim.SGD(net.parameters(), lr=0.25)
for i in range(3):
    opt.zero_grad()
    net(torch.ones(1, 2, dtype=net.weight.dtype)).sum().backward()
    opt.step()
    if i == 0:
        net.double()
print(net.weight.tolist(), net.weight.dtype)"""
    assert printed(source) == "[[0.25, 0.25]] torch.float64"
