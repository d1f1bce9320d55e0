"""Loops and branches by chance: what is told turn by turn is what TensorFlow's own loops come to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graph.reachability import between
from engine.ops.base.tensors import FLOATS
from engine.programs.lesson.unrolled import unrolled
from engine.programs.program.static_values import fresh_run
from tests.engine.programs.lesson.mathematics.lessons import (
    array,
    internal_names,
    lesson,
    of_phase,
    unequal_products,
    wrong_totals,
)

pytestmark = pytest.mark.slow  # builds, runs and tells many graphs with loops

FUNCTIONS = ("tf.sin", "tf.tanh", "tf.sigmoid", "tf.exp")
LOOP = """\
import tensorflow as tf
x = tf.Variable({x})
w = tf.Variable(0.7)
def body(i, a):
    b = {inside}
    return [i + 1, {after}]
_, y = tf.while_loop(lambda i, a: i < {turns}, body, [0, {start}])
g = tf.gradients(y, [x, w])
"""
PLAIN = frozenset({"VariableV2", "Identity", "Const"})


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(FUNCTIONS), inner).map(lambda t: f"{t[0]}(0.3 * {t[1]})"),
    )


BODIES = st.recursive(st.sampled_from(["a", "x", "w"]), _grown, max_leaves=4)
BRANCHES = st.sampled_from(
    [
        "b + x",
        "b * w",
        "tf.cond(b > 0.4, lambda: b * x, lambda: b + w)",
        "tf.cond(x > 0., lambda: b, lambda: -b)",
    ]
)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(BODIES, BRANCHES, st.integers(1, 4), st.floats(-1.0, 1.0), st.sampled_from(["1.", "x * 0.5"]))
def test_a_loop_adds_up_to_tensorflows_gradient_and_leaves_nothing_out(
    inside: str, after: str, turns: int, x: float, start: str
) -> None:
    source = LOOP.format(inside=inside, after=after, turns=turns, x=round(x, 2) + 0.0, start=start)
    outcome, told = lesson(source)
    assert unequal_products(told) == []
    assert wrong_totals(told) == []
    assert internal_names(outcome, source, told) == []
    call = outcome.workspace.gradient_calls[-1]
    fresh = fresh_run(outcome, {})
    found = [array(step["output"]["value"]) for step in of_phase(told, "close")]
    closing = [slope for slope in found if slope is not None]
    own = [fresh.values[gradient] for gradient in call.gradients if gradient is not None]
    assert len(closing) == len(own)
    assert np.allclose(closing, own, rtol=1e-5, atol=1e-7)
    run = unrolled(outcome, call.ys, call, fresh)
    assert run is not None
    (y,) = run.ys
    copies = [copy for copy, node in run.origin.items() if node.op.name == "VariableV2"]
    passing = [n for n in between(y.graph, copies, [y.node], FLOATS) if n.op.name not in PLAIN]
    steps = [step for step in of_phase(told, "backward") if not step.get("about")]
    assert len(steps) == len(passing)
