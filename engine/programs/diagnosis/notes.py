"""Notes that teach: what a program did, or left undone, that its reader may not have meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.execution.eager.graph import EagerGraph
from engine.graph import Graph, IndexedSlices, Node, Tensor
from engine.graph.reachability import ancestors
from engine.graph.variables.variable import TRAINABLE_VARIABLES
from engine.interchange.values import number_json
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.workspace import Clip
from engine.ops.base.tensors import FLOATS
from engine.programs.diagnosis.added_up import added_up_notes
from engine.programs.diagnosis.either_order import either_order_warnings
from engine.programs.diagnosis.kinks import kink_notes
from engine.programs.diagnosis.non_finite import first_non_finite
from engine.programs.program.detect import MATH, TF2, TORCH
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome
from engine.programs.program.result import variable_names


def add_notes(outcome: Outcome, values: Values) -> None:
    """Add what there is to teach about a program that ran."""
    outcome.diagnostics += [
        *either_order_warnings(outcome),
        *_clip_notes(outcome, values),
        *_unrun_updates(outcome),
        *_losses_left_alone(outcome),
        *added_up_notes(outcome),
        *kink_notes(outcome, values),
        *_target_not_finite(outcome, values),
        *_unused_values(outcome),
        *_unused_feeds(outcome),
    ]


def _target_not_finite(outcome: Outcome, values: Values) -> Iterator[Diagnostic]:
    """Where the target stopped being a number, and why."""
    value = values.get(outcome.target) if outcome.target is not None else None
    if outcome.target is None or value is None or outcome.status != "ok" or value.dtype.kind != "f":
        return
    if not np.isfinite(value).all():
        moved = any(session.runs for session in outcome.workspace.sessions) and _writes(outcome.target.graph)
        found = first_non_finite(outcome.target, values, moved)
        texts = found.reason, found.reason_zh, found.hint, found.hint_zh
        yield Diagnostic("warning", "not_finite", *texts, found.node.span)


def _writes(graph: Graph) -> bool:
    """Whether anything but its first value is ever written to a variable."""
    writers = (node for node in graph.nodes if node.op.writes)
    return any(node.name != f"{node.inputs[0].node.name}/Assign" for node in writers)


def _clip_notes(outcome: Outcome, values: Values) -> Iterator[Diagnostic]:
    for clip in outcome.workspace.clips:
        norm, bound = _norm(clip, values), _number(clip.bound, values)
        if norm is not None and bound is not None and norm <= bound:
            yield Diagnostic(
                "note",
                "nothing_clipped",
                f"Norm {norm:.4g} is within {bound:.4g}: nothing was clipped.",
                f"范数 {norm:.4g} 未超过 {bound:.4g}：没有发生裁剪。",
                "Try a larger gradient, or a smaller bound.",
                "可以换一个更大的梯度或更小的界限试试。",
                clip.place,
            )


def _norm(clip: Clip, values: Values) -> float | None:
    clipped = clip.tensor.values if isinstance(clip.tensor, IndexedSlices) else clip.tensor
    array = values.get(clipped) if hasattr(clipped, "as_tensor") else np.asarray(clipped)
    return None if array is None else float(np.sqrt(np.sum(np.square(array, dtype=np.float64))))


def _number(value: Any, values: Values) -> float | None:
    if hasattr(value, "as_tensor"):
        value = values.get(value.as_tensor())
    return None if value is None or np.size(value) != 1 else float(number_json(np.asarray(value).item()))


def _unrun_updates(outcome: Outcome) -> Iterator[Diagnostic]:
    """A train op that no session ran, in a program that did run something."""
    if not any(session.runs for session in outcome.workspace.sessions) or outcome.status != "ok":
        return
    if outcome.dialect in (TF2, TORCH):  # an update runs as it is made
        return
    written = _nodes_that_ran(outcome)
    for call in outcome.workspace.updates:
        if written.isdisjoint(_updates_of(call.train_op)):
            yield Diagnostic(
                "note",
                "update_never_run",
                f"The update `{call.train_op.name}` was built but never run: "
                "the variables kept their values.",
                f"更新 `{call.train_op.name}` 已构建但从未运行，因此变量的值没有变。",
                "Add it to a run: sess.run(train_op).",
                "请运行它：sess.run(train_op)。",
                call.place,
            )


def _nodes_that_ran(outcome: Outcome) -> set[Node]:
    return {tensor.node for tensor in outcome.workspace.last_values}


def _updates_of(train: Node) -> set[Node]:
    """The Apply nodes that a train op waits for."""
    waited = {train, *train.control_inputs}
    for node in train.control_inputs:
        waited.update(node.control_inputs)
    return {node for node in waited if node.op.writes}


LOSS_NAMES = re.compile(r"(?i)(^|_)(loss|cost|objective|error|mse)($|_|\d)|损失|代价|误差")

ASK_FOR_IT = {
    False: (
        "Ask for it: tf.gradients(…), or optimizer.minimize(…).",
        "请对它求梯度：tf.gradients(…) 或 optimizer.minimize(…)。",
    ),
    True: ("Ask for it: tape.gradient(…, variables).", "请对它求梯度：tape.gradient(…, variables)。"),
}


def _losses_left_alone(outcome: Outcome) -> Iterator[Diagnostic]:
    """A scalar that is called a loss and depends on variables, but that no gradient was asked of."""
    if outcome.dialect == MATH or outcome.status != "ok":
        return
    calls = [call for call in outcome.workspace.gradient_calls if not call.added]
    graph = outcome.graph
    if not calls and not (isinstance(graph, EagerGraph) and graph.has_recorded):
        return
    asked = ancestors(y for call in calls for y in call.ys)
    for name, value in outcome.names.items():
        is_loss = LOSS_NAMES.search(name) and isinstance(value, Tensor) and value.node not in asked
        if is_loss and _could_be_minimised(value):
            yield Diagnostic(
                "note",
                "loss_not_differentiated",
                f"`{name}` was never differentiated: it is computed, but nothing asks for its gradient.",
                f"从未对 `{name}` 求梯度：只计算了它，没有地方用到它的梯度。",
                *ASK_FOR_IT[outcome.dialect == TF2],
                value.node.span,
            )


def _could_be_minimised(value: Tensor) -> bool:
    trainable = {variable.node for variable in value.graph.collection(TRAINABLE_VARIABLES)}
    return value.shape == () and value.dtype in FLOATS and not trainable.isdisjoint(ancestors([value]))


def _unused_values(outcome: Outcome) -> Iterator[Diagnostic]:
    if outcome.dialect == "math" or outcome.status != "ok":
        return
    of_lessons = variable_names(outcome) if outcome.dialect == TORCH else set()
    for name in sorted(outcome.workspace.unused_at & of_lessons):
        yield Diagnostic(
            "warning",
            "value_for_lesson",
            f"The value given for `{name}` is where the pass of the lesson begins: what the program prints "
            "is of its own numbers.",
            f"给 `{name}` 的值是讲解中这一遍的起点；程序打印的内容来自它自己的数值。",
            "Assign the variable to a name of its own before it is used, w = torch.tensor(…).",
            "请在使用变量之前先把它赋给一个名字，例如 w = torch.tensor(…)。",
        )
    for name in sorted(outcome.workspace.unused_at - of_lessons):
        yield Diagnostic(
            "warning",
            "unknown_value_name",
            f"A value was given for `{name}`, but the program has no such variable.",
            f"给出了 `{name}` 的值，但程序中没有这个变量。",
        )


def _unused_feeds(outcome: Outcome) -> Iterator[Diagnostic]:
    if outcome.status != "ok" or not outcome.workspace.feeds:
        return
    nodes = [node for node in outcome.graph.nodes if node.op.name == "Placeholder"]
    known = {name for name, value in outcome.names.items() if getattr(value, "node", None) in nodes}
    for name in outcome.unknown_feeds:
        yield Diagnostic(
            "warning",
            "unknown_feed_name",
            f"A value was fed to `{name}`, but the program has no such placeholder.",
            f"给 `{name}` 喂入了值，但程序中没有这个占位符。",
            *did_you_mean(name, [*known, *(node.name for node in nodes)]),
        )
