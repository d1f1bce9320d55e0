"""Averages that follow a value from step to step, the older values fading."""

from __future__ import annotations

from typing import Any

from engine.graph.variables.initializers import Zeros
from engine.graph.variables.variable import Variable
from engine.graph.variables.variable_scopes import get_variable, variable_scope
from engine.ops.base.building import convert_to_tensor, current_graph, name_scope
from engine.ops.base.tensors import Tensor
from engine.ops.common.casting import cast
from engine.ops.elementwise import powers
from engine.ops.sources import state


def follow(average: Variable, value: Any, decay: Any, *, from_zero: bool = False) -> Tensor:
    """average ← average - (average - value) · (1 - decay).

    decay:     the share of the average that stays, a number or a tensor.
    from_zero: the average begins with zeros, which shall not count: a second average that does begin there
               is divided by the share of it that came from values, 1 - decay^steps.
    """
    with name_scope(None, "AssignMovingAvg") as scope:
        share = cast(convert_to_tensor(1.0 - decay, name="decay"), average.dtype)
        if from_zero:
            return state.assign(average.ref, _corrected(average, value, share), name=scope)
        step = (average - cast(value, average.dtype)) * share
        return state.assign_sub(average.ref, step, name=scope)


def _corrected(average: Variable, value: Any, share: Tensor) -> Any:
    graph: Any = current_graph()
    with variable_scope(graph, average.node.name), graph.colocate_with(average.node):
        biased = _zeros(graph, "biased", average.shape, average.dtype)
        steps = _zeros(graph, "local_step", (), average.dtype)
    moved = state.assign_sub(biased.ref, (biased - value) * share)
    count = state.assign_add(steps.ref, 1.0)
    return moved / (1.0 - powers.power(1.0 - share, count))


def _zeros(graph: Any, name: str, shape: Any, dtype: str) -> Variable:
    return get_variable(graph, name, shape, dtype, Zeros(), trainable=False)
