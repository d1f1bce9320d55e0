"""What functions of PyTorch are called (asked of PyTorch 2.14.1)."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

NAMES = """import torch
from torch.nn import functional as F
print([f.__name__ for f in (F.relu, F.logsigmoid, F.threshold, torch.threshold, torch.sigmoid)])"""


def test_functions_are_called_as_in_pytorch() -> None:
    printed = run_program(ProgramRequest(NAMES, dialect="torch"))["printed"]
    assert printed == ["['relu', 'log_sigmoid', '_threshold', 'threshold', 'sigmoid']"]
