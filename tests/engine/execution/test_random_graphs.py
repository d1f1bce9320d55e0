"""Graphs drawn at random: the generated function, the session, and a batch of both say the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import ops
from engine.differentiation import gradients
from engine.execution import lower, lower_training
from engine.graph import Graph, Node, Tensor, Variable
from engine.optimizers import adam_optimizer

pytestmark = pytest.mark.slow  # draws hundreds of graphs

SHAPES: tuple[tuple[int, ...], ...] = ((), (3,), (2, 3), (2, 1))
UNARY: tuple[Callable[[Any], Any], ...] = (
    ops.sin,
    ops.tanh,
    ops.exp,
    ops.log,
    ops.sqrt,
    ops.square,
    ops.sigmoid,
    ops.relu,
    ops.softplus,
    ops.reduce_sum,
    ops.reduce_mean,
    ops.reduce_max,
    lambda x: 1.0 / x,
    lambda x: x**3,
    lambda x: ops.clip_by_value(x, -0.5, 0.5),
    lambda x: ops.softmax(x) if x.shape else -x,
    lambda x: ops.transpose(x),
)
BINARY: tuple[Callable[[Any, Any], Any], ...] = (
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    lambda x, y: x / y,
    ops.maximum,
    ops.squared_difference,
    lambda x, y: ops.where(x < y, x, y) if x.shape == y.shape else x * 2.0,
)

Step = tuple[int, int, int]
STEPS = st.lists(
    st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=9
)
SEEDS = st.integers(0, 2**31)


def grown(leaves: Sequence[Any], steps: Sequence[Step]) -> list[Tensor]:
    """Each step takes earlier tensors through an op; those that do not fit are left alone."""
    made = list(leaves)
    for which, first, second in steps:
        x, y = made[first % len(made)], made[second % len(made)]
        if which % 2 and fits(x, y):
            made.append(BINARY[which // 2 % len(BINARY)](x, y))
        else:
            made.append(UNARY[which // 2 % len(UNARY)](x))
    return made


def fits(x: Any, y: Any) -> bool:
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    return True


def same(ours: Sequence[Any], theirs: Sequence[Any], tensors: Sequence[Tensor], rtol: float) -> None:
    for our, their, tensor in zip(ours, theirs, tensors, strict=True):
        assert np.shape(our) == np.shape(their), tensor.name
        scale = np.max(np.abs(np.where(np.isfinite(their), their, 0.0)), initial=1.0)
        np.testing.assert_allclose(our, their, rtol=rtol, atol=rtol * scale, err_msg=tensor.name)


@given(st.sampled_from(["float32", "float64"]), STEPS, SEEDS)
@settings(max_examples=120, deadline=None)
def test_a_random_graph_and_its_gradient(dtype: str, steps: list[Step], seed: int) -> None:
    with Graph(default_float=dtype).as_default() as graph:
        arguments = [ops.placeholder(dtype, shape) for shape in SHAPES]
        y = ops.reduce_sum(grown(arguments, steps)[-1])
        gradients(y, arguments)
    fetches = [t for node in graph.nodes for t in node.outputs if node.op.name != "Placeholder"]
    values = [np.random.default_rng(seed).normal(size=shape).astype(dtype) for shape in SHAPES]
    program = lower(fetches, arguments)
    assert program.source
    same(program(*values), program.interpret(*values), fetches, 1e-12 if dtype == "float64" else 1e-4)


@given(STEPS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_random_training(steps: list[Step], seed: int) -> None:
    draw = np.random.default_rng(seed)
    with Graph(default_float="float64").as_default() as graph:
        variables = [Variable(draw.normal(size=shape)) for shape in SHAPES]
        loss = ops.reduce_mean(grown([v.read for v in variables], steps)[-1]) + sum(
            ops.reduce_sum(ops.square(v)) for v in variables
        )
        train_op = adam_optimizer(0.1).minimize(loss)
    state = {v.node: held(v.initial_value) for v in graph.collection("variables")}
    loop = lower_training(train_op, [loss, *(v.ref for v in variables)])
    found, expected = loop.run(state, 4), loop.interpret(state, 4)
    assert loop.source
    for tensor in loop.record:
        same([np.asarray(found[tensor])], [np.asarray(expected[tensor])], [tensor], 1e-7)


def held(tensor: Tensor) -> Any:
    """The value that a variable begins with."""
    node: Node = tensor.node
    return node.attrs["value"] if node.op.name == "Const" else np.zeros(tensor.shape or ())
