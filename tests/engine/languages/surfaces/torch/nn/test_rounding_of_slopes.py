"""How often the slopes of activations are rounded (asked of PyTorch 2.14.1)."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

TANH = """import torch
x = torch.linspace(-2, 2, 32).requires_grad_()
y = torch.tanh(x)
y.sum().backward()
once = (1 - y.double() ** 2).float()
print(torch.equal(x.grad, once), torch.equal(x.grad, 1 - y * y))"""


def test_one_minus_the_square_of_tanh_is_rounded_once() -> None:
    assert run_program(ProgramRequest(TANH, dialect="torch"))["printed"] == ["True False"]
