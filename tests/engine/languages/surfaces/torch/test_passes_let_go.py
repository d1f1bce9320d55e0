"""What a pass backward has used is let go of, though the picture shows the first passes."""

from __future__ import annotations

import gc

from engine.languages.surfaces.torch.autograd.function import FunctionNode
from engine.programs import ProgramRequest
from engine.programs.program.running import run_request
from tests.limits import ROOMY

SOURCE = """\
import torch
w = torch.ones(100, 100, requires_grad=True)
for step in range(5):
    loss = (w * w).sum()
    loss.backward()
"""


def test_only_the_last_pass_has_its_functions_still() -> None:
    def functions() -> int:
        gc.collect()
        return sum(type(one) is FunctionNode for one in gc.get_objects())

    before = functions()
    outcome = run_request(ProgramRequest(SOURCE), ROOMY)
    assert outcome.status == "ok"
    assert functions() - before <= 2  # a product and a sum, of the last `loss`
