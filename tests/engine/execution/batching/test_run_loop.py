"""Races as machine code: the same bits as numpy's, or no machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import ops
from engine.differentiation import gradients
from engine.execution import Session
from engine.execution.batching import Group, RaceLoop
from engine.graph import Graph, Tensor, Variable
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.optimizers.catalogue import optimizer_named

pytestmark = pytest.mark.slow  # compiles machine code

pytest.importorskip("numba")

Loss = Callable[[Tensor, Tensor], Tensor]
EXACT_RULES = ["GradientDescent", "Momentum", "Adagrad", "RMSProp", "Adam", "Adadelta"]


def loop_of(
    loss: Loss,
    rules: dict[str, int],
    dtype: str = "float64",
    fall: Callable[[Any], Any] = lambda x: 0.5 - x / 2,
) -> RaceLoop:
    """A race of so many runs for each rule, from different places: y is a function of x."""
    with Graph(default_float=dtype).as_default() as graph:
        x, y = Variable(0.0, name="x", dtype=dtype), Variable(0.0, name="y", dtype=dtype)
        value = ops.identity(loss(x.read, y.read), name="loss")
        slopes = gradients(value, [x, y])
        groups = []
        for name, runs in rules.items():
            before = len(graph.collection(GLOBAL_VARIABLES))
            optimizer, step = optimizer_named(name, {"learning_rate": 0.01})
            train = optimizer.apply_gradients(list(zip(slopes, [x, y], strict=True)), step)
            made = graph.collection(GLOBAL_VARIABLES)[before:]
            session = Session(graph)
            session.run([variable.initializer for variable in made])
            rates = np.geomspace(0.001, 0.1, runs).astype(dtype)
            own = {variable.node: session.variables[variable.node][None] for variable in made}
            groups.append(Group(train, runs, {optimizer.constants["learning_rate"]: rates}, own))
        total = sum(rules.values())
        xs = np.linspace(-3.1, 3, total)
        start = {x.node: xs, y.node: fall(xs)}
        return RaceLoop(
            [value],
            dict(zip([x.node, y.node], slopes, strict=True)),
            groups,
            {node: places.astype(dtype) for node, places in start.items()},
        )


def bits(columns: Any) -> list[Any]:
    """The numbers of all columns, bit for bit; a NaN has many ways to be written, all the same here."""
    return [np.where(np.isnan(c), np.nan, c).tobytes() for c in columns.values()]


def assert_same_bits(loop: RaceLoop, steps: int) -> None:
    """With numpy, then with machine code, whole and in two windows."""
    by_numpy = bits(loop.run(steps))
    assert loop.compile()
    loop.restart()
    assert bits(loop.run(steps)) == by_numpy
    loop.restart()
    first, second = loop.run(steps - 3, last=False), loop.run(3)
    joined = {key: np.concatenate([first[key], second[key]]) for key in first}
    assert bits(joined) == by_numpy


def himmelblau(x: Tensor, y: Tensor) -> Tensor:
    return ops.square(x * x + y - 11.0) + ops.square(x + y * y - 7.0)


def test_several_optimizers_on_himmelblau() -> None:
    assert_same_bits(loop_of(himmelblau, {"Momentum": 5, "Adam": 3, "RMSProp": 1}), 20)


def test_a_race_of_one_group_and_one_of_one_run() -> None:
    assert_same_bits(loop_of(himmelblau, {"Adagrad": 4}), 10)
    assert_same_bits(loop_of(himmelblau, {"Adam": 1}), 10)


def test_infinities_and_nans() -> None:
    assert_same_bits(loop_of(lambda x, y: x / (y - y) + ops.sqrt(x) * y, {"GradientDescent": 4}), 10)


def test_a_choice_between_two_numbers() -> None:
    assert_same_bits(loop_of(lambda x, y: ops.where(x > y, x * x, y / 3.0), {"GradientDescent": 5}), 10)


STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "square": lambda a, b: ops.square(a) - b,
    "root": lambda a, b: ops.sqrt(ops.absolute(a)) + b,
    "negative": lambda a, b: -a * 0.3,
    "sign": lambda a, b: ops.sign(a) * b,
}


@settings(max_examples=3, deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 9), st.integers(0, 9)),
        min_size=2,
        max_size=8,
    ),
    rules=st.dictionaries(st.sampled_from(EXACT_RULES), st.integers(1, 9), min_size=1, max_size=2),
)
def test_random_losses(steps: list[tuple[str, int, int]], rules: dict[str, int]) -> None:
    def loss(x: Tensor, y: Tensor) -> Tensor:
        values = [x, y]
        for name, first, second in steps:
            values.append(STEPS[name](values[first % len(values)], values[second % len(values)]))
        return values[-1] + 0.5 * (x * x + y)

    assert_same_bits(loop_of(loss, rules), 12)


def test_a_product_and_a_sum_are_rounded_one_after_the_other() -> None:
    """x x + y is 0 where y is -(x x) as it was rounded; as one operation it is what that left."""
    loop = loop_of(lambda x, y: x * x + y, {"GradientDescent": 9}, fall=lambda x: -(x * x))
    assert loop.compile()
    columns = {key.name: column for key, column in loop.run(0).items()}
    assert columns["loss:0"].tolist() == [[0.0] * 9]


@pytest.mark.parametrize(
    "loss",
    [
        lambda x, y: ops.sin(x) + y * y,
        lambda x, y: ops.exp(-x) * y,
        lambda x, y: x**3 + y,
        lambda x, y: ops.maximum(x, y),  # of 0 and -0, numpy's is another on another processor
    ],
)
def test_what_may_be_rounded_in_two_ways_stays_with_numpy(loss: Loss) -> None:
    assert not loop_of(loss, {"GradientDescent": 3}).compile()


def test_float32_stays_with_numpy() -> None:
    assert not loop_of(himmelblau, {"GradientDescent": 3}, "float32").compile()


def test_the_same_race_at_other_rates_is_not_compiled_again() -> None:
    first, second = (loop_of(himmelblau, {"GradientDescent": runs}) for runs in (3, 7))
    assert first.compile()
    second.expect(rows=10**9)
    assert second.machine_code


def test_a_short_race_is_not_worth_compiling() -> None:
    loop = loop_of(himmelblau, {"GradientDescent": 3})
    loop.expect(rows=200)
    assert not loop.machine_code
