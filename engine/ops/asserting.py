"""Checks inside a graph: a run stops where a condition does not hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.ops.constants import const
from engine.ops.definition import op
from engine.ops.tensors import Array, Tensor


@op(
    "Assert",
    inputs="condition *data",
    types="bool T[]",
    outputs=(),
    shape=lambda *shapes: [],
    stateful=True,
    latex=r"\text{stop unless } {condition}",
    no_gradient="it has no output",
)
def assert_op(condition: Array, *data: Array, summarize: int = 3) -> Any:
    """Stops the run where the condition does not hold, and shows the data. Shapes: condition ()."""
    if not np.all(condition):
        told = " ".join(str(np.asarray(value).tolist()) for value in data)
        raise ProgramError(
            f"Assertion failed: {told}",
            message_zh=f"断言失败：{told}",
            code="assertion_failed",
        )
    return []


def text_constant(text: str, name: str) -> Tensor:
    """A constant that holds a text, as assertions tell them."""
    return const(value=np.asarray(text, dtype=np.str_), dtype="string", name=name)
