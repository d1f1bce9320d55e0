"""`resize_as_`, `torch.functional`, and writers of TensorBoard: what PyTorch prints for the same lines."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("torch.ones(4).resize_as_(torch.zeros(2, 2))", "tensor([[1., 1.],\n        [1., 1.]])"),
        ("torch.ones(6).new().resize_as_(torch.ones(2)).zero_()", "tensor([0., 0.])"),
        ("F.norm(torch.tensor([3., 4.])), F.split(torch.arange(4), 2)[1]", "tensor(5.) tensor([2, 3])"),
        ("torch.functional.einsum('i,i->', torch.ones(2), torch.ones(2))", "tensor(2.)"),
    ],
)
def test_older_names_of_torch(expression: str, expected: str) -> None:
    answer = run_program(ProgramRequest(f"import torch\nimport torch.functional as F\nprint({expression})"))
    assert "\n".join(answer["printed"]) == expected, answer["diagnostics"]


def test_a_writer_for_tensorboard_is_accepted_with_a_note() -> None:
    source = """from torch.utils.tensorboard import SummaryWriter
writer = SummaryWriter("runs")
writer.add_scalar("loss", 1.0, 0)
writer.close()
print(1)"""
    answer = run_program(ProgramRequest(source, dialect="torch"))
    assert (answer["status"], answer["printed"]) == ("ok", ["1"])
    assert "ignored_call" in [one["code"] for one in answer["diagnostics"]]
