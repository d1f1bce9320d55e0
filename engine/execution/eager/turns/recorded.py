"""What a turn did: its calls in order, and the nodes that each of them ran.

Values of a turn stand in one list. A place in it belongs to one output of one step (or to what was there when
the turn began), and is the same in every turn that replays this one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.execution.eager.repeating import Opening, Reads, Repeats
from engine.execution.eager.turns.arguments import Pattern
from engine.graph import Node, Tensor, Variable

Source = int | Tensor  # a place among the values, or a tensor from outside the turn


@dataclass(slots=True, eq=False)
class Step:
    """One node that ran.

    first:   the place of its first output.
    kinds:   dtype and shape of each output.
    given:   which argument of its call it passes on; None for all but constants and elements of data sets.
    passes:  whether that is the very array that it was given.
    is_element: whether it is an element of a data set.
    same:    its outputs, where they are the same tensors each time.
    known:   whether its outputs are the same arrays each time.
    is_simple: whether it computes one output, and no more.
    writes:  for each variable written: its buffer, and the places of its value before and after.
    tapes:   the tapes that saw it, by the order in which they were opened.
    attributes: those of the node in a turn of this kind; a turn of another kind may share the node.
    """

    node: Node
    sources: tuple[Source, ...]
    first: int
    kinds: tuple[tuple[np.dtype[Any], Any], ...]
    parameters: Mapping[str, Any]
    tapes: tuple[int, ...]
    given: int | None = None
    passes: bool = False
    is_element: bool = False
    same: tuple[Tensor, ...] | None = None
    known: bool = False
    is_simple: bool = False
    writes: tuple[tuple[Any, int, int], ...] = ()
    attributes: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.attributes = self.node.attrs

    @property
    def places(self) -> range:
        """The places of its outputs."""
        return range(self.first, self.first + len(self.kinds))


@dataclass(slots=True, eq=False)
class Seen:
    """A variable that was read, and the place of what was read: tapes watch it from then on."""

    variable: Variable
    place: int
    tapes: tuple[int, ...]


@dataclass(slots=True, eq=False)
class Watched:
    """What a tape was made to watch: a variable, a tensor from outside, or a place."""

    what: Any
    tapes: tuple[int, ...]


Entry = Step | Seen | Watched  # what the tapes of a turn are filled from


@dataclass(slots=True, eq=False)
class Call:
    """One call that asked for nodes, and what it did.

    function:  what was called; path: from where; arguments: what it was given.
    result:    what it gave, as a pattern; node: what it gave where that is the node itself.
    work:      the element operations that it cost.
    names:     the names that it took. phase: the part of the graph that is made after it.
    changes:   whether it took a name, or left another phase.
    tapes:     those that are open after it, where it closes one.
    closed:    how much of `ran` came before the last of them closed.
    ran:       the places whose values are shown, in order.
    uses, reads: how it left the nodes that later calls go over.
    again:     what else happens each time.
    compute:   one function for all its steps; count: how often it was replayed.
    """

    function: Any
    path: int
    arguments: tuple[Pattern, ...]
    steps: list[Step]
    entries: list[Entry]
    result: Any
    node: Node | None
    work: int
    names: Mapping[str, int]
    phase: str
    changes: bool
    tapes: tuple[int, ...] | None
    ran: list[int]
    closed: int | None
    uses: list[tuple[Repeats, int]]
    reads: list[tuple[Reads, int, int | None]]
    again: Callable[..., Any] | None
    active: list[Step] = field(default_factory=list)
    compute: Any = None
    count: int = 0


@dataclass(slots=True, eq=False)
class RecordedTurn:
    """All calls of a turn.

    opening:  the state in which it began.
    carried:  the nodes whose values were there before its tape opened; they stand at the first places.
    outputs:  the node, the index, the dtype and the shape of each place.
    template: the values of the places that are the same each time.
    steps:    the step of each place; None for those that are carried.
    ran, ran_until, closed_at: the places whose values are shown, and after so many calls: how many of them
              there are, and how many came before the last tape closed.
    ahead:    after so many calls, and nodes before the first turn: what belongs to the next one.
    names:    after so many calls, and nodes before the first turn: the places shown, with their names.
    went_on:  the places of tensors of the turn before, and those of the same outputs in this turn.
    most_elements: of a value. has_large: whether some values are too large to be shown.
    dispensable: all places but those shown.
    """

    opening: Opening
    carried: Sequence[Node]
    calls: list[Call]
    outputs: list[tuple[Node, int, str, Any]]
    template: list[Any]
    steps: list[Step | None]
    ran: list[int]
    ran_until: list[int]
    closed_at: list[int]
    most_elements: int
    has_large: bool
    dispensable: list[int]
    ahead: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    names: dict[tuple[int, int], list[tuple[int, str]]] = field(default_factory=dict)
    went_on: Sequence[tuple[int, int]] = ()
