"""What an eager graph remembers, so that a loop's later turns go over the nodes of its first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from engine.graph import Node, Tensor


@dataclass(slots=True, eq=False)
class Repeats:
    """The nodes made under one key, and how many of them the current lap has gone over.

    laps: how many there were. kept: how many of the nodes no other lap goes over.
    """

    nodes: list[Node] = field(default_factory=list)
    lap: int = 0
    used: int = 0
    laps: int = 0
    kept: int = 0


@dataclass(slots=True)
class Reads:
    """The nodes that read one variable, how many of them the turn has used, and the read of its value now."""

    nodes: list[Node]
    turn: int = -1
    used: int = 0
    present: Tensor | None = None


@dataclass(slots=True)
class Recipe:
    """The nodes that a call ran, in order, what it gave and cost, and how it left the graph.

    steps:   each node, with its outputs where they are the same each time.
    uses:    how many nodes under each key it went over.
    reads:   where it left the reads of variables.
    phase:   the part of the graph that is made after it.
    """

    steps: list[tuple[Node, tuple[Tensor, ...] | None]]
    results: list[Any]
    work: int
    uses: Counter[Repeats]
    reads: list[tuple[Reads, int, Tensor | None]]
    phase: str


@dataclass(frozen=True, slots=True)
class Opening:
    """The state when a tape was opened while no other was.

    nodes: how many there were; first: how many there were when it opened for the first time.
    names: the names in use.
    """

    nodes: int
    first: int
    names: dict[str, int]
