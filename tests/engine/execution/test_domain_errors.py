"""Where a number has no value, and where the order of reads and writes counts: as the session has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.execution import Session, lower, lower_training
from engine.execution.training_loop import TrainingLoop
from engine.graph import Graph, Variable
from engine.graph.control_flow.building import cond, while_loop
from engine.ops.sources.state import assign
from engine.optimizers import gradient_descent_optimizer

BROKEN: list[tuple[str, Callable[[Any], Any], float]] = [
    ("log of a negative number", ops.log, -1.0),
    ("log of 0", ops.log, 0.0),
    ("division by 0", lambda x: 1.0 / x, 0.0),
    ("0 / 0", lambda x: x / x, 0.0),
    ("overflow of exp", ops.exp, 1000.0),
    ("overflow of a product", lambda x: x * x - x * x, 1e200),
    ("root of a negative number", ops.sqrt, -2.0),
    ("power of a negative number", lambda x: ops.power(x, 1 / 3), -8.0),
    ("negative power of 0", lambda x: ops.power(x, -1.5), 0.0),
    ("sine of infinity", ops.sin, float("inf")),
    ("arcsine out of range", ops.asin, 2.0),
    ("a number that is none", lambda x: ops.maximum(x, 1.0) + ops.tanh(x), float("nan")),
    ("hyperbolic overflow", ops.cosh, 1000.0),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("build", "x"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_infinities_and_nan_are_values_like_others(build: Callable[[Any], Any], x: float, dtype: str) -> None:
    with Graph(default_float=dtype).as_default():
        argument = ops.placeholder(dtype, shape=())
        y = build(argument)
        after = ops.square(y) + 1.0
    program = lower([y, after], [argument])
    x = min(x, 3e38) if dtype == "float32" and np.isfinite(x) else x  # its largest number
    np.testing.assert_array_equal(program(x), program.interpret(x))


def test_float32_numbers_round_as_float32_at_every_step() -> None:
    with Graph(default_float="float32").as_default():
        x, y = ops.placeholder("float32", ()), ops.placeholder("float32", ())
        z = (x + y) * x - ops.sqrt(ops.absolute(y)) / (x - y * y)
    program = lower([z], [x, y])
    for a, b in np.random.default_rng(7).normal(size=(200, 2)).astype(np.float32):
        expected = (a + b) * a - np.sqrt(np.abs(b)) / (a - b * b)
        (found,) = program(a, b)
        assert found == expected
        assert found.dtype == np.float32


def test_integers_wrap_as_arrays_of_their_type_do() -> None:
    with Graph().as_default():
        n = ops.placeholder("int32", ())
        twice = n + n
    with np.errstate(over="ignore"):
        assert lower([twice], [n])(2**31 - 1)[0] == np.int32(-2)


def test_branches_and_loops_stay_with_the_session() -> None:
    with Graph(default_float="float64").as_default() as graph:
        x = ops.placeholder("float64", shape=())
        size = cond(graph, x > 0.0, lambda: x, lambda: -x)
        (grown,) = while_loop(graph, lambda y: y < 100.0, lambda y: [y * 2.0], [size])
    program = lower([size, grown], [x])
    assert program(-3.0) == (3.0, 192.0)
    assert program(5.0) == (5.0, 160.0)


def test_a_domain_error_in_the_middle_costs_no_step() -> None:
    with Graph(default_float="float64").as_default() as graph:
        x, w = Variable(2.0), Variable([1.0, 2.0])
        distance = x - 1.0
        loss = ops.square(distance) + ops.reduce_sum(w * w)
        odd = 1.0 / ops.floor(distance * 2.0)  # 1 / 0 once x is near enough
        train_op = gradient_descent_optimizer(0.1).minimize(loss)
    state = {x.node: 2.0, w.node: np.array([1.0, 2.0])}
    loop = lower_training(train_op, [loss, odd, x.ref, w.ref])
    found, expected = loop.run(state, 12), loop.interpret(state, 12)
    assert np.isinf(expected[odd][-1])
    for tensor in loop.record:
        np.testing.assert_allclose(np.asarray(found[tensor]), np.asarray(expected[tensor]), rtol=1e-14)
    np.testing.assert_array_equal(state[w.node], [1.0, 2.0])  # what is given stays as it is
    del graph


def test_a_careful_run_ends_before_a_domain_error_and_then_with_it() -> None:
    with Graph(default_float="float64").as_default():
        x = Variable(1.5)
        odd = ops.log(x)
        train_op = gradient_descent_optimizer(0.5).minimize(x * 1.0)
    loop = lower_training(train_op, [x.ref, odd])
    before = loop.run({x.node: 1.5}, 9, careful=True)
    assert list(before[x.ref]) == [1.5, 1.0, 0.5]
    there = loop.run(before.state, 6, first=3, careful=True)
    assert (there.first, there.steps, list(there[odd])) == (3, 1, [-np.inf])


def test_variables_that_take_each_others_values_do_so_at_once() -> None:
    for start in ((1.0, 2.0), (np.array([1.0, 1.5]), np.array([2.0, 2.5]))):
        with Graph(default_float="float64").as_default() as graph:
            x, y = Variable(start[0]), Variable(start[1])
            swap = ops.group(assign(x.ref, y.read), assign(y.ref, x.read))
        loop = lower_training(swap, [x.ref, y.ref])
        columns = loop.run({x.node: start[0], y.node: start[1]}, 3)
        np.testing.assert_array_equal(columns[x.ref], [start[0], start[1], start[0]])
        np.testing.assert_array_equal(columns[y.ref], [start[1], start[0], start[1]])
        del graph


def test_a_matrix_may_be_given_column_by_column(monkeypatch: pytest.MonkeyPatch) -> None:
    with Graph(default_float="float64").as_default() as graph:
        w, v = Variable(np.ones((2, 2))), Variable(np.ones((2, 2)))
        product = ops.matrix_product(w.read, ops.constant([[1.0, 2.0], [3.0, 4.0]]))
        steps = ops.group(assign(w.ref, product), assign(v.ref, ops.transpose(v.read)))
    loop = lower_training(steps, [w.ref, v.ref])
    state = {node: np.array([[1.0, 2.0], [3.0, 4.0]], order="F") for node in (w.node, v.node)}
    expected = loop.interpret(state, 3)
    monkeypatch.delattr(TrainingLoop, "interpret")  # no step is left to the interpreter
    found = loop.run(state, 3)
    for tensor in loop.record:
        np.testing.assert_array_equal(found[tensor], expected[tensor])
    del graph


def test_what_waits_for_an_update_sees_it_and_what_does_not_sees_the_old_value() -> None:
    with Graph(default_float="float64").as_default() as graph:
        x = Variable([1.0, 2.0])
        doubled = assign(x.ref, x.read * 2.0)
        old = x.read + 0.0
        with graph.control_dependencies([doubled]):
            new = ops.identity(x.ref) + 0.0
            done = ops.no_op.node()
    loop = lower_training(done, [old, new, x.ref])
    columns = loop.run({x.node: [1.0, 2.0]}, 2)
    np.testing.assert_array_equal(columns[old], [[1.0, 2.0], [2.0, 4.0]])
    np.testing.assert_array_equal(columns[new], [[2.0, 4.0], [4.0, 8.0]])
    np.testing.assert_array_equal(columns[x.ref], columns[old])
    session = Session(graph)
    session.run(x.initializer)
    old_value, new_value, _ = session.run([old, new, done])
    np.testing.assert_array_equal([old_value, new_value], [columns[old][0], columns[new][0]])
