"""The result of matching two graphs: pairs of nodes."""

from __future__ import annotations

from dataclasses import dataclass

from engine.graph.matching.plain import PlainGraph


@dataclass(frozen=True, slots=True)
class Matching:
    """For each node of `before` its place in `after`, and the other way round; None where it has none."""

    before: PlainGraph
    after: PlainGraph
    forth: list[int | None]
    back: list[int | None]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The places of matched nodes, in the order of `before`."""
        return [(place, other) for place, other in enumerate(self.forth) if other is not None]

    def exchanged(self) -> Matching:
        """The same with the two graphs exchanged."""
        return Matching(self.after, self.before, self.back, self.forth)
