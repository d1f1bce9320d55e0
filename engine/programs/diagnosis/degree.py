"""The degree of a target as a polynomial of the variables, as far as its graph alone shows it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from engine.execution.interpreter.order import Loop
from engine.execution.interpreter.plan import make_plan
from engine.graph import Node, Tensor

Degree = float  # infinite: no polynomial, or none that this file sees

SUMS = frozenset(
    {
        "Add",
        "AddV2",
        "AddN",
        "AccumulateNV2",
        "Sub",
        "Neg",
        "BiasAdd",
        "Identity",
        "IdentityN",
        "Sum",
        "Mean",
        "Cumsum",
    }
)
MOVES = frozenset(
    {
        "Reshape",
        "Transpose",
        "ExpandDims",
        "Squeeze",
        "Pack",
        "Unpack",
        "ConcatV2",
        "Split",
        "SplitV",
        "Slice",
        "StridedSlice",
        "Tile",
        "BroadcastTo",
        "GatherV2",
        "GatherNd",
        "Pad",
        "ReverseV2",
        "Roll",
        "Diag",
        "DiagPart",
        "MatrixDiag",
        "MatrixDiagPart",
    }
)
PRODUCTS = frozenset({"Mul", "MatMul", "BatchMatMulV2", "Conv2D", "Cross"})
SQUARES = frozenset({"Square", "L2Loss", "SquaredDifference"})
QUOTIENTS = frozenset({"RealDiv", "DivNoNan"})


def degree_of(
    target: Tensor, variables: Collection[Node], moving: Collection[Node], fed: Collection[Tensor]
) -> Degree:
    """The degree in these variables.

    moving: variables that a step changes besides; a target that follows one is no fixed polynomial.
    fed:    tensors whose values are given.
    """
    degrees: dict[Node, Degree] = {}
    for step in make_plan([target.node], frozenset(fed)).steps:
        if isinstance(step, Loop) or step.op.draws or step in moving:
            return math.inf
        degrees[step] = 1.0 if step in variables else _degree(step, _taken(step, degrees, fed))
    return degrees.get(target.node, 0.0)


def _taken(node: Node, degrees: Mapping[Node, Degree], fed: Collection[Tensor]) -> list[Degree]:
    return [0.0 if tensor in fed else degrees[tensor.node] for tensor in node.inputs]


def _degree(node: Node, taken: Sequence[Degree]) -> Degree:
    """The degree of what an op makes of arguments of these degrees."""
    op = node.op.name
    if not any(taken):
        return 0.0
    if op in SUMS or op in MOVES:
        return max(taken)
    if op in PRODUCTS:
        return sum(taken)
    if op in SQUARES:
        return 2 * max(taken)
    if op in QUOTIENTS and taken[1] == 0:
        return taken[0]
    if op == "Pow" and (exponent := _whole(node.inputs[1])) is not None:
        return exponent * taken[0]
    if op == "Cast" and np.dtype(node.outputs[0].dtype).kind == "f":
        return taken[0]
    if op == "Select" and taken[0] == 0:
        return max(taken)
    return math.inf


def _whole(exponent: Tensor) -> int | None:
    """A constant exponent that is a whole number from 0 on."""
    if exponent.node.op.name != "Const":
        return None
    value = np.asarray(exponent.node.attrs["value"])
    return int(value) if value.ndim == 0 and value >= 0 and value == np.floor(value) else None
