"""What may help against a number that is not finite, and what is said of one that grew too large."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from engine.ops.base.domains import Undefined, shown

Lever = Literal["rate", "start", "none"]  # what a number depends on that the run itself may change

SMALLER_RATE = "a smaller learning rate"

TRIED: Mapping[Lever, tuple[tuple[str, str], tuple[str, str]]] = {  # and what helps against its size
    "rate": ((SMALLER_RATE, "更小的学习率"), ("clip the gradient", "裁剪梯度")),
    "start": (("another start", "换一个起点"), ("smaller numbers", "更小的数")),
    "none": (("", ""), ("smaller numbers", "更小的数")),
}


def remedy(undefined: Undefined, lever: Lever) -> tuple[str, str]:
    """What to try, in both languages."""
    (first, first_zh), (size, size_zh) = TRIED[lever]
    other, other_zh = undefined.instead or size, undefined.instead_zh or size_zh
    if not first:
        return f"{other}.", f"{other_zh}。"
    return f"{first}, or {other}.", f"{first_zh}，或{other_zh}。"


def overflow(what: str, what_zh: str, dtype: Any) -> Undefined:
    """A result beyond the largest number of a type."""
    name, limit = np.dtype(dtype).name, shown(np.finfo(dtype).max)
    return Undefined(
        f"Overflow: {what} is beyond the largest {name}, {limit}.",
        f"溢出：{what_zh}超过了最大的 {name}（{limit}）。",
    )
