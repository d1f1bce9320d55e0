"""Forward mode: dual numbers, Jacobians, Hessians, and agreement with reverse mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import ops
from engine.differentiation import gradients
from engine.differentiation.forward import Dual, dual_step, hessian, jacobian, jvp
from engine.differentiation.numeric import GraphFunction, central_difference
from engine.differentiation.walk import kernel, walk
from engine.errors import NoGradientError, ProgramError
from engine.graph import Graph, Tensor
from engine.ops import REGISTRY


def graph_of(*points: Any) -> tuple[Graph, list[Any], dict[Tensor, Any]]:
    """A float64 graph with one placeholder for each point, and their values."""
    graph = Graph(default_float="float64")
    arrays = [np.asarray(point, dtype=np.float64) for point in points]
    with graph.as_default():
        xs: list[Any] = [ops.placeholder("float64", array.shape) for array in arrays]
    return graph, xs, dict(zip(xs, arrays, strict=True))


def test_one_sweep_gives_one_partial_and_the_second_needs_another() -> None:
    graph, (a, b), known = graph_of(2.0, 5.0)  # Baydin et al.'s example
    with graph.as_default():
        y = ops.log(a) + a * b - ops.sin(b)
    assert walk([y], known, kernel)[y] == pytest.approx(11.652, abs=1e-3)
    assert jvp([y], [a], [1.0], known) == [pytest.approx(5.5)]  # 1/2 + 5
    assert jvp([y], [b], [1.0], known) == [pytest.approx(1.716, abs=1e-3)]  # 2 - cos 5


def test_a_direction_adds_the_partials_up() -> None:
    graph, (a, b), known = graph_of(3.0, 4.0)
    with graph.as_default():
        y = a * b
    assert jvp([y], [a, b], [1.0, 10.0], known) == [34.0]  # 4 * 1 + 3 * 10


def test_a_product_of_dual_numbers_follows_the_product_rule() -> None:
    graph, (a, b), _ = graph_of(3.0, 4.0)
    with graph.as_default():
        node: Any = (a * b).node
    three, one, four = (np.asarray(number) for number in (3.0, 1.0, 4.0))
    (made,) = dual_step(node, [Dual(three, one), Dual(four)])
    assert made.value == 12.0  # (3 + ε) * 4
    assert made.tangent == 4.0


def test_nothing_moves_past_a_stopped_gradient() -> None:
    graph, (x,), known = graph_of(3.0)
    with graph.as_default():
        y = x * ops.stop_gradient(x)
    assert jvp([y], [x], [1.0], known) == [3.0]


def test_values_that_depend_on_x_are_not_taken_as_given() -> None:
    graph, (x,), known = graph_of(3.0)
    with graph.as_default():
        square = ops.square(x)
        y = ops.square(square)
    stale = {**known, square: np.float64(9.0), y: np.float64(81.0)}
    assert jvp([y], [x], [1.0], stale) == [108.0]  # 4 * 27


def test_the_jacobian_of_a_matrix_product_is_the_matrix() -> None:
    graph, (x,), known = graph_of([1.0, 1.0])
    with graph.as_default():
        matrix = ops.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        y = ops.reduce_sum(matrix * x, 1)
    assert jacobian(y, x, known).tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def test_the_hessian_of_rosenbrock_at_its_minimum() -> None:
    graph, (x,), known = graph_of([1.0, 1.0])
    with graph.as_default():
        a, b = ops.unstack(x)
        y = (1.0 - a) ** 2.0 + 100.0 * (b - a**2.0) ** 2.0
    assert hessian(y, x, known) == pytest.approx(np.array([[802.0, -400.0], [-400.0, 200.0]]))


@pytest.mark.parametrize(
    ("build", "at", "slope"),
    [
        (ops.relu, 0.0, 0.0),
        (ops.absolute, 0.0, 0.0),
        (lambda x: ops.maximum(x, 2.0), 2.0, 1.0),
        (lambda x: ops.minimum(x, 2.0), 2.0, 1.0),
        (lambda x: ops.maximum(2.0, x), 2.0, 0.0),
    ],
)
def test_kinks_go_the_way_that_tensorflow_goes(build: Callable[..., Any], at: float, slope: float) -> None:
    graph, (x,), known = graph_of(at)
    with graph.as_default():
        y = build(x)
        (reverse,) = gradients(y, [x])
    assert jvp([y], [x], [1.0], known) == [slope]
    assert reverse is not None
    assert walk([reverse], known, kernel)[reverse] == slope


def test_an_op_without_a_rule_says_why() -> None:
    graph, (x,), known = graph_of(3.0)
    with graph.as_default():
        y = REGISTRY["PreventGradient"](x)
    with pytest.raises(NoGradientError) as caught:
        jvp([y], [x], [1.0], known)
    assert caught.value.message == (
        "PreventGradient has no derivative: it stands where TensorFlow has no second derivative."
    )
    assert caught.value.message_zh == "PreventGradient 没有导数：TensorFlow 在这里没有二阶导数。"


def test_a_placeholder_without_a_value_is_named() -> None:
    graph, (x, other), known = graph_of(3.0, 4.0)
    with graph.as_default():
        y = x * other
    with pytest.raises(ProgramError) as caught:
        jvp([y], [x], [1.0], {x: known[x]})
    assert caught.value.message == "Placeholder_1 has no value here."


# -- the registry and random programs ------------------------------------------------------------------

SMOOTH: dict[str, Callable[..., Any]] = {
    "sin": ops.sin,
    "cos": ops.cos,
    "tanh": ops.tanh,
    "sigmoid": ops.sigmoid,
    "exp": lambda x: ops.exp(ops.tanh(x)),
    "log": lambda x: ops.log(ops.square(x) + 1.0),
    "sqrt": lambda x: ops.sqrt(ops.square(x) + 0.5),
    "softmax": lambda x: REGISTRY["Softmax"](x),
    "softplus": lambda x: REGISTRY["Softplus"](x),
    "cumsum": lambda x: REGISTRY["Cumsum"](x, ops.constant(1)),
    "mean": lambda x: x - ops.reduce_mean(x, 1, keepdims=True),
    "max": lambda x: x * ops.reduce_max(x, 0, keepdims=True),
    "prod": lambda x: x + ops.reduce_prod(x, 1, keepdims=True),
    "transpose": lambda x: ops.matrix_product(ops.matrix_product(x, ops.transpose(x)), x) * 0.1,
    "halves": lambda x: ops.concat([x[:, 1:], x[:, :1]], 1) * x,
    "power": lambda x: (ops.square(x) + 1.0) ** 1.5,
    "quotient": lambda x: x / (ops.square(x) + 2.0),
    "select": lambda x: ops.select(x > 0.1, ops.sin(x), x * x),
}


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.sampled_from(sorted(SMOOTH)), min_size=1, max_size=4), seed=st.integers(0, 99))
def test_random_programs_have_one_derivative_by_three_ways(steps: list[str], seed: int) -> None:
    random = np.random.default_rng(seed)
    graph, (x,), known = graph_of(random.uniform(-1, 1, (2, 3)))
    with graph.as_default():
        value = x
        for step in steps:
            value = SMOOTH[step](value)
        y = ops.reduce_sum(value * ops.constant(random.uniform(-1, 1, (2, 3))))
        (slope,) = gradients(y, [x])
    assert slope is not None
    reverse = walk([slope], known, kernel)[slope]
    forward = jacobian(y, x, known)
    np.testing.assert_allclose(forward, reverse, rtol=1e-9, atol=1e-12)
    function = GraphFunction(y, (x,), known)
    numeric, wider = (
        central_difference(function.in_type("float64"), function.point("float64"), delta)
        for delta in (1e-6, 2e-6)
    )
    assume(np.allclose(numeric, wider, rtol=1e-5, atol=1e-7))  # else the slope changes within one step
    np.testing.assert_allclose(numeric, np.ravel(reverse), rtol=1e-4, atol=1e-6)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(steps=st.lists(st.sampled_from(sorted(SMOOTH)), min_size=1, max_size=2), seed=st.integers(0, 99))
def test_random_programs_have_a_symmetric_hessian(steps: list[str], seed: int) -> None:
    graph, (x,), known = graph_of(np.random.default_rng(seed).uniform(-1, 1, (2, 3)))
    with graph.as_default():
        value = x
        for step in steps:
            value = SMOOTH[step](value)
        y = ops.reduce_sum(ops.square(value))
        second = np.reshape(hessian(y, x, known), (6, 6))
    np.testing.assert_allclose(second, second.T, rtol=1e-8, atol=1e-10)


AT: dict[str, tuple[float, ...]] = {
    "Acosh": (1.7,),
    "Pow": (1.3, 2.5),
    "FloorMod": (7.3, 2.0),
    "MultiplyAdd": (0.3, 0.7, 1.1),
    "Sign": (0.4,),
}


SLOPES = sorted(  # forward mode asks their blocks
    name
    for name, op in REGISTRY.items()
    if op.gradient_rule and (op.partials or name in ("Add", "AddV2", "Sub", "Neg"))
)


@pytest.mark.parametrize("name", SLOPES)
def test_what_a_block_says_of_slopes_agrees_with_the_ops_own_reverse_rule(name: str) -> None:
    op = REGISTRY[name]
    points = AT.get(name, (0.3, 0.7)[: len(op.input_names)])
    graph, xs, known = graph_of(*points)
    with graph.as_default():
        y = op(*xs)
        slopes = gradients(y, xs, unconnected_gradients="zero")
    for x, slope in zip(xs, slopes, strict=True):
        assert slope is not None
        assert jvp([y], [x], [1.0], known)[0] == pytest.approx(walk([slope], known, kernel)[slope])
