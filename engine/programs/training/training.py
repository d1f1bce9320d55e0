"""What a run optimises: the loss, its gradients before and after processing, and the update of a step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.errors import ProgramError, ShapeError, ValueRefused, quoted
from engine.execution import Session
from engine.execution.interpreter.buffers import written_by
from engine.execution.interpreter.plan import make_plan
from engine.graph import Node, Tensor, Variable
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.languages.interpreter.reading.suggestions import one_of
from engine.languages.request_values import request_array
from engine.languages.workspace import GradientCall, UpdateCall
from engine.ops.base.shapes import written
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import TEXT, Array
from engine.optimizers import Optimizer
from engine.optimizers.catalogue import optimizer_named, schedule_named
from engine.programs.program.fixed_shapes import check_fixed_shapes
from engine.programs.program.outcome import Outcome
from engine.programs.program.request import RunRequest
from engine.programs.program.result import gradient_name
from engine.programs.program.target import chosen_variables, no_target
from engine.programs.training.processing import Pairs, process


@dataclass(frozen=True, slots=True)
class Training:
    """What is run at each step: the loss, the pairs before and after processing, and the train op.

    names: what each variable is called in the columns.
    feeds: hyper-parameters of the program's own optimizer that the request replaces.
    apart: variables of other optimizers on the same graph, in a race.
    called: variables that a run of its own would name otherwise, with that name.
    aliases: every variable of the program by its Python name and by its node's.
    """

    loss: Tensor
    raw: Pairs
    processed: Pairs
    train_op: Node
    optimizer: Optimizer
    names: Mapping[Variable, str]
    feeds: Mapping[Tensor, Array] = field(default_factory=dict)
    apart: frozenset[Variable] = frozenset()
    called: Mapping[Variable, str] = field(default_factory=dict)
    aliases: Mapping[str, Variable] = field(default_factory=dict)

    @property
    def fetches(self) -> list[Tensor]:
        """The loss and every gradient, as computed and as processed."""
        pairs = [*self.raw, *self.processed]
        return [self.loss, *(rows_of(gradient) for gradient, _ in pairs if gradient is not None)]

    @property
    def shared(self) -> dict[str, Variable]:
        """Every variable that is neither trained nor a slot, by its node's name: step counts, beta powers."""
        slots = {slot for slots in self.optimizer.slots.values() for slot in slots.values()}
        others = self.loss.graph.collection(GLOBAL_VARIABLES)
        known = {*self.names, *self.apart, *slots}
        return {self.called.get(v, v.node.name): v for v in others if v not in known}


def rows_of(gradient: Any) -> Tensor:
    """The tensor of a gradient, shaped like its variable; of one given row by row, its rows (n, *S) alone."""
    tensor: Tensor = gradient.values if isinstance(gradient, IndexedSlices) else gradient
    return tensor


def update_of(training: Training, variable: Variable) -> Node | None:
    """The node of the train op that gives a variable its new value."""
    steps = make_plan([training.train_op]).steps
    return next((s for s in steps if isinstance(s, Node) and variable.node in written_by(s)), None)


def training_for(outcome: Outcome, run: RunRequest, raw: Pairs | None = None) -> Training:
    """The program's own optimizer, or the one that the request names on the program's target.

    raw:    gradients that another run of the same race has made.
    Raises: ProgramError where there is nothing to optimise, or no such optimizer or hyper-parameter.
    """
    settings = dict(run.optimizer or {})
    name = settings.pop("name", None)
    if name is None:
        return _own_training(outcome, run, settings)
    loss = outcome.target
    if loss is None:
        raise no_target("optimised", "优化")
    check_fixed_shapes(outcome.graph)
    with outcome.graph.as_default():
        optimizer, step = optimizer_named(str(name), settings, run.schedule)
        if raw is None:
            raw = _gradients_of(outcome, loss, optimizer)
        processed = process(raw, run.process)
        train_op = optimizer.apply_gradients(processed, step)
    return Training(
        loss, raw, processed, train_op, optimizer, _names(outcome, raw), aliases=_aliases(outcome)
    )


