"""The body of a loop on an eager graph: once its turns are replayed, part of it may run as one function."""

from __future__ import annotations

import ast
from copy import copy
from typing import Any

from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.turns.replay import Replay
from engine.languages.interpreter.dispatch import LOOPED, Ended, Execution
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.tf2.looping.segment import Before, Segment, segment_of
from engine.languages.surfaces.tf2.looping.watching import Watch, may_be_steady, watched
from engine.ops.base.building import current_graph

MOST_WATCHES = 3  # of one body
MOST_MISSES = 4  # turns in a row in which the segment could not be run as one
REPLAYS_BEFORE_A_WATCH = 2


class LoopBody:
    """What runs the statements of a body.

    plain: runs them one by one.
    """

    def __init__(self, interpreter: Interpreter, statements: list[ast.stmt], plain: Execution) -> None:
        self._interpreter = interpreter
        self._graph: Any = current_graph()
        self._statements = statements
        self._plain = plain
        self._watches_left = MOST_WATCHES if any(map(may_be_steady, statements)) else 0
        self._replays = self._misses = 0
        self._segment: Segment | None = None
        self._parts: list[Execution] = []

    def __call__(self) -> Ended:
        """Run the body once."""
        graph = self._graph
        if (
            type(graph.turn) is not Replay
            or graph.noting is not None
            or self._interpreter.staging is not None
        ):
            return self._plain()
        if self._segment is not None:
            return self._straight(self._segment)
        self._replays += 1
        if self._watches_left and self._replays > REPLAYS_BEFORE_A_WATCH:
            return self._watched()
        return self._plain()

    def _straight(self, segment: Segment) -> Ended:
        """Run the body with the segment as one function, where it is the same again."""
        before, own, after = self._parts
        ended = before()
        if ended is not None:
            return ended
        if segment.run():
            self._misses = 0
            return after()
        self._misses += 1
        if self._misses > MOST_MISSES:
            self._segment, self._misses, self._replays = None, 0, 0
        ended = own()
        return after() if ended is None else ended

    def _watched(self) -> Ended:
        """Run the body once, and find the statements that can be run as one function."""
        self._watches_left -= 1
        graph: EagerGraph = self._graph
        graph.noting = {}
        try:
            return self._look()
        finally:
            graph.noting = None

    def _look(self) -> Ended:
        interpreter, graph = self._interpreter, self._graph
        best: tuple[int, int, Segment] | None = None
        watch = Watch(interpreter.scope)
        before: Before | None = None
        begun = 0
        for index, statement in enumerate(self._statements):
            turn, number = graph.turn, graph.turn_number
            position = turn.position if type(turn) is Replay else -1
            counts = interpreter.budget.counts
            if before is None:
                watch = Watch(interpreter.scope)
                graph.noting.clear()
            if (best is not None and best[1] < index) or not may_be_steady(statement):
                ended = interpreter.block([statement])()
            else:
                ended = watched(interpreter, watch, [statement])
                now = graph.turn
                steady = watch.is_steady and ended is None and type(now) is Replay
                opens = before is None and graph.turn_number == number + 1
                if opens and type(turn) is Replay and turn.position == position:
                    before, begun = Before(turn.recorded, position, counts), index
                goes_on = before is not None and (opens or graph.turn_number == number)
                if steady and goes_on and before is not None:
                    found = segment_of(interpreter, graph, before, copy(watch))
                    if found is not None:
                        best = begun, index + 1, found
                if not steady:
                    before = None
            if ended is not None:
                break
        if best is not None:
            self._enter(*best)
        return ended

    def _enter(self, begin: int, end: int, segment: Segment) -> None:
        """Take up the statements between two places as a segment."""
        block, statements = self._interpreter.block, self._statements
        self._segment = segment
        self._parts = [block(statements[:begin]), block(statements[begin:end]), block(statements[end:])]


LOOPED[EagerGraph] = LoopBody
