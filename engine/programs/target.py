"""What a program computes in the end, and the gradients of it that were asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine import differentiation
from engine.errors import GradlensError
from engine.graph import Tensor, Variable
from engine.graph.variables import TRAINABLE_VARIABLES
from engine.ops.tensors import FLOATS
from engine.programs.interpreter.diagnostics import Diagnostic
from engine.programs.workspace import GradientCall

if TYPE_CHECKING:
    from engine.programs.outcome import Outcome

MAX_DEPTH = 8  # of lists in lists that are searched for tensors


def find_target(outcome: Outcome) -> Tensor | None:
    """The loss of the last minimize or compute_gradients, else the last y, else the last float tensor."""
    calls = outcome.workspace.gradient_calls
    losses = [call for call in calls if call.is_loss] or calls
    if losses:
        return losses[-1].ys[-1]
    floats = [value for value in _tensors(outcome.names.values()) if value.dtype in FLOATS]
    return floats[-1] if floats else None


def _tensors(values: Any, depth: int = 0) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)) and depth < MAX_DEPTH:
            yield from _tensors(value, depth + 1)


def add_default_gradients(outcome: Outcome, wrt: tuple[str, ...] | None) -> None:
    """Differentiate the target with respect to the trainable variables, where the program did not."""
    target = outcome.target
    if target is None or outcome.workspace.gradient_calls or target.dtype not in FLOATS:
        return
    variables = chosen_variables(outcome, wrt)
    if not variables:
        return
    try:
        found = differentiation.gradients(target, variables)
    except GradlensError as error:
        place = error.where or target.node.span
        outcome.diagnostics.append(replace(Diagnostic.of(error), severity="warning", span=place))
        return
    call = GradientCall((target,), tuple(variables), tuple(found), is_loss=True)
    outcome.workspace.gradient_calls.append(call)


def chosen_variables(outcome: Outcome, wrt: tuple[str, ...] | None) -> list[Variable]:
    """The trainable variables of the target's graph, or those of them that the request names."""
    variables = list(outcome.graph.collection(TRAINABLE_VARIABLES))
    if wrt is None:
        return variables
    return [one for one in variables if {outcome.python_name(one), one.node.name, one.name} & set(wrt)]
