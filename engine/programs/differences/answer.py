"""The answer of `POST /differences`: two programs, or graphs from files, before and after a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from engine.execution.budget import Limits
from engine.graph import Node
from engine.graph.matching import Change, Differences, differences, match
from engine.interchange.values import attributes_json, shape_json
from engine.programs.differences.gradients import gap_json, paired, reason_for, row_json, value_of
from engine.programs.differences.numbers import Tolerance, gap_between
from engine.programs.differences.plain_graphs import constant_of, plain_graph
from engine.programs.differences.sides import PROGRAM, Compared, Side, side_of
from engine.programs.differences.union import union_json
from engine.programs.differences.words import PARTS, WAYS, says

USUAL = Tolerance()
SMALL = 64  # elements of an attribute that is written in full
Named = dict[str, Any]


def compare_programs(
    before: Compared,
    after: Compared,
    limits: Limits,
    detail: str = "essentials",
    tolerance: Tolerance = USUAL,
) -> dict[str, Any]:
    """What differs between two programs, or graphs from files: the whole body but the ids of the two.

    Raises: GradlensError whose `part` says which of the two cannot be compared, and why.
    """
    one, other = (
        side_of(part, each, detail, limits) for part, each in (("before", before), ("after", after))
    )
    found = differences(match(plain_graph(one), plain_graph(other)))
    return Answer(one, other, found, tolerance).body(detail)


class Answer:
    """The two sides with what differs, written as JSON."""

    def __init__(self, before: Side, after: Side, found: Differences, tolerance: Tolerance) -> None:
        self.before, self.after, self.found = before, after, found
        self.tolerance = tolerance
        self.pairs = found.matching.pairs
        self.partner = {self._old(old): self._new(new) for old, new in self.pairs}

    def _old(self, place: int) -> Node:
        return self.before.seen[place].node

    def _new(self, place: int) -> Node:
        return self.after.seen[place].node

    def body(self, detail: str) -> Named:
        """All of it."""
        gradients = self._gradients()
        target, printed = self._target(), self._printed()
        verdict = {
            "structure": self.found.is_same_structure,
            "target": target["equal"] if target else None,
            "gradients": _all_equal(gradients),
            "printed": printed["equal"] if printed else None,
        }
        lists = self._lists()
        counts = {"matched": len(self.pairs), **{name: len(each) for name, each in lists.items()}}
        return {
            "before": _side_json(self.before),
            "after": _side_json(self.after),
            "detail": detail,
            "tolerance": {"relative": self.tolerance.relative, "absolute": self.tolerance.absolute},
            "equal": False not in verdict.values(),
            "verdict": verdict,
            "says": says(self._parts(), verdict, gradients),
            "counts": counts,
            **lists,
            "target": target,
            "gradients": gradients,
            "printed": printed,
            "graph": {"nodes": union_json(self.before, self.after, self.found)},
        }

    # -- nodes ---------------------------------------------------------------------------------------------

    def _lists(self) -> dict[str, list[Any]]:
        found, changed = self.found, set(self.found.changed)
        following = [pair for pair in found.changes if pair not in changed]
        return {
            "added": [self._new(place).name for place in found.added],
            "removed": [self._old(place).name for place in found.removed],
            "changed": [self._pair_json(pair) for pair in found.changed],
            "following": [self._pair_json(pair) for pair in following],
            "renamed": [self._names(pair) for pair in found.renamed],
            "values": list(self._values()),
        }

    def _parts(self) -> dict[str, dict[str, int]]:
        """How many nodes were added, removed and changed, by part of the graph."""
        found, counts = self.found, {part: dict.fromkeys(WAYS, 0) for part in PARTS}
        nodes = {
            "added": [self._new(place) for place in found.added],
            "removed": [self._old(place) for place in found.removed],
            "changed": [self._new(place) for _, place in found.changed],
        }
        for way, those in nodes.items():
            for node in those:
                counts[node.phase if node.phase in PARTS else "other"][way] += 1
        return counts

    def _names(self, pair: tuple[int, int]) -> Named:
        return {"before": self._old(pair[0]).name, "after": self._new(pair[1]).name}

    def _pair_json(self, pair: tuple[int, int]) -> Named:
        changes = [self._change_json(pair, change) for change in self.found.changes[pair]]
        return {**self._names(pair), "changes": changes}

    def _change_json(self, pair: tuple[int, int], change: Change) -> Named:
        before, after = self._shown(pair, change)
        return {"kind": change.kind, "name": change.name or None, "before": before, "after": after}

    def _shown(self, pair: tuple[int, int], change: Change) -> tuple[Any, Any]:
        """What changed on both sides, as it is written."""
        if change.kind == "op":
            return change.before, change.after
        if change.kind == "dtype":
            return list(change.before), list(change.after)
        if change.kind == "shape":
            return _shapes(change.before), _shapes(change.after)
        return _fact(self.before, pair[0], change), _fact(self.after, pair[1], change)

    def _values(self) -> Iterator[Named]:
        """The pairs whose numbers differ, as far as both are known."""
        for pair in self.pairs:
            outputs = [node.outputs[0] for node in (self._old(pair[0]), self._new(pair[1])) if node.outputs]
            if len(outputs) == 2:
                values = self.before.values.get(outputs[0]), self.after.values.get(outputs[1])
                gap = gap_between(*values, self.tolerance)
                if gap.equal is False:
                    yield {**self._names(pair), **gap_json(gap)}

    # -- results -------------------------------------------------------------------------------------------

    def _gradients(self) -> list[Named]:
        """Those of two programs; a file does not say by which variable one of its nodes is a gradient."""
        if {self.before.kind, self.after.kind} != {PROGRAM}:
            return []
        rows = paired(self.before.gradients, self.after.gradients, self.partner)
        return [row_json(row, self.tolerance) for row in rows]

    def _target(self) -> Named | None:
        """The targets of two programs; None where one of the two is a graph or has none."""
        one, other = self.before.target, self.after.target
        if one is None or other is None:
            return None
        values = self.before.values.get(one), self.after.values.get(other)
        gap = gap_between(*values, self.tolerance)
        return {
            "tensor": {"before": one.name, "after": other.name},
            "is_same_node": self.partner.get(one.node) is other.node,
            "value": {"before": value_of(values[0]), "after": value_of(values[1])},
            **gap_json(gap),
            "reason": reason_for(gap, *values),
        }

    def _printed(self) -> Named | None:
        """What two programs printed, and the first line that differs, counted from 1."""
        one, other = self.before.printed, self.after.printed
        if one is None or other is None:
            return None
        lines = enumerate(zip_longest(one, other), start=1)
        first = next(((number, pair) for number, pair in lines if pair[0] != pair[1]), None)
        difference = {"line": first[0], "before": first[1][0], "after": first[1][1]} if first else None
        return {"equal": first is None, "first_difference": difference}


def _side_json(side: Side) -> Named:
    target = side.target.name if side.target is not None else None
    form = (
        {"dialect": side.form, "format": None}
        if side.kind == PROGRAM
        else {"dialect": None, "format": side.form}
    )
    return {"kind": side.kind, **form, "nodes": len(side.seen), "target": target}


def _all_equal(gradients: Sequence[Named]) -> bool | None:
    """Whether all gradients are equal; None where there are none, or not all are known."""
    found = [row["equal"] for row in gradients]
    if False in found:
        return False
    return None if None in found or not found else True


def _shapes(shapes: Sequence[Any]) -> list[Any]:
    return [shape_json(shape) for shape in shapes]


def _fact(side: Side, place: int, change: Change) -> Any:
    """What of a node changed: names of what it takes, numbers, or an attribute as an answer writes it."""
    item = side.seen[place]
    if change.kind == "inputs":
        return [tensor.edge_name for tensor in item.inputs]
    if change.kind == "control_inputs":
        return [node.name for node in item.control_inputs]
    if change.kind == "initial_value":
        return value_of(side.initial.get(item.node))
    if change.kind == "constant":
        return value_of(constant_of(item.node))
    return attributes_json(item.node.attrs, SMALL).get(change.name)
