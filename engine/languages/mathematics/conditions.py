"""Comparisons and what joins them: nodes where a tensor takes part, plain truth values elsewhere."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from engine import ops
from engine.errors import ProgramError

ORDER: Mapping[str, Callable[..., Any]] = {  # of tensors too: Python's own operators build the nodes
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
EQUALITY: Mapping[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "=": (operator.eq, ops.equal),
    "!=": (operator.ne, ops.not_equal),
}
JOINED: Mapping[str, Callable[..., Any]] = {"and": ops.logical_and, "or": ops.logical_or}


def compared(values: Sequence[Any], symbols: Sequence[str]) -> Any:
    """`a < b <= c` as `a < b and b <= c`."""
    found = [_pair(symbol, *pair) for symbol, pair in zip(symbols, pairwise(values), strict=True)]
    return found[0] if len(found) == 1 else combined("and", found)


def _pair(symbol: str, left: Any, right: Any) -> Any:
    if symbol in ORDER:
        return ORDER[symbol](left, right)
    plain, node = EQUALITY[symbol]
    symbolic = hasattr(left, "as_tensor") or hasattr(right, "as_tensor")
    return node(left, right) if symbolic else plain(left, right)


def combined(word: str, values: Sequence[Any]) -> Any:
    """`and`, `or`, `not` of conditions. Raises: ProgramError where one of them is a number."""
    if not all(is_condition(value) for value in values):
        raise _no_condition(word)
    if word == "not":
        return not values[0] if isinstance(values[0], bool) else ops.logical_not(values[0])
    total = values[0]
    for value in values[1:]:
        if isinstance(total, bool):
            total = value if total == (word == "and") else total
        elif isinstance(value, bool):
            total = total if value == (word == "and") else value
        else:
            total = JOINED[word](total, value)
    return total


def is_condition(value: Any) -> bool:
    """Whether a value is true or false."""
    return isinstance(value, bool) or getattr(value, "dtype", None) == "bool"


def _no_condition(word: str) -> ProgramError:
    return ProgramError(
        f"`{word}` joins comparisons, such as x > 0, not numbers.",
        message_zh=f"`{word}` 连接的是比较（例如 x > 0），而不是数。",
        code="wrong_arguments",
    )
