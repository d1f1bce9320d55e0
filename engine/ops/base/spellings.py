"""Arguments that TensorFlow 1 knows under two names, today's and one of an older version."""

from __future__ import annotations

from typing import Any

from engine.errors import ValueRefused


def one_of(new: str, value: Any, old: str, older: Any) -> Any:
    """What is given under either name. Raises: ValueRefused where both are."""
    if value is not None and older is not None:
        raise ValueRefused(
            f"Cannot specify both '{new}' and '{old}'",
            hint=f"They mean the same: leave out `{old}`.",
            message_zh=f"不能同时给出 {new} 和 {old}。",
            hint_zh=f"两者意思相同：请去掉 `{old}`。",
            code="wrong_arguments",
        )
    return older if value is None else value
