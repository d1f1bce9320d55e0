"""What follows from the graph alone for a run is what the run then does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine import ops
from engine.errors import LimitError
from engine.execution import Run, Session
from engine.execution.cost import charge_ahead
from engine.execution.interpreter.plan import make_plan
from engine.graph import Graph, Tensor
from engine.graph.control_flow.building import cond
from engine.languages.interpreter.budget import Budget
from tests.limits import ROOMY


def ahead(fetch: Tensor, budget: Budget) -> list[Tensor] | None:
    """The tensors that a run of the fetch is said to compute."""
    return charge_ahead(make_plan([fetch.node]), budget)


def test_a_run_computes_and_costs_what_was_foretold() -> None:
    traces: list[Run] = []
    estimated, spent = Budget(ROOMY), Budget(ROOMY)
    with Graph().as_default() as graph:
        a = ops.constant(np.ones((3, 4)))
        loss = ops.reduce_sum(ops.matrix_product(a, ops.sin(ops.constant(np.ones((4, 5))))))
    tensors = ahead(loss, estimated)
    Session(graph, meter=spent, observe=traces.append).run(loss)
    assert tensors == list(traces[0].values)
    assert estimated.operations == spent.operations > 0


def test_an_array_that_is_too_large_is_refused_before_it_is_made() -> None:
    with Graph().as_default():
        row = ops.constant(np.ones((1, 5000)))
        table = row + ops.transpose(row)
    with pytest.raises(LimitError, match="would have 25,000,000 elements"):
        ahead(table, Budget(replace(ROOMY, tensor_elements=1_000_000)))


def test_nothing_is_foretold_where_values_decide() -> None:
    budget = Budget(ROOMY)
    with Graph().as_default() as graph:
        x = ops.placeholder("float32", shape=(None,))
        z = ops.placeholder("float32", shape=())
        assert ahead(ops.sin(x), budget) is None
        assert ahead(cond(graph, z > 0.0, lambda: z, lambda: -z), budget) is None
    assert budget.operations == 0
