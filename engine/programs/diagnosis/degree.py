"""The degree of a target as a polynomial of the variables, as far as its graph alone shows it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from engine.execution.interpreter.order import Loop
from engine.execution.interpreter.plan import make_plan
from engine.graph import Node, Tensor

Degree = float  # infinite: no polynomial, or none that this file sees


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
    if not any(taken):
        return 0.0
    if node.op.degree_rule is not None:
        return float(node.op.degree_rule(node, taken))
    match node.op.form:
        case "linear":
            return max(taken)
        case "bilinear":
            return sum(taken)
    return math.inf
