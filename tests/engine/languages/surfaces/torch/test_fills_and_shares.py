"""Filling with a number that is a tensor, infinite gradients of the largest, and names of devices.

Each text was printed by PyTorch 2.14.1.
"""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from gradlens.run import program_limits

FILLED = """import torch
x = torch.tensor([1., 2., 3.], requires_grad=True)
v = torch.tensor(5., requires_grad=True)
mask = torch.tensor([True, False, True])
"""


def answered(source: str) -> dict[str, object]:
    """What a program of PyTorch gives."""
    return run_program(ProgramRequest(source=source), program_limits())


def printed(source: str) -> str:
    """What a program of PyTorch prints."""
    lines = answered(source)["printed"]
    assert isinstance(lines, list)
    return "\n".join(map(str, lines))


@pytest.mark.parametrize(
    ("filled", "node"),
    [
        ("x.masked_fill(mask, v)", "MaskedFillBackward1"),
        ("(x * 1).masked_fill_(mask, v)", "MaskedFillBackward1"),
        ("x.index_fill(0, torch.tensor([0, 2]), v)", "IndexFillBackward1"),
    ],
)
def test_a_number_that_fills_receives_the_gradient_of_all_its_places(filled: str, node: str) -> None:
    source = f"""y = {filled}
print(y)
(y * torch.tensor([1., 2., 3.])).sum().backward()
print(x.grad, v.grad)"""
    assert (
        printed(FILLED + source) == f"tensor([5., 2., 5.], grad_fn=<{node}>)\ntensor([0., 2., 0.]) tensor(4.)"
    )


def test_a_number_that_fills_has_no_axes() -> None:
    source = "try:\n    x.masked_fill(mask, torch.tensor([7.]))\nexcept RuntimeError as e:\n    print(e)"
    said = "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with 1 dimension(s)."
    assert printed(FILLED + source) == said


@pytest.mark.parametrize(
    ("function", "limit", "shown"), [("max", 3, "[0., inf, 0.]"), ("median", 2, "[0., 0., inf]")]
)
def test_an_infinite_gradient_goes_to_the_chosen_element_alone(function: str, limit: int, shown: str) -> None:
    source = f"""import torch
x = torch.tensor([1., 3., 2.], requires_grad=True)
(x.{function}() - {limit}).sqrt().backward()
print(x.grad)"""
    assert printed(source) == f"tensor({shown})"


def test_a_device_that_there_is_not_is_refused_wherever_it_is_named() -> None:
    source = "import torch\ntry:\n    torch.ones(2, device='foo')\nexcept RuntimeError as e:\n    print(e)"
    assert printed(source).endswith("device type at start of device string: foo")


def test_a_tensor_on_another_device_is_noted() -> None:
    found = answered("import torch\nx = torch.ones(2, device='cuda')")["diagnostics"]
    assert isinstance(found, list)
    assert [one["code"] for one in found] == ["only_cpu"]


def test_resize_keeps_the_first_elements() -> None:
    source = "import torch\nx = torch.arange(6)\nprint(x.resize_(2, 2))\nprint(x.shape, x._version)"
    assert printed(source) == "tensor([[0, 1],\n        [2, 3]])\ntorch.Size([2, 2]) 1"


def test_an_inference_tensor_counts_no_changes() -> None:
    source = """import torch
with torch.inference_mode():
    x = torch.zeros(2)
try:
    x._version
except RuntimeError as e:
    print(e)"""
    assert printed(source) == "Inference tensors do not track version counter."


def test_methods_in_double_underscores_are_their_operators() -> None:
    source = "print((3.14159).__round__(2), 'abc'.__contains__('b'), (5).__neg__(), [1, 2].__contains__(3))"
    assert printed(f"import torch\n{source}") == "3.14 True -5 False"
