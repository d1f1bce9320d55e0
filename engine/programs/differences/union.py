"""One graph of two: that of after, with the nodes and edges that are gone, each marked as what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.graph.matching import Differences
from engine.ops.base.tensors import Tensor
from engine.programs.differences.sides import Side
from engine.programs.program.items import within_room
from engine.programs.program.result import nodes_json

GONE = "@before"  # behind the name of a node that is gone, where a node of the other graph has its name


def union_json(before: Side, after: Side, found: Differences) -> list[dict[str, Any]]:
    """The nodes as in a program's answer, each with its `difference` and what it was called before.

    What is gone stands behind what it was computed from. `removed_inputs` are what a node took
    before and does not take any more.
    """
    union = Union(before, after, found)
    kept = [{**row, **union.facts(place)} for place, row in enumerate(_rows(after, range(len(after.seen))))]
    gone = _rows(before, found.removed)
    placed = [(float(place), row) for place, row in enumerate(kept)]
    anchors = union.anchors()
    for place, row in zip(found.removed, gone, strict=True):
        placed.append((anchors[place] + 0.5, {**row, **union.gone(place)}))
    return [row for _, row in sorted(placed, key=lambda one: one[0])]


def _rows(side: Side, places: Any) -> list[dict[str, Any]]:
    shown = within_room({t: v for t, v in side.values.items() if not _is_hidden(t, side)})
    return nodes_json(side.graph, shown, [side.seen[place] for place in places])


def _is_hidden(tensor: Tensor, side: Side) -> bool:
    return tensor.graph is not side.graph


class Union:
    """How the nodes of both graphs are called in the one."""

    def __init__(self, before: Side, after: Side, found: Differences) -> None:
        self.before, self.after, self.found = before, after, found
        self.forth, self.back = found.matching.forth, found.matching.back
        self.places = {item.node: place for place, item in enumerate(before.seen)}
        self.taken = {item.node.name for item in after.seen}
        self.changed = set(found.changed)

    def name(self, place: int) -> str:
        """What a node of before is called."""
        other = self.forth[place]
        if other is not None:
            return self.after.seen[other].node.name
        name = self.before.seen[place].node.name
        return f"{name}{GONE}" if name in self.taken else name

    def edge(self, tensor: Tensor) -> str:
        """An output of a node of before, as inputs are written."""
        name = self.name(self.places[tensor.node])
        return f"{name}:{tensor.index}" if tensor.index else name

    def facts(self, place: int) -> dict[str, Any]:
        """What is said of a node of after."""
        old = self.back[place]
        if old is None:
            return {"difference": "added", "was": None, "removed_inputs": []}
        was, item = self.before.seen[old].node.name, self.after.seen[place]
        here = Counter(tensor.edge_name for tensor in item.inputs)
        gone = Counter(self.edge(tensor) for tensor in self.before.seen[old].inputs) - here
        kind = "changed" if (old, place) in self.changed else "same"
        if kind == "same" and (old, place) in self.found.changes:
            kind = "following"
        return {"difference": kind, "was": was, "removed_inputs": sorted(gone.elements())}

    def gone(self, place: int) -> dict[str, Any]:
        """What is said of a node that is gone, its edges by the names of the one graph."""
        item = self.before.seen[place]
        of = item.node.of
        return {
            "name": self.name(place),
            "inputs": [self.edge(tensor) for tensor in item.inputs],
            "control_inputs": [self.name(self.places[node]) for node in item.control_inputs],
            "of": self.name(self.places[of]) if of in self.places else None,
            "difference": "removed",
            "was": item.node.name,
            "removed_inputs": [],
        }

    def anchors(self) -> list[float]:
        """For each node of before, the place in after that it stands at or behind."""
        found: list[float] = []
        for place, item in enumerate(self.before.seen):
            other = self.forth[place]
            found.append(float(other) if other is not None else max(self._sources(item, found), default=-1.0))
        return found

    def _sources(self, item: Any, found: list[float]) -> Iterator[float]:
        """Where its inputs stand; the end of a loop is not known yet at its start."""
        for tensor in item.inputs:
            source = self.places[tensor.node]
            if source < len(found):
                yield found[source]
