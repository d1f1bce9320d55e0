"""The last turn of a PyTorch program at other numbers of its variables, for a lesson.

PyTorch's program trains by itself: it begins with a number that is given for a variable, and changes it.
The lesson tells of one pass, which begins with that number again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.execution import Run
from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.immediate import EagerTensor
from engine.graph import Tensor, Variable
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.languages.interpreter.budget import Budget
from engine.languages.workspace import GradientCall
from engine.ops.base.tensors import Array, array_dtype
from engine.programs.lesson.writing import FromTheStart, last_turn, slopes_of
from engine.programs.program.outcome import Outcome
from engine.programs.program.result import gradient_name


def begin_last_turn_at(
    outcome: Outcome, at: Mapping[str, Any], ys: Sequence[Tensor], call: GradientCall | None
) -> None:
    """Compute the ys and their gradients anew, with some variables at other values.

    at: values by the names of variables; other names, and values of another shape, change nothing.
    """
    graph = outcome.graph
    variables = _chosen(outcome, at)
    if not isinstance(graph, EagerGraph) or not variables:
        return
    for variable, value in variables.items():
        first = variable.initial_value.node
        first.attrs = {**first.attrs, "value": value}
    values: dict[Tensor, Array] = {}

    def observe(run: Run) -> None:
        values.update(run.values)

    start = last_turn(outcome, graph, ys)
    budget, seed = Budget(outcome.workspace.budget.limits), outcome.workspace.seed
    session = FromTheStart(graph, meter=budget, observe=observe, seed=seed)
    session.variables.update(start.session.variables)
    session.variables.update({variable.node: value for variable, value in variables.items()})
    try:
        session.run([*ys, *slopes_of(call)], start.feeds)
    except GradlensError:
        return  # the lesson is then told of the numbers that there are
    for tensor, value in values.items():
        if isinstance(tensor, EagerTensor):
            tensor.array = value
    _forget_updates(graph)


def _forget_updates(graph: EagerGraph) -> None:
    """Let go of what the optimizer wrote, which follows from the program's own numbers."""
    for node in graph.nodes:
        if node.phase == "update" and node.op.writes:
            for output in node.outputs:
                if isinstance(output, EagerTensor):
                    output.array = None


def _chosen(outcome: Outcome, at: Mapping[str, Any]) -> dict[Variable, Array]:
    """The variables that a value is given for."""
    found: dict[Variable, Array] = {}
    for variable in outcome.graph.collection(GLOBAL_VARIABLES) if at else ():
        given = at.get(gradient_name(outcome, variable))
        value = None if given is None else np.asarray(given, dtype=array_dtype(variable.dtype))
        if value is not None and value.shape == variable.shape:
            found[variable] = value
    return found
