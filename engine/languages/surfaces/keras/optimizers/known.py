"""Which variables an optimizer of Keras was built for: those of its first step, or of `build`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.errors import ValueRefused
from engine.graph import Variable
from engine.languages.interpreter.builtins.text import to_str


def keep_known(optimizer: Any, variables: Sequence[Variable]) -> None:
    """The variables of the first step are all that an optimizer of Keras ever updates.

    Raises: ValueRefused where others come later, which Keras has no slots for.
    """
    if optimizer.known is None:
        optimizer.known = frozenset(variables)
        return
    for variable in variables:
        if variable not in optimizer.known:
            raise _unknown(variable)


def _unknown(variable: Variable) -> ValueRefused:
    return ValueRefused(
        f"Unknown variable: {to_str(variable)}. This optimizer can only be called for the variables it was "
        "originally built with. When working with a new set of variables, you should recreate a new "
        "optimizer instance.",
        hint="Write optimizer.build(model.weights) before the first step, or make a new optimizer.",
        message_zh=f"未知变量：{to_str(variable)}。优化器只能更新它建立时给出的变量。",
        hint_zh="请在第一步之前写 optimizer.build(model.weights)，或新建一个优化器。",
        kind="ValueError",
    )
