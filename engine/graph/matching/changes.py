"""What differs between two matched graphs: nodes that came or went, and what else is no longer the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.graph.matching.pairs import Matching

VALUE = "value"  # the attribute that holds a constant's value
INITIAL = "initial_value"  # that of a variable, where its constant is no node of its own
OF_ITSELF = frozenset({"op", "attribute", "constant", INITIAL, "inputs", "control_inputs"})
FOLLOWING = frozenset({"dtype", "shape"})  # what follows from changes elsewhere


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that differs between the two nodes of a pair.

    kind: `op`, `attribute` (named by `name`), `constant`, `initial_value`, `inputs`, `control_inputs`,
          `dtype` or `shape`. Inputs and control inputs are given as places: (node, output), and nodes.
    """

    kind: str
    before: Any
    after: Any
    name: str = ""


@dataclass(slots=True)
class Differences:
    """All that differs. changes: by the places of a pair, what differs between its nodes, names left out."""

    matching: Matching
    added: list[int] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    changes: dict[tuple[int, int], list[Change]] = field(default_factory=dict)
    renamed: list[tuple[int, int]] = field(default_factory=list)

    @property
    def changed(self) -> list[tuple[int, int]]:
        """The pairs that differ by themselves, and not only since something before them does."""
        return [pair for pair, found in self.changes.items() if any(one.kind in OF_ITSELF for one in found)]

    @property
    def is_same_structure(self) -> bool:
        """Whether the graphs are the same but for names and the order in which they were built."""
        return not (self.added or self.removed or self.changes)


def differences(matching: Matching) -> Differences:
    """What differs between the graphs of a matching."""
    found = Differences(matching)
    found.removed = [place for place, other in enumerate(matching.forth) if other is None]
    found.added = [place for place, other in enumerate(matching.back) if other is None]
    for pair in matching.pairs:
        changes = list(changes_of(matching, *pair))
        if changes:
            found.changes[pair] = changes
        mine, yours = matching.before.nodes[pair[0]], matching.after.nodes[pair[1]]
        if mine.name != yours.name:
            found.renamed.append(pair)
    return found


def changes_of(matching: Matching, old: int, new: int) -> Iterator[Change]:
    """What differs between the two nodes of a pair.

    That one takes something else which came or went is no change of its own: the other node is named.
    """
    mine, yours = matching.before.nodes[old], matching.after.nodes[new]
    if mine.op != yours.op:
        yield Change("op", mine.op, yours.op)
    if is_rewired(matching, old, new):
        yield Change("inputs", list(mine.inputs), list(yours.inputs))
    if _waits_differ(matching, old, new):
        yield Change("control_inputs", list(mine.waits), list(yours.waits))
    if mine.op == yours.op:  # those of another op are other attributes
        yield from _attributes(mine.facts, yours.facts)
    dtypes = [tuple(dtype for dtype, _ in node.outputs) for node in (mine, yours)]
    shapes = [tuple(shape for _, shape in node.outputs) for node in (mine, yours)]
    if dtypes[0] != dtypes[1]:
        yield Change("dtype", dtypes[0], dtypes[1])
    if shapes[0] != shapes[1]:
        yield Change("shape", shapes[0], shapes[1])


def is_rewired(matching: Matching, old: int, new: int) -> bool:
    """Whether a node takes other outputs of nodes that are in both graphs, or in another order."""
    mine, yours = matching.before.nodes[old], matching.after.nodes[new]
    taken = [(matching.forth[place], index) for place, index in mine.inputs]
    takes = [(matching.back[place], index) for place, index in yours.inputs]
    if (mine.is_commutative and yours.is_commutative) or len(taken) != len(takes):
        return _lost(Counter(taken), Counter(yours.inputs), takes)
    return any(
        one[0] is not None and other[0] is not None and one != place
        for one, other, place in zip(taken, takes, yours.inputs, strict=True)
    )


def _lost(taken: Counter[Any], inputs: Counter[Any], takes: list[tuple[int | None, int]]) -> bool:
    """Of inputs without an order: whether some are no longer taken, others are, and no new node explains it.

    An input that came takes the place of one that went, and the other way round.
    """
    gone = sum((taken - inputs).values()) - sum(n for (place, _), n in taken.items() if place is None)
    come = sum((inputs - taken).values()) - sum(place is None for place, _ in takes)
    new = sum(place is None for place, _ in takes)
    lost = sum(n for (place, _), n in taken.items() if place is None)
    return gone > new or come > lost


def _waits_differ(matching: Matching, old: int, new: int) -> bool:
    """Whether it waits for other nodes than before, of those that are in both graphs."""
    mine, yours = matching.before.nodes[old], matching.after.nodes[new]
    kept = {matching.forth[place] for place in mine.waits} - {None}
    waits = {place for place in yours.waits if matching.back[place] is not None}
    explained = len(mine.waits) > len(kept) or len(yours.waits) > len(waits)
    return bool(kept ^ waits) and not explained


def _attributes(mine: Any, yours: Any) -> Iterator[Change]:
    for name in sorted({*mine, *yours}):
        before, after = mine.get(name), yours.get(name)
        if before != after:
            kind = {VALUE: "constant", INITIAL: INITIAL}.get(name, "attribute")
            yield Change(kind, before, after, name)
