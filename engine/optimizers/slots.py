"""The variables that hold an optimizer's state: one slot a name for each trained variable, and shared ones.

A slot's name stands outside of the name scopes (`x/Momentum`, then `x/Momentum_1`), as everything does
that TensorFlow makes by `get_variable`, but inside of a variable scope. A shared variable's stands inside
of both (`train/beta1_power`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.graph import Graph, Variable
from engine.graph.variables.variable_scopes import store_of
from engine.ops.base.tensors import Array
from engine.ops.common import constants
from engine.ops.common.constants import const
from engine.optimizers.rule import Rule


def create_slots(
    rule: Rule, variable: Variable, owners: Mapping[str, str], made: dict[str, Variable] | None
) -> dict[str, Variable]:
    """Every slot of one variable, named after its owner; constants of no slot come before all slots.

    Slots that were made before are kept; TensorFlow makes those constants all the same.
    """
    graph = variable.graph
    start = rule.init(_like(variable))
    with graph.colocate_with(variable.node):
        outside = {
            name: _start(start[name], variable, home) for name, home in rule.slots.items() if "/" not in home
        }
        if made is not None:
            return made
        return {
            name: _slot(graph, variable, owners[name], home, outside.get(name, start[name]))
            for name, home in rule.slots.items()
        }


def create_shared(rule: Rule, beside: Variable) -> dict[str, Variable]:
    """The variables that all updates share, placed beside the first variable by name."""
    start = rule.init(_like(beside))
    with beside.graph.colocate_with(beside.node):
        return {name: Variable(start[name], name=name, trainable=False) for name in rule.shared}


def _like(variable: Variable) -> Array:
    shape: Any = variable.shape
    return np.zeros(shape, dtype=variable.dtype)


def _start(value: Any, variable: Variable, name: str) -> Any:
    """A start value; every slot starts uniform, so one number stands for all of it. Many zeros are a Fill."""
    if name == "zeros":
        return constants.zeros(variable.shape, variable.dtype, name=name)
    array = np.asarray(value, variable.dtype)
    if array.size > 1:
        array = np.broadcast_to(array.flat[0], array.shape)
    return const(value=array, dtype=variable.dtype, name=name)


def _slot(graph: Graph, variable: Variable, owner: str, home: str, start: Any) -> Variable:
    """One slot; `start` is a tensor, or the array that a node below the slot shall hold."""
    name = free_name(graph, variable.node.name, owner)
    if isinstance(start, np.ndarray):
        scope, _, own = home.rpartition("/")
        with graph.name_scope(f"{name}/{scope}/"):
            start = _start(start, variable, own)
    return Variable(start, name=f"{name}/", trainable=False)


def free_name(graph: Graph, variable: str, owner: str) -> str:
    """The name of a new slot of a variable, with `_1`, `_2`, … where the graph has a node of that name."""
    wanted = f"{variable}/{owner}"
    graph.names.unique(wanted)  # the scope that TensorFlow opens on the way
    prefix = store_of(graph).scope.name
    wanted = f"{prefix}/{wanted}" if prefix else wanted
    number, name = 0, wanted
    while name in graph:
        number += 1
        name = f"{wanted}_{number}"
    return name
