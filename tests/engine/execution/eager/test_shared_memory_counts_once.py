"""How many elements a program holds: what shows the memory of another tensor does not count again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("y = x.t()", "ok"),
        ("y = x.reshape(4, -1)", "ok"),
        ("y = x + i", "limit"),
        ("y = x.double().t()", "limit"),
    ],
)
def test_views_of_single_precision_do_not_count_again(line: str, status: str) -> None:
    turns = "\n".join(f"i = {i}\n{line}" for i in range(12))
    source = f"import torch\nx = torch.ones(100, 100) * 2\n{turns}\nprint(y.shape)"
    answer = run_program(ProgramRequest(source), replace(ROOMY, alive_elements=100_000))
    assert answer["status"] == status
