"""What a tensor received from several consumers, added up."""

from __future__ import annotations

from collections.abc import Sequence

from engine.graph import Graph, Tensor
from engine.ops.arithmetic import add_n
from engine.ops.joining import concat
from engine.ops.slices import IndexedSlices

Gradient = Tensor | IndexedSlices


def total(graph: Graph, parts: Sequence[Gradient]) -> Gradient | None:
    """One gradient for all contributions: none, the only one, rows joined, or one AddN.

    Rows stay rows as long as nothing dense is among them; then they are made dense and added.
    """
    if len(parts) < 2:
        return parts[0] if parts else None
    rows = [part for part in parts if isinstance(part, IndexedSlices)]
    if len(rows) == len(parts):
        return _joined(rows)
    if rows:
        return add_n(parts)
    return _added(graph, [part for part in parts if isinstance(part, Tensor)])


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
