"""Cases at the edge of a function's domain, as PyTorch 2.14.1 prints them."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

PRINTED = {
    "print(torch.empty(0).median(), torch.empty(0, dtype=torch.int64).median())": (
        "tensor(nan) tensor(-9223372036854775808)"
    ),
    "x = torch.tensor([0.0, 0.5], requires_grad=True)\ntorch.sinc(x).sum().backward()\nprint(x.grad)": (
        "tensor([ 0.0000, -1.2732])"
    ),
    "d = torch.distributions.Categorical(torch.ones(1, 2))\nprint(d.enumerate_support().tolist())": (
        "[[0], [1]]"
    ),
    "a = torch.ones(2, 3, requires_grad=True)\nprint(torch.linalg.multi_dot([a[0], torch.ones(3, 1)]))": (
        "tensor([3.], grad_fn=<ViewBackward0>)"
    ),
}
OUT_OF_BOUNDS = {
    "x[None, 5]": "index 5 is out of bounds for dimension 1 with size 2",
    "x[0, None, 7]": "index 7 is out of bounds for dimension 2 with size 3",
    "x[..., 9]": "index 9 is out of bounds for dimension 1 with size 3",
}


@pytest.mark.parametrize("source", PRINTED)
def test_what_is_printed(source: str) -> None:
    assert run_program(ProgramRequest(f"import torch\n{source}"), ROOMY)["printed"] == [PRINTED[source]]


@pytest.mark.parametrize("subscript", OUT_OF_BOUNDS)
def test_a_place_out_of_bounds_is_named_by_its_place_in_the_subscript(subscript: str) -> None:
    source = f"import torch\nx = torch.ones(2, 3)\nprint({subscript})"
    (error,) = run_program(ProgramRequest(source), ROOMY)["diagnostics"]
    assert error["message"] == OUT_OF_BOUNDS[subscript]


CHANGED = """
import torch
x = torch.tensor([0.5, -2.0], requires_grad=True)
y = (x * 2).{0}_()
y.add_(x)
y.sum().backward()
"""


@pytest.mark.parametrize(("name", "of"), [("relu", "Relu"), ("sigmoid", "Sigmoid"), ("exp", "Exp")])
def test_a_result_that_a_function_keeps_may_not_be_changed_afterwards(name: str, of: str) -> None:
    (error,) = run_program(ProgramRequest(CHANGED.format(name)), ROOMY)["diagnostics"]
    assert (
        "modified by an inplace operation: [torch.FloatTensor [2]], which is output 0 of "
        f"{of}, is at version 2; expected version 1 instead."
    ) in error["message"]
