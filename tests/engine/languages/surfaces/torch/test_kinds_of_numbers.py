"""What kinds of numbers functions of PyTorch take, each line asked of PyTorch 2.13.0."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from gradlens.run import program_limits

PRINTED = (
    ("torch.tensor([2, -1, 3]) ** torch.tensor([-1, -3, 2])", "tensor([ 0, -1,  9])"),
    ("3 ** torch.tensor([1, -2])", "tensor([3, 0])"),
    ("torch.tensor([1, -2]) << torch.tensor([3, 1])", "tensor([ 8, -4])"),
    ("torch.tensor([-8, 8]) >> 2", "tensor([-2,  2])"),
    ("torch.clamp_min(torch.tensor([1, 3]), 2.5)", "tensor([2.5000, 3.0000])"),
    ("torch.clamp_min(torch.tensor([1.0, 3.0]), torch.tensor([2.0, 0.0]))", "tensor([2., 3.])"),
    ("torch.clamp_max(torch.tensor([1.0, 3.0]), torch.tensor(2.0))", "tensor([1., 2.])"),
    ("torch.fmax(torch.ones(2, 1), torch.tensor([0.0, 2.0]))", "tensor([[1., 2.],\n        [1., 2.]])"),
    ("torch.dist(torch.tensor([3, 0]), torch.tensor([0.0, 4.0]))", "tensor(5.)"),
    ("torch.flip(torch.tensor([1, 2]), ())", "tensor([1, 2])"),
    ("torch.roll(torch.tensor([1, 2, 3]), (1,))", "tensor([3, 1, 2])"),
    ("torch.tensor([[True, False]]).max(1).values", "tensor([True])"),
    ("torch.tensor([True, False]).sort().values", "tensor([False,  True])"),
    ("torch.tensor([True, False]).amax()", "tensor(True)"),
    (
        "torch.nansum(torch.tensor([1.0, float('nan')]), dtype=torch.float64)",
        "tensor(1., dtype=torch.float64)",
    ),
)
REFUSED = (
    ("1 - torch.tensor([True])", "Subtraction, the `-` operator, with a bool tensor is not supported."),
    ("torch.ones(2) * [1.0, 2.0]", "only integer tensors of a single element can be converted to an index"),
    ("torch.ones(2) << 1", "\"lshift_cpu\" not implemented for 'Float'"),
    ("torch.ones(2) & 1", "\"bitwise_and_cpu\" not implemented for 'Float'"),
    ("torch.tensor([True]).floor()", "\"floor_vml_cpu\" not implemented for 'Bool'"),
    ("torch.masked_select(torch.ones(2), torch.ones(2))", "masked_select: expected BoolTensor for mask"),
    ("torch.topk(torch.ones(2), -1)", "selected index k out of range"),
    ("torch.unique(torch.ones(2), 0)", "_unique2(): argument 'sorted' must be bool, not int"),
    (
        "torch.ones(3).unflatten(0, (2, 2))",
        "unflatten: Provided sizes [2, 2] don't multiply up to the size of dim 0 (3) in the input tensor",
    ),
)


def printed(source: str) -> str:
    """What a program of PyTorch prints."""
    answer = run_program(ProgramRequest(source=source, dialect="auto"), program_limits())
    return "\n".join(map(str, answer["printed"]))


@pytest.mark.parametrize(("expression", "shown"), PRINTED)
def test_a_function_gives_what_pytorch_gives(expression: str, shown: str) -> None:
    assert printed(f"import torch\nprint({expression})") == shown


@pytest.mark.parametrize(("expression", "message"), REFUSED)
def test_a_function_refuses_in_the_words_of_pytorch(expression: str, message: str) -> None:
    caught = f"import torch\ntry:\n    {expression}\nexcept Exception as error:\n    print(error)"
    assert printed(caught).startswith(message)


def test_the_larger_of_a_number_and_a_bound_gets_the_gradient() -> None:
    program = """import torch
x = torch.tensor([1.0, 3.0], requires_grad=True)
low = torch.tensor([2.0, 2.0], requires_grad=True)
y = torch.clamp_min(x, low)
y.sum().backward()
print(y.grad_fn.name(), x.grad, low.grad)"""
    assert printed(program) == "ClampMinBackward1 tensor([0., 1.]) tensor([1., 0.])"


def test_memory_that_is_read_as_other_numbers_is_not_changed() -> None:
    """PyTorch shows the change in both; here they are two memories, so neither may change."""
    begin = "import torch\nx = torch.ones(2)\nbits = x.view(torch.int32)\nprint(bits.clone().add_(1))\n"
    for change in ("x.add_(1)", "bits[0] = 0"):
        answer = run_program(ProgramRequest(source=begin + change, dialect="auto"), program_limits())
        assert answer["printed"] == ["tensor([1065353217, 1065353217], dtype=torch.int32)"]
        assert [one["message"] for one in answer["diagnostics"]] == [
            "Changing memory that x.view(dtype) reads as numbers of another type is not supported."
        ]
