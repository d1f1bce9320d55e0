"""Turns of a training loop in a row with nothing but the loop's own count between them.

Nobody can look at what such a turn leaves behind before the next one begins. So each of them only computes;
the names, gradients and nodes of autograd that turns leave are left once, by the last.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set
from typing import Any

from engine.errors import GradlensError
from engine.execution.eager.turns.replay import Replay
from engine.languages.interpreter.dispatch import Execution
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.surfaces.tf2.looping.watching import CONSTANT, looked_up
from engine.languages.surfaces.torch.looping.chain import Chain
from engine.languages.surfaces.torch.looping.part import Part

QUIET = (
    *(ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
)


class Condition:
    """An `if` between the parts of a body that decides by numbers, as `if step % 10 == 0`."""

    def __init__(self, interpreter: Interpreter, node: ast.If, run: Execution) -> None:
        """run: what executes the whole statement."""
        self._interpreter = interpreter
        self._node = node
        self._test_of = interpreter.expression(node.test)
        self._names = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
        self.run = run

    @property
    def has_passed(self) -> bool:
        """Whether no statement inside has run since it was reached."""
        return self._interpreter._statement is self._node

    def is_plain(self, written: Set[str]) -> bool:
        """Whether it depends on numbers alone that the parts, which write these names, leave alone."""
        scope = self._interpreter.scope
        values = [looked_up(scope, name)[0] for name in self._names]
        return not self._names & written and all(type(value) in CONSTANT for value in values)

    def passes(self) -> bool:
        """Run the statement where it does nothing. False, with nothing done, where it does something."""
        interpreter = self._interpreter
        budget = interpreter.budget
        before = budget.counts
        try:
            budget.step()
            holds = truth(self._test_of())
        except GradlensError:
            holds = True
        if holds:
            budget.takes(*[then - now for then, now in zip(before, budget.counts, strict=True)])
            return False
        interpreter.decisions.note(interpreter, self._node, holds=False)
        return True


def condition(interpreter: Interpreter, statement: ast.stmt) -> Condition | None:
    """A statement as a condition between parts; None for any other."""
    if not isinstance(statement, ast.If) or statement.orelse:
        return None
    if not all(isinstance(part, QUIET) for part in ast.walk(statement.test)):
        return None
    return Condition(interpreter, statement, interpreter.block([statement]))


class TurnsInARow:
    """Turns that a body's pieces run, one after the other.

    done:  how many pieces of the turn under way have run, where it could not be run to its end.
    chain: autograd's nodes of that turn, once what was run is left behind.
    """

    def __init__(self, graph: Any, pieces: Sequence[Part | Condition]) -> None:
        self._graph = graph
        self._pieces = pieces
        self._parts = [one for one in pieces if isinstance(one, Part)]
        self._turns = 0  # that have run to their end, and have left nothing yet
        self._last: Replay | None = None
        self._now: Replay | None = None
        self.done = 0
        self.chain: Chain | None = None

    def runs(self) -> bool:
        """Run a turn. False where it has to be gone on with statement by statement, from a piece on."""
        first, graph = self._parts[0], self._graph
        self.done = 0
        graph.begin_turn(first.begins_at)
        turn: Any = graph.turn
        if not first.begins(turn):
            return False
        self._now, values = turn, turn.values
        for piece in self._pieces:
            if not (piece.computes(values) if isinstance(piece, Part) else piece.passes()):
                return False
            self.done += 1
        turn.position = self._parts[-1].until
        self._last, self._now = turn, None
        self._turns += 1
        return True

    def leave(self) -> None:
        """Leave everything as the turns would have left it."""
        graph, last, now = self._graph, self._last, self._now
        standing = graph.standing
        if last is not None:
            for part in self._parts:
                part.count(self._turns - 1)
            self._leave(last, self._parts)
            if graph.turn is not last:  # the next one has begun
                graph.standing = standing
        self._turns, self._last, self._now = 0, None, None
        if now is not None:
            self.chain = self._leave(now, [one for one in self._pieces[: self.done] if type(one) is Part])

    def _leave(self, turn: Replay, parts: Sequence[Part]) -> Chain | None:
        chain = Chain(turn)
        for part in parts:
            part.note(turn)
            part.leave(turn, chain)
        return chain if parts else None
