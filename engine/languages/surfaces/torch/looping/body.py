"""The body of a training loop of PyTorch: once its turns are replayed, parts of it may run as functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.execution.eager.passing import PassingGraph
from engine.execution.eager.turns.replay import Replay
from engine.languages.interpreter.dispatch import LOOPED, Ended, Execution
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import Scope
from engine.languages.surfaces.tf2.looping.watching import watched
from engine.languages.surfaces.torch.autograd.history import has_room
from engine.languages.surfaces.torch.looping.chain import Chain
from engine.languages.surfaces.torch.looping.part import Part
from engine.languages.surfaces.torch.looping.trial import NotTakenUp, TurnSoFar
from engine.languages.surfaces.torch.looping.watching import TorchWatch, may_be_steady, position_now
from engine.ops.base.building import current_graph

MOST_WATCHES = 4  # of one body, on the same objects
MOST_MISSES = 4  # turns in a row in which a part could not be run as one


@dataclass(slots=True)
class Steady:
    """Steady statements in a row, from the first to before the last: what they read and bind, where their
    turn begins, if it does among them, and whether they compute anything.
    """

    first: int
    until: int
    reads: dict[tuple[Scope, str], Any] = field(default_factory=dict)
    written: dict[str, None] = field(default_factory=dict)
    opens: int | None = None
    computes: bool = False

    def take(self, watch: TorchWatch, opens: int | None, computes: bool) -> None:
        """One more statement."""
        self.until += 1
        self.opens = self.opens if opens is None else opens
        self.computes |= computes
        for (scope, name), value in watch.reads.items():
            if scope is not watch.scope or name not in self.written:
                self.reads.setdefault((scope, name), value)
        self.written.update(watch.written)


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
        self._is_apart = False  # whether each statement is a part of its own, as larger ones did not fit
        self._pieces: list[tuple[Part | None, Execution]] = []

    def __call__(self) -> Ended:
        """Run the body once."""
        if not self._may_divide():
            return self._plain()
        if self._pieces:
            return self._by_pieces()
        return self._watched() if self._watches_left else self._plain()

    def _may_divide(self) -> bool:
        """Whether the turn under way is recorded or replayed, and nothing of it speaks against running parts
        as one."""
        graph, turn = self._graph, self._graph.turn
        if turn is None or graph.noting is not None or self._interpreter.staging is not None:
            return False
        return turn.is_recording or not (turn.recorded.went_on or turn.recorded.has_large)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """What runs inside is noted: what calls are given, and whether somebody looks at values."""
        self._graph.noting = {}
        try:
            yield
        finally:
            self._graph.noting = None

    # -- watching ----------------------------------------------------------------------------------

    def _watched(self) -> Ended:
        """Run the body once, and find the statements that may be run as one function."""
        self._watches_left -= 1
        found: list[Steady] = []
        now: Steady | None = None
        for index, statement in enumerate(self._statements):
            if not may_be_steady(statement):
                now = None
                ended = self._interpreter.block([statement])()
            else:
                watch = TorchWatch(self._interpreter.scope)
                before = position_now()
                is_steady, opens, ended = self._look(statement, watch)
                if not is_steady:
                    now = None
                elif now is None or (opens is not None and now.computes) or self._is_apart:
                    now = Steady(index, index)
                    found.append(now)
                if now is not None:
                    now.take(watch, opens, position_now() != before)
            if ended is not None:
                return ended
        if self._graph.turn_number and type(self._graph.turn) is Replay:
            self._divide(found)
        return None

    def _look(self, statement: ast.stmt, watch: TorchWatch) -> tuple[bool, int | None, Ended]:
        """Run a statement, watched: whether it is steady, and the place at which a turn begins in it."""
        graph = self._graph
        number, looks = graph.turn_number, graph.looks
        with self._noting():
            ended = watched(self._interpreter, watch, [statement])
        begun, turn = graph.turn_number - number, graph.turn
        steady = watch.is_steady and ended is None and turn is not None and graph.looks == looks
        opens = turn.recorded.calls[0].path if steady and begun == 1 and type(turn) is Replay else None
        return steady and begun == (opens is not None), opens, ended

    def _divide(self, found: list[Steady]) -> None:
        """Divide the body into parts, and what stands between them."""
        block, statements, begin = self._interpreter.block, self._statements, 0
        pieces: list[tuple[Part | None, Execution]] = []
        has_opened = False
        for steady in found:
            has_opened = has_opened or steady.opens is not None
            if not has_opened:
                continue
            if steady.first > begin:
                pieces.append((None, block(statements[begin : steady.first])))
            run = block(statements[steady.first : steady.until])
            names: tuple[Mapping[Any, Any], Any] = steady.reads, list(steady.written)
            part = Part(self._interpreter, self._graph, len(pieces), run, names, steady.opens)
            pieces.append((part, run))
            begin = steady.until
        if begin < len(statements):
            pieces.append((None, block(statements[begin:])))
        self._pieces = pieces if has_opened else []

    # -- running by pieces -------------------------------------------------------------------------

    def _by_pieces(self) -> Ended:
        parts = [part for part, _ in self._pieces if part is not None]
        if not all(part.is_ready for part in parts):
            return self._tried()
        return self._plain() if has_room() else self._straight()  # a pass that is kept goes node by node

    def _tried(self) -> Ended:
        """Run the body once, and see what its parts leave behind."""
        so_far = TurnSoFar()
        for index, (part, run) in enumerate(self._pieces):
            try:
                ended = run() if part is None else self._try_out(part, so_far)
            except NotTakenUp as left:
                ended = left.ended
                self._drop(index)
            if ended is not None:
                return ended
        return None

    def _try_out(self, part: Part, so_far: TurnSoFar) -> Ended:
        with self._noting():
            return part.try_out(so_far)

    def _straight(self) -> Ended:
        """Run the body, each part as one function where it is the same again."""
        chain: Chain | None = None
        for index, (part, run) in enumerate(self._pieces):
            if part is not None:
                done = part.run(chain)
                if done is not None:
                    chain, part.misses = done, 0
                    continue
                part.misses += 1
                if part.is_of_other_objects():
                    self._watches_left = MOST_WATCHES
                    self._give_up()
                elif part.misses > MOST_MISSES:
                    self._drop(index)
            ended = run()
            if ended is not None:
                return ended
        return None

    def _drop(self, index: int) -> None:
        """Run a part's statements one by one from here on; a large one is watched again in smaller parts."""
        pieces = list(self._pieces)
        part = pieces[index][0] if pieces else None
        if part is None:
            return
        if part.opens or not self._is_apart:  # those after it have no turn to go on with
            self._is_apart = True
            self._give_up()
        else:
            pieces[index] = (None, part.plain)
            self._pieces = pieces

    def _give_up(self) -> None:
        """Run all statements one by one, until the body is watched again."""
        self._pieces = []


LOOPED[PassingGraph] = LoopBody
