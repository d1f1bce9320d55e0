"""Where a function has no finite value: what is not defined there, and how to write it so that it is.

A domain rule sees the inputs of an op at one place, so that what it says is about these numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True, slots=True)
class Undefined:
    """What is not defined, and how to write it so that it is, in both languages.

    instead: beside another start or rate; "" where only the size of the numbers is at fault.
    """

    reason: str
    reason_zh: str
    instead: str = ""
    instead_zh: str = ""


Domain = Callable[..., Undefined | None]  # of the inputs at one place; None where they have a value


def shown(number: Any) -> str:
    """A number with four digits: "−0.05", "3.403×10³⁸", "∞"."""
    value = float(number)
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "∞" if value > 0 else "−∞"
    mantissa, _, exponent = f"{value:.4g}".partition("e")
    power = f"×10{str(int(exponent)).translate(SUPERSCRIPTS)}" if exponent else ""
    return mantissa.replace("-", "−") + power


def logarithm(x: float) -> Undefined | None:
    """The domain of a logarithm: the numbers above 0."""
    instead = "x = exp(z), which stays positive", "写成 x = exp(z)，使它保持为正"
    if x == 0:
        return Undefined("The log of 0 is −∞.", "0 的对数是 −∞。", *instead)
    return Undefined(
        f"The log of a negative number, {shown(x)}, is not defined.",
        f"负数 {shown(x)} 的对数没有定义。",
        *instead,
    )


def root(x: float) -> Undefined | None:
    """The domain of a square root, and of its slope."""
    if x == 0:
        return slope_of_root(x)
    return Undefined(
        f"The square root of a negative number, {shown(x)}, is not defined.",
        f"负数 {shown(x)} 的平方根没有定义。",
        "the root of a square plus a small number",
        "对“平方加一个小数”开方",
    )


def slope_of_root(root: float, *_: float) -> Undefined | None:
    """The slope of a square root at 0, of its value."""
    if root != 0:
        return None
    return Undefined(
        "The slope of a root at 0 is infinite.",
        "平方根在 0 处的斜率是无穷大。",
        "a small number added under the root",
        "在根号内加一个小数",
    )


def division(x: float, divisor: float) -> Undefined | None:
    """The rule of a quotient: nothing is divided by 0."""
    if divisor != 0:
        return None
    reason = ("0 / 0 has no value.", "0 / 0 没有值。") if x == 0 else ("A division by 0.", "除以 0。")
    return Undefined(*reason, "a small number added to the divisor", "给除数加一个小数")


def within(name: str, low: float, high: float) -> Domain:
    """The rule of an inverse function, which takes numbers of an interval only."""
    interval = f"{shown(low)} … {shown(high)}"

    def rule(x: float) -> Undefined | None:
        if low < x < high:
            return None
        return Undefined(
            f"{name} of {shown(x)} has no finite value; it takes numbers within {interval}.",
            f"{name} 在 {shown(x)} 处没有有限的值；它只接受 {interval} 之间的数。",
            f"an argument kept within {interval}",
            f"使它的参数保持在 {interval} 之间",
        )

    return rule


def pole(name: str) -> Domain:
    """The rule of the gamma function and its kin, infinite at 0, −1, −2, …"""

    def rule(x: float) -> Undefined | None:
        if x > 0 or not x.is_integer():
            return None
        return Undefined(
            f"{name} has a pole at {shown(x)}.",
            f"{name} 在 {shown(x)} 处有极点。",
            "an argument kept above 0",
            "使它的参数保持大于 0",
        )

    return rule
