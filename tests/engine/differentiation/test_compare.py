"""One derivative three ways: figures, cost, and the sentence that judges."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.differentiation.compare import compare
from engine.errors import NoGradientError
from engine.graph import Graph, Variable


def compared(build: Callable[..., Any], dtype: str = "float64", **points: Any) -> dict[str, Any]:
    with Graph(default_float=dtype).as_default():
        xs = {name: Variable(value, name=name) for name, value in points.items()}
        y = build(*xs.values())
        known = {x.ref: np.asarray(points[name], dtype) for name, x in xs.items()}
        return compare(y, {name: x.ref for name, x in xs.items()}, known)


def test_sine_at_3_by_all_ways() -> None:
    body = compared(ops.sin, x=3.0)
    assert body["target"] == "Sin:0"
    assert body["at"] == {"x": 3.0}
    assert body["automatic"]["value"] == pytest.approx(-0.9899925)
    assert body["symbolic"]["value"] == pytest.approx(-0.9899925)
    assert body["symbolic"]["latex"] == r"\cos{\left(x \right)}"
    double = body["numeric"]["float64"]
    at = double["delta"].index(1e-3)
    assert double["forward"][at] == pytest.approx(-0.99006, abs=1e-5)
    assert double["errors"]["forward"][at] == pytest.approx(7.0e-5, rel=0.02)
    assert double["errors"]["central"][at] == pytest.approx(1.6e-7, rel=0.05)


def test_reverse_mode_takes_two_passes_where_differences_take_two_for_each_number() -> None:
    body = compared(lambda x: ops.reduce_sum(ops.square(x)), x=[1.0] * 20)
    assert body["automatic"]["evaluations"] == 2
    assert body["numeric"]["float64"]["evaluations"] == {"forward": 21, "central": 40, "complex_step": 20}


def test_several_variables_are_listed_by_name() -> None:
    body = compared(lambda w, x: w * x, w=10.0, x=50.0)
    assert body["automatic"]["value"] == {"w": 50.0, "x": 10.0}
    assert body["symbolic"]["value"] == {"w": 50.0, "x": 10.0}
    assert body["component"] == {"name": "w", "index": []}


def test_a_float32_program_is_measured_against_the_exact_derivative() -> None:
    body = compared(ops.sin, "float32", x=3.0)
    assert body["automatic"]["value"] == pytest.approx(np.cos(np.float32(3.0)))
    single = body["numeric"]["float32"]
    assert single["central"][single["delta"].index(1e-7)] == 0.0
    assert single["errors"]["central"][single["delta"].index(1e-4)] == pytest.approx(1.0e-3, rel=0.01)


def test_the_verdict_says_automatic_in_both_languages() -> None:
    body = compared(lambda x: ops.exp(ops.sin(x)), x=3.0)
    verdict = body["verdict"]
    central = body["numeric"]["float64"]["errors"]["central"]
    best = min(central)  # the last digits of exp and sin are the processor's
    assert verdict["en"] == (
        "TensorFlow differentiates automatically: 6 graph nodes give the derivative in one forward and one"
        " backward pass, as exact as the symbolic derivative (an expression of 6 nodes), without writing it"
        " out; numerical differentiation only comes near, off by 8.4e-08 at δ = 0.001 and by"
        f" {best:.1e} at its best δ = 1e-05, and that δ is a distance between two points, not the learning"
        " rate."
    )
    assert "自动微分" in verdict["zh"]
    assert "不是学习率" in verdict["zh"]


def test_a_target_that_is_no_formula_leaves_the_symbols_blank_and_says_why() -> None:
    body = compared(lambda x: ops.reduce_max(x), x=[1.0, 2.0])
    assert body["symbolic"] == {"value": None, "latex": None, "size": None, "size_naive": None}
    assert "Max is not written as a formula here" in body["verdict"]["en"]
    assert body["automatic"]["value"] == {"x": [0.0, 1.0]}


def test_the_body_is_strict_json_even_where_nothing_is_finite() -> None:
    body = compared(ops.sqrt, x=0.0)
    assert body["automatic"]["value"] == "inf"
    json.dumps(body, allow_nan=False)


def test_what_float32_cannot_hold_is_infinite_there() -> None:
    body = compared(lambda x: x**3.0, x=1e30)
    assert body["automatic"]["value"] == pytest.approx(3e60)
    assert body["numeric"]["float32"]["central"][0] in ("inf", "nan")


def test_an_unconnected_target_is_refused() -> None:
    with pytest.raises(NoGradientError) as caught:
        compared(lambda x: ops.constant(1.0) * 2.0, x=1.0)
    assert caught.value.message == "No path joins x to mul:0, so there is no derivative to compare."


def test_of_a_thousand_numbers_all_are_counted_and_few_are_moved() -> None:
    body = compared(lambda x: ops.reduce_sum(x * x), x=[1.0] * 1000)
    assert body["numeric"]["float64"]["evaluations"]["central"] == 2000
    assert body["automatic"]["evaluations"] == 2
    assert body["symbolic"]["size_naive"] is None  # a formula of a thousand letters is for nobody
