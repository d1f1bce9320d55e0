"""The line search of LBFGS on a parabola, by hand, and its steps beside PyTorch 2.13.0."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.languages.surfaces.torch.optim.lbfgs import Memory, strong_wolfe

RECORDED = Path(__file__).parents[5] / "data" / "torch" / "trajectories.json"
CASES = [case for case in json.loads(RECORDED.read_text(encoding="utf-8")) if case["name"] == "LBFGS"]


def numbers(*values: float) -> Any:
    return np.array(values)


def test_the_line_search_finds_the_bottom_of_a_parabola() -> None:
    def at(t: Any, d: Any) -> tuple[float, Any]:
        x = 3.0 + t * d[0]
        return x * x, numbers(2 * x)

    value, gradient, t, evaluations = strong_wolfe(at, 1.0, numbers(-6.0), 9.0, numbers(6.0), -36.0, 25)
    assert t == pytest.approx(0.5)  # 3 - 0.5 * 6 = 0
    assert value == pytest.approx(0.0)
    assert gradient[0] == pytest.approx(0.0)
    assert evaluations == 2


def test_the_memory_of_one_step_knows_the_curvature_of_a_parabola() -> None:
    memory = Memory([], [], [], 1)
    memory.remember(numbers(4.0), numbers(2.0), 10)  # the gradient grew by 4 over a step of 2
    assert memory.direction(numbers(6.0)) == pytest.approx(-3.0)  # -6 / 2


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['settings']}-{case['function']}")
def test_a_program_takes_pytorchs_steps(case: dict[str, Any]) -> None:
    from tests.engine.languages.surfaces.torch.nn.test_module import printed

    start = {"rosen": [1.5, -1.0], "bowl": [3.0, -1.0, 0.2], "waves": [[0.5, -1.2, 2.0], [1.0, 0.3, -0.7]]}
    losses = {
        "rosen": "(1 - w[0]) ** 2 + 10 * (w[1] - w[0] ** 2) ** 2",
        "bowl": "(torch.tensor([1., 10., .5], dtype=w.dtype) * (w - 0.1) ** 2).sum()",
        "waves": "(torch.sin(3 * w) + 0.5 * w ** 2).sum() + (w[0] * w[1]).sum() * 0.3",
    }
    steps = [row for row in case["rows"] if row[0] <= 5]
    source = f"""
w = torch.tensor({start[case["function"]]}, dtype=torch.float64, requires_grad=True)
opt = torch.optim.LBFGS([w], **{case["settings"]!r})
def closure():
    opt.zero_grad()
    loss = {losses[case["function"]]}
    loss.backward()
    return loss
for i in range({len(steps)}):
    opt.step(closure)
    print(w.flatten().tolist())
"""
    lines = [json.loads(line) for line in printed(source)]
    np.testing.assert_allclose(lines, [row[1:] for row in steps], rtol=1e-6, atol=1e-6)
