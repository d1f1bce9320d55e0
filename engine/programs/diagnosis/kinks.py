"""Points where a function has a corner: no derivative, but a convention that TensorFlow follows there."""

from __future__ import annotations

from collections.abc import Iterator

from engine.graph import Node, Tensor
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.ops.base.tensors import Array
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome


def kink_notes(outcome: Outcome, values: Values) -> Iterator[Diagnostic]:
    """One note for each kind of corner that a gradient passed at the values shown."""
    noted: set[str] = set()
    for adjoint in outcome.graph.adjoints:
        node = adjoint.node
        kink = node.op.kink
        if kink is None or node.op.name in noted or node.phase != "forward":
            continue
        inputs = _input_values(node, values)
        if inputs is not None and kink.at(inputs):
            noted.add(node.op.name)
            yield Diagnostic(
                "note",
                "kink",
                f"{node.name}: {kink.note}",
                f"{node.name}：{kink.note_zh}",
                "Other libraries may choose otherwise; move x a little to see the slopes on both sides.",
                "其他库的约定可能不同；把 x 稍微移动，就能看到两侧的斜率。",
                node.span,
            )


def _input_values(node: Node, values: Values) -> list[Array] | None:
    found = [_value(tensor, values) for tensor in node.inputs]
    return None if any(value is None for value in found) else found  # type: ignore[return-value]  # none is None


def _value(tensor: Tensor, values: Values) -> Array | None:
    if tensor.node.op.name == "Const":
        constant: Array = tensor.node.attrs["value"]
        return constant
    return values.get(tensor)
