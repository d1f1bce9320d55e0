"""Many members in one call: each comes out as it would alone."""

from __future__ import annotations

import numpy as np
import pytest

from engine import ops
from engine.execution import Session, lower, lower_training
from engine.graph import Graph, Variable
from engine.optimizers import adam_optimizer
from tests.engine.execution.test_lowering import CLOSE, sampled
from tests.engine.ops.samples import SAMPLES


@pytest.mark.parametrize("name", SAMPLES)
def test_an_op_of_a_batch_is_the_op_of_each_member(name: str) -> None:
    for sample in SAMPLES[name]:
        _, fetches, arguments, values = sampled(name, sample, "float64")
        if not arguments or fetches[0].node.op.writes:
            continue
        members = [np.stack([0.9 * value, value, 0.95 * value]) for value in values]
        for batched in (range(len(arguments)), [0]):
            mixed = [members[n] if n in batched else value for n, value in enumerate(values)]
            program = lower(fetches, arguments, batched=batched)
            for ours, alone, tensor in zip(program(*mixed), program.interpret(*mixed), fetches, strict=True):
                assert np.shape(ours) == np.shape(alone), tensor.name
                np.testing.assert_allclose(ours, alone, **CLOSE["float64"])


def test_two_arguments_make_a_grid() -> None:
    with Graph(default_float="float64").as_default():
        x, y = ops.placeholder("float64", ()), ops.placeholder("float64", ())
        z = ops.sin(x) * y
        fixed = ops.constant(2.0)
    xs, ys = np.array([[0.1, 0.2, 0.3]]), np.array([[1.0], [2.0]])
    program = lower([z, fixed], [x, y], batched=[0, 1])
    found, everywhere = program(xs, ys)
    np.testing.assert_array_equal(found, np.sin(xs) * ys)
    np.testing.assert_array_equal(everywhere, np.full((2, 3), 2.0))
    assert "np.sin(x0, out=b0)" in program.source
    assert (
        "scratch = for each thread [np.empty((1, 3), float64)]" in program.source
    )  # the sine is taken along one side only


def test_members_of_a_training_step_each_by_its_own_rate() -> None:
    with Graph(default_float="float64").as_default() as graph:
        x, w = Variable(0.0), Variable([0.0, 1.0])
        loss = ops.square(x - 3.0) + ops.reduce_sum(w * w * x)
        optimizer = adam_optimizer(0.1)
        train_op = optimizer.minimize(loss)
    session = Session(graph)
    session.run([variable.initializer for variable in graph.collection("variables")])
    state = {node: np.stack([value] * 4) for node, value in session.variables.items()}
    state[x.node] = np.array([0.5, 1.0, -2.0, 4.0])
    rates = {optimizer.constants["learning_rate"]: np.array([0.01, 0.1, 0.5, 1.0])}
    loop = lower_training(train_op, [loss, x.ref, w.ref], rates, batched=True)
    together, alone = loop.run(state, 9), loop.interpret(state, 9)
    for tensor in loop.record:
        assert together[tensor].shape == alone[tensor].shape
        np.testing.assert_allclose(together[tensor], alone[tensor], rtol=1e-12)
    for node in state:
        np.testing.assert_allclose(together.state[node], alone.state[node], rtol=1e-12)
