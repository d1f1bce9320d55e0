"""What a run is asked for: by name, what cannot be asked for, and when a fetch is looked at."""

from __future__ import annotations

from typing import Any

from engine.errors import GraphError, ValueRefused
from engine.execution.interpreter.buffers import buffer_in
from engine.execution.interpreter.trace import Run
from engine.graph import Graph, Node, Tensor


def named_fetch(graph: Graph, name: str) -> Tensor | Node:
    """What a name stands for, of a tensor where it has a colon. Raises: GraphError."""
    try:
        return graph.tensor(name) if ":" in name else graph.node(name)
    except GraphError as error:
        node = name.partition(":")[0]
        what = "refers to an Operation not in the graph."
        if ":" in name:
            what = (
                "refers to a Tensor which does not exist. "
                f"The operation, {node!r}, does not exist in the graph."
            )
        error.kind = "ValueError"
        error.said = (
            f'Fetch argument {name!r} cannot be interpreted as a Tensor. ("The name {name!r} {what}")'
        )
        raise


def cannot_fetch(item: Any) -> ValueRefused:
    """The error for a fetch that is neither tensor nor operation."""
    kind = "None" if item is None else type(item).__name__
    return ValueRefused(
        f"A session fetches tensors, variables and operations, not {kind}.",
        hint="A gradient that is None has no path from x to y; leave it out."
        if item is None
        else "Pass what an operation returned.",
        message_zh=f"会话只能获取张量、变量和运算，不能获取 {kind}。",
        hint_zh="为 None 的梯度表示 x 与 y 没有连接；请不要获取它。"
        if item is None
        else "请传入运算返回的对象。",
        code="cannot_fetch",
        said=_said_of_a_fetch(item),
    )


def _said_of_a_fetch(item: Any) -> str:
    """What TensorFlow 1 says of something that it cannot fetch."""
    kind = type(item)
    if kind not in (type(None), int, float, bool):
        return f"Fetch argument has invalid type {kind.__name__}."
    text = f"Fetch argument {item!r} has invalid type {kind}"
    wrong = f"Can not convert a {kind.__name__} into a Tensor or Operation."
    return text if item is None else f"{text}, must be a string or Tensor. ({wrong})"


def held_at_end(item: Tensor | Node, run: Run) -> Node | None:
    """The variable whose buffer a fetch is and which the run wrote: the fetch shows what is left there.

    None for any other fetch, a fed one among them.
    """
    if isinstance(item, Node) or not run.updates or run.is_fed(item):
        return None
    variable = buffer_in(item, run)
    return variable if any(update.variable is variable for update in run.updates) else None
