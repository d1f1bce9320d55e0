"""Whether the first turn of a program that runs at once comes out again where its graph begins anew.

A graph that is gone over in each turn keeps the examples, the rate and the random numbers of the last turn
alone. Begun anew with the first weights, it may compute a turn that the program never made.
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
from engine.programs.lesson.writing import last_turn, slopes_of
from engine.programs.program.outcome import Outcome
from engine.programs.program.result import processing_nodes
from engine.programs.program.static_values import FreshRun, fresh_run

NEAR, SMALL = 1e-4, 1e-6  # relative, absolute
Place = tuple[Node, int]
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
    """Whether what is told, or the first update, is another one than in the program's first turn."""
    first, passes = _first_turn(outcome), [_leaves(nodes) for nodes in outcome.workspace.passes[:2]]
    between = [tensor for node in processing_nodes(outcome.graph) for tensor in node.outputs]
    if any(
        _differ(fresh.values.get(one), first.get(_place(one))) for one in [*ys, *slopes_of(call), *between]
    ):
        return True
    if call is not None and passes:
        for x, slope in zip(call.xs, call.gradients, strict=True):
            if _differ(dense_value(fresh.values, slope), _received(passes[0].get(x.node.name))):
                return True
    return _moves_otherwise(outcome, ys, first, passes)


def _moves_otherwise(
    outcome: Outcome, ys: Sequence[Tensor], first: Mapping[Place, Any], passes: Sequence[Mapping[str, Leaf]]
) -> bool:
    """Whether the first update leads elsewhere than it did, or than to where a later pass began."""
    if not outcome.workspace.updates or len(passes) == 1:  # of PyTorch, with nothing after it
        return False
    fresh = fresh_run(outcome, outcome.usual_feeds)
    for update in first_updates(Words(outcome, ys, fresh.values), fresh):
        if _differ(update.after, first.get(_place(update.node.outputs[0]))):
            return True
        name = update.node.inputs[0].node.name
        before, *later = (leaves.get(name, {}).get("value") for leaves in passes or [{}])
        if any(_differ(before, one) and _differ(update.after, one) for one in later):
            return True
    return False


def _first_turn(outcome: Outcome) -> dict[Place, Any]:
    """What the first turn computed, as far as it was kept."""
    sessions = [one for one in outcome.workspace.sessions if one.session.graph is outcome.graph and one.first]
    values = sessions[0].first[0].run.values if sessions else {}
    return {_place(tensor): value for tensor, value in values.items()}


def _leaves(nodes: Sequence[Leaf]) -> dict[str, Leaf]:
    """The leaves of a pass, by the variable that each holds."""
    return {node["of"]: node for node in nodes if node.get("variable") and node.get("of")}


def _received(leaf: Leaf | None) -> Any:
    return next((one for one in (leaf or {}).get("received") or () if one is not None), None)


def _place(tensor: Tensor) -> Place:
    """Where a tensor comes from: each turn has tensors of its own, of the same nodes."""
    return tensor.node, tensor.index


def _differ(a: Array | None, b: Any) -> bool:
    """Whether two arrays are known, and not the same."""
    if a is None or not isinstance(b, (np.ndarray, np.generic, float, int)):
        return False
    return np.shape(a) != np.shape(b) or not np.allclose(a, b, NEAR, SMALL, equal_nan=True)
