"""A block of a program that a gradient tape sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.differentiation.tape import Tape

if TYPE_CHECKING:
    from engine.execution.eager.graph import EagerGraph


class Recording:
    """A block that a tape sees. (A class: every turn begins with one.)"""

    __slots__ = ("_graph", "_place", "_tape")

    def __init__(self, graph: EagerGraph, tape: Tape, place: int) -> None:
        self._graph = graph
        self._tape = tape
        self._place = place

    def __enter__(self) -> Tape:
        self._graph.start(self._tape, self._place)
        return self._tape

    def __exit__(self, *_: object) -> None:
        self._graph.stop(self._tape)
