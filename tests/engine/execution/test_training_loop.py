"""The optimizer's loop: columns before each update, and the state to go on from."""

import pytest

from engine.execution import lower_training
from engine.graph import Graph, Variable
from engine.optimizers import gradient_descent_optimizer


def test_rows_are_the_values_before_each_update() -> None:
    with Graph(default_float="float64").as_default():
        x = Variable(8.0)
        y = x * x
        step = gradient_descent_optimizer(0.25).minimize(y)
    columns = lower_training(step, [x.ref, y]).run({x.node: 8.0}, steps=3)
    assert list(columns[x.ref]) == [8.0, 4.0, 2.0]  # each step halves x
    assert list(columns[y]) == [64.0, 16.0, 4.0]
    assert columns.state == {x.node: 1.0}


def test_a_loop_goes_on_from_a_state() -> None:
    with Graph(default_float="float64").as_default():
        x = Variable(8.0)
        step = gradient_descent_optimizer(0.25).minimize(x * x)
    loop = lower_training(step, [x.ref])
    begun = loop.run({x.node: 8.0}, steps=2)
    assert list(loop.run(begun.state, steps=1, first=2)[x.ref]) == [pytest.approx(2.0)]