def _gradients_of(outcome: Outcome, loss: Tensor, optimizer: Optimizer) -> Pairs:
    """The gradients that the program's own optimizer asked for, where the other would build the same."""
    variables, calls = chosen_variables(outcome, None), outcome.workspace.gradient_calls
    for call in calls:
        if call.usual and call.ys == (loss,) and list(call.xs) == variables:
            return list(zip(call.gradients, variables, strict=True))
    raw = optimizer.compute_gradients(loss, variables)
    calls.append(GradientCall((loss,), tuple(variables), tuple(g for g, _ in raw), is_loss=True))
    return raw


def has_own_optimizer(outcome: Outcome) -> bool:
    """Whether the program has built an update of its own, and a target for it."""
    return bool(_own_updates(outcome)) and outcome.target is not None


def _own_updates(outcome: Outcome) -> list[UpdateCall]:
    return [call for call in outcome.workspace.updates if call.train_op.graph is outcome.graph]


def _own_training(outcome: Outcome, run: RunRequest, settings: Mapping[str, Any]) -> Training:
    calls = _own_updates(outcome)
    if not calls or outcome.target is None:
        raise _no_optimizer()
    check_fixed_shapes(outcome.graph)
    last = calls[-1]
    found = dict[Any, Any]()
    for call in outcome.workspace.gradient_calls:
        found.update(zip(call.xs, call.gradients, strict=True))
    raw = [(found.get(variable, gradient), variable) for gradient, variable in _of_numbers(last.pairs)]
    if run.schedule is not None or run.process:
        last, settings = _applied_anew(outcome, run, last, settings)
    feeds = {constant_of(last.optimizer, key): request_array(key, settings[key]) for key in settings}
    names = _names(outcome, raw)
    own = outcome.target, raw, _of_numbers(last.pairs), last.train_op, last.optimizer, names, feeds
    return Training(*own, aliases=_aliases(outcome))


def _applied_anew(
    outcome: Outcome, run: RunRequest, last: UpdateCall, settings: Mapping[str, Any]
) -> tuple[UpdateCall, dict[str, Any]]:
    """The program's own rule with gradients processed further, or with a rate that a schedule changes.

    Returns: the update with nodes and slots of its own, and the settings that are still to be fed.
    """
    rule: Any = last.optimizer.rule
    left = dict(settings)
    with outcome.graph.as_default():
        step = _counted_by(last.train_op)
        if run.schedule is not None:
            step = step or Variable(np.int64(0), name="global_step", trainable=False)
            rate = left.pop("learning_rate", getattr(rule, "learning_rate", None))
            if isinstance(rate, bool) or not isinstance(rate, (int, float, np.number)):
                raise _no_plain_rate(last.optimizer)
            rule = replace(rule, learning_rate=schedule_named(run.schedule, rate).build(step))
        optimizer = Optimizer(rule, name=last.optimizer.name, use_locking=last.optimizer.use_locking)
        pairs = process(list(last.pairs), run.process)
        train_op = optimizer.apply_gradients(pairs, step)
    return replace(last, optimizer=optimizer, pairs=tuple(pairs), train_op=train_op), left


def _counted_by(train_op: Node) -> Variable | None:
    """The step count that a train op moves on; None where it counts nothing."""
    if train_op.op.name != "AssignAdd":
        return None
    counter = train_op.inputs[0].node
    variables: list[Variable] = train_op.graph.collection(GLOBAL_VARIABLES)
    return next(variable for variable in variables if variable.node is counter)


def _aliases(outcome: Outcome) -> dict[str, Variable]:
    variables = outcome.graph.collection(GLOBAL_VARIABLES)
    by_node = {variable.node.name: variable for variable in variables}
    return by_node | {gradient_name(outcome, variable): variable for variable in variables}


def _names(outcome: Outcome, pairs: Pairs) -> dict[Variable, str]:
    return {variable: gradient_name(outcome, variable) for _, variable in pairs}


def _of_numbers(pairs: Sequence[tuple[Any, Variable]]) -> Pairs:
    """The pairs without texts, which no step changes."""
    return [(gradient, variable) for gradient, variable in pairs if variable.dtype != TEXT]


