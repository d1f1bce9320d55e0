"""Many runs at once: each has what it would have alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.differentiation import gradients
from engine.execution import Session
from engine.execution.batching import Batch, Grid, Group, RaceLoop, Unbatchable
from engine.execution.batching.group_variables import differing
from engine.execution.interpreter.plan import make_plan
from engine.graph import Graph, Tensor, Variable
from engine.graph.control_flow import building as control_flow
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.optimizers.catalogue import optimizer_named
from tests.engine.ops.differences import Laboratory
from tests.engine.ops.samples import SAMPLES

Runs = np.ndarray[Any, Any]


@pytest.fixture(autouse=True)
def graph():
    with Graph(default_float="float64").as_default() as opened:
        yield opened


def test_three_runs_of_a_polynomial() -> None:
    x = Variable(2.0, name="x")
    y = x.read * x.read + 1
    (slope,) = gradients(y, [x])
    values, slopes = Batch([y, slope], {x.ref: np.array([0.0, 1.0, 3.0])})()
    assert values.tolist() == [1.0, 2.0, 10.0]
    assert slopes.tolist() == [0.0, 2.0, 6.0]


def test_a_batch_takes_other_points_and_other_numbers_of_them() -> None:
    x = Variable(2.0, name="x")
    batch = Batch([x.read * 2], {x.ref: np.array([1.0, 2.0])})
    assert batch({x.ref: np.array([5.0, 7.0])})[0].tolist() == [10.0, 14.0]
    assert batch({x.ref: np.array([1.0, 2.0, 3.0])})[0].tolist() == [2.0, 4.0, 6.0]


def test_what_only_rows_or_only_columns_decide_is_computed_once_for_each() -> None:
    x, y = Variable(0.0, name="x"), Variable(0.0, name="y")
    z = ops.exp(x.read) + ops.sin(y.read)
    xs, ys = np.linspace(-1, 1, 5), np.linspace(0, 2, 7)
    (values,) = Grid([z], ({x.ref: xs}, 5), ({y.ref: ys}, 7))()
    assert values == pytest.approx(np.exp(xs)[:, None] + np.sin(ys), rel=1e-15)


def test_a_grid_larger_than_a_block_is_the_same_grid() -> None:
    x, y = Variable(0.0, name="x"), Variable(0.0, name="y")
    z = x.read * y.read
    xs, ys = np.linspace(-1, 1, 103), np.linspace(0, 2, 101)
    (values,) = Grid([z], ({x.ref: xs}, 103), ({y.ref: ys}, 101))()
    assert np.array_equal(values, np.outer(xs, ys))


ONE_BY_ONE = {"PlaceholderWithDefault", "CheckNumerics"}  # what a run may feed, or stop at, is not batched


@pytest.mark.slow
@pytest.mark.parametrize("op", sorted(SAMPLES.keys() - ONE_BY_ONE))
def test_every_op_and_its_gradient_give_each_run_what_it_has_alone(op: str) -> None:
    shrink = np.array([1.0, 0.99, 0.97])
    for sample in SAMPLES[op]:
        laboratory = Laboratory(op, sample)
        fetches = [tensor for tensor in (laboratory.y, *laboratory.first) if isinstance(tensor, Tensor)]
        if not fetches:
            continue
        points = {x: np.multiply.outer(shrink, value) for x, value in laboratory.points.items()}
        for varied in [points, dict(list(points.items())[:1])]:  # all inputs, and the first alone
            steady = {x: value for x, value in laboratory.points.items() if x not in varied}
            found = Batch(fetches, varied, feeds=steady)()
            for run in range(3):
                feeds = {**steady, **{x: value[run] for x, value in varied.items()}}
                for tensor, values in zip(fetches, found, strict=True):
                    alone = laboratory.session.run(tensor, feeds)
                    np.testing.assert_allclose(values[run], alone, rtol=1e-12, atol=1e-13)


def race(optimizers: list[tuple[str, dict[str, float]]], start: Runs, steps: int) -> tuple[Any, Any]:
    """Columns of one group for each optimizer on x^2 + 3 y^2, and the variables."""
    x, y = Variable(1.0, name="x"), Variable(1.0, name="y")
    loss = x.read * x.read + 3 * y.read * y.read
    groups, slopes = [], gradients(loss, [x, y])
    for name, settings in optimizers:
        before = len(loss.graph.collection(GLOBAL_VARIABLES))
        optimizer, step = optimizer_named(name, settings)
        train = optimizer.apply_gradients(list(zip(slopes, [x, y], strict=True)), step)
        session = Session(loss.graph)
        made = loss.graph.collection(GLOBAL_VARIABLES)[before:]
        session.run([variable.initializer for variable in made])
        state = {v.node: session.variables[v.node][None] for v in made}
        rate = optimizer.constants["learning_rate"]
        rates = np.array([0.1, 0.05])
        groups.append(Group(train, 2, {rate: rates}, state))
    state = {x.node: start, y.node: start}
    loop = RaceLoop([loss], {x.node: slopes[0], y.node: slopes[1]}, groups, state)
    return loop.run(steps), (loss, x.node, y.node, loop)


def test_two_rates_of_gradient_descent_side_by_side() -> None:
    columns, (loss, x, y, _) = race([("GradientDescent", {"learning_rate": 0.1})], np.array([1.0, 2.0]), 2)
    assert columns[x][:, 0] == pytest.approx([1, 0.8, 0.64])  # x - 0.1 * 2 x
    assert columns[x][:, 1] == pytest.approx([2, 1.8, 1.62])  # x - 0.05 * 2 x
    assert columns[y][:, 0] == pytest.approx([1, 0.4, 0.16])  # y - 0.1 * 6 y
    assert columns[loss][0].tolist() == [4, 16]


def test_variables_of_one_shape_are_updated_in_one_call() -> None:
    _, (_, _, _, loop) = race([("GradientDescent", {"learning_rate": 0.1})], np.ones(2), 1)
    shared = 6  # x x, y y (as 3 y y), their sum, and the two slopes
    assert loop.calls <= shared + 4  # a product and a difference for both, and no more


def test_teams_do_not_touch_each_other() -> None:
    start = np.array([1.0, 2.0, 1.0, 2.0])
    both, (_, x, _, _) = race(
        [("Momentum", {"learning_rate": 0.1}), ("Adam", {"learning_rate": 0.1})], start, 5
    )
    with Graph(default_float="float64").as_default():
        alone, (_, x_alone, _, _) = race([("Adam", {"learning_rate": 0.1})], start[2:], 5)
    assert np.array_equal(both[x][:, 2:], alone[x_alone])


def test_restarting_gives_the_same_columns_again() -> None:
    columns, (_, x, _, loop) = race([("Adam", {"learning_rate": 0.1})], np.array([1.0, 2.0]), 4)
    first = columns[x].copy()
    loop.restart()
    assert np.array_equal(loop.run(4)[x], first)


def test_rows_may_be_filled_part_by_part() -> None:
    whole, (_, x, _, loop) = race([("Adam", {"learning_rate": 0.1})], np.array([1.0, 2.0]), 4)
    loop.restart()
    columns = loop.columns(5)
    loop.fill(columns, slice(0, 2))
    loop.fill(columns, slice(2, 5))
    assert np.array_equal(columns[x], whole[x])
    assert np.array_equal(columns.part(slice(3, 5))[x], whole[x][3:])


def test_a_loop_in_the_graph_is_left_to_a_session(graph: Graph) -> None:
    x = Variable(2.0, name="x")
    end = control_flow.while_loop(graph, lambda value: value < 10, lambda value: [value * 2], [x.read])
    with pytest.raises(Unbatchable, match="a loop"):
        Batch(list(end), {x.ref: np.array([1.0, 2.0])})


def test_only_slots_that_come_to_differ_have_a_number_for_each_run() -> None:
    columns, (*_, loop) = race([("Adam", {"learning_rate": 0.1})], np.ones(2), 3)
    own = {key.name: column for key, column in columns.items() if key not in loop.state}
    assert own["x/Adam"].strides[1] > 0  # its numbers differ once the rates have acted
    assert own["beta1_power"].strides[1] == 0  # one number, whatever the rate


def test_a_variable_differs_where_it_is_written_from_one_that_comes_to_differ_later() -> None:
    first, second = Variable(0.0, name="first"), Variable(0.0, name="second")
    x = Variable(0.0, name="x")
    delayed = ops.assign(second.ref, first.read)
    follow = ops.assign(first.ref, x.read)
    found = differing(make_plan([delayed.node, follow.node]), [x.node])
    assert {first.node, second.node} <= found
    assert differing(make_plan([delayed.node]), [x.node]) == {x.node}
