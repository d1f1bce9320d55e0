"""Which nodes of two pictures show the same quantity.

Two nodes are paired where their values agree at every point, with the program's inputs where they are and
moved, and what the pictures say of them agrees, too: both a value, both a local derivative, or both a
gradient, by the same value where both say by which. What depends on no input is paired by what is said alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.interchange.fingerprints import Fingerprint
from engine.programs.side_by_side.sightings import Sighting, Sightings

VALUE, GRADIENT, FACTOR = "value", "gradient", "factor"


@dataclass(slots=True)
class Quantity:
    """A quantity. nodes: of each side, that show it; of: of each side, the forward nodes that it is about."""

    kind: str
    print: Fingerprint
    nodes: list[list[str]]
    of: list[list[str]]

    @property
    def is_paired(self) -> bool:
        """Whether the second and the third side show it: the first one is there to give it a name."""
        return bool(self.nodes[1]) and bool(self.nodes[2])


@dataclass(slots=True)
class Cluster:
    """Sightings with one fingerprint, each with its side."""

    print: Fingerprint
    seen: list[tuple[int, Sighting]] = field(default_factory=list)


def quantities(sides: Sequence[Sightings]) -> list[Quantity]:
    """All quantities: values first, each picture's nodes in its own order."""
    values = clusters([side.values for side in sides])
    place = {(side, one.node): number for number, value in enumerate(values) for side, one in value.seen}
    found = [_quantity(VALUE, one, one.seen, len(sides)) for one in values]
    for one in clusters([side.gradients for side in sides]):
        found += [_quantity(GRADIENT, one, seen, len(sides)) for seen in _by_what(one, place)]
    factors = clusters([side.factors for side in sides])
    return found + [_quantity(FACTOR, one, one.seen, len(sides)) for one in factors]


def parted(found: Sequence[Quantity]) -> list[tuple[Quantity, Quantity]]:
    """Gradients of two sides that are the same near the program's inputs, but not at them."""
    gradients = [one for one in found if one.kind == GRADIENT and not one.is_paired]
    left = [one for one in gradients if one.nodes[1]]
    right = [one for one in gradients if one.nodes[2]]
    return [(a, b) for a in left for b in right if a is not b and a.print.agrees_nearby(b.print)]


def clusters(sides: Sequence[Iterable[Sighting]]) -> list[Cluster]:
    """The sightings of all sides, those with the same fingerprint together."""
    found: list[Cluster] = []
    for number, sightings in enumerate(sides):
        for one in sightings:
            if one.print is None:
                continue
            known = next((each for each in found if each.print.agrees(one.print)), None)
            if known is None:
                known = Cluster(one.print)
                found.append(known)
            known.seen.append((number, one))
    return found


def _by_what(cluster: Cluster, place: Mapping[tuple[int, str], int]) -> list[list[tuple[int, Sighting]]]:
    """A cluster of gradients taken apart by what they are by; who does not say it belongs to each."""
    known: dict[int, list[tuple[int, Sighting]]] = {}
    silent = []
    for side, one in cluster.seen:
        number = place.get((side, one.of)) if one.of else None
        if number is None:
            silent.append((side, one))
        else:
            known.setdefault(number, []).append((side, one))
    saying = {side for seen in known.values() for side, _ in seen}
    open_ones = [(side, one) for side, one in silent if side not in saying] if cluster.print.varies else []
    if not known:
        return [open_ones] if open_ones else []
    return [[*seen, *open_ones] for seen in known.values()]


def _quantity(kind: str, of_cluster: Cluster, seen: Sequence[tuple[int, Sighting]], count: int) -> Quantity:
    nodes = [list(dict.fromkeys(one.node for side, one in seen if side == number)) for number in range(count)]
    of = [
        list(dict.fromkeys(one.of for side, one in seen if side == number and one.of))
        for number in range(count)
    ]
    return Quantity(kind, of_cluster.print, nodes, of)
