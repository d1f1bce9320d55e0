"""Loops of numbers: what waits for the step before, whole columns, and machine code with the same bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from engine import ops
from engine.execution import Columns, Session, TrainingLoop, lower_training
from engine.execution.backends.numba_loops import machine_code
from engine.execution.backends.python_numbers import number_loop
from engine.execution.backends.templates import function_of
from engine.graph import Graph, Node, Tensor, Variable
from engine.ops.sources.state import assign
from engine.optimizers import adam_optimizer, gradient_descent_optimizer, momentum_optimizer
from tests.engine.execution.test_random_graphs import SEEDS, STEPS, Step, grown, same


def steps_text(loop: TrainingLoop) -> str:
    """What is done step by step."""
    return loop.source.split("def loop(")[0]


def columns_text(loop: TrainingLoop) -> str:
    """What is done for all steps at once."""
    return loop.source.split("def loop(")[1]


def test_the_rate_of_adam_is_there_before_the_first_step_and_the_loss_comes_after_the_last() -> None:
    with Graph(default_float="float64").as_default() as graph:
        x = Variable(2.0)
        loss = ops.square(x) + ops.sin(x)
        train_op = adam_optimizer(0.1).minimize(loss)
    state = started(graph)
    loop = lower_training(train_op, [x.ref, loss])
    found, expected = loop.run(state, 20), loop.interpret(state, 20)
    np.testing.assert_allclose(found[loss], expected[loss], rtol=1e-13)
    before, after = columns_text(loop).split("scan(")
    assert before.count("np.multiply.accumulate(") == 2  # the powers of the betas
    assert "np.sqrt(" in before
    assert "np.sin(" in after
    assert "sin(" not in steps_text(loop).replace("cos(", "")
    assert steps_text(loop).count("sqrt(") == 1  # of the second moment


def test_what_the_loop_takes_from_a_function_of_the_c_library_is_recorded_not_computed_again() -> None:
    with Graph(default_float="float64").as_default():
        x = Variable(0.3)
        y = ops.exp(ops.sin(x))
        train_op = gradient_descent_optimizer(0.5).minimize(y)
    slope = next(t for n in y.graph.nodes for t in n.outputs if n.name == "gradients/Sin_grad/mul")
    loop = lower_training(train_op, [x.ref, y, slope])
    columns = loop.run({x.node: 0.3}, 50)
    assert "np.exp" not in columns_text(loop)
    following = columns[x.ref][:-1] - 0.5 * columns[slope][:-1]
    np.testing.assert_array_equal(following, columns[x.ref][1:])  # to the bit


def test_a_variable_that_takes_a_recorded_value_is_that_column_a_step_later() -> None:
    with Graph(default_float="float64").as_default():
        x, last, total = Variable(8.0), Variable(0.0), Variable(1.0)
        y = x * x
        train_op = ops.group(
            assign(x.ref, x.read * 0.5), assign(last.ref, y), assign(total.ref, total.read + y)
        )
    loop = lower_training(train_op, [x.ref, last.ref, total.ref])
    columns = loop.run({x.node: 8.0, last.node: 0.0, total.node: 1.0}, 3)
    assert list(columns[x.ref]) == [8.0, 4.0, 2.0]
    assert list(columns[last.ref]) == [0.0, 64.0, 16.0]
    assert list(columns[total.ref]) == [1.0, 65.0, 81.0]
    assert columns.state == {x.node: 1.0, last.node: 4.0, total.node: 85.0}
    assert "def scan" not in loop.source  # x halves by itself, the others follow


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_counters_and_float32_keep_their_types(dtype: str) -> None:
    with Graph(default_float=dtype).as_default():
        x, count = Variable(3.0), Variable(7, trainable=False)
        loss = ops.square(x - 1.0) * ops.sqrt(ops.square(x) + 1.0)
        train_op = momentum_optimizer(0.01, 0.9).minimize(loss, global_step=count)
    state = started(train_op.graph)
    loop = lower_training(train_op, [loss, x.ref, count.ref])
    found, expected = loop.run(state, 30), loop.interpret(state, 30)
    assert list(found[count.ref]) == list(range(7, 37))
    for tensor in loop.record:
        assert found[tensor].dtype == tensor.dtype
        np.testing.assert_allclose(
            found[tensor], expected[tensor], rtol=1e-5 if dtype == "float32" else 1e-13
        )
    assert [np.asarray(v).dtype for v in found.state.values()] == [node.outputs[0].dtype for node in state]


def test_a_step_on_which_the_loop_fails_is_left_to_the_session_and_no_column_forgets_it() -> None:
    with Graph(default_float="float64").as_default():
        x, count = Variable(4.0), Variable(0.0)
        odd = ops.log(x)
        train_op = ops.group(assign(x.ref, ops.sqrt(x.read) - 1.0), assign(count.ref, count.read + 1.0))
    loop = lower_training(train_op, [x.ref, odd, count.ref])
    state = {x.node: 4.0, count.node: 0.0}
    found, expected = loop.run(state, 6), loop.interpret(state, 6)
    for tensor in loop.record:
        np.testing.assert_array_equal(found[tensor], expected[tensor])
    np.testing.assert_array_equal(found.state[x.node], np.nan)
    assert found.state[count.node] == 6.0
    assert loop.run(state, 6, careful=True).steps == 2  # x is 4, 1, 0, -1: before the logarithm of 0


def test_a_long_training_becomes_machine_code_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(number_loop, "WORTH_COMPILING", 100)
    loop, state = descent()
    before = loop.run(state, 200)
    assert loop.compile(state)
    np.testing.assert_array_equal(loop.run(state, 200)[loop.record[0]], before[loop.record[0]])


def test_without_numba_a_loop_stays_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "available", lambda: False)
    loop, state = descent()
    assert not loop.compile(state)
    assert list(loop.run(state, 2)[loop.record[0]]) == [8.0, 4.0]


@pytest.mark.parametrize("power", [-1.0, 0.5, 2.0, 3.0])
def test_machine_code_gives_the_same_bits_or_is_not_made(power: float) -> None:
    pytest.importorskip("numba")
    with Graph(default_float="float64").as_default():
        x = Variable(1.7)
        y = ops.power(x, power) + ops.tanh(x) * x
        train_op = gradient_descent_optimizer(0.01).minimize(y)
    loop = lower_training(train_op, [x.ref, y])
    before = loop.run({x.node: 1.7}, 300)
    loop.compile({x.node: 1.7})
    again = loop.run({x.node: 1.7}, 300)
    for tensor in loop.record:
        np.testing.assert_array_equal(again[tensor], before[tensor])


def test_machine_code_leaves_what_is_not_finite_to_python() -> None:
    pytest.importorskip("numba")
    with Graph(default_float="float64").as_default():
        x = Variable(4.0)
        train_op = ops.group(assign(x.ref, ops.sqrt(x.read) - 1.0))
    loop = lower_training(train_op, [x.ref])
    expected = loop.run({x.node: 4.0}, 6)
    assert loop.compile({x.node: 4.0})
    found = loop.run({x.node: 4.0}, 6)
    np.testing.assert_array_equal(found[x.ref], expected[x.ref])
    np.testing.assert_array_equal(found.state[x.node], expected.state[x.node])


@pytest.mark.slow
@given(STEPS, SEEDS)
@settings(max_examples=30, deadline=None)
def test_a_random_training_of_numbers(steps: list[Step], seed: int) -> None:
    loop, state = random_training(steps, seed)
    found, expected = loop.run(state, 6), loop.interpret(state, 6)
    for tensor in loop.record:
        same([np.asarray(found[tensor])], [np.asarray(expected[tensor])], [tensor], 1e-7)


@pytest.mark.slow
@given(STEPS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_the_first_runs_of_a_random_training_have_the_bits_of_its_text(steps: list[Step], seed: int) -> None:
    loop, state = random_training(steps, seed)
    first = loop.run(state, 6)
    text = compiled_text(loop, state, 6)
    for tensor in loop.record:
        np.testing.assert_array_equal(first[tensor], text[tensor])
    assert list(map(repr, first.after)) == list(map(repr, text.after))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_first_runs_have_the_types_of_the_text_where_types_meet(dtype: str) -> None:
    with Graph(default_float=dtype).as_default() as graph:
        x, count, last = Variable(3.0), Variable(7, trainable=False), Variable(0.0, trainable=False)
        half = ops.cast(count.read, "float64") * 0.5
        larger = ops.where(x.read > 1.0, ops.square(x.read), x.read)
        descent = gradient_descent_optimizer(0.2).minimize(larger, global_step=count)
        train_op = ops.group(descent, assign(last.ref, larger))
    loop, state = lower_training(train_op, [x.ref, count.ref, half, larger, last.ref]), started(graph)
    first, text = loop.run(state, 9), compiled_text(loop, state, 9)
    for tensor in loop.record:
        assert first[tensor].dtype == text[tensor].dtype == tensor.dtype
        np.testing.assert_array_equal(first[tensor], text[tensor])
    assert list(map(repr, first.after)) == list(map(repr, text.after))


def test_a_loop_that_is_run_again_and_again_is_written_as_one_text(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def watched(code: str, names: Mapping[str, Any]) -> Callable[..., Any]:
        function = function_of(code, names)
        written.append(function.__name__)
        return function

    monkeypatch.setattr("engine.execution.backends.python_numbers.number_loop.function_of", watched)
    monkeypatch.setattr(number_loop, "WORTH_WRITING", 3)
    with Graph(default_float="float64").as_default():
        x = Variable(8.0)
        train_op = gradient_descent_optimizer(0.25).minimize(ops.square(x) + x)
    loop = lower_training(train_op, [x.ref])
    loop.run({x.node: 8.0}, 5)
    loop.run({x.node: 8.0}, 500)
    assert written == ["scan"]
    loop.run({x.node: 8.0}, 5)
    assert written == ["scan", "loop"]


def test_steps_end_at_the_first_that_goes_wrong() -> None:
    with Graph(default_float="float64").as_default():
        x = Variable(1.0)
        train_op = gradient_descent_optimizer(-1.0).minimize(ops.exp(2.0 * x))  # uphill: 1, 15.8, 1e14, ∞
    loop, state = lower_training(train_op, [x.ref]), {x.node: 1.0}
    careful, whole = loop.run(state, 9, careful=True), loop.run(state, 9)
    assert (careful.steps, whole.steps) == (2, 9)
    np.testing.assert_array_equal(whole[x.ref], compiled_text(loop, state, 9)[x.ref])
    np.testing.assert_array_equal(whole[x.ref][:2], careful[x.ref])
    assert np.isinf(whole[x.ref][3:]).all()


@pytest.mark.slow
@given(STEPS, SEEDS)
@settings(max_examples=4, deadline=None)
def test_a_random_training_of_numbers_as_machine_code(steps: list[Step], seed: int) -> None:
    pytest.importorskip("numba")
    loop, state = random_training(steps, seed)
    before = loop.run(state, 40)
    loop.compile(state)
    again = loop.run(state, 40)
    for tensor in loop.record:
        np.testing.assert_array_equal(again[tensor], before[tensor])


def random_training(steps: list[Step], seed: int) -> tuple[TrainingLoop, dict[Node, Any]]:
    """Adam on a graph of numbers, everything recorded."""
    draw = np.random.default_rng(seed)
    with Graph(default_float="float64").as_default() as graph:
        variables = [Variable(float(value)) for value in draw.normal(size=3)]
        loss = ops.reduce_sum(grown([v.read for v in variables], steps)[-1])
        loss = loss + sum(ops.square(v) for v in variables)
        train_op = adam_optimizer(0.1).minimize(loss)
    record: list[Tensor] = [t for n in graph.nodes if n.phase in ("forward", "gradient") for t in n.outputs]
    record = [t for t in record if not t.node.op.writes and "initial" not in t.name.lower()]
    return lower_training(train_op, record), started(graph)


def compiled_text(loop: TrainingLoop, state: Mapping[Node, Any], steps: int) -> Columns:
    """The run of an equal loop that has its text from the start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(number_loop, "WORTH_WRITING", 0)
        return lower_training(loop.train_op, loop.record).run(state, steps)


def descent() -> tuple[TrainingLoop, dict[Node, Any]]:
    with Graph(default_float="float64").as_default():
        x = Variable(8.0)
        train_op = gradient_descent_optimizer(0.25).minimize(x * x)
    return lower_training(train_op, [x.ref]), {x.node: 8.0}


def started(graph: Graph) -> dict[Node, Any]:
    """The variables at their initial values."""
    session = Session(graph)
    session.run([variable.initializer for variable in graph.collection("variables")])
    return dict(session.variables)
