"""The answer of `POST /runs`: a program's target optimised step by step, told as columns.

Row 0 is the start, row k the state after k updates; loss and gradients of a row are those at that state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.errors import GradlensError, LimitError, ProgramError, ShapeError, ValueRefused
from engine.execution import Run, Session
from engine.execution.budget import Limits
from engine.graph import Node, Tensor, Variable
from engine.graph.variables import GLOBAL_VARIABLES
from engine.interchange.values import nested_json
from engine.ops.shapes import written
from engine.ops.slices import IndexedSlices
from engine.ops.tensors import Array
from engine.optimizers import Optimizer
from engine.optimizers.catalogue import optimizer_named
from engine.programs.given import numbers_given
from engine.programs.interpreter.budget import Budget
from engine.programs.interpreter.suggestions import did_you_mean
from engine.programs.outcome import Outcome
from engine.programs.processing import Pairs, process
from engine.programs.request import RunRequest
from engine.programs.result import answer, gradient_name
from engine.programs.static_values import all_values
from engine.programs.surfaces.tf1_session import usual_feeds
from engine.programs.target import chosen_variables
from engine.programs.workspace import GradientCall

MAX_STEPS = 100_000
MAX_RECORDED = 1_000_000  # numbers in `nodes`; above, only loss, variables and gradients are kept
RUNAWAY = 1e30  # a loss or a variable beyond this has diverged
WORSE = 1e3  # times the first loss: ended, but diverging


@dataclass(frozen=True, slots=True)
class Training:
    """What is run at each step: the loss, the pairs before and after processing, and the train op."""

    loss: Tensor
    raw: Pairs
    processed: Pairs
    train_op: Node
    optimizer: Optimizer

    @property
    def variables(self) -> list[Variable]:
        """The variables of the pairs."""
        return [variable for _, variable in self.raw]


@dataclass(slots=True)
class Columns:
    """The rows so far, a list for each column."""

    loss: list[Any] = field(default_factory=list)
    variables: dict[str, list[Any]] = field(default_factory=dict)
    gradients: dict[str, list[Any]] = field(default_factory=dict)
    processed: dict[str, list[Any]] = field(default_factory=dict)
    slots: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    nodes: dict[str, list[Any]] = field(default_factory=dict)
    status: str = "ok"
    stopped_at: dict[str, Any] | None = None


def optimise_outcome(outcome: Outcome, run: RunRequest, limits: Limits) -> dict[str, Any]:
    """Grow the program by an optimizer, take the steps, and tell both.

    Raises: GradlensError where the program itself stops with a mistake, or the request does not fit it.
    """
    _check_steps(run.steps)
    check_ran(outcome)
    training = _training(outcome, run)
    columns = _take_steps(outcome, training, run, limits)
    rows = len(columns.loss)
    return {
        "program": answer(outcome, all_values(outcome)),
        "steps": list(range(rows)),
        "loss": columns.loss,
        "variables": columns.variables,
        "gradients": columns.gradients,
        "processed": columns.processed,
        "slots": columns.slots,
        "nodes": columns.nodes,
        "status": columns.status,
        "stopped_at": columns.stopped_at,
    }


# -- what to run -------------------------------------------------------------------------------------


def _training(outcome: Outcome, run: RunRequest) -> Training:
    """The program's own optimizer, or the one that the request asks for on the program's target."""
    if run.optimizer is None:
        return _own_training(outcome, run)
    loss = outcome.target
    if loss is None:
        raise ProgramError(
            "The program computes nothing that could be optimised.",
            message_zh="程序没有计算任何可以优化的量。",
            hint="Write a formula or a loss that depends on a variable.",
            hint_zh="请写一个依赖于变量的公式或损失。",
            code="no_target",
        )
    settings = {key: value for key, value in run.optimizer.items() if key != "name"}
    with outcome.graph.as_default():
        optimizer, step = optimizer_named(str(run.optimizer.get("name", "")), settings, run.schedule)
        raw = optimizer.compute_gradients(loss, chosen_variables(outcome, None))
        processed = process(raw, run.process)
        train_op = optimizer.apply_gradients(processed, step)
    call = GradientCall((loss,), tuple(v for _, v in raw), tuple(g for g, _ in raw), is_loss=True)
    outcome.workspace.gradient_calls.append(call)
    return Training(loss, raw, processed, train_op, optimizer)


def _own_training(outcome: Outcome, run: RunRequest) -> Training:
    calls = [call for call in outcome.workspace.updates if call.train_op.graph is outcome.graph]
    if not calls or outcome.target is None:
        raise ProgramError(
            "The program has no optimizer of its own.",
            message_zh="程序没有自己的优化器。",
            hint='Name one: {"name": "GradientDescent", "learning_rate": 0.01}.',
            hint_zh='请指定一个：{"name": "GradientDescent", "learning_rate": 0.01}。',
            code="no_optimizer",
        )
    if run.schedule is not None or run.process:
        raise ValueRefused(
            "A schedule or a processing step needs an optimizer in the request.",
            message_zh="指定学习率调度或梯度处理时，请求中需要给出优化器。",
            code="no_optimizer",
        )
    last = calls[-1]
    found = dict[Any, Any]()
    for call in outcome.workspace.gradient_calls:
        found.update(zip(call.xs, call.gradients, strict=True))
    raw = [(found.get(variable, gradient), variable) for gradient, variable in last.pairs]
    return Training(outcome.target, raw, list(last.pairs), last.train_op, last.optimizer)


# -- the steps ---------------------------------------------------------------------------------------


def _take_steps(outcome: Outcome, training: Training, run: RunRequest, limits: Limits) -> Columns:
    """Run step after step until all are taken, a value runs away, or a budget is used up."""
    columns = Columns()
    traces: list[Run] = []
    budget = Budget(limits)
    session = Session(outcome.graph, meter=budget, observe=traces.append, seed=outcome.workspace.seed)
    feeds = usual_feeds(outcome.workspace, outcome.names, outcome.graph)
    try:
        session.run([v.initializer for v in outcome.graph.collection(GLOBAL_VARIABLES)], feeds)
        _start_at(outcome, training, session, run.start)
        for k in range(run.steps + 1):
            before = {node: np.asarray(value) for node, value in session.variables.items()}
            fetches = [training.loss, *_present(training.raw), *_present(training.processed)]
            session.run([*fetches, training.train_op] if k < run.steps else fetches, feeds)
            _add_row(columns, outcome, training, before, traces[-1], run)
            traces.clear()
            if _stops(columns, outcome, training, before, k):
                return columns
    except LimitError as error:
        columns.status = "limit"
        columns.stopped_at = {"step": len(columns.loss), "node": None, **_reason(error)}
    _judge(columns)
    return columns


def _present(pairs: Pairs) -> list[Tensor]:
    return [_numbers(gradient) for gradient, _ in pairs if gradient is not None]


def _numbers(gradient: Any) -> Tensor:
    """The tensor of a gradient; of one given row by row, its rows."""
    tensor: Tensor = gradient.values if isinstance(gradient, IndexedSlices) else gradient
    return tensor


def _start_at(outcome: Outcome, training: Training, session: Session, start: Mapping[str, Any]) -> None:
    """Put the request's values into the variables."""
    by_name = {gradient_name(outcome, variable): variable for variable in training.variables}
    for name, value in start.items():
        if name not in by_name:
            raise _unknown_start(name, by_name)
        variable = by_name[name]
        array = numbers_given(name, value, variable.dtype)
        if array.shape != variable.shape:
            raise ShapeError(
                f"The start of `{name}` has shape {written(array.shape)}, "
                f"but the variable has {written(variable.shape)}.",
                message_zh=f"`{name}` 的起点形状是 {written(array.shape)}，"
                f"而变量的形状是 {written(variable.shape)}。",
            )
        session.variables[variable.node] = array


