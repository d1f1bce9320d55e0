"""Learning-rate schedules: rates by hand, and the same rates from the graph."""

from __future__ import annotations

import math

import pytest

from engine import ops
from engine.errors import ValueRefused
from engine.execution import Session
from engine.graph import Graph, Variable
from engine.optimizers import SCHEDULES
from engine.optimizers.schedules import (
    CosineDecay,
    CosineDecayRestarts,
    ExponentialDecay,
    InverseTimeDecay,
    LinearCosineDecay,
    NaturalExpDecay,
    PiecewiseConstant,
    PolynomialDecay,
    Schedule,
    WarmUp,
)

RATES: list[tuple[Schedule, dict[int, float]]] = [
    (ExponentialDecay(0.1, 10, 0.5), {0: 0.1, 10: 0.05, 20: 0.025}),
    (ExponentialDecay(0.1, 10, 0.5, staircase=True), {9: 0.1, 10: 0.05, 19: 0.05}),
    (NaturalExpDecay(0.1, 10, 1.0), {0: 0.1, 10: 0.1 / math.e}),
    (InverseTimeDecay(0.1, 10, 1.0), {0: 0.1, 10: 0.05, 30: 0.025}),
    (PolynomialDecay(0.1, 40, 0.02), {0: 0.1, 20: 0.06, 40: 0.02, 99: 0.02}),
    (PolynomialDecay(0.1, 40, 0.02, power=2.0), {20: 0.04}),  # 0.08 / 4 + 0.02
    (PolynomialDecay(0.1, 40, 0.02, cycle=True), {0: 0.1, 40: 0.02, 60: 0.04}),  # 0.08 * 20/80 + 0.02
    (PiecewiseConstant([10, 20], [0.1, 0.05, 0.01]), {0: 0.1, 10: 0.1, 11: 0.05, 20: 0.05, 21: 0.01}),
    (CosineDecay(0.1, 40), {0: 0.1, 20: 0.05, 40: 0.0, 99: 0.0}),
    (CosineDecay(0.1, 40, alpha=0.5), {20: 0.075, 40: 0.05}),
    (CosineDecayRestarts(0.1, 10), {0: 0.1, 5: 0.05, 10: 0.1, 20: 0.05, 30: 0.1}),  # 10, then 20 steps
    (CosineDecayRestarts(0.1, 10, t_mul=1.0, m_mul=0.5), {10: 0.05, 15: 0.025, 20: 0.025}),
    (LinearCosineDecay(0.1, 40, beta=0.0), {0: 0.1, 20: 0.025, 40: 0.0}),  # half of the line, half wave
    (WarmUp(0.1, 4), {0: 0.025, 1: 0.05, 3: 0.1, 50: 0.1}),
]


@pytest.mark.parametrize(("schedule", "rates"), RATES, ids=lambda value: getattr(value, "name", ""))
def test_the_rule_gives_the_rates_that_a_hand_does(schedule: Schedule, rates: dict[int, float]) -> None:
    assert {step: schedule.rate(step) for step in rates} == pytest.approx(rates, abs=1e-12)


@pytest.mark.parametrize(("schedule", "rates"), RATES, ids=lambda value: getattr(value, "name", ""))
def test_the_graph_gives_the_same_rates(schedule: Schedule, rates: dict[int, float]) -> None:
    with Graph().as_default() as graph:
        step = ops.placeholder("int32", ())
        rate = schedule.build(step)
    session = Session(graph)
    assert {n: session.run(rate, {step: n}) for n in rates} == pytest.approx(rates, abs=1e-7)


def test_every_schedule_has_a_rate_by_hand() -> None:
    assert {schedule.name for schedule, _ in RATES} == set(SCHEDULES)


def test_the_last_node_of_a_schedule_has_the_name_of_its_scope() -> None:
    with Graph().as_default() as graph:
        step = Variable(0, name="global_step", trainable=False)
        rate = InverseTimeDecay(0.1, 10, 0.5).build(step, name="lr")
    assert [node.name for node in graph.nodes[4:]] == [
        "lr/initial_learning_rate",
        "lr/Cast/x",
        "lr/Cast",
        "lr/Cast_1/x",
        "lr/Cast_2",
        "lr/truediv",
        "lr/Const",
        "lr/Cast_3",
        "lr/Mul",
        "lr/Add",
        "lr",
    ]
    assert rate.name == "lr:0"


def test_pieces_need_one_value_more_than_boundaries() -> None:
    with pytest.raises(ValueRefused) as caught:
        PiecewiseConstant([10, 20], [0.1, 0.05])
    assert caught.value.message == (
        "piecewise_constant needs one value more than boundaries, but got 2 values and 2 boundaries."
    )
