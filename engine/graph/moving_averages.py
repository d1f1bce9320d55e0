"""Averages that follow a value from step to step, the older ones fading."""

from __future__ import annotations

from typing import Any

from engine.graph.variables import Variable
from engine.ops import state
from engine.ops.building import convert_to_tensor, current_graph, name_scope
from engine.ops.casting import cast
from engine.ops.tensors import Tensor


def follow(average: Variable, value: Any, decay: Any) -> Tensor:
    """average ← average - (average - value) · (1 - decay), where the average stands.

    decay: the share of the average that stays, a number or a tensor.
    """
    graph: Any = current_graph()
    with name_scope(None, "AssignMovingAvg") as scope, graph.colocate_with(average.node):
        share = cast(convert_to_tensor(1.0 - decay, name="decay"), average.dtype)
        step = (average - cast(value, average.dtype)) * share
        return state.assign_sub(average.ref, step, name=scope)