def _add_row(
    columns: Columns,
    outcome: Outcome,
    training: Training,
    before: Mapping[Node, Array],
    trace: Run,
    run: RunRequest,
) -> None:
    columns.loss.append(nested_json(trace.values[training.loss]))
    for (raw, variable), (ready, _) in zip(training.raw, training.processed, strict=True):
        name = gradient_name(outcome, variable)
        _append(columns.variables, name, before[variable.node])
        _append(columns.gradients, name, _value(raw, trace))
        _append(columns.processed, name, _value(ready, trace))
        for slot, state in training.optimizer.slots.get(variable, {}).items():
            _append(columns.slots.setdefault(name, {}), slot, before[state.node])
    if run.record == "all":
        _record_nodes(columns, trace, run.steps + 1)


def _append(column: dict[str, list[Any]], name: str, value: Array | None) -> None:
    column.setdefault(name, []).append(None if value is None else nested_json(np.asarray(value)))


def _value(gradient: Any, trace: Run) -> Array | None:
    return None if gradient is None else trace.values[_numbers(gradient)]


def _record_nodes(columns: Columns, trace: Run, rows: int) -> None:
    """Every scalar that changes from step to step, but for the writes themselves."""
    tensors = [
        tensor
        for tensor, value in trace.values.items()
        if np.ndim(value) == 0 and tensor.node.op.name != "Const" and tensor.node.phase != "update"
    ]
    if len(tensors) * rows <= MAX_RECORDED:
        for tensor in tensors:
            _append(columns.nodes, tensor.name, trace.values[tensor])


