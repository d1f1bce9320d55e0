"""Twelve steps of every optimizer on a bowl, against what the real libraries computed.

The bowl is the sum of (1, 10, 0.5) times (x - 0.1) squared, from (3, -1, 0.2), in float32.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.execution import Session
from engine.graph import Graph, Variable
from engine.optimizers import optimizer_named

RECORDED = Path(__file__).parents[2] / "data" / "optimizers" / "trajectories.json"
CASES = json.loads(RECORDED.read_text(encoding="utf-8"))


def descend(name: str, settings: dict[str, Any], steps: int) -> list[Any]:
    with Graph().as_default() as graph:
        x = Variable([3.0, -1.0, 0.2], name="x")
        loss = ops.reduce_sum(ops.constant([1.0, 10.0, 0.5]) * ops.square(x - 0.1))
        optimizer, global_step = optimizer_named(name, settings)
        train = optimizer.minimize(loss, global_step)
        session = Session(graph)
        session.run([variable.initializer for variable in graph.collection("variables")])
        rows = [session.run(x)]
        for _ in range(steps):
            session.run(train)
            rows.append(session.run(x))
    return rows


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['name']}-{len(case['settings'])}")
def test_every_step_is_where_the_real_library_went(case: dict[str, Any]) -> None:
    rows = descend(case["name"], case["settings"], len(case["rows"]) - 1)
    np.testing.assert_allclose(rows, case["rows"], rtol=2e-5, atol=2e-5)
