"""The body of a training loop of PyTorch: once its turns are replayed, parts of it may run as functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.execution.eager.passing import PassingGraph
from engine.execution.eager.turns.replay import Replay
from engine.languages.interpreter.dispatch import LOOPED, Binding, Ended, Execution
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import Scope
from engine.languages.surfaces.tf2.looping.watching import watched
from engine.languages.surfaces.torch.autograd.history import has_room
from engine.languages.surfaces.torch.looping.chain import Chain
from engine.languages.surfaces.torch.looping.in_a_row import Condition, TurnsInARow, condition
from engine.languages.surfaces.torch.looping.part import Part
from engine.languages.surfaces.torch.looping.trial import NotTakenUp, TurnSoFar
from engine.languages.surfaces.torch.looping.watching import TorchWatch, may_be_steady, position_now
from engine.ops.base.building import current_graph

MANY_TURNS = 10  # of a loop: recording its second one is worth while
MOST_WATCHES = 4  # of one body, on the same objects
MOST_MISSES = 4  # turns in a row in which a part could not be run as one
TURNS_OF_PARTS = 1  # before those after it leave nothing behind


Piece = Part | Condition | None  # None: any other statements


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
        self._pieces: list[tuple[Piece, Execution]] = []
        self._of_parts = 0  # turns, one after the other, of which nothing but parts has run

    def expect(self, turns: int) -> None:
        """The loop begins, and will go so often unless something ends it."""
        self._graph.expects_many_turns = turns >= MANY_TURNS

    def __call__(self) -> Ended:
        """Run the body once."""
        of_parts, self._of_parts = self._of_parts, 0
        if not self._may_divide():
            return self._plain()
        if self._pieces:
            return self._by_pieces(of_parts)
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
        pieces: list[tuple[Piece, Execution]] = []
        has_opened = False
        for steady in found:
            has_opened = has_opened or steady.opens is not None
            if not has_opened:
                continue
            pieces += self._between(statements[begin : steady.first])
            run = block(statements[steady.first : steady.until])
            names: tuple[Mapping[Any, Any], Any] = steady.reads, list(steady.written)
            part = Part(self._interpreter, self._graph, len(pieces), run, names, steady.opens)
            pieces.append((part, run))
            begin = steady.until
        pieces += self._between(statements[begin:])
        self._pieces = pieces if has_opened else []

    def _between(self, statements: Sequence[ast.stmt]) -> list[tuple[Piece, Execution]]:
        """What stands between two parts."""
        conditions = [condition(self._interpreter, statement) for statement in statements]
        if None not in conditions:
            return [(one, one.run) for one in conditions if one is not None]
        return [(None, self._interpreter.block(statements))]

    # -- running by pieces -------------------------------------------------------------------------

    def _by_pieces(self, of_parts: int) -> Ended:
        """of_parts: how many turns before this one were."""
        parts = [piece for piece, _ in self._pieces if isinstance(piece, Part)]
        if not all(part.is_ready for part in parts):
            return self._tried()
        if has_room():  # a pass that is kept goes node by node
            return self._plain()
        return self._straight(of_parts)

    def _tried(self) -> Ended:
        """Run the body once, and see what its parts leave behind."""
        so_far = TurnSoFar()
        for index, (part, run) in enumerate(self._pieces):
            try:
                ended = self._try_out(part, so_far) if isinstance(part, Part) else run()
            except NotTakenUp as left:
                ended = left.ended
                self._drop(index)
            if ended is not None:
                return ended
        return None

    def _try_out(self, part: Part, so_far: TurnSoFar) -> Ended:
        with self._noting():
            return part.try_out(so_far)

    def _straight(self, of_parts: int, begin: int = 0, chain: Chain | None = None) -> Ended:
        """Run the body from a piece on, each part as one function where it is the same again."""
        only_parts = True
        for index, (piece, run) in enumerate(self._pieces[begin:], begin):
            if isinstance(piece, Part):
                done = piece.run(chain)
                if done is not None:
                    chain, piece.misses = done, 0
                    continue
                self._missed(piece, index)
            ended = run()
            if ended is not None:
                return ended
            only_parts &= isinstance(piece, Condition) and piece.has_passed
        self._of_parts = of_parts + 1 if only_parts else 0
        return None

    def _missed(self, part: Part, index: int) -> None:
        """A part could not be run as one function."""
        part.misses += 1
        if part.is_of_other_objects():
            self._watches_left = MOST_WATCHES
            self._give_up()
        elif part.misses > MOST_MISSES:
            self._drop(index)

    # -- turns in a row ------------------------------------------------------------------------------

    def go_on(self, values: Iterator[int], bind: Binding) -> Ended:
        """Run turns for the next values of a loop's count, as long as nothing else happens between them."""
        row = self._row() if self._of_parts >= TURNS_OF_PARTS and self._may_divide() else None
        if row is None:
            return None
        budget, of_parts = self._interpreter.budget, self._of_parts
        self._of_parts = 0
        try:
            for value in values:
                budget.step()
                bind(value)
                if not row.runs():
                    break
            else:
                return None
        finally:
            row.leave()
        return self._straight(of_parts, row.done, row.chain)

    def _row(self) -> TurnsInARow | None:
        """The pieces as turns in a row; None where a turn takes what was not there before it."""
        pieces = [piece for piece, _ in self._pieces if piece is not None]
        parts = [piece for piece in pieces if isinstance(piece, Part)]
        first, written = pieces[0], {name for part in parts for name in part.written}
        for piece in pieces:
            if piece.takes_new_tensors if isinstance(piece, Part) else not piece.is_plain(written):
                return None
        is_whole = len(pieces) == len(self._pieces) and isinstance(first, Part) and first.opens
        return TurnsInARow(self._graph, pieces) if is_whole else None

    def _drop(self, index: int) -> None:
        """Run a part's statements one by one from here on; a large one is watched again in smaller parts."""
        pieces = list(self._pieces)
        part = pieces[index][0] if pieces else None
        if not isinstance(part, Part):
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
