"""The global step: one variable of a graph that counts its training steps."""

from __future__ import annotations

import pytest

from engine import ops
from engine.errors import ProgramError
from engine.execution import Session
from engine.graph import Graph, Variable
from engine.graph.variables.variable_scopes import variable_scope
from engine.optimizers import (
    create_global_step,
    get_global_step,
    get_or_create_global_step,
    gradient_descent_optimizer,
    momentum_optimizer,
)


def test_it_is_made_once_outside_of_all_scopes() -> None:
    with Graph().as_default() as graph, graph.name_scope("train"):
        assert get_global_step(graph) is None
        step = get_or_create_global_step(graph)
        assert get_or_create_global_step(graph) is step
    assert [node.name for node in graph.nodes] == [
        "global_step/Initializer/zeros",
        "global_step",
        "global_step/Assign",
        "global_step/read",
    ]
    assert step.dtype == "int64"
    assert graph.collection("trainable_variables") == []


def test_a_variable_of_that_name_counts_as_one() -> None:
    with Graph().as_default() as graph:
        mine = Variable(0, name="global_step", trainable=False)
        assert get_or_create_global_step(graph) is mine


def test_a_second_one_is_refused() -> None:
    with Graph().as_default() as graph:
        create_global_step(graph)
        with pytest.raises(ProgramError) as caught:
            create_global_step(graph)
    assert caught.value.message == "The graph has a global step already."


def test_minimize_counts_one_step_for_each_run() -> None:
    with Graph().as_default() as graph:
        x = Variable(3.0)
        step = get_or_create_global_step(graph)
        train = gradient_descent_optimizer(0.1).minimize(ops.square(x), global_step=step)
    session = Session(graph)
    session.run([variable.initializer for variable in graph.collection("variables")])
    session.run(train)
    session.run(train)
    assert session.run(step) == 2


def test_slots_stand_under_an_open_variable_scope() -> None:
    with Graph().as_default() as graph:
        x = Variable(3.0, name="x")
        with variable_scope(graph, "vs"):
            momentum_optimizer(0.1, 0.9).minimize(ops.square(x))
    assert "vs/x/Momentum" in graph
    assert "vs/Momentum/update_x/ApplyMomentum" in graph
