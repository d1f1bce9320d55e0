"""Which node of one graph is which of another: by what it is computed from, how it is used, then by name.

Stage by stage (forward, gradient, the rest), each in passes from the surest evidence to the weakest:

1. variables and placeholders that a person calls the same;
2. nodes with the same signatures below and above, then below (the largest common part first), then above;
3. neighbours of what is matched, in the same slot, with the same attributes, then with the same op;
4. the same shape of graph whatever the attributes, then the same name;
5. another op in the same place: the same inputs and the same use.

After every match its neighbours are looked at before anything else, so that parts stay together. Each pass
looks at each edge a bounded number of times; sorting apart, the time is linear in nodes and edges. A match
is no proof that two nodes are alike: what differs is read off afterwards (`changes.py`).
Source: Falleri et al., Fine-grained and accurate source code differencing, 2014 (the order of the passes).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence

from engine.graph.matching.neighbours import ANY_OP, SAME_NODE, SAME_OP, SAME_PART, Neighbours
from engine.graph.matching.pairs import Matching
from engine.graph.matching.plain import PlainGraph
from engine.graph.matching.signatures import Numbers, Signatures, around, signatures

MOST_ROUNDS = 12  # in which nodes that are alike are distinguished by what stands farther and farther away
Key = Callable[[int], Hashable]
Keys = tuple[Key, Key]  # of a place before, and of one after


def match(before: PlainGraph, after: PlainGraph) -> Matching:
    """Match the nodes of two graphs; exchanging them exchanges the result and nothing else."""
    if after.written() < before.written():
        return match_in_order(after, before).exchanged()
    return match_in_order(before, after)


def match_in_order(before: PlainGraph, after: PlainGraph) -> Matching:
    """The same, where either could come first: nodes that are alike are taken in the order of `before`."""
    found = Matching(before, after, [None] * len(before), [None] * len(after))
    numbers = Numbers()
    for stage in sorted({*before.stages, *after.stages}):
        StageMatcher(found, stage, numbers).match()
    _match_constants(found)
    return found


def _match_constants(found: Matching) -> None:
    """What is left without inputs: constants of one name and value, though another stage takes them now."""

    def looks(graph: PlainGraph, partners: Sequence[int | None]) -> dict[Hashable, int]:
        left = ((place, node) for place, node in enumerate(graph.nodes) if partners[place] is None)
        return {(n.name, n.op, tuple(sorted(n.facts.items()))): place for place, n in left if not n.inputs}

    there = looks(found.after, found.back)
    for look, place in looks(found.before, found.forth).items():
        if (other := there.get(look)) is not None:
            found.forth[place], found.back[other] = other, place


class StageMatcher:
    """Matches the nodes of one stage."""

    def __init__(self, found: Matching, stage: int, numbers: Numbers) -> None:
        self.found = found
        self.before, self.after = found.before, found.after
        self.here = [place for place, own in enumerate(self.before.stages) if own == stage]
        self.there = [place for place, own in enumerate(self.after.stages) if own == stage]
        self._sources_by_name()
        back = found.back
        self.old: Signatures = signatures(
            self.before, self.here, lambda p: None if found.forth[p] is None else p, numbers
        )
        self.new: Signatures = signatures(self.after, self.there, lambda p: back[p], numbers)
        self.neighbours = Neighbours(found, self.old, self.new, stage)
        self.numbers = numbers

    def match(self) -> None:
        """All passes, one after the other; what a person calls the same is matched before."""
        self._by_signatures()
        self._spread(SAME_NODE)
        self._left_sources()
        self._by_key(self._keys("loose_below", "loose_above"), SAME_NODE)
        self._spread(SAME_OP)
        for side in ("loose_below", "loose_above"):
            self._by_key(self._named(self._keys(side)), SAME_OP)
        self._by_name()
        self._spread(SAME_OP)
        self._spread(ANY_OP)

    # -- passes --------------------------------------------------------------------------------------------

    def _sources_by_name(self) -> None:
        """What a person calls the same: variables and placeholders."""
        before, after = self.before.nodes, self.after.nodes
        for old, new in self._groups((lambda p: before[p].own_name, lambda p: after[p].own_name)):
            if len(old) == len(new) == 1:
                self._enter(old[0], new[0])

    def _by_signatures(self) -> None:
        """The same all around; then the same below, large parts first; then the same above."""
        both, below, above = (self._keys(*sides) for sides in (("below", "above"), ("below",), ("above",)))
        self._by_key(self._surroundings(both), SAME_PART)
        self._by_key(both, SAME_PART)
        self._by_key(below, SAME_PART)
        self._by_key(above, SAME_PART, by_reach=True)

    def _surroundings(self, keys: Keys) -> Keys:
        """Keys that take in more and more of what stands around, until that makes no more nodes differ."""
        graphs = (self.before, self.here), (self.after, self.there)
        known = [
            self._numbered(graph, places, key) for (graph, places), key in zip(graphs, keys, strict=True)
        ]
        count = 0
        for _ in range(MOST_ROUNDS):
            before, count = (
                count,
                len({one[p] for (_, places), one in zip(graphs, known, strict=True) for p in places}),
            )
            if count <= before:
                break
            known = [around(*graph, one, self.numbers) for graph, one in zip(graphs, known, strict=True)]
        old, new = known
        return old.__getitem__, new.__getitem__

    def _numbered(self, graph: PlainGraph, places: Sequence[int], key: Key) -> list[int]:
        found = [-1] * len(graph)
        for place in places:
            found[place] = self.numbers.of(("key", key(place)))
        return found

    def _by_key(self, keys: Keys, level: int, *, by_reach: bool = False) -> None:
        """Pair off nodes with equal keys, those with the most below them (or above) first.

        What takes nothing and is taken says too little by itself: it is found from what takes it.
        """
        weight = self.old.reach if by_reach else self.old.size
        groups = self._groups((self._speaking(self.before, keys[0]), self._speaking(self.after, keys[1])))
        groups.sort(key=lambda one: -weight[one[0][0]])
        for here, there in groups:
            self._pair_off(here, there, level)

    @staticmethod
    def _speaking(graph: PlainGraph, key: Key) -> Key:
        return lambda p: key(p) if graph.nodes[p].inputs or not graph.users[p] else None

    def _left_sources(self) -> None:
        """Variables and placeholders of one type and shape that are left, as many on both sides."""
        old, new = self._keys("below")
        before, after = self.before.nodes, self.after.nodes
        keys: Keys = (
            lambda p: old(p) if before[p].is_source else None,
            lambda p: new(p) if after[p].is_source else None,
        )
        for here, there in self._groups(keys):
            self._pair_off(here, there, SAME_PART)

    def _by_name(self) -> None:
        """What is left and has the same name and op, where nothing speaks against it."""
        for (old,), (new,) in self._groups(self._named((self._op(self.before), self._op(self.after)))):
            if self._is_left(old, new) and self.neighbours.may_be_one(old, new):
                self._pair(old, new, SAME_OP)

    @staticmethod
    def _op(graph: PlainGraph) -> Key:
        return lambda place: graph.nodes[place].op

    # -- groups --------------------------------------------------------------------------------------------

    def _keys(self, *sides: str) -> Keys:
        """Keys made of signatures."""
        old = [self._side(self.old, side) for side in sides]
        new = [self._side(self.new, side) for side in sides]
        return (lambda p: tuple([one[p] for one in old])), (lambda p: tuple([one[p] for one in new]))

    @staticmethod
    def _side(known: Signatures, side: str) -> Sequence[int]:
        sides = {
            "below": known.below,
            "above": known.above,
            "loose_below": known.loose_below,
            "loose_above": known.loose_above,
        }
        return sides[side]

    def _named(self, keys: Keys) -> Keys:
        """The same keys with the node's name."""
        old, new = keys
        before, after = self.before.nodes, self.after.nodes
        return (lambda p: (old(p), before[p].name)), (lambda p: (new(p), after[p].name))

    def _groups(self, keys: Keys) -> list[tuple[list[int], list[int]]]:
        """What is left on both sides under the same key; in the order of `before`."""
        sides: dict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for place in self.here:
            if self.found.forth[place] is None and (key := keys[0](place)) is not None:
                sides[key][0].append(place)
        for place in self.there:
            if self.found.back[place] is None and (key := keys[1](place)) is not None and key in sides:
                sides[key][1].append(place)
        return [one for one in sides.values() if one[1]]

    def _pair_off(self, here: Iterable[int], there: Iterable[int], level: int) -> None:
        """Pair nodes that are alike: those of one name, then, of as many on both sides, in their order."""
        old = [place for place in here if self.found.forth[place] is None]
        new = [place for place in there if self.found.back[place] is None]
        if len(old) > 1 or len(new) > 1:
            for one, other in self.neighbours.of_one_name(old, new):
                if self._is_left(one, other):
                    self._pair(one, other, level)
            old = [place for place in old if self.found.forth[place] is None]
            new = [place for place in new if self.found.back[place] is None]
        if len(old) != len(new):
            return
        rest = deque(new)
        for place in old:
            while rest and self.found.back[rest[0]] is not None:
                rest.popleft()
            if rest and self.found.forth[place] is None:
                self._pair(place, rest.popleft(), level)

    def _is_left(self, old: int, new: int) -> bool:
        return self.found.forth[old] is None and self.found.back[new] is None

    # -- what follows from a match -------------------------------------------------------------------------

    def _pair(self, old: int, new: int, level: int) -> None:
        """Match two nodes, then their neighbours up to a level of likeness, and theirs."""
        self._enter(old, new)
        self._follow(deque([(old, new)]), level)

    def _enter(self, old: int, new: int) -> None:
        self.found.forth[old], self.found.back[new] = new, old

    def _follow(self, pending: deque[tuple[int, int]], level: int) -> None:
        while pending:
            for pair in self.neighbours.alike(*pending.popleft(), level):
                if self._is_left(*pair):
                    self._enter(*pair)
                    pending.append(pair)

    def _spread(self, level: int) -> None:
        """Look again at the neighbours of all matches, of this stage and of those before it."""
        self._follow(deque(self.found.pairs), level)
