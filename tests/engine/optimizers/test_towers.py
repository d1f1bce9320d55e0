"""Averaging gradients over towers (gallery example G25)."""

from __future__ import annotations

import pytest

from engine import ops
from engine.errors import ValueRefused
from engine.execution import Session
from engine.graph import Graph, Variable
from engine.optimizers import average_gradients, gradient_descent_optimizer

DATA = [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0), (4.0, 8.0)]


def averaged(*parts: list[tuple[float, float]]) -> tuple[list[float], float]:
    """Each tower's gradient of mean (y - w x)^2 at w = 0, and their average."""
    with Graph().as_default() as graph:
        w = Variable(0.0, name="w")
        optimizer = gradient_descent_optimizer(0.1)
        towers = []
        for part in parts:
            xs, ys = (ops.constant(list(column)) for column in zip(*part, strict=True))
            towers.append(optimizer.compute_gradients(ops.reduce_mean(ops.square(ys - w * xs)), [w]))
        ((mean, _),) = average_gradients(towers)
    session = Session(graph)
    session.run(w.initializer)
    return [float(session.run(pairs[0][0])) for pairs in towers], float(session.run(mean))


def test_equal_parts_average_to_the_full_batch() -> None:
    assert averaged(DATA[:2], DATA[2:]) == ([-10.0, -50.0], -30.0)
    assert averaged(DATA)[1] == -30.0


def test_unequal_parts_do_not() -> None:
    each, mean = averaged(DATA[:1], DATA[1:])
    assert each == pytest.approx([-4.0, -38.6667], abs=1e-4)
    assert mean == pytest.approx(-21.3333, abs=1e-4)


def test_a_variable_that_no_tower_reaches_keeps_none() -> None:
    variable = object()
    assert average_gradients([[(None, variable)], [(None, variable)]]) == [(None, variable)]


def test_towers_of_different_variables_are_refused() -> None:
    with Graph().as_default():
        a, b = Variable(1.0, name="a"), Variable(1.0, name="b")
    with pytest.raises(ValueRefused) as caught:
        average_gradients([[(None, a)], [(None, b)]])
    assert caught.value.message == "The towers do not share the variable a:0."
