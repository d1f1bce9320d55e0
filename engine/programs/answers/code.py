"""A program written for another framework, or as mathematics (`GET /programs/{id}/code`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine import differentiation, ops
from engine.errors import ProgramError, ValueRefused
from engine.execution.budget import Limits
from engine.execution.eager.graph import EagerGraph
from engine.graph import Tensor, Variable
from engine.graph.reachability import ancestors
from engine.graph.variables.variable import GLOBAL_VARIABLES, TRAINABLE_VARIABLES
from engine.interchange.code import LANGUAGES, Computation, Input
from engine.interchange.code.computation import nodes_before
from engine.interchange.code.tensorflow import TensorFlow1
from engine.languages.surfaces.torch.result import TensorItem
from engine.languages.workspace import GradientCall
from engine.ops.base.tensors import FLOATS, Array
from engine.programs.answers.generated_text import GENERATED, generated_code
from engine.programs.lesson.starts.first_pass import last_turn_of_lesson
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome
from engine.programs.program.request import ProgramRequest
from engine.programs.program.static_values import fresh_run
from engine.programs.program.target import check_real, no_target
from engine.programs.service import differentiated


def written_code(request: ProgramRequest, language: str, limits: Limits) -> str:
    """The target with its gradients, at the variables' initial values, as a text of one of LANGUAGES.

    `generated`: instead the function by which Gradlens itself runs it.

    Raises: ValueRefused for a language that there is not; ProgramError where the program has no target,
            or holds an op that the language has no words for.
    """
    if language == GENERATED:
        return generated_code(request, limits)
    if language not in LANGUAGES:
        raise _no_such_language(language)
    return LANGUAGES[language](computation_of(request, limits)).program()


def computation_of(request: ProgramRequest, limits: Limits) -> Computation:
    """What a request computes in the end, with variables as they begin, ready to be written."""
    outcome, values = differentiated(request, limits)
    if outcome.status != "ok":
        raise _unfinished(outcome)
    computation = _computation(outcome, values)
    if not isinstance(outcome.graph, EagerGraph):
        return computation
    built = ProgramRequest(TensorFlow1(computation).building(), dialect="tf1", gradients=False)
    return _computation(*differentiated(built, limits))


def _computation(outcome: Outcome, values: Values) -> Computation:
    target = outcome.target
    check_real(outcome, "written in another language", "改写成另一种语言")
    if target is None:
        raise no_target("written in another language", "改写成另一种语言")
    names = _names(outcome)
    begins = _inputs(target, {**_argument_names(outcome, target), **names}, _asked(outcome, target))
    if isinstance(target.graph, EagerGraph):
        given = {tensor.name: np.asarray(value) for tensor, value in _begun(outcome, target, values).items()}
        return Computation(target, _with_values(begins, given), names, given)
    gradients = _gradients(target, begins)
    given = {tensor.name: np.asarray(value) for tensor, value in _initial_values(outcome, values).items()}
    inputs = _with_values(begins, given)
    known = {name: replace(item, trained=item.name in gradients) for name, item in inputs.items()}
    return Computation(target, known, names, given, gradients)


def inputs_of(outcome: Outcome, values: Values) -> dict[str, Input]:
    """The tensors at which a program's target begins, by name, with the values that they begin with.

    values: of the program's tensors. Raises: ProgramError where there is no target.
    """
    target = outcome.target
    if target is None:
        raise no_target("written in another language", "改写成另一种语言")
    names = {**_argument_names(outcome, target), **_names(outcome)}
    begins = _inputs(target, names, _asked(outcome, target))
    is_eager = isinstance(target.graph, EagerGraph)
    known = _begun(outcome, target, values) if is_eager else _initial_values(outcome, values)
    return _with_values(begins, {tensor.name: np.asarray(value) for tensor, value in known.items()})


def _gradients(target: Tensor, begins: Mapping[str, Begin]) -> dict[str, Tensor]:
    """The plain gradients of the target, added to its graph, by the name of each input that has one."""
    asked = {begin.source.name: begin for begin in begins.values() if begin.trained}
    if target.dtype not in FLOATS or not asked:
        return {}
    xs = [begin.source for begin in asked.values()]
    with target.graph.as_default():
        pairs = zip(asked.values(), differentiation.gradients(target, xs), strict=True)
        return {begin.name: ops.convert_to_tensor(dx) for begin, dx in pairs if dx is not None}


def _begun(outcome: Outcome, target: Tensor, values: Values) -> Values:
    """All values of a program that runs at once, with the variables as the turn of its lesson begins."""
    calls = _calls_of(outcome, target)
    call = calls[-1] if calls else None
    fresh = fresh_run(outcome, outcome.usual_feeds)
    turn = last_turn_of_lesson(outcome, (target,), call, fresh, outcome.workspace.at)
    if turn is None:
        return values
    variables = outcome.graph.collection(GLOBAL_VARIABLES)
    return {**values, **{v.initial_value: turn.session.variables[v.node] for v in variables}}


def _initial_values(outcome: Outcome, values: Values) -> Values:
    """All values with the variables as they begin, and the placeholders as they were fed last."""
    fed = {t: v for t, v in values.items() if t.node.op.name == "Placeholder" and t.graph is outcome.graph}
    given = outcome.request_feeds
    return {**fed, **fresh_run(outcome, {**fed, **given}).values}


def _argument_names(outcome: Outcome, target: Tensor) -> dict[str, str]:
    """What the function that was differentiated last to get the target calls its arguments."""
    calls = _calls_of(outcome, target)
    return {_key(x): name for call in calls[-1:] for x, name in zip(call.xs, call.names, strict=False)}


def _calls_of(outcome: Outcome, target: Tensor) -> list[GradientCall]:
    """The calls that asked for gradients of a target."""
    return [call for call in outcome.workspace.gradient_calls if target.name in {y.name for y in call.ys}]


def _asked(outcome: Outcome, target: Tensor) -> set[str]:
    """What the last gradient of the target was asked by, and is not None; else all that is trained."""
    calls = _calls_of(outcome, target)
    pairs = list(zip(calls[-1].xs, calls[-1].gradients, strict=True)) if calls else []
    asked = {_key(x) for x, gradient in pairs if gradient is not None} or {_key(x) for x, _ in pairs}
    return asked or {_key(variable) for variable in outcome.graph.collection(TRAINABLE_VARIABLES)}


def _key(x: Any) -> str:
    """The name under which a variable or a tensor is known."""
    return str(x.ref.name if isinstance(x, Variable) else x.name)


def _names(outcome: Outcome) -> dict[str, str]:
    """What the program calls its tensors and variables."""
    found: dict[str, str] = {}
    for name, held in outcome.names.items():
        value = held.value if isinstance(held, TensorItem) else held
        if isinstance(value, (Variable, Tensor)) and value.node.graph is outcome.graph:
            found[_key(value)] = name
    return found


GIVEN = frozenset({"VariableV2", "VarHandleOp", "Placeholder"})


@dataclass(frozen=True, slots=True)
class Begin:
    """A tensor at which the computation begins.

    source: what gradients are asked by; holder: the tensor that holds the value.
    """

    name: str
    kind: str
    source: Tensor
    holder: Tensor
    trained: bool


def _inputs(target: Tensor, names: Mapping[str, str], asked: set[str]) -> dict[str, Begin]:
    """The tensors at which the computation begins, by name, in order of their making."""
    variables = {v.ref.name: v for v in target.graph.collection(GLOBAL_VARIABLES)}
    found: dict[str, Begin] = {}
    for node in nodes_before([target], {}):
        for tensor in node.outputs:
            source = node.inputs[0] if node.op.name == "Identity" else tensor
            trained = source.name in asked
            name = names.get(source.name, source.node.name)
            if source.name in variables:
                holder = variables[source.name].initial_value
                found[tensor.name] = Begin(name, "variable", source, holder, trained)
            elif node.op.name == "Placeholder":
                found[tensor.name] = Begin(name, "placeholder", tensor, tensor, trained)
            elif trained and _stands_in_text(tensor):
                found[tensor.name] = Begin(name, "constant", tensor, tensor, trained)
    return found


def _stands_in_text(tensor: Tensor) -> bool:
    """Whether a tensor leans on nothing but what stands in the text."""
    return not any(node.op.name in GIVEN or node.op.writes for node in ancestors([tensor]))


def _with_values(begins: Mapping[str, Begin], values: Mapping[str, Array]) -> dict[str, Input]:
    return {
        tensor: Input(
            begin.name,
            begin.kind,
            values.get(begin.holder.name),
            begin.source.dtype,
            begin.source.shape,
            begin.trained,
        )
        for tensor, begin in begins.items()
    }


def _unfinished(outcome: Outcome) -> ProgramError:
    error = next((one for one in outcome.diagnostics if one.severity == "error"), None)
    return ProgramError(
        f"The program did not run to its end{f': {error.message}' if error else '.'}",
        message_zh=f"程序没有运行到最后{f'：{error.message_zh}' if error else '。'}",
        hint="Mend it first; then it can be written in another way.",
        hint_zh="请先改正，然后才能换一种写法。",
        code="program_unfinished",
        where=error.span if error else None,
    )


def _no_such_language(language: str) -> ValueRefused:
    known = ", ".join([*LANGUAGES, GENERATED])
    return ValueRefused(
        f"Programs are not written as {language!r}.",
        message_zh=f"不能把程序写成 {language!r}。",
        hint=f"`as` is one of {known}.",
        hint_zh=f"`as` 可以是 {known}。",
        code="no_such_format",
    )
