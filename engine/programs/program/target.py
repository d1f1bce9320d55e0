"""What a program computes in the end, and the gradients of it that were asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine import differentiation
from engine.errors import GradlensError, ProgramError
from engine.execution.eager.repeating_graph import now
from engine.graph import Tensor, Variable
from engine.graph.variables.variable import GLOBAL_VARIABLES, TRAINABLE_VARIABLES
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.surfaces.torch.result import TensorItem
from engine.languages.workspace import GradientCall
from engine.ops.base.tensors import COMPLEX, FLOATS, TEXT
from engine.programs.program.detect import TORCH

if TYPE_CHECKING:
    from engine.programs.program.outcome import Outcome

MAX_DEPTH = 8  # of lists in lists that are searched for tensors


def find_target(outcome: Outcome) -> Tensor | None:
    """The loss of the last minimize or compute_gradients, else the last y, else the last float tensor."""
    calls = outcome.workspace.gradient_calls
    losses = [call for call in calls if call.is_loss] or calls
    if losses:
        last: Tensor = now(losses[-1].ys[-1])  # turns that are done again each give its node another one
        return last
    backwards = _tensors_backwards(list(outcome.names.values()), set())
    return next((tensor for tensor in backwards if tensor.dtype in FLOATS), None)


def float_target(outcome: Outcome, be_done: str, be_done_zh: str) -> Tensor:
    """The target, whose slopes are asked for. Raises: as `no_target`, where it is no float either, or where
    complex numbers lead to it."""
    target = outcome.target
    check_real(outcome, be_done, be_done_zh)
    if target is None or target.dtype not in FLOATS:
        raise no_target(be_done, be_done_zh)
    return target


def has_complex(outcome: Outcome) -> bool:
    """Whether a program computes with complex numbers."""
    return any(tensor.dtype in COMPLEX for node in outcome.graph.nodes for tensor in node.outputs)


def check_real(outcome: Outcome, be_done: str, be_done_zh: str) -> None:
    """Raises: ProgramError where a program computes with complex numbers."""
    if has_complex(outcome):
        raise ProgramError(
            f"A program that computes with complex numbers cannot be {be_done}.",
            message_zh=f"含有复数运算的程序不能{be_done_zh}。",
            hint="Its values, its gradients and its graph are shown all the same.",
            hint_zh="它的数值、梯度和计算图仍会照常显示。",
            code="complex_numbers",
        )


def no_target(be_done: str, be_done_zh: str) -> ProgramError:
    """Nothing that could be optimised, drawn or written: the same mistake in the words of what was asked."""
    return ProgramError(
        f"The program computes nothing that could be {be_done}.",
        message_zh=f"程序没有计算任何可以{be_done_zh}的量。",
        hint="Write a formula or a loss that depends on a variable.",
        hint_zh="请写一个依赖于变量的公式或损失。",
        code="no_target",
    )


def _tensors_backwards(values: Sequence[Any], searched: set[int], depth: int = 0) -> Iterator[Tensor]:
    """The tensors of a list from its end, with those of inner lists; a list that comes again is skipped."""
    if not any(issubclass(kind, (Tensor, TensorItem, list, tuple)) for kind in set(map(type, values))):
        return  # a long list of numbers is soon skipped
    for value in reversed(values):
        if isinstance(value, (Tensor, TensorItem)):
            yield value if isinstance(value, Tensor) else value.value
        elif isinstance(value, (list, tuple)) and depth < MAX_DEPTH and id(value) not in searched:
            searched.add(id(value))
            yield from _tensors_backwards(value, searched, depth + 1)


def add_default_gradients(outcome: Outcome, wrt: tuple[str, ...] | None) -> None:
    """Differentiate the target with respect to the trainable variables, where the program did not."""
    target = outcome.target
    if target is None or outcome.workspace.gradient_calls or target.dtype not in FLOATS:
        return
    if outcome.dialect == TORCH:
        return  # which has been differentiated by its own rules, where these have an answer
    variables = chosen_variables(outcome, wrt)
    outcome.diagnostics += [
        _unknown_wrt(name, outcome) for name in wrt or () if not chosen_variables(outcome, (name,))
    ]
    if not variables:
        return
    try:
        found = differentiation.gradients(target, variables)
    except GradlensError as error:
        place = error.where or target.node.span
        outcome.diagnostics.append(replace(Diagnostic.of(error), severity="warning", span=place))
        return
    call = GradientCall((target,), tuple(variables), tuple(found), is_loss=True, added=True)
    outcome.workspace.gradient_calls.append(call)


def chosen_variables(outcome: Outcome, wrt: tuple[str, ...] | None) -> list[Variable]:
    """The trainable variables of the target's graph, or those of them that the request names; never texts."""
    variables = [one for one in outcome.graph.collection(TRAINABLE_VARIABLES) if one.dtype != TEXT]
    if wrt is None:
        return variables
    return [one for one in variables if {outcome.python_name(one), one.node.name, one.name} & set(wrt)]


def _unknown_wrt(name: str, outcome: Outcome) -> Diagnostic:
    variables = outcome.graph.collection(GLOBAL_VARIABLES)
    known = [outcome.python_name(one) or one.node.name for one in variables]
    hint, hint_zh = did_you_mean(name, known)
    return Diagnostic(
        "warning",
        "unknown_variable",
        f"There is no variable `{name}` to take a gradient with respect to.",
        f"没有可对其求梯度的变量 `{name}`。",
        hint or (f"The variables are: {', '.join(known)}." if known else ""),
        hint_zh or (f"变量有：{'、'.join(known)}。" if known else ""),
    )
