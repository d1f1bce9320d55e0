"""`tf.cond` and `tf.while_loop`: both branches, or one turn, are built once; the session decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.errors import ProgramError
from engine.graph.contexts import Branch, Context, Loop
from engine.graph.graph import Graph
from engine.ops import flow
from engine.ops.building import convert_to_tensor
from engine.ops.control import identity
from engine.ops.tensors import Tensor


def cond(
    graph: Graph, pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: str | None = None
) -> Any:
    """Add both branches; a run takes the one that `pred` tells.

    Returns: what the branches return, one tensor or a list of them.
    Raises:  ProgramError where the branches return different numbers of tensors.
    """
    with graph.name_scope(name or "cond"):
        pred = convert_to_tensor(pred, name="pred")
        off, on = flow.switch.node(pred, pred).outputs
        pivots = identity(on, name="switch_t"), identity(off, name="switch_f")
        pred = identity(pred, name="pred_id")
        taken, single = _branch(graph, Branch(graph, pred, pivots[0], 1, graph.context), true_fn)
        other, _ = _branch(graph, Branch(graph, pred, pivots[1], 0, graph.context), false_fn)
        if len(taken) != len(other):
            raise ProgramError(
                f"The branches of tf.cond return {len(taken)} and {len(other)} tensors.",
                hint="Both branches must return the same number of tensors.",
                message_zh=f"tf.cond 的两个分支分别返回 {len(taken)} 个和 {len(other)} 个张量。",
                hint_zh="两个分支必须返回同样多的张量。",
                code="branches_differ",
            )
        merged = [flow.merge([f, t]) for t, f in zip(taken, other, strict=True)]
    return merged[0] if single else merged


def _branch(graph: Graph, context: Context, build: Callable[[], Any]) -> tuple[list[Tensor], bool]:
    """What one branch returns, seen from inside, and whether it was a single tensor."""
    with graph.inside(context):
        result = build()
        single = not isinstance(result, (list, tuple))
        tensors = [convert_to_tensor(item) for item in ([result] if single else result)]
        return [context.value(tensor) for tensor in tensors], single


def while_loop(
    graph: Graph,
    going_on: Callable[..., Tensor],
    body: Callable[..., Sequence[Any]],
    variables: Sequence[Any],
    name: str | None = None,
) -> list[Tensor]:
    """Add one turn of a loop; a run repeats it as long as `going_on` of the loop variables holds.

    Returns: the loop variables as they are at the end.
    """
    graph.out_of_order = True
    with graph.name_scope(name or "while"):
        first = [convert_to_tensor(value) for value in variables]
        outer: Context | None = graph.context
        loop = Loop(graph, graph.names.unique("while_context"), outer)
        if outer is not None:
            first = [outer.value(value) for value in first]
        with graph.control_dependencies(None):
            entered = [loop.enter(value) for value in first]
            merges = [flow.merge([value, value]) for value in entered]
        for merged in merges:
            loop.keep(merged.node)
        loop.pivot = merges[0]
        with graph.inside(loop):
            more = flow.loop_cond(going_on(*merges))
            ways = [flow.switched(merged, more) for merged in merges]
            inside = [identity(way[1]) for way in ways]
            loop.pivot = inside[0]
            changed = [loop.value(convert_to_tensor(value)) for value in body(*inside)]
            again = [flow.next_iteration(value) for value in changed]
        for merged, back in zip(merges, again, strict=True):
            merged.node.inputs = (merged.node.inputs[0], back)
        with graph.control_dependencies(None):
            ends = [flow.exit_op(way[0]) for way in ways]
        for end in ends:
            if outer is not None:
                outer.keep(end.node)
        return ends
