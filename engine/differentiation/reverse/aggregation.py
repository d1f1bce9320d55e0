"""What a tensor received from several consumers, added up."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import ValueRefused, quoted
from engine.graph import Graph, Tensor
from engine.ops.arrays.joining import concat
from engine.ops.base.shapes import is_static
from engine.ops.base.slices import IndexedSlices
from engine.ops.elementwise.accumulating import accumulate_n
from engine.ops.elementwise.arithmetic import add_n

Gradient = Tensor | IndexedSlices

ADD_N, EXPERIMENTAL_TREE, EXPERIMENTAL_ACCUMULATE_N = 0, 1, 2  # `tf.AggregationMethod`
METHODS = {"ADD_N": ADD_N, "DEFAULT": ADD_N} | {
    "EXPERIMENTAL_TREE": EXPERIMENTAL_TREE,
    "EXPERIMENTAL_ACCUMULATE_N": EXPERIMENTAL_ACCUMULATE_N,
}


def method_of(given: int | None) -> int:
    """The way to add that a program asks for. Raises: ValueRefused where there is none of this number."""
    if given is None:
        return ADD_N
    if given not in METHODS.values():
        raise ValueRefused(
            f"There is no aggregation_method {quoted(given)}.",
            hint=f"It is one of tf.AggregationMethod: {', '.join(METHODS)}.",
            message_zh=f"没有 aggregation_method {quoted(given)}。",
            hint_zh=f"请取 tf.AggregationMethod 之一：{', '.join(METHODS)}。",
            code="bad_value",
        )
    return given


def total(
    graph: Graph, parts: Sequence[Gradient], method: int = ADD_N, consumed: str = ""
) -> Gradient | None:
    """One gradient for all contributions: none, the only one, rows joined, or one AddN.

    Rows stay rows as long as nothing dense is among them; then they are made dense and added.
    method: how tensors are added; consumed: the name of the node whose output received them.
    """
    if len(parts) < 2:
        return parts[0] if parts else None
    rows = [part for part in parts if isinstance(part, IndexedSlices)]
    if len(rows) == len(parts):
        return _joined(rows)
    if rows:
        return add_n(parts)
    tensors = [part for part in parts if isinstance(part, Tensor)]
    if method == ADD_N:
        return _added(graph, tensors)
    if method == EXPERIMENTAL_ACCUMULATE_N and len(tensors) > 2 and is_static(*(t.shape for t in tensors)):
        return accumulate_n(tensors)
    with graph.name_scope(f"{consumed}_gradient_sum"):
        return _one_by_one(tensors)


def _one_by_one(parts: Sequence[Tensor]) -> Tensor:
    """Each added to the sum of those before it, so that it need not be kept."""
    running, *others = parts
    for part in others:
        running = add_n([running, part])
    return running


def _joined(rows: Sequence[IndexedSlices]) -> IndexedSlices:
    values = concat([part.values for part in rows], 0)
    return IndexedSlices(values, concat([part.indices for part in rows], 0), rows[0].dense_shape)


def _added(graph: Graph, parts: Sequence[Tensor]) -> Tensor:
    """Summed on each device first, where they come from several."""
    by_device: dict[str, list[Tensor]] = {}
    for part in parts:
        by_device.setdefault(part.node.device, []).append(part)
    sums = []
    for device in sorted(by_device):
        group = by_device[device]
        with graph.colocate_with(group[0].node, alone=True):
            sums.append(add_n(group))
    return add_n(sums)
