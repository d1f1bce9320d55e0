"""The global step: the one variable that counts a graph's training steps (`tf.train.get_global_step`)."""

from __future__ import annotations

from engine.errors import ProgramError
from engine.graph import Graph, Variable
from engine.graph.variables.initializers import Zeros
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.graph.variables.variable_scopes import get_variable

GLOBAL_STEP = "global_step"


def get_global_step(graph: Graph) -> Variable | None:
    """The variable that was made as the graph's global step, else one that is named so, else None."""
    known = graph.collection(GLOBAL_STEP)
    named = [each for each in graph.collection(GLOBAL_VARIABLES) if each.node.name == GLOBAL_STEP]
    return next(iter([*known, *named]), None)


def create_global_step(graph: Graph) -> Variable:
    """A new global step, an int64 that starts at 0. Raises: ProgramError where there is one already."""
    if get_global_step(graph) is not None:
        raise ProgramError(
            "The graph has a global step already.",
            hint="Use tf.train.get_or_create_global_step().",
            message_zh="这个图已经有 global step。",
            hint_zh="请使用 tf.train.get_or_create_global_step()。",
            code="variable_exists",
        )
    kept = [GLOBAL_VARIABLES, GLOBAL_STEP]
    with graph.as_default():
        return get_variable(graph, GLOBAL_STEP, (), "int64", Zeros(), trainable=False, collections=kept)


def get_or_create_global_step(graph: Graph) -> Variable:
    """The graph's global step, made where there is none."""
    return get_global_step(graph) or create_global_step(graph)