def constant_of(optimizer: Optimizer, key: str) -> Tensor:
    """The tensor that holds a hyper-parameter of the program's own optimizer."""
    if key in optimizer.constants:
        return optimizer.constants[key]
    hint, hint_zh = one_of(key, optimizer.constants)
    raise ProgramError(
        f"{optimizer.name} has no hyper-parameter named {quoted(key)}.",
        message_zh=f"{optimizer.name} 没有超参数 {quoted(key)}。",
        hint=hint,
        hint_zh=hint_zh,
        code="unknown_argument",
    )


# -- the start ---------------------------------------------------------------------------------------


def start_at(training: Training, session: Session, run: RunRequest) -> None:
    """Put the request's values into the variables, the shared state and the slots."""
    trained = {name: variable for variable, name in training.names.items()}
    shared = {name: variable for name, variable in training.shared.items() if name not in trained}
    for name, value in run.start.items():
        _put(session, name, _known(name, trained | shared, training.aliases), value)
    for name, states in run.slots.items():
        own = training.optimizer.slots.get(_known(name, trained, training.aliases), {})
        for slot, value in training.optimizer.rule.completed(states).items():
            if slot not in own:
                raise _unknown_slot(training.optimizer, name, slot, own)
            _put(session, f"{name}.{slot}", own[slot], value)


def _put(session: Session, name: str, variable: Variable, value: Any) -> None:
    array = request_array(name, value, variable.dtype)
    if array.shape != variable.shape:
        raise ShapeError(
            f"The start of `{name}` has shape {written(array.shape)}, "
            f"but the variable has {written(variable.shape)}.",
            message_zh=f"`{name}` 的起点形状是 {written(array.shape)}，"
            f"而变量的形状是 {written(variable.shape)}。",
        )
    session.variables[variable.node] = np.array(array)


def _known(name: str, columns: Mapping[str, Variable], aliases: Mapping[str, Variable]) -> Variable:
    """The variable that the columns call so, or that the program does."""
    found = columns.get(name, aliases.get(name))
    if found is None:
        raise _unknown_start(name, columns)
    return found


# -- what does not fit -------------------------------------------------------------------------------


def _no_optimizer() -> ProgramError:
    return ProgramError(
        "The program has no optimizer of its own.",
        message_zh="程序没有自己的优化器。",
        hint='Name one: {"name": "GradientDescent", "learning_rate": 0.01}.',
        hint_zh='请指定一个：{"name": "GradientDescent", "learning_rate": 0.01}。',
        code="no_optimizer",
    )


def _no_plain_rate(optimizer: Optimizer) -> ValueRefused:
    return ValueRefused(
        f"A schedule starts from a rate that is a number, and the program's {optimizer.name} has none.",
        message_zh=f"学习率调度需要从一个数值开始，而程序的 {optimizer.name} 没有数值形式的学习率。",
        hint="Give a learning_rate, or leave the schedule to the program.",
        hint_zh="请给出 learning_rate，或让程序自己的调度起作用。",
        code="no_plain_rate",
    )


def _unknown_slot(optimizer: Optimizer, name: str, slot: str, known: Iterable[str]) -> ProgramError:
    names = list(known)
    hint, hint_zh = one_of(slot, names, "Its slots are", "它的状态有")
    if not names:
        hint, hint_zh = "Leave `slots` out: it has no state.", "请去掉 `slots`：它没有状态。"
    return ProgramError(
        f"{optimizer.name} keeps no slot `{slot}` for `{name}`.",
        message_zh=f"{optimizer.name} 没有为 `{name}` 保存名为 `{slot}` 的状态。",
        hint=hint,
        hint_zh=hint_zh,
        code="unknown_slot",
    )


def _unknown_start(name: str, known: Iterable[str]) -> ProgramError:
    hint, hint_zh = one_of(name, known, "The variables are", "变量有")
    return ProgramError(
        f"There is no variable `{name}` to start from.",
        message_zh=f"没有可设置起点的变量 `{name}`。",
        hint=hint,
        hint_zh=hint_zh,
        code="unknown_variable",
    )
