"""A PyTorch program begins with the numbers given for its variables; expected values are PyTorch's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

BEGIN = "import torch\nfrom torch import nn\n"


def answer(source: str, at: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a program with numbers for its variables."""
    return run_program(ProgramRequest(BEGIN + source, at=at), ROOMY)


def codes(source: str, at: Mapping[str, Any]) -> list[str]:
    """The codes of what is said about it."""
    return [one["code"] for one in answer(source, at)["diagnostics"]]


@pytest.mark.parametrize(
    ("source", "at", "printed"),
    [
        (
            "x = torch.tensor(3.0, requires_grad=True)\nprint(x)\ny = x**2\ny.backward()\n"
            "print(y.item(), x.grad)",
            {"x": 5.0},
            ["tensor(5., requires_grad=True)", "25.0 tensor(10.)"],
        ),
        (
            "x = torch.tensor([1.0, 2.0])\nx.requires_grad_()\n(x**2).sum().backward()\nprint(x.grad)",
            {"x": [3.0, 4.0]},
            ["tensor([6., 8.])"],
        ),
        (
            "a, b = (torch.tensor(n, requires_grad=True) for n in (1.0, 2.0))\n(a * b**2).backward()\n"
            "print(a.grad, b.grad)",
            {"a": 3.0, "b": 4.0},
            ["tensor(16.) tensor(24.)"],
        ),
        (
            "w = nn.Parameter(torch.randn(2) * 0.1)\n(w * w).sum().backward()\nprint(w.grad)",
            {"w": [3, 4]},
            ["tensor([6., 8.])"],
        ),
        (
            "m = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))\nfor p in m.parameters():\n"
            "    nn.init.constant_(p, 0.5)\nm(torch.ones(1)).sum().backward()\n"
            "print(m[0].weight.data, m[1].weight.grad)",
            {"m.0.weight": [[3.0]]},
            ["tensor([[3.]]) tensor([[3.5000]])"],
        ),
        (
            "def main():\n    w = [torch.ones(1, requires_grad=True) for _ in range(2)]\n"
            "    (w[0] * w[1] ** 2).sum().backward()\n    print(w[0].grad, w[1].grad)\nmain()",
            {"Variable": [5.0], "Variable_1": [7.0]},
            ["tensor([49.]) tensor([70.])"],
        ),
    ],
    ids=["tensor", "asked later", "several names", "parameter", "model", "without names"],
)
def test_what_is_printed_is_of_the_numbers_given(
    source: str, at: Mapping[str, Any], printed: list[str]
) -> None:
    found = answer(source, at)
    assert (found["printed"], found["diagnostics"]) == (printed, [])


TRAINING = """
x = torch.linspace(-1, 1, 20).reshape(-1, 1)
model = nn.Linear(1, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for epoch in range(12):
    optimizer.zero_grad()
    loss = nn.MSELoss()(model(x), 2 * x + 1)
    loss.backward()
    optimizer.step()
    if epoch in (0, 11):
        print(f"{loss.item():.6f}")
"""


def test_a_program_that_trains_itself_begins_with_them_and_says_so() -> None:
    found = answer(TRAINING, {"model.weight": [[0.5]], "model.bias": [0.1]})
    assert found["printed"] == ["1.638947", "0.080202"]
    bound = {one["name"]: one["value"] for one in found["bindings"] if "value" in one}
    assert bound["loss"]["data"] == pytest.approx(0.080202, abs=1e-6)
    (note,) = found["diagnostics"]
    assert note["code"] == "trained_since"
    assert "`model.bias`, `model.weight`" in note["message"]


def test_a_value_of_another_shape_is_refused() -> None:
    found = answer("w = torch.ones(2, requires_grad=True)\n(w**2).sum().backward()", {"w": 5.0})
    (error,) = found["diagnostics"]
    assert error["message"] == "The value given for `w` has shape (), but the variable has (2,)."
    assert error["line"] == 3


APPENDED = """
w = []
for _ in range(2):
    w.append(torch.ones(1, requires_grad=True))
y = (w[0] * w[1]).sum()
y.backward()
print(w[1].grad)
"""


def test_where_a_variable_is_not_assigned_to_a_name_the_answer_says_whose_numbers_are_printed() -> None:
    found = answer(APPENDED, {"w[0]": [5.0]})
    assert found["printed"] == ["tensor([1.])"]
    assert [one["code"] for one in found["diagnostics"]] == ["value_for_lesson"]


def test_a_name_that_a_loop_binds_to_one_parameter_after_another_is_given_nothing() -> None:
    source = "m = nn.Linear(2, 1)\nfor p in m.parameters():\n    pass\nm(torch.ones(2)).sum().backward()"
    assert codes(source, {"p": [9.0]}) == ["value_for_lesson"]
