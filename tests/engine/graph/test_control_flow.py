"""Branches and loops: what is built, and what a run of it does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine import ops
from engine.differentiation import gradients
from engine.errors import ProgramError, ValueRefused
from engine.execution import Session
from engine.graph import Graph, Variable
from engine.graph.control_flow import building as control_flow


@pytest.fixture
def graph() -> Iterator[Graph]:
    with Graph().as_default() as made:
        yield made


def test_a_branch_is_taken_when_the_graph_runs(graph: Graph) -> None:
    x = ops.placeholder("float32", [])
    y = control_flow.cond(graph, x > 1.0, lambda: ops.square(x), lambda: x * 3.0)
    session = Session(graph)
    assert session.run(y, {x: 5.0}) == 25.0
    assert session.run(y, {x: 0.5}) == 1.5


def test_both_branches_are_built_and_what_they_take_comes_in_by_a_switch(graph: Graph) -> None:
    x = ops.placeholder("float32", [], name="x")
    control_flow.cond(graph, x > 1.0, lambda: ops.square(x), lambda: x * 3.0)
    assert graph.node("cond/Square").inputs[0].name == "cond/Square/Switch:1"
    assert graph.node("cond/mul").inputs[0].name == "cond/mul/Switch:0"
    assert graph.node("cond/mul/y").control_inputs == (graph.node("cond/switch_f"),)


def test_a_gradient_goes_through_the_branch_that_was_taken(graph: Graph) -> None:
    x = ops.placeholder("float32", [])
    y = control_flow.cond(graph, x > 1.0, lambda: ops.square(x), lambda: x * 3.0)
    (dx,) = gradients(y, [x])
    session = Session(graph)
    assert session.run(dx, {x: 5.0}) == 10.0
    assert session.run(dx, {x: 0.5}) == 3.0


def test_branches_inside_branches(graph: Graph) -> None:
    x = ops.placeholder("float32", [])

    def large() -> object:
        return control_flow.cond(graph, x > 3.0, lambda: x * 100.0, lambda: x * 10.0)

    y = control_flow.cond(graph, x > 1.0, large, lambda: x * 1.0)
    session = Session(graph)
    assert [float(session.run(y, {x: at})) for at in (4.0, 2.0, 0.5)] == [400.0, 20.0, 0.5]


def test_a_value_of_the_other_branch_cannot_be_fetched(graph: Graph) -> None:
    x = ops.placeholder("float32", [])
    control_flow.cond(graph, x > 1.0, lambda: ops.square(x), lambda: x * 3.0)
    with pytest.raises(ValueRefused, match="cond/Square:0 belongs to the branch that was not taken"):
        Session(graph).run("cond/Square:0", {x: 0.5})


def test_branches_return_as_many_tensors(graph: Graph) -> None:
    x = ops.constant(1.0)
    with pytest.raises(ProgramError, match=r"The branches of tf\.cond return 2 and 1 tensors"):
        control_flow.cond(graph, x > 1.0, lambda: [x * 1.0, x * 2.0], lambda: [x * 3.0])


def test_a_loop_runs_until_its_condition_fails(graph: Graph) -> None:
    start = [ops.constant(0), ops.constant(1.0)]
    count, power = control_flow.while_loop(graph, lambda i, _: i < 5, lambda i, p: [i + 1, p * 2.0], start)
    assert Session(graph).run([count, power]) == [5, 32.0]


def test_a_loop_of_no_turn_gives_back_what_went_in(graph: Graph) -> None:
    (count,) = control_flow.while_loop(graph, lambda i: i < 0, lambda i: [i + 1], [ops.constant(7)])
    assert Session(graph).run(count) == 7


def test_a_loop_inside_a_loop(graph: Graph) -> None:
    def row(i: object, total: object) -> list[object]:
        inner = control_flow.while_loop(
            graph, lambda j, _: j < 3, lambda j, t: [j + 1, t + 1], [ops.constant(0), total]
        )
        return [i + 1, inner[1]]  # type: ignore[operator]  # a tensor

    _, total = control_flow.while_loop(graph, lambda i, _: i < 4, row, [ops.constant(0), ops.constant(0)])
    assert Session(graph).run(total) == 12  # 4 rows of 3


def test_a_loop_reads_a_variable_from_outside(graph: Graph) -> None:
    x = Variable(3.0, name="x")
    _, y = control_flow.while_loop(
        graph, lambda i, _: i < 2, lambda i, y: [i + 1, y * x], [ops.constant(0), ops.constant(1.0)]
    )
    session = Session(graph)
    session.run(x.initializer)
    assert session.run(y) == 9.0


def test_only_the_branch_that_is_taken_assigns(graph: Graph) -> None:
    x = Variable(3.0, name="x")
    taken = control_flow.cond(
        graph, x > 4.0, lambda: ops.assign(x.ref, 5.0), lambda: ops.assign_add(x.ref, 1.5)
    )
    session = Session(graph)
    session.run(x.initializer)
    assert [session.run(taken), session.run(taken), session.run(x)] == [4.5, 5.0, 5.0]


def test_a_branch_may_give_a_variable_its_first_value(graph: Graph) -> None:
    x = Variable(3.0, name="x")
    session = Session(graph)
    start = ops.placeholder("bool", shape=(), name="start")
    first, later = lambda: ops.assign(x.ref, 7.0), lambda: ops.assign_add(x.ref, 1.0)
    begun = control_flow.cond(graph, start, first, later)
    assert session.run(begun, {start: True}) == 7.0


def test_the_first_case_that_holds_is_taken(graph: Graph) -> None:
    x = ops.placeholder("float32", shape=(), name="x")
    cases = [(x < 1.0, lambda: x * 10.0), (x < 2.0, lambda: x * 100.0)]
    y = control_flow.case(graph, cases, lambda: x * 1000.0)
    session = Session(graph)
    assert [session.run(y, {x: value}) for value in (0.5, 1.5, 3.0)] == [5.0, 150.0, 3000.0]


def test_a_run_stops_where_two_exclusive_cases_hold_or_none_does(graph: Graph) -> None:
    x = ops.placeholder("float32", shape=(), name="x")
    cases = [(x < 2.0, lambda: x), (x < 1.0, lambda: -x)]
    exclusive = control_flow.case(graph, cases, lambda: x, exclusive=True)
    without_default = control_flow.case(graph, cases)
    session = Session(graph)
    assert session.run(exclusive, {x: 1.5}) == 1.5
    with pytest.raises(ProgramError, match=r"more than 1 conditions \(Less:0, Less_1:0\)"):
        session.run(exclusive, {x: 0.5})
    with pytest.raises(ProgramError, match="None of conditions evaluated as True"):
        session.run(without_default, {x: 3.0})


def test_an_assertion_shows_its_data(graph: Graph) -> None:
    x = ops.placeholder("float32", shape=(), name="x")
    check = control_flow.assert_true(graph, x > 1.0, ["too small:", x])
    with graph.control_dependencies([check]):
        y = x * 2.0
    session = Session(graph)
    assert session.run(y, {x: 2.0}) == 4.0
    with pytest.raises(ProgramError, match=r"Assertion failed: too small: 0\.5"):
        session.run(y, {x: 0.5})
