"""Eager execution: values at once, and a training loop drawn as its first turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.differentiation.tape import Tape
from engine.errors import LimitError, Span
from engine.execution import Run
from engine.execution.eager.graph import EagerGraph
from engine.graph import Variable
from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY


def value(tensor: Any) -> Any:
    return tensor.array.tolist()


def descend(graph: EagerGraph, x: Variable, turns: int) -> list[Any]:
    """`turns` steps of gradient descent on x^2 with the rate 0.25: each halves x."""
    kept = []
    for _ in range(turns):
        with graph.at(Span(2, 1, 2, 9)), graph.recording(Tape(), graph.place) as tape:
            y = ops.square(x)
        with graph.at(Span(3, 1, 3, 9)):
            (gradient,) = tape.gradient([y], [x])
        with graph.at(Span(4, 1, 4, 9)):
            ops.assign_sub(x.ref, gradient * 0.25)
        kept.append(y)
    return kept


def double_until(x: Any, bound: float) -> None:
    while x.array.max() < bound:
        x = x * 2.0


def test_an_operation_has_its_value_as_soon_as_it_is_made():
    with EagerGraph().as_default():
        assert value(ops.add(1.0, 2.0)) == 3


def test_an_assignment_takes_effect_at_once():
    with EagerGraph().as_default():
        x = Variable(3.0)
        before = x.read
        ops.assign(x.ref, 5.0)
        assert (value(before), value(x.read)) == (3, 5)


def test_reads_between_two_writes_are_one_node():
    with EagerGraph().as_default() as graph:
        x = Variable(3.0)
        product = x * x
        assert {tensor.node.name for tensor in product.node.inputs} == {"Variable/read"}
        ops.assign_add(x.ref, 1.0)
        assert (x * x).node.inputs[0].node.name == "Variable/read_1"
        assert "Variable/read_2" not in graph


def test_a_training_loop_makes_the_nodes_of_its_first_turn_only():
    with EagerGraph().as_default() as graph:
        x = Variable(8.0)
        descend(graph, x, 1)
        once = len(graph.nodes)
        descend(graph, x, 2)
        assert len(graph.nodes) == once
        assert value(x.ref) == 1  # 8, 4, 2, 1


def test_every_turn_keeps_its_own_values():
    with EagerGraph().as_default() as graph:
        losses = descend(graph, Variable(8.0), 3)
        assert len({loss.node for loss in losses}) == 1
        assert [value(loss) for loss in losses] == [64, 16, 4]


def test_a_value_of_an_earlier_turn_is_a_constant_to_a_later_one():
    with EagerGraph().as_default() as graph:
        first, second = descend(graph, Variable(8.0), 2)
        total = first + second
        assert value(total) == 80
        assert [tensor.node.op.name for tensor in total.node.inputs] == ["Const", "Square"]


def test_every_turn_is_observed_with_its_values_and_updates():
    observed: list[Run] = []
    graph = EagerGraph(observe=observed.append)
    with graph.as_default():
        x = Variable(8.0)
        descend(graph, x, 2)
        graph.finish()
    changes = [[(float(np.array(u.before)), float(u.after)) for u in run.updates] for run in observed]
    assert changes == [[(8, 4)], [(4, 2)]]
    squares = [next(v.item() for t, v in run.values.items() if t.name == "Square:0") for run in observed]
    assert squares == [64, 16]


def test_a_loop_inside_a_tape_unrolls():
    with EagerGraph().as_default() as graph:
        x = Variable(1.0)
        with graph.recording(Tape()) as tape:
            y = x.read
            for _ in range(3):
                with graph.at(Span(5, 1, 5, 9)):
                    y = y * 2.0
        assert [name in graph for name in ("mul", "mul_1", "mul_2", "mul_3")] == [True, True, True, False]
        assert value(tape.gradient([y], [x])[0]) == 8


def test_an_element_of_a_data_set_passes_the_node_of_the_one_before():
    with EagerGraph().as_default() as graph:
        first = graph.element(np.asarray(1, np.float32), None)
        second = graph.element(np.asarray(2, np.float32), first.node)
        assert first.node is second.node
        assert (value(first * 10.0), value(second * 10.0)) == (10, 20)


def test_a_program_that_makes_too_many_nodes_is_stopped():
    with EagerGraph(limits=replace(ROOMY, nodes=10)).as_default(), pytest.raises(LimitError) as caught:
        double_until(ops.constant(0.0), 1000)
    assert caught.value.code == "node_limit"
    assert caught.value.message.startswith("The program was stopped after 10 operations that differ")


def test_a_program_that_holds_too_many_elements_is_stopped():
    with (
        EagerGraph(limits=replace(ROOMY, alive_elements=1000)).as_default(),
        pytest.raises(LimitError) as caught,
    ):
        double_until(ops.zeros([400]), 1000)
    assert caught.value.code == "alive_limit"


def test_nothing_changes_a_variable_after_the_end():
    with EagerGraph().as_default() as graph:
        x = Variable(3.0)
        graph.finish()
        after = ops.assign_add(x.ref, 1.0)
        assert (value(after), value(x.ref)) == (4, 3)


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
