"""The order in which nodes run where that is not the order of creation: branches and loops.

A loop runs as one step of what is around it. Its nodes are found by following the values that enter it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.graph import Node

Step = TypeVar("Step", bound="Node | Loop")
Path = tuple[str, ...]  # the loops that a node stands in, outermost first

ENTERS = ("Enter", "RefEnter")


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A loop as one step: what one turn of it runs, in order."""

    steps: tuple[Node | Loop, ...]

    @property
    def index(self) -> int:
        return min(step.index for step in self.steps)

    def nodes(self) -> Iterator[Node]:
        """Every node inside, inner loops included."""
        for step in self.steps:
            if isinstance(step, Loop):
                yield from step.nodes()
            else:
                yield step


def in_order(needed: Iterable[Node]) -> tuple[Node | Loop, ...]:
    """Nodes and loops so that everything comes after what it takes or waits for."""
    nodes = set(needed)
    flat = _sorted(list(nodes), {node: node for node in nodes})
    paths = loops_around(flat)
    return _steps(flat, paths, 0)


def sources(node: Node) -> Iterator[Node]:
    """What a node takes or waits for; the way back to the start of a loop does not count."""
    back = node.op.name == "Merge"
    for tensor in node.inputs:
        if not (back and tensor.node.op.name == "NextIteration"):
            yield tensor.node
    yield from node.control_inputs


def loops_around(flat: Sequence[Node]) -> dict[Node, Path]:
    """For each of the nodes, which stand in an order in which they run, the loops that it stands in."""
    paths: dict[Node, Path] = {}
    for node in flat:
        path = max((paths[source] for source in sources(node) if source in paths), key=len, default=())
        if node.op.name in ENTERS:
            path = (*path, node.attrs["frame_name"])
        paths[node] = path[:-1] if node.op.name == "Exit" else path
    return paths


def _steps(flat: Sequence[Node], paths: dict[Node, Path], depth: int) -> tuple[Node | Loop, ...]:
    """The nodes at this depth, and each deeper loop in one piece (an Exit belongs to the loop it leaves)."""
    inner: dict[Path, list[Node]] = {}
    group: dict[Node, Node | Path] = {}
    for node in flat:
        path = paths[node]
        if node.op.name == "Exit":
            path = paths[node.inputs[0].node]
        if len(path) > depth:
            inner.setdefault(path[: depth + 1], []).append(node)
            group[node] = path[: depth + 1]
        else:
            group[node] = node
    made = {path: Loop(_steps(nodes, paths, depth + 1)) for path, nodes in inner.items()}
    steps: dict[Node, Node | Loop] = {
        node: made[key] if isinstance(key, tuple) else key for node, key in group.items()
    }
    return tuple(_sorted(list(dict.fromkeys(steps.values())), steps))


def _sorted(steps: Sequence[Step], step_of: Mapping[Node, Step]) -> list[Step]:
    """By dependence, and by creation where that leaves a choice."""
    waits: dict[Step, int] = {}
    users: dict[Step, list[Step]] = {step: [] for step in steps}
    for step in steps:
        before = {step_of[source] for node in nodes_of(step) for source in sources(node) if source in step_of}
        before.discard(step)
        waits[step] = len(before)
        for other in before:
            users[other].append(step)
    places = {step: (step.index, place) for place, step in enumerate(steps)}
    at = {place: step for step, place in places.items()}
    ready = [places[step] for step in steps if waits[step] == 0]
    heapq.heapify(ready)
    order: list[Step] = []
    while ready:
        step = at[heapq.heappop(ready)]
        order.append(step)
        for user in users[step]:
            waits[user] -= 1
            if waits[user] == 0:
                heapq.heappush(ready, places[user])
    return order


def nodes_of(step: Node | Loop) -> Iterable[Node]:
    """The node itself, or all that a loop holds."""
    return step.nodes() if isinstance(step, Loop) else (step,)
