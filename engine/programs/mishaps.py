"""Where a number stopped being finite, which rule was broken there, and what to try instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.graph import Node, Tensor
from engine.ops.tensors import Array

Values = Mapping[Tensor, Array]
OVERFLOWS = frozenset({"Exp", "Expm1", "Sinh", "Cosh", "Pow", "Square"})
DIVIDES = frozenset({"RealDiv", "Div", "Reciprocal", "Inv", "Rsqrt", "SqrtGrad", "RsqrtGrad"})
SMALLER = "a smaller learning rate"
SMALLER_RATE = (f"{SMALLER}, or clip the gradient.", "更小的学习率，或裁剪梯度。")
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True, slots=True)
class Mishap:
    """The first node whose value is not finite, and why, in both languages."""

    node: Node
    reason: str
    reason_zh: str
    hint: str
    hint_zh: str

    @property
    def mended_by_smaller_rate(self) -> bool:
        """Whether a smaller learning rate is what to try first."""
        return self.hint.startswith(SMALLER)


def first_mishap(tensor: Tensor, values: Values) -> Mishap:
    """The first node on the way to `tensor` whose value is not finite although all that it takes is."""
    path = [tensor.node]
    while (inner := _not_finite_input(path[-1], values, path)) is not None:
        path.append(inner)
    origin = path[-1]
    rule = _rule(origin, values)
    turned = next((node for node in path[-2::-1] if _is_zero_times_infinity(node, values)), None)
    also, also_zh = _then(turned) if turned is not None and turned is not origin else ("", "")
    return Mishap(origin, rule[0] + also, rule[1] + also_zh, rule[2], rule[3])


def _not_finite_input(node: Node, values: Values, path: Sequence[Node]) -> Node | None:
    for tensor in node.inputs:
        if tensor in values and tensor.node not in path and not _finite(values[tensor]):
            return tensor.node
    return None


def _finite(value: Any) -> bool:
    array = np.asarray(value)
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())


def _then(node: Node) -> tuple[str, str]:
    return f" Then 0 · ∞ at {node.name} is NaN.", f"随后 {node.name} 处的 0 · ∞ 成为 NaN。"


def _is_zero_times_infinity(node: Node, values: Values) -> bool:
    """Whether a product of zero and infinity is in a node's value."""
    if node.op.name not in {"Mul", "MatMul"}:
        return False
    given = [np.asarray(values[tensor]) for tensor in node.inputs if tensor in values]
    return any(np.isinf(array).any() for array in given) and any((array == 0).any() for array in given)


# -- the rules ---------------------------------------------------------------------------------------


def _rule(node: Node, values: Values) -> tuple[str, str, str, str]:
    """What a node's inputs broke: the reason and what to try, each in both languages."""
    given = [np.asarray(values[tensor]) for tensor in node.inputs if tensor in values]
    op = node.op.name
    if op in {"Log", "Log1p"}:
        return _of_log(given[0] + (1 if op == "Log1p" else 0))
    if op == "Sqrt" and (given[0] < 0).any():
        return _of_negative_root(given[0])
    if op in DIVIDES and any((array == 0).any() for array in given):
        return _of_zero_divisor(op)
    if op == "Pow" and ((given[0] == 0) & (given[1] < 0)).any():
        return _of_zero_divisor(op)
    if op == "Pow" and np.isnan(values[node.outputs[0]]).any():
        return _of_negative_base(given[0])
    if _is_zero_times_infinity(node, values):
        return ("0 · ∞ has no value.", "0 · ∞ 没有值。", *SMALLER_RATE)
    if op in OVERFLOWS:
        return _of_overflow(op, given[0])
    return ("The number is too large for its type.", "数值超出了类型的范围。", *SMALLER_RATE)


def _of_log(given: Array) -> tuple[str, str, str, str]:
    hint = f"{SMALLER}, or write x = exp(z), which stays positive."
    hint_zh = "更小的学习率，或写成 x = exp(z)，使它保持为正。"
    least = _shown(given.min())
    if (given < 0).any():
        reason, reason_zh = (
            f"The log of a negative number, {least}, is not defined.",
            f"负数 {least} 的对数没有定义。",
        )
        return reason, reason_zh, hint, hint_zh
    return "The log of 0 is −∞.", "0 的对数是 −∞。", hint, hint_zh


def _of_negative_root(given: Array) -> tuple[str, str, str, str]:
    least = _shown(given.min())
    return (
        f"The square root of a negative number, {least}, is not defined.",
        f"负数 {least} 的平方根没有定义。",
        f"{SMALLER}, or the root of a square plus a small number.",
        "更小的学习率，或对“平方加一个小数”开方。",
    )


def _of_zero_divisor(op: str) -> tuple[str, str, str, str]:
    hint, hint_zh = "another start, or add a small number to the divisor.", "换一个起点，或给除数加一个小数。"
    if op in {"SqrtGrad", "Rsqrt", "RsqrtGrad"}:
        return "The slope of a root at 0 is infinite.", "平方根在 0 处的斜率是无穷大。", hint, hint_zh
    return "A division by 0.", "除以 0。", hint, hint_zh


def _of_negative_base(given: Array) -> tuple[str, str, str, str]:
    least = _shown(given.min())
    return (
        f"A negative number, {least}, has no such power.",
        f"负数 {least} 没有这样的幂。",
        "a whole number as the exponent, or a base that stays positive.",
        "整数指数，或保持为正的底数。",
    )


def _of_overflow(op: str, given: Array) -> tuple[str, str, str, str]:
    largest = _shown(given.flat[np.argmax(np.abs(given))])
    name, limit = op.lower(), _shown(np.finfo(given.dtype).max)
    return (
        f"Overflow: {name} of {largest} is beyond the largest {given.dtype.name}, {limit}.",
        f"溢出：{largest} 的 {name} 超过了最大的 {given.dtype.name}（{limit}）。",
        *SMALLER_RATE,
    )


def _shown(number: Any) -> str:
    """A number with four digits: "−0.05", "3.403×10³⁸"."""
    mantissa, _, exponent = f"{float(number):.4g}".partition("e")
    power = f"×10{str(int(exponent)).translate(SUPERSCRIPTS)}" if exponent else ""
    return mantissa.replace("-", "−") + power
