"""The derivative of a program's target, three ways: the answer of `POST /comparisons`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.differentiation.compare import compare
from engine.errors import ProgramError
from engine.execution.budget import Limits
from engine.graph import Tensor, Variable
from engine.graph.reachability import ancestors
from engine.languages.interpreter.reading.suggestions import one_of
from engine.ops.base.tensors import Array
from engine.programs.answers.notebook import FRAMEWORKS
from engine.programs.answers.own_derivative import judgement
from engine.programs.lesson.symbolic import Symbols
from engine.programs.program.fixed_shapes import check_fixed_shapes
from engine.programs.program.outcome import Outcome
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest
from engine.programs.program.result import gradient_name
from engine.programs.program.static_values import fresh_run
from engine.programs.program.target import chosen_variables, float_target
from engine.programs.runs.optimise import check_ran

GIVEN = ("VariableV2", "Placeholder", "PlaceholderWithDefault")
TO_WRITE = {  # in a program without a variable to differentiate by
    "tf2": (
        "Write a formula with a letter, such as x^2, or make a tf.Variable.",
        "请写一个含字母的公式，例如 x^2，或创建一个 tf.Variable。",
    ),
    "torch": (
        "Make a tensor with requires_grad=True, and compute the target from it.",
        "请创建一个带 requires_grad=True 的张量，并用它计算目标。",
    ),
    "jax": (
        "JAX's arrays are no variables. Write the function as a formula, such as y = exp(sin(x)).",
        "JAX 的数组不是变量。请把函数写成公式，例如 y = exp(sin(x))。",
    ),
}
MOST_SYMBOLS = 6  # variables of a formula that is differentiated by each


def compare_ways(
    request: ProgramRequest, limits: Limits, by: str | None = None, derivative: str | None = None
) -> dict[str, Any]:
    """Differentiate a program's target automatically, by symbols and by differences.

    The point is where the variables start (`at` moves it).
    by: the variable whose partial formulas, columns and errors show; without one the first.
    derivative: what a learner takes the derivative by it for, to be judged.
    Raises: GradlensError where the program stops with a mistake, or has nothing to differentiate.
    """
    outcome = outcome_of(request, limits)
    check_ran(outcome)
    target = float_target(outcome, "differentiated", "求导")
    check_fixed_shapes(outcome.graph)
    variables = chosen_variables(outcome, request.wrt)
    if not variables:
        raise ProgramError(
            "The program has no variable to differentiate by.",
            message_zh="程序中没有可以求导的变量。",
            hint=TO_WRITE.get(outcome.dialect, TO_WRITE["tf2"])[0],
            hint_zh=TO_WRITE.get(outcome.dialect, TO_WRITE["tf2"])[1],
            code="no_variables",
        )
    known = fresh_run(outcome, outcome.request_feeds).values
    by_name = _by_name(outcome, variables)
    if by is not None and by not in by_name:
        raise _unknown_variable(by, by_name)
    with outcome.graph.as_default():
        compared = compare(target, by_name, known, by, FRAMEWORKS.get(outcome.dialect, "TensorFlow"))
    letters = _letters(outcome, target, by_name)
    compared["symbolic"]["derivatives"] = _derivatives(target, letters, by_name, known)
    if derivative is not None:
        chosen = by or next(iter(by_name))
        compared["judgement"] = judgement(request, outcome, letters, known, chosen, derivative, limits)
    return compared


def _unknown_variable(by: str, by_name: Mapping[str, Tensor]) -> ProgramError:
    hint, hint_zh = one_of(by, by_name)
    return ProgramError(
        f"There is no variable `{by}` to differentiate by.",
        message_zh=f"没有可对其求导的变量 `{by}`。",
        hint=hint,
        hint_zh=hint_zh,
        code="unknown_variable",
    )


def _letters(outcome: Outcome, y: Tensor, xs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """All that the target depends on and that is given, by the learner's names."""
    known_names = {
        bound.ref if isinstance(bound, Variable) else bound: name for name, bound in _bound(outcome)
    }
    given = (node.outputs[0] for node in ancestors([y]) if node.op.name in GIVEN)
    others = {known_names.get(x, x.node.name): x for x in given if x not in xs.values()}
    return {**others, **xs}


def _derivatives(
    y: Tensor, names: Mapping[str, Tensor], xs: Mapping[str, Tensor], known: Mapping[Tensor, Array]
) -> dict[str, str]:
    """By variable, the derivative in its shortest form, where it is a formula."""
    if len(names) > MOST_SYMBOLS or not all(name.isidentifier() for name in names):
        return {}
    symbols = Symbols(y, names, known)
    found = {name: symbols.derivative(name) for name in xs}
    return {name: formula for name, formula in found.items() if formula is not None}


def _bound(outcome: Outcome) -> list[tuple[str, Any]]:
    return [(name, one) for name, one in outcome.names.items() if isinstance(one, (Tensor, Variable))]


def _by_name(outcome: Outcome, variables: list[Variable]) -> dict[str, Tensor]:
    return {gradient_name(outcome, variable): variable.ref for variable in variables}
