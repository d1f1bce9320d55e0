"""Where a number stopped being finite, which rule was broken there, and what to try instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution.interpreter.order import nodes_of
from engine.execution.interpreter.plan import make_plan
from engine.graph import Node, Tensor, Variable
from engine.ops.base.domains import Domain, Undefined, shown
from engine.ops.base.tensors import Array
from engine.programs.diagnosis.broken_rules import Lever, overflow, remedy

Values = Mapping[Tensor, Array]
OF_ONE_NUMBER = frozenset({"Exp", "Expm1", "Sinh", "Cosh", "Square"})  # a message names it when they overflow
LOOPS_ON = frozenset(
    {"Switch", "Merge", "Identity", "NextIteration", "Enter", "RefEnter", "Exit"}
)  # compute nothing
ASKS_WHETHER_FINITE = frozenset({"IsFinite", "IsInf", "IsNan"})
INDEFINITE: Mapping[str, str] = {
    "Mul": "0 · ∞",
    "RealDiv": "∞ / ∞",
    "Sin": "sin ∞",
    "Cos": "cos ∞",
    "Tan": "tan ∞",
    **dict.fromkeys(("Add", "AddV2", "AddN", "AccumulateNV2", "Sub", "Sum", "Mean", "BiasAdd"), "∞ − ∞"),
}


@dataclass(frozen=True, slots=True)
class NonFinite:
    """The first node whose value is not finite, and why, in both languages.

    size_only: nothing but the size of the numbers is at fault.
    """

    node: Node
    reason: str
    reason_zh: str
    hint: str
    hint_zh: str
    size_only: bool = False


def first_non_finite(tensor: Tensor, values: Values, moved: bool = True) -> NonFinite:
    """The first node on the way to `tensor` whose value is not finite although all that it takes is.

    moved: whether updates came before, so that another learning rate could help.
    """
    path = [tensor]
    while (inner := _not_finite_input(path[-1].node, values, path)) is not None:
        path.append(inner)
    while path[-1].node.op.name in LOOPS_ON and len(path) > 1:
        path.pop()
    broken = _broken(path[-1], values)
    lever: Lever = "rate" if moved else "start"
    hint, hint_zh = remedy(broken, lever if _follows_variables(path[-1].node) else "none")
    form = next((found for t in path[-2::-1] if (found := _indeterminate(t, values))), None)
    also, also_zh = _then(*form) if form is not None else ("", "")
    size_only = not broken.instead
    reasons = broken.reason + also, broken.reason_zh + also_zh
    return NonFinite(path[-1].node, *reasons, f"Try {hint}", f"可以试试：{hint_zh}", size_only)


def broken_start(variable: Variable, name: str, bad: Any) -> NonFinite:
    """A variable whose start is not a finite number."""
    return NonFinite(
        variable.node,
        f"{name} starts at {shown(bad)}, which is no finite number.",
        f"{name} 的起点是 {shown(bad)}，不是有限的数。",
        "Try a finite start.",
        "可以试试：有限的起点。",
    )


def broken_update(node: Node, name: str, bad: Any) -> NonFinite:
    """An update that makes a variable not finite although its gradient was."""
    reasons = f"The update makes {name} {shown(bad)}.", f"更新使 {name} 成为 {shown(bad)}。"
    others = "other hyper-parameters", "其他超参数"
    hint, hint_zh = remedy(Undefined(*reasons, *others), "none" if np.isnan(bad) else "rate")
    return NonFinite(node, *reasons, f"Try {hint}", f"可以试试：{hint_zh}")


def is_finite(value: Any) -> bool:
    """Whether every number of a value is finite; integers and booleans always are."""
    array = np.asarray(value)
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())


def _follows_variables(node: Node) -> bool:
    """Whether a value depends on what a variable holds."""
    steps = [inner for step in make_plan([node]).steps for inner in nodes_of(step)]
    return any(step.op.name == "VariableV2" for step in steps)


def _not_finite_input(node: Node, values: Values, path: Sequence[Tensor]) -> Tensor | None:
    """The first input that is not finite; where a condition on it chose NaN, the number that was tested."""
    given: Sequence[Tensor] = node.inputs
    if node.op.name == "Select" and node.inputs[0].node.op.name in ASKS_WHETHER_FINITE:
        given = [*given[0].node.inputs, *given]
    bad = [t for t in given if t in values and t not in path and not is_finite(values[t])]
    return bad[0] if bad else None


# -- the first node ------------------------------------------------------------------------------------


def _broken(tensor: Tensor, values: Values) -> Undefined:
    """Which rule the node of a tensor broke."""
    node, value = tensor.node, np.asarray(values[tensor])
    bad = value[~np.isfinite(value)][0]
    if not node.inputs:
        return _not_computed(node, bad)
    if _not_finite_input(node, values, ()) is not None:
        return _in_a_turn(bad)
    arguments = _at_fault(node, value, values)
    rule: Domain | None = node.op.domain_rule
    if rule is not None and arguments is not None and (found := rule(*arguments)) is not None:
        return found
    if np.isnan(bad):
        op = node.op.name
        return Undefined(f"{op} has no value for what it takes here.", f"{op} 对这里的参数没有值。")
    if node.op.name in OF_ONE_NUMBER and arguments is not None:
        name, number = node.op.name.lower(), shown(arguments[0])
        return overflow(f"{name} of {number}", f"{number} 的 {name} ", value.dtype)
    if node.op.name == "Pow" and arguments is not None:
        base, exponent = map(shown, arguments)
        return overflow(f"{base} to the power {exponent}", f"{base} 的 {exponent} 次幂", value.dtype)
    return overflow("the result", "结果", value.dtype)


def _at_fault(node: Node, value: Array, values: Values) -> list[float] | None:
    """The arguments at the first element that is not finite; None where the op is not elementwise."""
    if not all(tensor in values for tensor in node.inputs):
        return None
    place = np.unravel_index(int(np.argmin(np.isfinite(value))), value.shape) if value.shape else ()
    try:
        given = [np.broadcast_to(values[tensor], value.shape) for tensor in node.inputs]
    except ValueError:
        return None
    return [float(array[place]) for array in given]


def _not_computed(node: Node, bad: Any) -> Undefined:
    """A number that was not computed: a constant, a fed value, the value of a variable."""
    return Undefined(
        f"{node.name} holds {shown(bad)}, which is no finite number.",
        f"{node.name} 的值是 {shown(bad)}，不是有限的数。",
        "a finite number there",
        "在那里用有限的数",
    )


def _in_a_turn(bad: Any) -> Undefined:
    """A number inside a loop: of its turns only the last one is known."""
    return Undefined(
        f"A turn of the loop made {shown(bad)} here.",
        f"循环的某一轮在这里得到 {shown(bad)}。",
        "fewer turns",
        "减少循环的轮数",
    )


# -- on the way from there -----------------------------------------------------------------------------


def _indeterminate(tensor: Tensor, values: Values) -> tuple[Node, str] | None:
    """The node of a tensor and its indeterminate form, where it made NaN out of infinities."""
    node = tensor.node
    given = [np.asarray(values[t]) for t in node.inputs if t in values]
    if not _has_nan(values[tensor]) or any(map(_has_nan, given)):
        return None
    if node.op.name == "MatMul":
        return node, "0 · ∞" if any((array == 0).any() for array in given) else "∞ − ∞"
    return (node, INDEFINITE[node.op.name]) if node.op.name in INDEFINITE else None


def _has_nan(value: Any) -> bool:
    array = np.asarray(value)
    return array.dtype.kind == "f" and bool(np.isnan(array).any())


def _then(node: Node, what: str) -> tuple[str, str]:
    return f" Then {what} at {node.name} is NaN.", f"随后 {node.name} 处的 {what} 成为 NaN。"
