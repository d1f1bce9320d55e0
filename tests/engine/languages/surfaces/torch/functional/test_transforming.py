"""What a function may not do that `torch.func` transforms: the messages of PyTorch 2.14.1."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

GIVEN = """import torch
from torch.func import grad, vmap
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return v * v
    @staticmethod
    def backward(ctx, g):
        return 2 * g * ctx.saved_tensors[0]
class Apart(torch.autograd.Function):
    @staticmethod
    def forward(v):
        return v * v
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
    @staticmethod
    def backward(ctx, g):
        return 2 * g * ctx.saved_tensors[0]
class Mapped(Apart):
    generate_vmap_rule = True
x = torch.tensor([1., 2.])
norm = torch.nn.BatchNorm1d(2)
try:
    print(CALL)
except RuntimeError as error:
    print(str(error)[:100])
"""

WITHOUT_SETUP = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it mu"
)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("grad(lambda v: Square.apply(v).sum())(x)", WITHOUT_SETUP),
        ("vmap(Square.apply)(x)", WITHOUT_SETUP),
        ("torch.autograd.functional.jacobian(Square.apply, x).diag()", "tensor([2., 4.])"),
        ("grad(lambda v: Apart.apply(v).sum())(x)", "tensor([2., 4.])"),
        (
            "vmap(Apart.apply)(x)",
            "You tried to vmap over Apart, but it does not have vmap support. Please override and implement "
            "the v",
        ),
        ("vmap(Mapped.apply)(x)", "tensor([1., 4.])"),
        (
            "grad(lambda v: norm(v).sum())(torch.ones(3, 2))",
            "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call in-place "
            "operat",
        ),
    ],
)
def test_a_function_that_is_transformed_is_refused_as_pytorch_refuses_it(call: str, text: str) -> None:
    answer = run_program(ProgramRequest(GIVEN.replace("CALL", call)), ROOMY)
    assert "\n".join(answer["printed"]).strip() == text[:100]
