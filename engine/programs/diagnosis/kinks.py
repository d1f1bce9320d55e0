"""Points where a function has a corner: no derivative, but a convention that TensorFlow follows there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.graph import Node, Tensor
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.ops.base.shapes import axes_of
from engine.ops.base.tensors import Array
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Kink:
    """Where an op has a corner, and what is done there, in both languages."""

    at: Callable[[Sequence[Array]], bool]
    told: str
    told_zh: str


def _zero(given: Sequence[Array]) -> bool:
    return bool((given[0] == 0).any())


def _tie(given: Sequence[Array]) -> bool:
    return bool(np.equal(*np.broadcast_arrays(*given[:2])).any())


def _tied_extreme(find: Callable[..., Any]) -> Callable[[Sequence[Array]], bool]:
    def tied(given: Sequence[Array]) -> bool:
        axes = axes_of(given[1])
        count = np.sum(given[0] == find(given[0], axis=axes, keepdims=True), axis=axes)
        return bool((count > 1).any())

    return tied


KINKS: Mapping[str, Kink] = {
    "Relu": Kink(
        _zero,
        "relu has a corner at 0; TensorFlow takes the slope 0 there.",
        "relu 在 0 处有拐角；TensorFlow 在那里取斜率 0。",
    ),
    "Abs": Kink(
        _zero,
        "abs has a corner at 0; TensorFlow takes the slope 0 there.",
        "abs 在 0 处有拐角；TensorFlow 在那里取斜率 0。",
    ),
    "Sqrt": Kink(
        _zero,
        "sqrt has no finite slope at 0; TensorFlow gives inf there.",
        "sqrt 在 0 处没有有限的斜率；TensorFlow 在那里给出 inf。",
    ),
    "Maximum": Kink(
        _tie,
        "maximum has a corner where both are equal; TensorFlow gives the whole gradient to the first.",
        "maximum 在两者相等处有拐角；TensorFlow 把全部梯度给第一个。",
    ),
    "Minimum": Kink(
        _tie,
        "minimum has a corner where both are equal; TensorFlow gives the whole gradient to the first.",
        "minimum 在两者相等处有拐角；TensorFlow 把全部梯度给第一个。",
    ),
    "Max": Kink(
        _tied_extreme(np.max),
        "Several elements are the largest; TensorFlow shares the gradient evenly between them.",
        "有多个元素同为最大；TensorFlow 把梯度平均分给它们。",
    ),
    "Min": Kink(
        _tied_extreme(np.min),
        "Several elements are the smallest; TensorFlow shares the gradient evenly between them.",
        "有多个元素同为最小；TensorFlow 把梯度平均分给它们。",
    ),
}


def kink_notes(outcome: Outcome, values: Values) -> Iterator[Diagnostic]:
    """One note for each kind of corner that a gradient passed at the values shown."""
    told: set[str] = set()
    for adjoint in outcome.graph.adjoints:
        node = adjoint.node
        kink = KINKS.get(node.op.name)
        if kink is None or node.op.name in told or node.phase != "forward":
            continue
        given = _given(node, values)
        if given is not None and kink.at(given):
            told.add(node.op.name)
            yield Diagnostic(
                "note",
                "kink",
                f"{node.name}: {kink.told}",
                f"{node.name}：{kink.told_zh}",
                "Other libraries may choose otherwise; move x a little to see the slopes on both sides.",
                "其他库的约定可能不同；把 x 稍微移动，就能看到两侧的斜率。",
                node.span,
            )


def _given(node: Node, values: Values) -> list[Array] | None:
    found = [_value(tensor, values) for tensor in node.inputs]
    return None if any(value is None for value in found) else found  # type: ignore[return-value]  # none is None


def _value(tensor: Tensor, values: Values) -> Array | None:
    if tensor.node.op.name == "Const":
        constant: Array = tensor.node.attrs["value"]
        return constant
    return values.get(tensor)
