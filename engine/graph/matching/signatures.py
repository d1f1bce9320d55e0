"""Signatures: one number for all nodes that are computed alike, or whose results are used alike.

A signature is a number given out to the tuple of a node's label and the signatures around it, as in a
Merkle tree; equal tuples get equal numbers, in both graphs, and unequal ones never do. `below` reaches down
to all that a node is computed from, `above` up to all that is computed from it, both within the node's own
stage: what stands in an earlier stage is represented by the pair that it is part of.

Source: hash-consing (Ershov, 1958); bottom-up and top-down identifiers as in Chawathe et al., 1996.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from engine.graph.matching.plain import PlainGraph

LARGEST = (
    1 << 60
)  # a size that is counted no further: shared parts count each time, which doubles and doubles

Label = Callable[[int], Hashable]
PairOf = Callable[[int], int | None]


class Numbers:
    """Gives each tuple a number of its own."""

    def __init__(self) -> None:
        self._known: dict[Hashable, int] = {}

    def of(self, thing: Hashable) -> int:
        """The number of this tuple, a new one where it has none."""
        return self._known.setdefault(thing, len(self._known))


@dataclass(frozen=True, slots=True)
class Signatures:
    """Of the nodes of one stage of a graph, by place (blank for the others).

    below, above: with attributes; loose_below, loose_above: by the ops alone.
    size, reach:  how many nodes the two take in, shared ones each time.
    """

    below: list[int]
    above: list[int]
    loose_below: list[int]
    loose_above: list[int]
    size: list[int]
    reach: list[int]


def signatures(graph: PlainGraph, places: Sequence[int], pair_of: PairOf, numbers: Numbers) -> Signatures:
    """The signatures of the nodes at these places, which make up a stage. pair_of: of a place, its pair."""
    stage = Stage(graph, places, pair_of, numbers)
    return Signatures(
        stage.below(stage.strict, with_waits=True),
        stage.above(stage.strict),
        stage.below(stage.loose, with_waits=False),
        stage.above(stage.loose),
        stage.size(),
        stage.reach(),
    )


class Stage:
    """The nodes of one stage, with what is known of those before it."""

    def __init__(self, graph: PlainGraph, places: Sequence[int], pair_of: PairOf, numbers: Numbers) -> None:
        self.graph = graph
        self.places = places
        self.inside = set(places)
        self.pair_of = pair_of
        self.numbers = numbers

    def strict(self, place: int) -> Hashable:
        """What makes a node another one: its pair, else op, attributes, and whose gradient it is part of."""
        facts = tuple(sorted(self.graph.nodes[place].facts.items()))
        return self.pair_of(place), facts, self.loose(place)

    def loose(self, place: int) -> Hashable:
        """Its pair where it has one, else its op alone, and whose gradient it is part of."""
        pair, node = self.pair_of(place), self.graph.nodes[place]
        if pair is not None:
            return pair
        return node.op, None if node.of is None else (self.pair_of(node.of),)

    def below(self, label: Label, *, with_waits: bool) -> list[int]:
        """For each node the number of all that it is computed from."""
        found = [-1] * len(self.graph)
        for place in self.places:
            node = self.graph.nodes[place]
            inputs = [(self._source(source, found), index) for source, index in node.inputs]
            waits = sorted(self._source(wait, found) for wait in node.waits) if with_waits else ()
            taken = tuple(sorted(inputs)) if node.is_commutative else tuple(inputs)
            found[place] = self.numbers.of(("below", label(place), taken, tuple(waits)))
        return found

    def _source(self, place: int, found: Sequence[int]) -> int:
        """The number of a source: its own, its pair's in an earlier stage; of a loop's end that of its op."""
        if place in self.inside and found[place] >= 0:
            return found[place]
        pair = None if place in self.inside else self.pair_of(place)
        return self.numbers.of(("beyond", self.graph.nodes[place].op if pair is None else pair))

    def above(self, label: Label) -> list[int]:
        """For each node the number of all that is computed from it."""
        found = [-1] * len(self.graph)
        for place in reversed(self.places):
            uses = [self._use(place, user, slot, found) for user, slot in self.graph.users[place]]
            found[place] = self.numbers.of(("above", label(place), tuple(sorted(filter(None, uses)))))
        return found

    def _use(self, place: int, user: int, slot: int, found: Sequence[int]) -> tuple[int, int, int] | None:
        """A use by a node of this stage: which slot, which output, and the number of the user."""
        if user not in self.inside:
            return None
        node = self.graph.nodes[user]
        index = node.inputs[slot][1]
        number = found[user] if found[user] >= 0 else self.numbers.of(("back", node.op))
        return (-1 if node.is_commutative else slot), index, number

    def size(self) -> list[int]:
        """How many nodes each is computed from, itself included."""
        found = [0] * len(self.graph)
        for place in self.places:
            total = sum(found[source] for source, _ in self.graph.nodes[place].inputs)
            found[place] = min(LARGEST, 1 + total)
        return found

    def reach(self) -> list[int]:
        """How many nodes are computed from each, itself included."""
        found = [0] * len(self.graph)
        for place in reversed(self.places):
            total = sum(found[user] for user, _ in self.graph.users[place])
            found[place] = min(LARGEST, 1 + total)
        return found


def around(graph: PlainGraph, places: Sequence[int], known: Sequence[int], numbers: Numbers) -> list[int]:
    """Numbers that take in one step more on both sides: of what a node takes and of what takes it.

    known: the numbers so far, by place; what stands in another stage has none.
    Source: colour refinement (Weisfeiler and Lehman, 1968).
    """
    found = [-1] * len(graph)
    for place in places:
        node = graph.nodes[place]
        slots = [-1 if node.is_commutative else slot for slot in range(len(node.inputs))]
        taken = [
            (slot, index, known[source]) for slot, (source, index) in zip(slots, node.inputs, strict=True)
        ]
        users = sorted(known[user] for user, _ in graph.users[place])
        found[place] = numbers.of(("around", known[place], tuple(sorted(taken)), tuple(users)))
    return found
