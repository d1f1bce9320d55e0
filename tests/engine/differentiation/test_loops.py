"""Gradients through `tf.while_loop`, with numbers that can be worked out by hand.

What TensorFlow 1.15.5 builds for such programs, node for node, stands in tests/data/recorded/loop_*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.differentiation import gradients
from engine.errors import NoGradientError
from engine.execution import Session
from engine.graph import Graph, Tensor, Variable
from engine.graph.control_flow.building import cond, while_loop


@pytest.fixture
def graph() -> Iterator[Graph]:
    with Graph().as_default() as made:
        yield made


def started(graph: Graph) -> Session:
    session = Session(graph)
    for variable in graph.collection("variables"):
        session.run(variable.initializer)
    return session


def repeat(graph: Graph, times: Any, turn: Callable[[Tensor], Any], start: Any) -> Tensor:
    """`turn` done so many times."""
    _, end = while_loop(
        graph, lambda i, _: i < times, lambda i, a: [i + 1, turn(a)], [ops.constant(0), start]
    )
    found: Tensor = end
    return found


@pytest.mark.parametrize(("times", "value", "slope"), [(0, 1.0, 0.0), (1, 2.0, 1.0), (5, 32.0, 80.0)])
def test_a_power_by_repeated_multiplication(graph: Graph, times: int, value: float, slope: float) -> None:
    x = Variable(2.0, name="x")
    count = ops.placeholder("int32", shape=(), name="count")
    y = repeat(graph, count, lambda a: a * x, ops.constant(1.0))
    (dy,) = gradients(y, x)
    assert started(graph).run([y, dy], {count: times}) == [value, slope]  # d(x^n)/dx = n x^(n-1)


def test_the_start_of_a_loop_has_a_gradient_too(graph: Graph) -> None:
    x, a = Variable(3.0, name="x"), Variable(5.0, name="a")
    y = repeat(graph, 2, lambda value: value * x, a)  # a x^2
    assert started(graph).run(gradients(y, [x, a])) == [30.0, 9.0]


def test_a_loop_in_a_loop(graph: Graph) -> None:
    x = Variable(2.0, name="x")
    y = repeat(graph, 3, lambda a: repeat(graph, 2, lambda b: b * x, a), ops.constant(1.0))  # x^6
    assert started(graph).run([y, *gradients(y, x)]) == [64.0, 192.0]


def test_each_turn_remembers_the_branch_that_it_took(graph: Graph) -> None:
    x = Variable(1.5, name="x")
    y = repeat(graph, 3, lambda a: cond(graph, a < 2.0, lambda: a * x, lambda: a + x), x)
    # 1.5 -> 2.25 (times x) -> 3.75 -> 5.25 (plus x): y = x^2 + 2x
    assert started(graph).run([y, *gradients(y, x)]) == [5.25, 5.0]


def test_a_loop_in_the_branch_that_is_not_taken_takes_no_turn(graph: Graph) -> None:
    x, p = Variable(2.0, name="x"), ops.placeholder("bool", shape=(), name="p")
    y = cond(graph, p, lambda: repeat(graph, 2, lambda a: a * x, x), lambda: x * 10.0)
    both = [y, *gradients(y, x)]
    session = started(graph)
    assert session.run(both, {p: True}) == [8.0, 12.0]
    assert session.run(both, {p: False}) == [20.0, 10.0]


def test_a_loop_variable_that_only_helps_another_is_gone_through_as_well(graph: Graph) -> None:
    x = Variable(2.0, name="x")
    _, _, total = while_loop(
        graph,
        lambda i, power, total: i < 4,
        lambda i, power, total: [i + 1, power * x, total + power],
        [ops.constant(0), ops.constant(1.0), ops.constant(0.0)],
    )
    assert started(graph).run([total, *gradients(total, x)]) == [15.0, 17.0]  # 1 + x + x^2 + x^3


def test_shapes_that_only_a_run_knows(graph: Graph) -> None:
    x = ops.placeholder("float32", shape=(None, 2), name="x")
    b = Variable([1.0, 2.0], name="b")
    y = repeat(graph, 3, lambda a: a * b + b, x)
    dx, db = gradients(y, [x, b])
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
    found = started(graph).run([dx, db], {x: rows})
    assert found[0].tolist() == [[1.0, 8.0]] * 3  # b^3
    assert found[1].tolist() == [27.0, 87.0]  # the sum over the rows of 3 b^2 x + 1 + 2 b + 3 b^2


def test_a_gradient_inside_a_loop(graph: Graph) -> None:
    rate = Variable(0.25, name="rate")
    w = repeat(graph, 2, lambda w: w - rate * gradients((w - 3.0) ** 2, w)[0], ops.constant(1.0))
    assert started(graph).run([w, *gradients(w, rate)]) == [2.5, 4.0]  # 3 - 2 (1 - 2 rate)^2


def test_a_second_derivative_through_a_loop_is_refused(graph: Graph) -> None:
    x = Variable(2.0, name="x")
    (slope,) = gradients(repeat(graph, 3, lambda a: a * x, x), x)
    with pytest.raises(NoGradientError, match=r"through tf\.while_loop cannot be differentiated again"):
        gradients(slope, x)
