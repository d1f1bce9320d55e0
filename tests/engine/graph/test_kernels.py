"""One place runs the kernel of a node, and names the node in what goes wrong there."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine import ops
from engine.differentiation.walk import kernel, kernel_in
from engine.errors import ValueRefused
from engine.graph import Graph, Node
from engine.graph.kernels import results_of
from engine.ops.linear_algebra.products import matmul_op

ENGINE = Path(engine.__file__).parent
RUNNER = "graph/kernels.py"
FOLDING = "ops/base/shapes.py"  # below the graph; a constant that cannot be folded stays as it is


def calls_a_nodes_kernel(source: str) -> bool:
    """Whether a text calls `….op.kernel(…)`."""
    calls = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return any(ast.unparse(called).endswith(".op.kernel") for called in calls)


def test_one_place_runs_a_nodes_kernel() -> None:
    found = {
        str(path.relative_to(ENGINE))
        for path in ENGINE.rglob("*.py")
        if calls_a_nodes_kernel(path.read_text("utf-8"))
    }
    assert found == {RUNNER, FOLDING}


def test_another_runner_would_be_noticed() -> None:
    assert calls_a_nodes_kernel("made = node.op.kernel(*arguments)")


@pytest.fixture
def product() -> Node:
    with Graph(default_float="float64").as_default():
        product: Node = matmul_op(ops.constant(np.ones((2, 3))), ops.constant(np.ones((3, 2)))).node
        return product


@pytest.mark.parametrize("run", [results_of, kernel, kernel_in("float32")])
def test_values_that_do_not_fit_are_refused_under_the_nodes_name(product: Node, run: Any) -> None:
    with pytest.raises(ValueRefused) as refused:
        run(product, [np.ones((2, 3)), np.ones((4, 2))])
    assert str(refused.value.message) == "MatMul cannot take values of the shapes (2, 3), (4, 2)."
    assert refused.value.node == product.name


def test_attributes_can_be_replaced_for_one_call(product: Node) -> None:
    (made,) = results_of(product, [np.ones((2, 3)), np.ones((2, 3))], transpose_b=True)
    assert made.tolist() == [[3.0, 3.0], [3.0, 3.0]]
