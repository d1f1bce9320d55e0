"""Why a gradient is None, in words: None is not the same as zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.graph import Node, Tensor
from engine.graph.reachability import between, in_order


def why_no_gradient(ys: Sequence[Tensor], x: Any, y_name: str = "y", x_name: str = "x") -> tuple[str, str]:
    """The reason in both languages: no path at all, or an operation on it that passes nothing back."""
    start: Node = x.node
    path = in_order(between(start.graph, [start], [y.node for y in ys]))
    if not path:
        return (
            f"No operation leads from {x_name} to {y_name}, so {x_name} is not connected. "
            "This is not the same as 0.",
            f"没有任何运算从 {x_name} 通向 {y_name}，二者没有连接。这与 0 不同。",
        )
    for node in path:
        rule_missing = node.op.gradient_rule is None and node is not start
        if rule_missing or (node.op.adjoints and all(adjoint == "0" for adjoint in node.op.adjoints)):
            why = f": {node.op.no_gradient}" if node.op.no_gradient else ""
            why_zh = f"：{node.op.no_gradient_zh}" if why else ""
            return (
                f"{node.name} ({node.op.name}) stands on the path and passes no gradient back{why}.",
                f"路径上的 {node.name}（{node.op.name}）不传回梯度{why_zh}。",
            )
    return (
        f"Every path from {x_name} to {y_name} is cut off.",
        f"从 {x_name} 到 {y_name} 的所有路径都被截断。",
    )
