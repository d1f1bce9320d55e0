"""A graph as it is matched with another one: its nodes by their places, and of each what counts.

Names do not count; they only decide between nodes that are otherwise alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

COMMUTATIVE = frozenset(
    {"Add", "AddN", "AddV2", "Equal", "LogicalAnd", "LogicalOr", "Maximum", "Minimum", "Mul", "NotEqual",
     "SquaredDifference", "AccumulateNV2"}
)  # fmt: skip
SOURCES = frozenset({"Placeholder", "PlaceholderWithDefault", "Variable", "VariableV2", "VarHandleOp"})
BY_TENSORFLOW = re.compile(r"(?:^|/)(?:Variable|Placeholder|PlaceholderWithDefault)(?:_\d+)?$")


@dataclass(frozen=True, slots=True)
class PlainNode:
    """One node.

    inputs:   (place of the node that makes it, which of its outputs).
    waits:    places of its control inputs.
    facts:    its attributes, as hashable values: what makes it another node although its op is the same.
    outputs:  (dtype, shape) of each; they follow from the rest.
    stage:    nodes of a later stage are matched after those of earlier ones, whose matches they lean on.
    of:       the place of the node whose gradient rule made it.
    known_as: what a person calls it, in the program.
    """

    name: str
    op: str
    inputs: tuple[tuple[int, int], ...] = ()
    waits: tuple[int, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    outputs: tuple[Any, ...] = ()
    stage: int = 0
    of: int | None = None
    known_as: str | None = None

    @property
    def is_commutative(self) -> bool:
        """Whether its inputs may change places."""
        return self.op in COMMUTATIVE

    @property
    def own_name(self) -> str | None:
        """Of a source, what a person calls it; none where TensorFlow alone has named it."""
        if not self.is_source:
            return None
        return self.known_as or (None if BY_TENSORFLOW.search(self.name) else self.name)

    @property
    def is_source(self) -> bool:
        """Whether it stands for itself, as a variable does, whatever is done with it."""
        return self.op in SOURCES


class PlainGraph:
    """Nodes, each after what it takes (but for what comes back to the start of a loop).

    users:  for each node (place of the user, which of its inputs), once for each use.
    stages: the stage in which each node is matched: its own, but of a constant the first in which it is
            taken, since it is known by what takes it.
    """

    def __init__(self, nodes: Iterable[PlainNode]) -> None:
        self.nodes: Sequence[PlainNode] = tuple(nodes)
        self.users: list[list[tuple[int, int]]] = [[] for _ in self.nodes]
        for place, node in enumerate(self.nodes):
            for slot, (source, _) in enumerate(node.inputs):
                self.users[source].append((place, slot))
        self.stages = [self._stage(place) for place in range(len(self.nodes))]

    def _stage(self, place: int) -> int:
        node, users = self.nodes[place], self.users[place]
        if node.inputs or node.is_source or not users:
            return node.stage
        return max(node.stage, min(self.nodes[user].stage for user, _ in users))

    def __len__(self) -> int:
        return len(self.nodes)

    def written(self) -> list[tuple[Any, ...]]:
        """All that it says, in an order that does not hang on that of its nodes."""
        names = [node.name for node in self.nodes]
        return sorted(
            (
                node.name,
                node.op,
                node.known_as or "",
                [(names[place], index) for place, index in node.inputs],
                sorted(names[place] for place in node.waits),
                repr(sorted(node.facts.items())),
            )
            for node in self.nodes
        )
