"""Random nodes: drawn anew in each run, the same in every repetition."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.execution import Session
from engine.graph import Graph


def drawn(seed: int = 0, runs: int = 1, op_seed: int | None = None, size: int = 4) -> list[Any]:
    graph = Graph()
    with graph.as_default():
        x = ops.random_normal([size], seed=op_seed)
    session = Session(graph, seed=seed)
    return [session.run(x).tolist() for _ in range(runs)]


def test_a_run_draws_other_numbers_than_the_run_before() -> None:
    first, second = drawn(runs=2)
    assert first != second


def test_the_same_program_with_the_same_seed_draws_the_same() -> None:
    assert drawn(runs=3) == drawn(runs=3)


def test_another_request_seed_draws_other_numbers() -> None:
    assert drawn(seed=1) != drawn(seed=2)


def test_an_op_seed_changes_the_numbers() -> None:
    assert drawn(op_seed=5) != drawn(op_seed=6)


def test_all_fetches_of_one_run_see_one_draw() -> None:
    graph = Graph()
    with graph.as_default():
        x = ops.random_uniform([3])
        y = x * 2.0
    a, b = Session(graph).run([x, y])
    np.testing.assert_array_equal(b, a * 2)


def test_normal_numbers_have_mean_0_and_deviation_1() -> None:
    (values,) = drawn(size=20_000)
    assert abs(np.mean(values)) < 0.03
    assert abs(np.std(values) - 1) < 0.03


def test_truncated_numbers_stay_within_two_deviations() -> None:
    graph = Graph()
    with graph.as_default():
        x = ops.truncated_normal([5000])
    assert np.abs(Session(graph).run(x)).max() <= 2


def test_whole_numbers_stay_below_their_limit() -> None:
    graph = Graph()
    with graph.as_default():
        x = ops.random_uniform([1000], 2, 5, dtype="int32")
    assert set(Session(graph).run(x).tolist()) == {2, 3, 4}


def test_dropout_keeps_the_mean() -> None:
    graph = Graph()
    with graph.as_default():
        x = ops.dropout(ops.ones([20_000]), rate=0.25)
    values = Session(graph).run(x)
    assert set(np.round(np.unique(values), 4)) == {0.0, np.float32(1.3333)}
    assert abs(values.mean() - 1) < 0.02


def test_a_shuffle_keeps_all_rows() -> None:
    graph = Graph()
    with graph.as_default():
        x = ops.random_shuffle(list(range(10)))
    assert sorted(Session(graph).run(x).tolist()) == list(range(10))
