"""Nodes of a kind that an eager graph has made before are made without asking their op: they are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.errors import GradlensError, LimitError
from engine.execution.eager import repeating_graph
from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.known_variables import KnownVariables
from engine.execution.eager.passing import PassingGraph
from engine.execution.eager.repeated_nodes import RepeatedNodes
from engine.graph import Node, Tensor
from engine.graph.variables.variable import TRAINABLE_VARIABLES
from engine.languages.interpreter.budget import Budget
from engine.ops.sources.state import assign
from tests.limits import ROOMY

ROW, MATRIX = np.array([1.0, 2.0], np.float32), np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
NUMBER = np.asarray(3.0, np.float32)
CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "of two tensors": lambda row, matrix: ops.mul(matrix, row),
    "of one tensor twice": lambda row, matrix: ops.mul(row, row),
    "of one input": lambda row, matrix: ops.sin(matrix),
    "with a type of its own": lambda row, matrix: ops.less(row, row),
    "beside a number": lambda row, matrix: ops.sub(matrix, NUMBER),
    "a number first": lambda row, matrix: ops.sub(NUMBER, matrix),
    "a product of matrices": lambda row, matrix: ops.matrix_product(matrix, matrix),
    "with attributes": lambda row, matrix: ops.matrix_product(matrix, matrix, transpose_b=True),
    "of a constant that decides": lambda row, matrix: ops.reduce_sum(matrix, axis=0),
    "over all axes": lambda row, matrix: ops.reduce_sum(matrix),
    "over the only axis": lambda row, matrix: ops.reduce_mean(row),
    "over no axis": lambda row, matrix: ops.reduce_max(ops.reduce_sum(row)),
    "over all axes of truth values": lambda row, matrix: ops.reduce_all(ops.less(row, row)),
    "of constants alone": lambda row, matrix: ops.transpose(ops.zeros([2, 3])),
    "of three inputs": lambda row, matrix: ops.select(ops.less(row, row), row, ops.zeros_like(row)),
    "with several outputs": lambda row, matrix: ops.unstack(matrix)[1],
}


@contextmanager
def none_known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every node is made in the ordinary way."""
    with monkeypatch.context() as changed:
        changed.setattr(RepeatedNodes, "output", lambda *_: None)
        changed.setattr(RepeatedNodes, "beside_array", lambda *_: None)
        changed.setattr(RepeatedNodes, "over_all", lambda *_: None)
        changed.setattr(repeating_graph, "kind_of", lambda *_: None)
        yield


def three_times(call: Callable[[Any, Any], Any]) -> tuple[list[Any], int]:
    """What is known of all nodes of three calls, the last in a scope and a gradient, and what they cost."""
    budget = Budget(ROOMY)
    with EagerGraph(meter=budget).as_default() as graph:
        row, matrix = ops.constant(ROW), ops.constant(MATRIX)
        call(row, matrix)
        first: Tensor = call(row, matrix)
        with graph.making("gradient", of=first.node), graph.name_scope("inside"):
            call(row, matrix)
        return [facts(node) for node in graph.nodes], budget.operations


def facts(node: Node) -> Any:
    outputs = [(one.dtype, one.shape, one.array.tolist()) for one in node.outputs]  # type: ignore[attr-defined]
    inputs = [one.name for one in node.inputs]
    attrs = {name: np.asarray(value).tolist() for name, value in node.attrs.items()}
    return node.name, node.op.name, attrs, inputs, outputs, node.phase, node.of and node.of.name, node.device


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_node_of_a_known_kind_is_as_the_ordinary_one(
    call: Callable[[Any, Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with none_known(monkeypatch):
        ordinary = three_times(call)
    assert three_times(call) == ordinary


def test_a_variable_like_another_is_as_the_ordinary_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def four() -> tuple[list[Any], int, list[str]]:
        budget = Budget(ROOMY)
        with PassingGraph(meter=budget, limits=ROOMY).as_default() as graph:
            graph.begin()
            for array in (ROW, ROW + 1, MATRIX, ROW + 2):
                made = graph.variables.make(array, trainable=bool(array[0].any()))
                assign(made.ref, graph.reading(made))
            with graph.name_scope("inside"):
                graph.variables.make(ROW, trainable=False)
            placed = [node.colocate for node in graph.nodes]
            names = [one.name for one in graph.collection(TRAINABLE_VARIABLES)]
            return [*zip(map(facts, graph.nodes), placed, strict=True)], budget.operations, names

    with monkeypatch.context() as changed:
        changed.setattr(KnownVariables, "_is_plain_here", lambda self: False)
        ordinary = four()
    assert four() == ordinary


def test_a_kind_is_of_shapes_and_types() -> None:
    with EagerGraph().as_default():
        row, matrix = ops.constant(ROW), ops.constant(MATRIX)
        double = ops.constant(ROW.astype(np.float64))
        shapes = [ops.mul(one, one).shape for one in (row, matrix, row, matrix)]
        assert shapes == [(2,), (2, 2), (2,), (2, 2)]
        assert [ops.mul(one, one).dtype for one in (row, double, row)] == ["float32", "float64", "float32"]


def test_an_error_in_a_node_of_a_known_kind_names_its_operation() -> None:
    with EagerGraph().as_default():
        whole, zero = ops.constant([1, 2]), ops.constant([0, 0])
        ops.floor_div(whole, whole)
        with pytest.raises(GradlensError) as caught:
            ops.floor_div(whole, zero)
    assert caught.value.in_operation is not None
    assert caught.value.in_operation[0] == "FloorDiv"


def test_an_error_in_a_reduction_of_a_known_kind_names_its_operation() -> None:
    with EagerGraph(limits=replace(ROOMY, nodes=5)).as_default():
        row = ops.constant(ROW)
        ops.reduce_sum(row)
        with pytest.raises(LimitError) as caught:
            ops.reduce_sum(row) + ops.reduce_sum(row)
    assert caught.value.in_operation is not None
    assert caught.value.in_operation[0] == "Sum"


def test_nodes_of_a_known_kind_count_among_those_there_may_be() -> None:
    with EagerGraph(limits=replace(ROOMY, nodes=10)).as_default() as graph:
        row = ops.constant(ROW)
        for _ in range(9):
            ops.mul(row, row)
        with pytest.raises(LimitError):
            ops.mul(row, row)
    assert len(graph.nodes) == 10


def test_a_node_that_waits_for_others_is_made_in_the_ordinary_way() -> None:
    with EagerGraph().as_default() as graph:
        row = ops.constant(ROW)
        first = ops.mul(row, row)
        with graph.control_dependencies([first]):
            waits = ops.mul(row, row)
    assert waits.node.control_inputs == (first.node,)


def test_a_constant_that_decides_a_shape_makes_another_kind() -> None:
    with EagerGraph(meter=Budget(ROOMY)).as_default():
        table = ops.constant(np.ones((2, 3), np.float32))
        sums = [ops.reduce_sum(table, axis=axis).shape for axis in (0, 1, 0, 1)]
        turned = [ops.transpose(table, order).shape for order in ([1, 0], [0, 1], [1, 0])]
    assert sums == [(3,), (2,), (3,), (2,)]
    assert turned == [(3, 2), (2, 3), (3, 2)]
