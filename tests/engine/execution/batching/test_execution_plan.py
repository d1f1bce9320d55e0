"""Execution plans: where new values go, and which old ones nobody may ask for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.execution.batching import Trace, Unbatchable


def test_a_new_value_is_computed_right_into_its_leaf_once_nothing_reads_the_old_one() -> None:
    trace, place = Trace(), np.array([1.0, 2.0])
    x = trace.changing(place)
    new: Any = x * 3.0
    plan = trace.plan([], moves={x: new})
    plan.execute()
    plan.execute()
    assert place.tolist() == [9.0, 18.0]
    assert len(plan.calls) == 1  # nothing is copied
    assert plan[new] is place


def test_a_new_value_waits_for_those_that_still_read_the_old_one() -> None:
    trace, places = Trace(), [np.array([1.0, 2.0]), np.array([10.0, 20.0])]
    x, y = map(trace.changing, places)
    new_x: Any = x * 2.0
    new_y: Any = np.add(y, np.multiply(x, new_x))  # 10 + 1 · 2, 20 + 2 · 4
    trace.plan([], moves={x: new_x, y: new_y}).execute()
    assert [place.tolist() for place in places] == [[2.0, 4.0], [12.0, 28.0]]


def test_leaves_that_share_memory_are_one() -> None:
    trace, both = Trace(axes=2), np.array([[[1.0], [2.0]], [[3.0], [4.0]]]).reshape(2, 2)
    whole, first = trace.changing(both), trace.changing(both[:1])
    new: Any = whole * 2.0
    product: Any = new * first  # of the values before
    plan = trace.plan([product], moves={whole: new})
    plan.execute()
    assert plan[product].tolist() == [[2.0, 8.0], [6.0, 16.0]]
    assert both.tolist() == [[2.0, 4.0], [6.0, 8.0]]


def test_variables_that_exchange_their_values_are_taken_one_by_one() -> None:
    trace = Trace()
    x, y = trace.changing(np.array([1.0])), trace.changing(np.array([2.0]))
    with pytest.raises(Unbatchable):
        trace.plan([], moves={x: y, y: x})


def test_the_value_before_an_update_cannot_be_read_after_it() -> None:
    trace = Trace()
    x = trace.changing(np.array([1.0]))
    with pytest.raises(Unbatchable):
        trace.plan([x], moves={x: np.add(x, 1.0)})


def test_a_plan_refuses_to_keep_more_numbers_than_there_is_room_for() -> None:
    trace = Trace()
    x = trace.changing(np.zeros(100))
    sine: Any = np.sin(x)
    assert trace.plan([sine], limit=100).elements == 100
    with pytest.raises(Unbatchable):
        trace.plan([sine], limit=99)
