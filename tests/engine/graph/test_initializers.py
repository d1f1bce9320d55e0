"""Initial values by a rule: the nodes are TensorFlow 1.15.5's."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import ShapeError
from engine.execution import Session
from engine.graph import Graph
from engine.graph.variables.initializers import Identity


@pytest.mark.parametrize(
    ("shape", "ops"),
    [
        ([3, 3], ["Const", "MatrixDiag", "Const", "Mul"]),
        ([2, 3], ["Const", "Const", "MatrixSetDiag", "Const", "Mul"]),
    ],
)
def test_the_identity_times_its_gain(shape: list[int], ops: list[str]) -> None:
    with Graph().as_default() as graph:
        value = Identity(2.0)(shape, "float32")
    assert [node.op.name for node in graph.nodes] == ops
    np.testing.assert_array_equal(Session(graph).run(value), 2.0 * np.eye(shape[0], shape[1]))


def test_the_identity_is_a_matrix() -> None:
    with Graph().as_default(), pytest.raises(ShapeError, match="two lengths"):
        Identity()([3], "float32")
