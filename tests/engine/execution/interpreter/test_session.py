"""Sessions: fetches, feeds, variables, and what a run sees of an update."""

from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.differentiation import gradients
from engine.errors import FeedError, UninitialisedError, ValueRefused
from engine.execution import Run, Session
from engine.graph import Graph, Variable
from engine.optimizers import gradient_descent_optimizer


def started(graph: Graph) -> Session:
    session = Session(graph)
    for variable in graph.collection("variables"):
        session.run(variable.initializer)
    return session


def test_exp_of_sin_at_3_and_its_gradient():
    with Graph().as_default() as graph:
        x = Variable(3.0)
        y = ops.exp(ops.sin(x))
        (dy,) = gradients(y, [x])
    value, slope = started(graph).run([y, dy])
    assert value == pytest.approx(1.1515628)
    assert slope == pytest.approx(-1.1400385)
    assert value.dtype == np.float32


def test_fetches_come_back_in_the_form_they_were_asked_in():
    with Graph().as_default() as graph:
        a, b = ops.constant(1.0), ops.constant(2.0)
        done = ops.group(a)
    result = Session(graph).run({"pair": (a, [b]), "op": done})
    assert result == {"pair": (1.0, [2.0]), "op": None}


def test_beside_a_train_op_the_loss_is_of_before_and_the_variable_of_after():
    with Graph().as_default() as graph:
        x = Variable(3.0)
        y = ops.square(x)
        train = gradient_descent_optimizer(0.01).minimize(y)
    session = started(graph)
    _, loss, variable = session.run([train, y, x])
    assert loss == 9.0
    assert variable == pytest.approx(2.94)  # 3 - 0.01 * 6


def test_what_waits_for_an_update_sees_it_done():
    with Graph().as_default() as graph:
        x = Variable(1.0)
        update = ops.assign(x.ref, 5.0)
        with graph.control_dependencies([update]):
            after = ops.identity(x.ref)
            doubled = x * 2.0
        unordered = x + 0.0  # TensorFlow may compute it before the update or after it
    assert started(graph).run([after, doubled, unordered]) == [5.0, 10.0, 1.0]


def test_a_fetched_read_shows_what_the_run_leaves():
    with Graph().as_default() as graph:
        x = Variable(1.0)
        read = ops.identity(x.ref)
        with graph.control_dependencies([read]):
            update = ops.assign(x.ref, 5.0)
    assert started(graph).run([read, update]) == [5.0, 5.0]  # the same memory, in TensorFlow too


def test_two_additions_in_one_run_both_count():
    with Graph().as_default() as graph:
        x = Variable(1.0)
        additions = [ops.assign_add(x.ref, 1.0), ops.assign_add(x.ref, 1.0)]
    session = started(graph)
    session.run(additions)
    assert session.run(x) == 3.0


def test_a_variable_without_a_value_names_the_initializer():
    with Graph().as_default() as graph:
        y = Variable(1.0, name="x") * 2.0
    with pytest.raises(UninitialisedError) as refusal:
        Session(graph).run(y)
    assert refusal.value.message == "The variable x has no value yet."
    assert refusal.value.hint == "Run sess.run(tf.global_variables_initializer()) first."


def test_each_session_has_values_of_its_own():
    with Graph().as_default() as graph:
        x = Variable(1.0)
        more = ops.assign_add(x.ref, 1.0)
    first, second = started(graph), started(graph)
    first.run(more)
    assert (first.run(x), second.run(x)) == (2.0, 1.0)


def test_a_placeholder_takes_what_is_fed_for_one_run():
    with Graph().as_default() as graph:
        x = ops.placeholder("float32", (None,), name="x")
        y = ops.reduce_sum(x)
    session = Session(graph)
    assert session.run(y, {x: [1, 2, 3]}) == 6.0
    with pytest.raises(FeedError) as refusal:
        session.run(y)
    assert refusal.value.message == "The placeholder x (float32) has no value in this run."
    assert refusal.value.code == "missing_feed"


def test_an_unfed_placeholder_that_nothing_needs_does_not_matter():
    with Graph().as_default() as graph:
        ops.placeholder("float32")
        y = ops.constant(2.0)
    assert Session(graph).run(y) == 2.0


def test_a_fed_tensor_cuts_off_what_it_was_computed_from():
    with Graph().as_default() as graph:
        x = ops.placeholder("float32", ())
        h = ops.sin(x)
        y = h * 2.0
    assert Session(graph).run(y, {h: 5.0}) == 10.0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([1.0, 2.0], "n:0 takes the shape (), but was fed (2,)."),
        (1.5, "n:0 holds int32, but was fed a fraction."),
    ],
)
def test_a_feed_that_does_not_fit_is_refused(value, message):
    with Graph().as_default() as graph:
        n = ops.placeholder("int32", (), name="n")
    with pytest.raises(FeedError) as refusal:
        Session(graph).run(n, {n: value})
    assert refusal.value.message == message


def test_none_cannot_be_fetched_and_the_hint_says_what_it_means():
    with pytest.raises(ValueRefused) as refusal:
        Session(Graph()).run([None])
    assert refusal.value.hint == "A gradient that is None has no path from x to y; leave it out."


def test_the_trace_shows_updates_with_the_value_before_and_after():
    traces: list[Run] = []
    with Graph().as_default() as graph:
        x = Variable(3.0)
        train = gradient_descent_optimizer(0.5).minimize(ops.square(x))
    session = Session(graph, observe=traces.append)
    session.run(x.initializer)
    session.run(train)
    (update,) = traces[-1].updates
    assert update.variable is x.node
    assert [update.before, update.after] == [3.0, 0.0]  # 3 - 0.5 * 6


@pytest.mark.slow
def test_a_chain_of_ten_thousand_ops_builds_differentiates_and_runs():
    with Graph().as_default() as graph:
        x = Variable(0.5)
        y: Any = x
        for _ in range(10_000):
            y = ops.sin(y)
        (dy,) = gradients(y, [x])
    value, slope = started(graph).run([y, dy])
    assert 0 < value < 0.5
    assert 0 < slope < 1


def test_what_comes_from_constants_alone_is_kept_from_the_second_run_on_and_shown_in_all():
    with Graph().as_default() as graph:
        x = ops.placeholder("float32", shape=(), name="x")
        two = ops.constant(2.0, name="two")
        half = ops.divide(1.0, two, name="half")
        noise = ops.random_uniform([], name="noise")
        y = half * x + 0.0 * noise
    traces: list[Run] = []
    session = Session(graph, observe=traces.append)
    assert [session.run(y, {x: value}) for value in (2.0, 4.0, 6.0)] == [1.0, 2.0, 3.0]
    assert traces[0].values.keys() == traces[1].values.keys() == traces[2].values.keys()
    assert traces[2].values[half] is traces[1].values[half]
    assert len({float(trace.values[noise]) for trace in traces}) == 3
    assert session.run(y, {x: 2.0, two: 8.0}) == 0.25  # fed, it is no constant
    assert session.run(y, {x: 2.0}) == 1.0
