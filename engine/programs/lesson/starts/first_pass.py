"""Whether the first pass of a PyTorch program comes out again where its graph begins anew.

A graph that is gone over in each turn keeps the examples, the rate and the random numbers of the last turn
alone. Begun anew with the first weights, it may compute a pass that the program never made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.execution.eager.graph import EagerGraph
from engine.graph import Node, Tensor
from engine.languages.workspace import GradientCall
from engine.ops.base.tensors import Array
from engine.programs.lesson.mathematics.control_flow.turns_of_a_tape import is_told_of_the_last_turn
from engine.programs.lesson.processing import first_updates
from engine.programs.lesson.values import dense_value
from engine.programs.lesson.words import Words
from engine.programs.lesson.writing import last_turn, start_of
from engine.programs.program.outcome import Outcome
from engine.programs.program.result import processing_nodes
from engine.programs.program.static_values import FreshRun

NEAR, SMALL = 1e-4, 1e-6  # relative, absolute
Leaf = Mapping[str, Any]


def last_turn_of_lesson(
    outcome: Outcome, ys: Sequence[Tensor], call: GradientCall | None, fresh: FreshRun, at: Mapping[str, Any]
) -> FreshRun | None:
    """The last turn of a program that runs at once, where that is told; None where what begins anew is.

    fresh: the run that begins anew; at: values of variables that were given with the program.
    """
    graph = outcome.graph
    if not isinstance(graph, EagerGraph):
        return None
    outcome.begins_otherwise = not at and begins_otherwise(outcome, ys, call, fresh)
    return last_turn(outcome, graph, ys) if is_told_of_the_last_turn(outcome, graph, ys) else None


def begins_otherwise(
    outcome: Outcome, ys: Sequence[Tensor], call: GradientCall | None, fresh: FreshRun
) -> bool:
    """Whether a gradient, or the first update, is another one than in the program's first pass backward."""
    passes = [_leaves(nodes) for nodes in outcome.workspace.passes[:2]]
    if call is None or not passes:
        return False
    for x, gradient in zip(call.xs, call.gradients, strict=True):
        first = passes[0].get(x.node.name)
        if first is not None and _differ(dense_value(fresh.values, gradient), _received(first)):
            return True
    if len(passes) < 2:
        return False
    words = Words(outcome, ys, fresh.values)
    return _moves_otherwise(words, *passes) if outcome.workspace.updates else _goes_elsewhere(words, *passes)


def _moves_otherwise(words: Words, first: Mapping[str, Leaf], second: Mapping[str, Leaf]) -> bool:
    """Whether the first update leads elsewhere than to where a later pass began, as far as it had moved."""
    for update in first_updates(words, start_of(words.outcome)):
        name = _variable(update.node).name
        before, later = (leaves.get(name, {}).get("value") for leaves in (first, second))
        if later is not None and _differ(before, later) and _differ(update.after, later):
            return True
    return False


def _goes_elsewhere(words: Words, first: Mapping[str, Leaf], second: Mapping[str, Leaf]) -> bool:
    """Whether a later pass began with what nothing after the gradients computes, as far as a leaf had moved."""
    between = [words.values.get(node.outputs[0]) for node in processing_nodes(words.graph) if node.outputs]
    for name, leaf in first.items():
        later: Any = second.get(name, {}).get("value")
        alike = [one for one in between if one is not None and one.shape == np.shape(later)]
        if alike and _differ(leaf["value"], later) and all(_differ(one, later) for one in alike):
            return True
    return False


def _variable(update: Node) -> Node:
    return update.inputs[0].node


def _leaves(nodes: Sequence[Leaf]) -> dict[str, Leaf]:
    """The leaves of a pass, by the variable that each holds."""
    return {node["of"]: node for node in nodes if node.get("variable") and node.get("of")}


def _received(leaf: Leaf) -> Any:
    return next((one for one in leaf["received"] or () if one is not None), None)


def _differ(a: Array | None, b: Any) -> bool:
    """Whether two arrays are known, and not the same."""
    if a is None or b is None or isinstance(b, dict):
        return False
    return np.shape(a) != np.shape(b) or not np.allclose(a, b, NEAR, SMALL, equal_nan=True)
