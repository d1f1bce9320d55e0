"""Which rule of arithmetic an op broke that made a number which is not finite out of finite ones.

A rule sees the arguments at the very element that went wrong, so that what it says is about these numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Lever = Literal["rate", "start", "none"]  # what a number depends on that the run itself may change

SMALLER_RATE = "a smaller learning rate"
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

TRIED: Mapping[Lever, tuple[tuple[str, str], tuple[str, str]]] = {  # and what helps against its size
    "rate": ((SMALLER_RATE, "更小的学习率"), ("clip the gradient", "裁剪梯度")),
    "start": (("another start", "换一个起点"), ("smaller numbers", "更小的数")),
    "none": (("", ""), ("smaller numbers", "更小的数")),
}


@dataclass(frozen=True, slots=True)
class Broken:
    """What is not defined, and how to write it so that it is, in both languages.

    instead: beside another start or rate; "" where only the size of the numbers is at fault.
    """

    reason: str
    reason_zh: str
    instead: str = ""
    instead_zh: str = ""

    def remedy(self, lever: Lever) -> tuple[str, str]:
        """What to try, in both languages."""
        (first, first_zh), (size, size_zh) = TRIED[lever]
        other, other_zh = self.instead or size, self.instead_zh or size_zh
        if not first:
            return f"{other}.", f"{other_zh}。"
        return f"{first}, or {other}.", f"{first_zh}，或{other_zh}。"


def overflow(what: str, what_zh: str, dtype: Any) -> Broken:
    """A result beyond the largest number of a type."""
    name, limit = np.dtype(dtype).name, shown(np.finfo(dtype).max)
    return Broken(
        f"Overflow: {what} is beyond the largest {name}, {limit}.",
        f"溢出：{what_zh}超过了最大的 {name}（{limit}）。",
    )


def shown(number: Any) -> str:
    """A number with four digits: "−0.05", "3.403×10³⁸", "∞"."""
    value = float(number)
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "∞" if value > 0 else "−∞"
    mantissa, _, exponent = f"{value:.4g}".partition("e")
    power = f"×10{str(int(exponent)).translate(SUPERSCRIPTS)}" if exponent else ""
    return mantissa.replace("-", "−") + power


# -- a rule for each op: what it says of the arguments, None where it holds ------------------------------


def _log(x: float) -> Broken | None:
    instead = "x = exp(z), which stays positive", "写成 x = exp(z)，使它保持为正"
    if x == 0:
        return Broken("The log of 0 is −∞.", "0 的对数是 −∞。", *instead)
    return Broken(
        f"The log of a negative number, {shown(x)}, is not defined.",
        f"负数 {shown(x)} 的对数没有定义。",
        *instead,
    )


def _root(x: float) -> Broken | None:
    if x == 0:
        return _slope_of_root(x)
    return Broken(
        f"The square root of a negative number, {shown(x)}, is not defined.",
        f"负数 {shown(x)} 的平方根没有定义。",
        "the root of a square plus a small number",
        "对“平方加一个小数”开方",
    )


def _slope_of_root(root: float, *_: float) -> Broken | None:
    if root != 0:
        return None
    return Broken(
        "The slope of a root at 0 is infinite.",
        "平方根在 0 处的斜率是无穷大。",
        "a small number added under the root",
        "在根号内加一个小数",
    )


def _quotient(x: float, divisor: float) -> Broken | None:
    if divisor != 0:
        return None
    reason = ("0 / 0 has no value.", "0 / 0 没有值。") if x == 0 else ("A division by 0.", "除以 0。")
    return Broken(*reason, "a small number added to the divisor", "给除数加一个小数")


def _power(base: float, exponent: float) -> Broken | None:
    if base == 0 and exponent < 0:
        return Broken(
            f"0 to a negative power, {shown(exponent)}, is a division by 0.",
            f"0 的负数次幂（{shown(exponent)}）就是除以 0。",
            "a small number added to the base",
            "给底数加一个小数",
        )
    if base < 0 and not exponent.is_integer():
        return Broken(
            f"A negative number, {shown(base)}, has no such power: {shown(exponent)} is not whole.",
            f"负数 {shown(base)} 没有这样的幂：{shown(exponent)} 不是整数。",
            "a whole number as the exponent, or a base that stays positive",
            "用整数指数，或使底数保持为正",
        )
    return None


def _within(name: str, low: float, high: float) -> Callable[[float], Broken | None]:
    """The rule of an inverse function, which takes numbers of an interval only."""
    interval = f"{shown(low)} … {shown(high)}"

    def rule(x: float) -> Broken | None:
        if low < x < high:
            return None
        return Broken(
            f"{name} of {shown(x)} has no finite value; it takes numbers within {interval}.",
            f"{name} 在 {shown(x)} 处没有有限的值；它只接受 {interval} 之间的数。",
            f"an argument kept within {interval}",
            f"使它的参数保持在 {interval} 之间",
        )

    return rule


def _pole(name: str) -> Callable[[float], Broken | None]:
    """The rule of the gamma function and its kin, infinite at 0, −1, −2, …"""

    def rule(x: float) -> Broken | None:
        if x > 0 or not x.is_integer():
            return None
        return Broken(
            f"{name} has a pole at {shown(x)}.",
            f"{name} 在 {shown(x)} 处有极点。",
            "an argument kept above 0",
            "使它的参数保持大于 0",
        )

    return rule


Rule = Callable[..., Broken | None]

RULES: Mapping[str, Rule] = {
    "Log": _log,
    "Log1p": lambda x: _log(x + 1),
    "Xlogy": lambda x, y: _log(y),
    "Sqrt": _root,
    "Rsqrt": _root,
    "SqrtGrad": _slope_of_root,
    "RsqrtGrad": _slope_of_root,
    "RealDiv": _quotient,
    "FloorDiv": _quotient,
    "FloorMod": _quotient,
    "TruncateDiv": _quotient,
    "Xdivy": _quotient,
    "Reciprocal": lambda x: _quotient(1.0, x),
    "Pow": _power,
    "Asin": _within("asin", -1, 1),
    "Acos": _within("acos", -1, 1),
    "Acosh": _within("acosh", 1, math.inf),
    "Atanh": _within("atanh", -1, 1),
    "Lgamma": _pole("lgamma"),
    "Digamma": _pole("digamma"),
}
