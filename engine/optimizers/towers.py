"""Averaging gradients over towers: copies of a model that each saw a part of the batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.errors import ValueRefused
from engine.ops.elementwise.arithmetic import add_n
from engine.ops.elementwise.division import true_divide


def average_gradients(towers: Sequence[Sequence[tuple[Any, Any]]]) -> list[tuple[Any, Any]]:
    """For each variable, the mean of its gradients in all towers; None where no tower has one.

    The mean equals the full batch's gradient only when all towers saw parts of equal size.
    Raises: ValueRefused where the towers' pairs are not of the same variables in the same order.
    """
    averaged = []
    for pairs in zip(*towers, strict=True):
        variable = pairs[0][1]
        if any(other is not variable for _, other in pairs):
            raise _other_variable(variable)
        present = [gradient for gradient, _ in pairs if gradient is not None]
        averaged.append((_mean(present), variable))
    return averaged


def _mean(gradients: Sequence[Any]) -> Any:
    if not gradients:
        return None
    return true_divide(add_n(gradients), float(len(gradients)))


def _other_variable(variable: Any) -> ValueRefused:
    return ValueRefused(
        f"The towers do not share the variable {variable.name}.",
        hint="Compute every tower's gradients for the same list of variables.",
        message_zh=f"各个塔没有共用变量 {variable.name}。",
        hint_zh="请对同一个变量列表计算每个塔的梯度。",
        code="bad_value",
    )
