"""A program's graph computed again with its inputs moved, for the fingerprint of each of its tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.graph import Node, Tensor
from engine.graph.kernels import results_of
from engine.interchange.code import Input
from engine.interchange.fingerprints import POINTS, Fingerprint, fingerprint, moved
from engine.ops.base.tensors import Array
from engine.programs.program.items import Values

MOST_NODES = 2_000  # of a graph that is computed again
MOST_ELEMENTS = 20_000_000  # of all values at one point

At = dict[Tensor, Any]


def fingerprints_of(
    nodes: Sequence[Node], inputs: Mapping[str, Input], values: Values
) -> dict[str, Fingerprint]:
    """The fingerprint of each tensor that could be computed again at every point, by name.

    values: of what does not depend on the inputs, and is not computed again.
    """
    if len(nodes) > MOST_NODES:
        return {}
    at_each = [_values_at(nodes, _leaves(nodes, inputs, point), values) for point in range(POINTS)]
    found = {}
    for tensor in at_each[0]:
        if all(tensor in values_at for values_at in at_each):
            one = fingerprint([values_at[tensor] for values_at in at_each])
            if one is not None:
                found[tensor.name] = one
    return found


def _leaves(nodes: Sequence[Node], inputs: Mapping[str, Input], point: int) -> At:
    """The inputs at a point, with the variables that they are read from; what is trained is moved."""
    leaves: At = {}
    for node in nodes:
        for tensor in node.outputs:
            item = inputs.get(tensor.name)
            if item is None or item.value is None:
                continue
            leaves[tensor] = moved(item.name, np.asarray(item.value), point if item.trained else 0)
            if node.op.name == "Identity":
                leaves[node.inputs[0]] = leaves[tensor]
    return leaves


def _values_at(nodes: Sequence[Node], leaves: At, known: Values) -> At:
    """What the nodes compute of these leaves, but those with an effect, or whose path is decided."""
    found, room = dict(leaves), MOST_ELEMENTS
    moves = set(leaves)
    for node in nodes:
        if any(tensor in found for tensor in node.outputs):
            continue
        results = _results(node, found, moves, known)
        room -= sum(int(np.size(one)) for one in results)
        if room < 0:
            break
        found.update(zip(node.outputs, results, strict=False))
        if not moves.isdisjoint(node.inputs):
            moves.update(node.outputs)
    return found


def _results(node: Node, found: At, moves: set[Tensor], known: Values) -> Sequence[Any]:
    if moves.isdisjoint(node.inputs):
        return [_constant(tensor, known) for tensor in node.outputs] if _has_values(node, known) else ()
    op = node.op
    if op.stateful or op.writes or not all(tensor in found for tensor in node.inputs):
        return ()
    try:
        with np.errstate(all="ignore"):
            return results_of(node, [found[tensor] for tensor in node.inputs])
    except (GradlensError, ArithmeticError, TypeError, ValueError, AttributeError):
        return ()  # what only a session can run, such as a loop


def _has_values(node: Node, known: Values) -> bool:
    return node.op.name == "Const" or all(tensor in known for tensor in node.outputs)


def _constant(tensor: Tensor, known: Values) -> Array:
    return np.asarray(tensor.node.attrs["value"] if tensor.node.op.name == "Const" else known[tensor])
