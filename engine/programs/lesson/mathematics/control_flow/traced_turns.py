"""Loops that tensors decide in TensorFlow 2: which nodes of the graph belong to which turn, as was noted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.graph import Graph, Node, Tensor
from engine.languages.interpreter.decisions import Decision, Round
from engine.programs.lesson.mathematics.notation import Piece, name_piece

TracedPath = tuple[tuple["TracedLoop", int], ...]  # outermost first, each with the number of the turn


@dataclass(frozen=True, slots=True, eq=False)
class TracedLoop:
    """One time that a loop was gone through. rounds: its turns in order; end: behind them."""

    rounds: tuple[Round, ...]
    end: Round

    def stretch(self, number: int) -> tuple[int, int]:
        """The first node that a turn made, and the first one behind it."""
        later = self.rounds[number].at if number < len(self.rounds) else self.end.at
        return self.rounds[number - 1].at, later


def traced_loops(graph: Graph, decisions: Iterable[Decision | Round]) -> list[TracedLoop]:
    """The loops of which all turns were noted, in the order in which they began."""
    found: defaultdict[int, list[Round]] = defaultdict(list)
    for one in decisions:
        if isinstance(one, Round) and one.graph is graph:
            found[one.loop].append(one)
    ended = (rounds for rounds in found.values() if not rounds[-1].goes_on)
    return [TracedLoop(tuple(rounds[:-1]), rounds[-1]) for rounds in ended]


def traced_paths(graph: Graph, loops: Iterable[TracedLoop]) -> Mapping[Node, TracedPath]:
    """By node, the turns that it was made in."""
    found: dict[Node, TracedPath] = {}
    for node, place in _placed(graph, loops):
        found[node] = (*found.get(node, ()), place)
    return found


def _placed(graph: Graph, loops: Iterable[TracedLoop]) -> Iterator[tuple[Node, tuple[TracedLoop, int]]]:
    for loop in loops:
        for one in loop.rounds:
            first, end = loop.stretch(one.number)
            for node in graph.nodes[first:end]:
                yield node, (loop, one.number)


def traced_names(graph: Graph, loops: Iterable[TracedLoop]) -> Iterator[tuple[Tensor, Piece]]:
    """What a loop carries, after each turn: its name with the turn's number; a number that it begins with."""
    loops = list(loops)
    for loop in loops:
        outer = [str(number) for number in _around(loop, loops)]
        for one in (*loop.rounds, loop.end):
            done = one.number - 1 if one.goes_on else one.number
            for name, place, output in one.carried:
                tensor = graph.nodes[place].outputs[output]
                if done and tensor.node.op.name != "Const":
                    yield tensor, name_piece(name, ",".join([*outer, str(done)]))
                elif not done and tensor.node.op.name == "Const":
                    yield tensor, name_piece(name, ",".join(outer) or None)


def _around(loop: TracedLoop, loops: Iterable[TracedLoop]) -> Iterator[int]:
    """The turns of other loops that a loop stands in, outermost first."""
    begins = (loop.rounds or (loop.end,))[0].at
    for other in loops:
        if other is loop:
            return
        for one in other.rounds:
            first, end = other.stretch(one.number)
            if first <= begins < end:
                yield one.number
