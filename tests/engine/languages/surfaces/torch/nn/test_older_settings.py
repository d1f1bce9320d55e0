"""`size_average` and `reduce` of the classes of losses, as older programs write them.

Each text was printed by PyTorch 2.14.1.
"""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

START = """import torch
import torch.nn as nn
p, t = torch.tensor([[1., 2.], [3., 5.]]), torch.tensor([[0., 0.], [1., 1.]])
c = torch.tensor([0, 1])
"""


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("nn.MSELoss(size_average=False)(p, t)", "tensor(25.)"),
        ("nn.MSELoss(False)(p, t)", "tensor(25.)"),
        ("nn.MSELoss(size_average=True)(p, t)", "tensor(6.2500)"),
        ("nn.MSELoss(reduce=False)(p, t)", "tensor([[ 1.,  4.],\n        [ 4., 16.]])"),
        ("nn.CrossEntropyLoss(size_average=False)(p, c)", "tensor(1.4402)"),
        ("nn.CrossEntropyLoss(None, False)(p, c)", "tensor(1.4402)"),
        ("nn.CrossEntropyLoss(reduce=False)(p, c)", "tensor([1.3133, 0.1269])"),
        ("nn.NLLLoss(size_average=False)(p, c)", "tensor(-6.)"),
        ("nn.BCEWithLogitsLoss(size_average=False)(p, t)", "tensor(3.4955)"),
        ("nn.BCELoss(size_average=False)(p / 9, t)", "tensor(2.0555)"),
        ("nn.KLDivLoss(size_average=False)(p, t)", "tensor(-8.)"),
        ("nn.SoftMarginLoss(size_average=False)(p, t)", "tensor(1.4416)"),
        ("nn.MSELoss(size_average=False).reduction", "sum"),
        ("nn.MSELoss(size_average=False, reduce=False).reduction", "none"),
    ],
)
def test_the_classes_of_losses_heed_their_older_settings(expression: str, text: str) -> None:
    found = run_program(ProgramRequest(source=f"{START}print({expression})"), ROOMY)
    assert "\n".join(map(str, found["printed"])) == text
