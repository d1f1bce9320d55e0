"""Where a function has a corner, the gradient is the one that TensorFlow 1.15 gives there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.differentiation import gradients
from engine.execution import Session
from engine.graph import Graph


def slope(function: Callable[[Any], Any], at: list[float]) -> list[float]:
    graph = Graph()
    with graph.as_default():
        x = ops.constant(at)
        (dx,) = gradients(function(x), [x])
    return [float(value) for value in Session(graph).run(dx)]


@pytest.mark.parametrize(
    ("function", "at", "expected"),
    [
        pytest.param(ops.absolute, [0.0], [0.0], id="abs has slope 0 at 0"),
        pytest.param(ops.relu, [0.0], [0.0], id="relu has slope 0 at 0"),
        pytest.param(ops.relu6, [0.0, 6.0], [0.0, 0.0], id="relu6 has slope 0 at both corners"),
        pytest.param(ops.leaky_relu, [0.0], [np.float32(0.2)], id="leaky relu has its lower slope at 0"),
        pytest.param(ops.elu, [0.0], [1.0], id="elu is smooth at 0"),
        pytest.param(ops.sign, [0.0, 2.0], [0.0, 0.0], id="sign has slope 0 everywhere"),
        pytest.param(ops.sqrt, [0.0], [np.inf], id="the root is upright at 0"),
        pytest.param(ops.log, [0.0], [np.inf], id="the logarithm is upright at 0"),
        pytest.param(ops.reduce_max, [3.0, 3.0, 1.0], [0.5, 0.5, 0.0], id="the largest share a tie"),
        pytest.param(ops.reduce_min, [3.0, 1.0, 1.0], [0.0, 0.5, 0.5], id="the smallest share a tie"),
        pytest.param(lambda x: ops.maximum(x, 2.0), [2.0], [1.0], id="maximum gives a tie to the first"),
        pytest.param(lambda x: ops.maximum(2.0, x), [2.0], [0.0], id="and nothing to the second"),
        pytest.param(lambda x: ops.minimum(x, 2.0), [2.0], [1.0], id="minimum gives a tie to the first"),
        pytest.param(
            lambda x: ops.clip_by_value(x, 0.0, 1.0), [0.0, 1.0], [1.0, 1.0], id="clip passes at its edges"
        ),
        pytest.param(
            lambda x: ops.reduce_prod(x), [0.0, 3.0, 4.0], [12.0, 0.0, 0.0], id="a product with a 0"
        ),
        pytest.param(ops.norm, [0.0, 0.0], [np.nan, np.nan], id="the norm of 0 has no direction"),
        pytest.param(lambda x: x**0.0, [0.0], [np.nan], id="x to the power of 0 divides by 0 at 0"),
        pytest.param(lambda x: x**2.0, [-3.0], [-6.0], id="the logarithm of a negative base is left out"),
    ],
)
def test_a_kink(function: Callable[[Any], Any], at: list[float], expected: list[float]) -> None:
    np.testing.assert_array_equal(slope(function, at), expected)