# -- the end -----------------------------------------------------------------------------------------


def _stops(
    columns: Columns, outcome: Outcome, training: Training, before: Mapping[Node, Array], step: int
) -> bool:
    """Whether a row holds a number that is not finite, or one that has run away."""
    watched = {gradient_name(outcome, v): before[v.node] for v in training.variables}
    loss = np.asarray(columns.loss[-1], dtype=np.float64)
    for name, value in {**watched, training.loss.node.name: loss}.items():
        largest = float(np.max(np.abs(value), initial=0.0))
        if np.isfinite(largest) and largest <= RUNAWAY:
            continue
        finite = bool(np.isfinite(largest))
        columns.status = "diverged" if finite else "non_finite"
        columns.stopped_at = {"step": step, "node": name, **_RAN_AWAY[finite]}
        return True
    return False


_RAN_AWAY = {
    True: {
        "reason": "The values grow without end: the learning rate is too large.",
        "reason_zh": "数值不断增大：学习率太大。",
    },
    False: {
        "reason": "The value is no longer a finite number.",
        "reason_zh": "数值不再是有限的数。",
    },
}


def _judge(columns: Columns) -> None:
    """A run that took all its steps but left the loss far above where it began has diverged too."""
    rows = len(columns.loss)
    if columns.status != "ok" or rows < 2:
        return
    first, last = (float(np.max(np.asarray(loss, float), initial=0.0)) for loss in columns.loss[:: rows - 1])
    if last > WORSE * (1 + abs(first)):
        columns.status = "diverged"


def _reason(error: GradlensError) -> dict[str, str]:
    return {"reason": error.message, "reason_zh": error.message_zh}


# -- what does not fit -------------------------------------------------------------------------------


def _check_steps(steps: int) -> None:
    if not 0 <= steps <= MAX_STEPS:
        raise ValueRefused(
            f"A run takes 0 to {MAX_STEPS:,} steps, not {steps:,}.",
            message_zh=f"一次运行可取 0 到 {MAX_STEPS:,} 步，不能是 {steps:,}。",
            code="too_many_steps",
        )


def check_ran(outcome: Outcome) -> None:
    """Raise the first mistake of a program that did not run to its end."""
    if outcome.status == "ok":
        return
    first = next(told for told in outcome.diagnostics if told.severity == "error")
    raise ProgramError(
        f"The program does not run: {first.message}",
        hint=first.hint,
        message_zh=f"程序无法运行：{first.message_zh}",
        hint_zh=first.hint_zh,
        code=first.code,
        where=first.span,
    )


def _unknown_start(name: str, known: Mapping[str, Any]) -> ProgramError:
    hint, hint_zh = did_you_mean(name, known)
    return ProgramError(
        f"There is no variable `{name}` to start from.",
        message_zh=f"没有可设置起点的变量 `{name}`。",
        hint=hint or f"The variables are: {', '.join(known)}.",
        hint_zh=hint_zh or f"变量有：{'、'.join(known)}。",
        code="unknown_variable",
    )
