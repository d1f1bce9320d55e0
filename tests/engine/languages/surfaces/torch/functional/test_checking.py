"""`gradcheck` calls what it checks as often as PyTorch does, and finds what it finds (PyTorch 2.14.1)."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

COUNTED = """
import torch
calls = 0
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        global calls
        calls += 1
        return 2 * ctx.saved_tensors[0] * g
x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(Square.apply, (x,)), calls)
calls = 0
print(torch.autograd.gradgradcheck(Square.apply, (x,)), calls)
"""
FUNCTION = """
import torch
torch.manual_seed(0)
calls = 0
def f(x, y):
    global calls
    calls += 1
    return x * y, x.sin()
x, y = (torch.tensor([a, a + 1.0], dtype=torch.float64, requires_grad=True) for a in (1.0, 3.0))
print(torch.autograd.gradcheck(f, (x, y)), calls)
print(torch.autograd.gradgradcheck(f, (x, y)), calls)
print(torch.rand(2))
"""
NOT_ZERO = """
import torch
class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return 2 * g + (g == 0).all() * 1.0
x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(Wrong.apply, (x,), raise_exception=False))
torch.autograd.gradcheck(Wrong.apply, (x,))
"""


def printed(source: str) -> list[str]:
    """What a program prints."""
    lines: list[str] = run_program(ProgramRequest(source), ROOMY)["printed"]
    return lines


def test_a_backward_of_the_program_is_called_as_often_as_by_pytorch() -> None:
    assert printed(COUNTED) == ["True 6", "True 10"]


def test_a_function_of_the_program_is_called_as_often_and_numbers_are_drawn_alike() -> None:
    assert printed(FUNCTION) == ["True 12", "True 33", "tensor([0.4556, 0.6323])"]


def test_a_gradient_that_is_not_zero_where_none_comes_in_is_found() -> None:
    answer = run_program(ProgramRequest(NOT_ZERO), ROOMY)
    assert answer["printed"] == ["False"]
    assert answer["diagnostics"][-1]["message"] == "backward not multiplied by grad_output"
