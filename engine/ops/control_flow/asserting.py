"""Checks inside a graph: a run stops where a condition does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import same
from engine.ops.base.tensors import TEXT, Array, Node, Tensor
from engine.ops.base.texts import is_texts, text_array, written_text
from engine.ops.common.constants import const


@op(
    "Assert",
    inputs="condition *data",
    types="bool T[]",
    outputs=(),
    shape=lambda *shapes: [],
    stateful=True,
    latex=r"\text{stop unless } {condition}",
    no_gradient=("it has no output", "它没有输出"),
)
@in_chinese("条件不成立时停止运行，并显示数据。")
def assert_op(condition: Array, *data: Array, summarize: int = 3) -> Any:
    """Stops the run where the condition does not hold, and shows the data. Shapes: condition ()."""
    if not np.all(condition):
        listed = " ".join(map(_listed, data))
        raise ProgramError(
            f"Assertion failed: {listed}",
            message_zh=f"断言失败：{listed}",
            code="assertion_failed",
        )
    return []


def _listed(value: Any) -> str:
    """What is shown of a value: a text as it reads, numbers as lists."""
    array = np.asarray(value)
    if not is_texts(array):
        return str(array.tolist())
    return written_text(array[()]) if array.ndim == 0 else str([written_text(one) for one in array.flat])


def _of_finite(message: str, x: Array) -> ProgramError:
    kinds = [name for name, found in (("Inf", np.isinf(x)), ("NaN", np.isnan(x))) if found.any()]
    found = " and ".join(kinds)
    return ProgramError(
        f"{message} : Tensor had {found} values",
        message_zh=f"{message}：张量中有 {found}",
        hint="Follow the tensor back to where the first such value arises.",
        hint_zh="请沿着张量往回找，看这样的值最先出现在哪里。",
        code="assertion_failed",
    )


@op(
    "CheckNumerics",
    inputs="tensor",
    shape=same,
    stateful=True,
    latex=r"{tensor} \text{ if finite}",
    adjoints=[r"\bar{y}"],
    derivative=["1"],
)
@in_chinese("原样的值；不是有限数时停止运行。")
def check_numerics(tensor: Array, message: str = "") -> Any:
    """The same value; a run stops where it is not finite. Shapes: tensor (*S) -> y (*S)."""
    if not np.all(np.isfinite(tensor)):
        raise _of_finite(message, tensor)
    return tensor


@check_numerics.gradient
def check_numerics_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    message = node.attrs["message"]
    text = f"Not a number (NaN) or infinity (Inf) values detected in gradient. b'{message}'"
    return [check_numerics(dy, message=text)]


def text_constant(text: str | Sequence[str], name: str) -> Tensor:
    """A constant that holds a text, as assertions show them, or several."""
    return const(value=text_array(text), dtype=TEXT, name=name)
