"""The optimizer's loop: columns before each update, and the state to go on from."""

from collections.abc import Callable

import numpy as np
import pytest

from engine import ops
from engine.execution import lower_training
from engine.graph import Graph, Tensor, Variable
from engine.ops.sources.state import assign
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


Update = Callable[[Tensor], Tensor]
CHANGES: dict[str, tuple[Update, Update]] = {
    "change places": (lambda y: y, lambda x: x),
    "change places, turned over": (ops.transpose, ops.transpose),
    "are computed of each other": (lambda y: y * 2.0, lambda x: x + 1.0),
    "become products": (lambda y: ops.matrix_product(y, y), lambda x: x * x),
    "become a constant and the other": (lambda y: ops.constant(np.eye(2)), lambda x: x),
}


@pytest.mark.parametrize(("of_y", "of_x"), CHANGES.values(), ids=CHANGES)
def test_arrays_take_their_new_values_all_at_once(of_y: Update, of_x: Update) -> None:
    with Graph(default_float="float64").as_default():
        x, y = Variable(np.zeros((2, 2)), name="x"), Variable(np.zeros((2, 2)), name="y")
        step = ops.group(assign(x.ref, of_y(y.read)), assign(y.ref, of_x(x.read)))
    loop = lower_training(step, [x.ref, y.ref])
    start = {x.node: np.array([[1.0, 2.0], [3.0, 4.0]]), y.node: np.array([[0.5, 0.25], [0.125, 0.0]])}
    assert loop.is_lowered(start)
    found, expected = loop.run(start, steps=3), loop.interpret(start, steps=3)
    for variable in (x, y):
        np.testing.assert_array_equal(found[variable.ref], expected[variable.ref])
        np.testing.assert_array_equal(found.state[variable.node], expected.state[variable.node])
