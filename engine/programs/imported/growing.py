"""The gradient of an imported graph: the nodes that TensorFlow would add, under its names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.differentiation.gradients import gradients
from engine.errors import NoGradientError, ValueRefused
from engine.execution.budget import Limits
from engine.graph import Graph, Node, Tensor
from engine.graph.essentials import SeenNode
from engine.graph.reachability import between
from engine.interchange.graphdef import graph_def
from engine.interchange.reading import read_graph
from engine.interchange.reading.imported import imported
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import FLOATS
from engine.programs.diagnosis.unconnected import why_no_gradient
from engine.programs.imported.opening import described
from engine.programs.imported.rebuilding import LOOPS_AND_BRANCHES, Rebuilt, rebuilt

MOST_XS = 1_000


@dataclass(frozen=True, slots=True)
class Grown:
    """A graph with a gradient: its file, and the answer of `POST /imports/{id}/gradients` but its id."""

    file: bytes
    body: dict[str, Any]


def grow_gradients(data: bytes, y: str, xs: Sequence[str], limits: Limits) -> Grown:
    """The graph of a file, grown by dy/dx for each x; y and xs are names of tensors (`Exp:0`) or nodes.

    Raises: FileRefused as `read_graph`; GraphError for a name that is not there; LimitError for many nodes;
            NoGradientError where a node on the way has no gradient, or it leads through a loop or a branch.
    """
    before = read_graph(data, limits)
    made = rebuilt(before, limits.import_nodes)
    graph, count = made.graph, len(made.nodes)
    y_tensor, x_tensors = graph.tensor(y), [graph.tensor(x) for x in _checked(xs)]
    _check_no_branches(graph, y_tensor, x_tensors)
    found = gradients([y_tensor], x_tensors)
    message = type(before.message)()
    message.CopyFrom(before.message)
    new = [SeenNode(node, node.inputs, node.control_inputs) for node in graph.nodes[count:]]
    message.node.extend(graph_def(new).node)
    made.nodes.extend(graph.nodes[count:])
    body = described(imported(before.form, message, before.notes, limits), made)
    _say_whose(body["graph"]["nodes"], made)
    rows = [_row(y_tensor, x, gradient) for x, gradient in zip(x_tensors, found, strict=True)]
    return Grown(message.SerializeToString(deterministic=True), {**body, "gradients": rows})


def _checked(xs: Sequence[str]) -> Sequence[str]:
    if not 0 < len(xs) <= MOST_XS:
        raise ValueRefused(
            f"A gradient is asked for with 1 to {MOST_XS:,} xs, not {len(xs):,}.",
            message_zh=f"求导时 xs 应有 1 到 {MOST_XS:,} 个，而不是 {len(xs):,} 个。",
        )
    return xs


def _check_no_branches(graph: Graph, y: Tensor, xs: Sequence[Tensor]) -> None:
    """A file says nothing of which nodes stand in which branch or loop, which their gradient depends on."""
    if not graph.out_of_order:
        return
    on_the_way = between(graph, [x.node for x in xs], [y.node], FLOATS)
    found = next(
        (node for node in graph.nodes if node in on_the_way and node.op.name in LOOPS_AND_BRANCHES), None
    )
    if found is not None:
        raise NoGradientError(
            f"The way from x to y leads through {found.name} ({found.op.name}), part of a loop or a branch.",
            hint="A GraphDef does not say what stands in which loop; differentiate where it was built.",
            message_zh=f"从 x 到 y 的路径经过 {found.name}（{found.op.name}），它属于循环或分支。",
            hint_zh="GraphDef 没有记录哪些节点在哪个循环中；请在构建它的程序中求导。",
            node=found.name,
        )


def _say_whose(rows: Sequence[dict[str, Any]], made: Rebuilt) -> None:
    """Of the new nodes it is known, not guessed by their names, whose rule made them."""
    for row, node in zip(rows, made.nodes, strict=True):
        row["phase"], row["of"] = node.phase, node.of.name if isinstance(node.of, Node) else None


def _row(y: Tensor, x: Tensor, gradient: Any) -> dict[str, Any]:
    reason, reason_zh = (None, None) if gradient is not None else why_no_gradient([y], x)
    row = {"y": y.name, "x": x.name, "name": x.node.name, "reason": reason, "reason_zh": reason_zh}
    if isinstance(gradient, IndexedSlices):
        shape = gradient.dense_shape.name if gradient.dense_shape is not None else None
        rows = {"values": gradient.values.name, "indices": gradient.indices.name, "dense_shape": shape}
        return {**row, "tensor": gradient.values.name, "rows": rows}
    return {**row, "tensor": None if gradient is None else gradient.name}
