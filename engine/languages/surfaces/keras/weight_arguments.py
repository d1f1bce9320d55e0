"""What `add_weight` is given by position: its shape first, or its name, as before Keras 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import ProgramError

IN_ORDER = ("shape", "initializer", "dtype", "trainable")
NAME_FIRST = ("name", "shape", "dtype", "initializer", "regularizer", "trainable")  # before Keras 3


def weight_arguments(given: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments by name. Raises: ProgramError where one is given twice, or there are too many."""
    order = NAME_FIRST if given and isinstance(given[0], str) else IN_ORDER
    by_place = dict(zip(order, given, strict=False))
    twice = [name for name in by_place if named.get(name) is not None]
    if twice or len(given) > len(order):
        what = f"the argument `{twice[0]}` twice" if twice else "too many arguments"
        what_zh = f"两次参数 `{twice[0]}`" if twice else "过多的参数"
        raise ProgramError(
            f"add_weight() got {what}.",
            message_zh=f"add_weight() 得到了{what_zh}。",
            hint='Write add_weight(shape=(3, 1), initializer="zeros", name="w").',
            hint_zh='请写 add_weight(shape=(3, 1), initializer="zeros", name="w")。',
            code="wrong_arguments",
            kind="TypeError",
        )
    return {name: value for name, value in named.items() if value is not None} | by_place
