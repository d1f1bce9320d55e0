"""Neighbours of a matched pair that are likely to be a pair, too: what stands in the same slot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from engine.graph.matching.pairs import Matching
from engine.graph.matching.plain import PlainGraph, PlainNode
from engine.graph.matching.signatures import Signatures

SAME_PART, SAME_NODE, SAME_OP, ANY_OP = range(
    4
)  # how much alike: all around, the node itself, its op, its place

Pair = tuple[int, int]
NAMES: tuple[Callable[[PlainNode], str | None], ...] = (lambda node: node.known_as, lambda node: node.name)


class Neighbours:
    """Looks around a matched pair, within one stage."""

    def __init__(self, found: Matching, old: Signatures, new: Signatures, stage: int) -> None:
        self.found = found
        self.before, self.after = found.before, found.after
        self.old, self.new = old, new
        self.stage = stage

    def alike(self, old: int, new: int, level: int) -> Iterator[Pair]:
        """Pairs of neighbours that are alike up to a level, the most alike first."""
        for likeness in range(level + 1):
            yield from self._inputs(old, new, likeness)
            yield from self._users(old, new, likeness)

    # -- what a pair is computed from ----------------------------------------------------------------------

    def _inputs(self, old: int, new: int, likeness: int) -> Iterator[Pair]:
        mine, yours = self.before.nodes[old], self.after.nodes[new]
        if mine.is_commutative and yours.is_commutative:
            yield from self._unordered(mine, yours, likeness)
            return
        for (one, index), (other, same) in zip(mine.inputs, yours.inputs, strict=False):
            if index == same and self._are_left(one, other) and self._are_alike(one, other, likeness):
                yield one, other

    def _unordered(self, mine: PlainNode, yours: PlainNode, likeness: int) -> Iterator[Pair]:
        """Inputs that may have changed places: each with the one that is like it, where only one is."""
        old = [place for place, _ in mine.inputs if self.found.forth[place] is None and self._is_here(place)]
        new = [place for place, _ in yours.inputs if self.found.back[place] is None and self._is_there(place)]
        if len(set(old)) == len(set(new)) == 1:
            if self._are_alike(old[0], new[0], likeness):
                yield old[0], new[0]
            return
        if likeness < ANY_OP:
            yield from self._only_ones(self._grouped(old, new, likeness))

    # -- what is computed from a pair ----------------------------------------------------------------------

    def _users(self, old: int, new: int, likeness: int) -> Iterator[Pair]:
        mine, yours = self._uses(self.before, old), self._uses(self.after, new)
        if likeness == ANY_OP:  # in the same place: it is found from its user, if it has one
            yield from self._only_ones(
                self._grouped(self._ends(mine), self._ends(yours, after=True), likeness)
            )
            return
        for slot, users in mine.items():
            here = [place for place in users if self.found.forth[place] is None]
            there = [place for place in yours.get(slot, ()) if self.found.back[place] is None]
            if here and there:
                yield from self._only_ones(self._grouped(here, there, likeness))

    def _ends(self, uses: Mapping[Hashable, list[int]], *, after: bool = False) -> list[int]:
        """Those that are left and of which nothing more of this stage is computed."""
        graph, partners = (self.after, self.found.back) if after else (self.before, self.found.forth)
        users = dict.fromkeys(user for those in uses.values() for user in those)
        return [user for user in users if partners[user] is None and not self._uses(graph, user)]

    def _uses(self, graph: PlainGraph, place: int) -> Mapping[Hashable, list[int]]:
        """The users of this stage by slot and output; a commutative one takes what it takes in any slot."""
        found: dict[Hashable, dict[int, None]] = defaultdict(dict)
        for user, slot in graph.users[place]:
            node = graph.nodes[user]
            if graph.stages[user] == self.stage:
                found[-1 if node.is_commutative else slot, node.inputs[slot][1]][user] = None
        return {slot: list(users) for slot, users in found.items()}

    # -- what is alike -------------------------------------------------------------------------------------

    def _are_left(self, old: int, new: int) -> bool:
        free = self.found.forth[old] is None and self.found.back[new] is None
        return free and self._is_here(old) and self._is_there(new)

    def _is_here(self, place: int) -> bool:
        return self.before.stages[place] == self.stage

    def _is_there(self, place: int) -> bool:
        return self.after.stages[place] == self.stage

    def _are_alike(self, old: int, new: int, likeness: int) -> bool:
        if likeness == ANY_OP:
            return self._takes_the_same(old, new)
        return self._look(self.before, self.old, old, likeness) == self._look(
            self.after, self.new, new, likeness
        )

    def _look(self, graph: PlainGraph, known: Signatures, place: int, likeness: int) -> Hashable:
        """What has to be equal for that much likeness."""
        node = graph.nodes[place]
        of = None if node.of is None else self._number(graph, node.of)
        if likeness == ANY_OP:
            return tuple(sorted(self._taken(graph, place)))
        if likeness == SAME_PART:
            return known.below[place]
        if likeness == SAME_NODE:
            return node.op, tuple(sorted(node.facts.items())), of
        return node.op, of

    def _number(self, graph: PlainGraph, place: int) -> int:
        """A number for both of a pair: the place before; -1 for all that is not matched."""
        if graph is self.before:
            return place if self.found.forth[place] is not None else -1
        other = self.found.back[place]
        return -1 if other is None else other

    def _takes_the_same(self, old: int, new: int) -> bool:
        """Whether nodes of different ops take the same inputs (as many variables and constants take none)."""
        mine, yours = self.before.nodes[old].inputs, self.after.nodes[new].inputs
        return len(mine) == len(yours) and all(
            one[1] == other[1] and self._are_the_same(one[0], other[0])
            for one, other in zip(mine, yours, strict=True)
        )

    def _are_the_same(self, old: int, new: int) -> bool:
        """Whether two nodes are a pair, or could be: a constant that only the two take is none yet."""
        if self.found.forth[old] is not None or self.found.back[new] is not None:
            return self.found.forth[old] == new
        return self._are_left(old, new) and self.old.below[old] == self.new.below[new]

    def may_be_one(self, old: int, new: int) -> bool:
        """Whether nothing speaks against nodes of one name and op: what they take is not all of it other.

        A constant that is used has its name from what takes it, and is found from there.
        """
        mine, yours = self.before.nodes[old], self.after.nodes[new]
        if not mine.inputs or not yours.inputs:
            is_used = self.before.users[old] or self.after.users[new]
            return (mine.is_source and yours.is_source) or not is_used
        taken = {self.found.forth[place] for place, _ in mine.inputs}
        sources = {place for place, _ in yours.inputs}
        return (
            None in taken or any(self.found.back[place] is None for place in sources) or bool(taken & sources)
        )

    # -- choices -------------------------------------------------------------------------------------------

    def _grouped(
        self, old: Sequence[int], new: Sequence[int], likeness: int
    ) -> list[tuple[list[int], list[int]]]:
        """Those on both sides that look alike, in the order of `old`."""
        sides: dict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for place in dict.fromkeys(old):
            sides[self._look(self.before, self.old, place, likeness)][0].append(place)
        for place in dict.fromkeys(new):
            sides[self._look(self.after, self.new, place, likeness)][1].append(place)
        return [one for one in sides.values() if one[0] and one[1]]

    def _only_ones(self, groups: Sequence[tuple[list[int], list[int]]]) -> Iterator[Pair]:
        """Of each group the pair, where there is one; of several those whose surroundings agree."""
        for old, new in groups:
            if len(old) == len(new) == 1:
                yield old[0], new[0]
            else:
                yield from self._by_surroundings(old, new)

    def _by_surroundings(self, old: Sequence[int], new: Sequence[int]) -> Iterator[Pair]:
        """Those that take the very same matched inputs; of several of these, those of one name."""
        sides: dict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for place in old:
            sides[self._taken(self.before, place)][0].append(place)
        for place in new:
            sides[self._taken(self.after, place)][1].append(place)
        for here, there in sides.values():
            if len(here) == len(there) == 1:
                yield here[0], there[0]
            elif here and there:
                yield from self.of_one_name(here, there)

    def _taken(self, graph: PlainGraph, place: int) -> tuple[tuple[int, int], ...]:
        node = graph.nodes[place]
        taken = [(self._number(graph, source), index) for source, index in node.inputs]
        return tuple(sorted(taken)) if node.is_commutative else tuple(taken)

    def of_one_name(self, old: Sequence[int], new: Sequence[int]) -> Iterator[Pair]:
        """Those with the same name, a person's before TensorFlow's."""
        for kind in NAMES:
            names = {kind(self.after.nodes[place]): place for place in reversed(new)}
            names.pop(None, None)
            for place in old:
                other = names.get(kind(self.before.nodes[place]))
                if other is not None and self._are_left(place, other):
                    yield place, other
