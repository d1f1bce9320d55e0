"""`tf.losses`: figures by hand."""

from __future__ import annotations

import pytest

from engine import ops
from engine.errors import ProgramError, ShapeError, ValueRefused
from engine.execution import Session
from engine.graph import Graph
from engine.graph.composites import losses as weighted


def value(build: object) -> float:
    graph = Graph()
    with graph.as_default():
        loss = build()  # type: ignore[operator]
    return float(Session(graph).run(loss))


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (lambda: weighted.mean_squared_error([1.0, 2.0], [2.0, 4.0]), 2.5),  # (1 + 4) / 2
        (
            lambda: weighted.mean_squared_error([1.0, 2.0], [2.0, 4.0], weights=[1.0, 0.0]),
            1.0,
        ),  # only one counts
        (lambda: weighted.absolute_difference([1.0, 2.0], [2.0, 4.0]), 1.5),  # (1 + 2) / 2
        (lambda: weighted.huber_loss([0.0, 0.0], [0.5, 3.0]), 1.3125),  # (0.125 + 0.5 + 2) / 2
        (lambda: weighted.hinge_loss([1.0, 0.0], [0.5, -3.0]), 0.25),  # (0.5 + 0) / 2
        (lambda: weighted.log_loss([1.0], [0.5]), 0.6931469),  # -ln(0.5 + 1e-7)
        (lambda: weighted.softmax_cross_entropy_loss([[0.0, 1.0]], [[1.0, 1.0]]), 0.6931472),  # ln 2
        (lambda: weighted.sparse_softmax_cross_entropy_loss([1], [[1.0, 1.0]]), 0.6931472),
        (lambda: weighted.sigmoid_cross_entropy_loss([1.0], [0.0]), 0.6931472),
        (lambda: weighted.cosine_distance([1.0, 0.0], [0.0, 1.0], axis=0), 1.0),  # at right angles
    ],
)
def test_a_loss_by_hand(loss: object, expected: float) -> None:
    assert value(loss) == pytest.approx(expected, rel=1e-6)


def test_weights_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"Weights of the shape \(3,\) do not fit losses of \(2,\)"):
        value(lambda: weighted.mean_squared_error([1.0, 2.0], [1.0, 2.0], weights=[1.0, 1.0, 1.0]))


def test_weights_of_unknown_shape_that_do_not_fit_stop_a_run() -> None:
    graph = Graph()
    with graph.as_default():
        values, weights = ops.placeholder("float32", None), ops.placeholder("float32", None)
        loss = weighted.compute_weighted_loss(values, weights)
    session = Session(graph)
    assert session.run(loss, {values: [3.0, 4.0], weights: [1.0, 0.0]}) == 3.0
    assert session.run(loss, {values: [3.0, 4.0], weights: 2.0}) == 7.0
    with pytest.raises(ProgramError, match=r"weights can not be broadcast to values\. weights\.shape="):
        session.run(loss, {values: [3.0, 4.0], weights: [1.0, 0.0, 2.0]})


def test_a_reduction_is_one_of_those_that_there_are() -> None:
    with pytest.raises(ValueRefused, match=r"There is no reduction 'average'"):
        value(lambda: weighted.mean_squared_error([1.0], [2.0], reduction="average"))
