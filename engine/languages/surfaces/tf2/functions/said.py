"""What stands in the program's text where tensors decide: an `if`, a loop, `tf.cond`, `tf.while_loop`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.graph import Tensor
from engine.languages.interpreter.callables import UserFunction
from engine.languages.interpreter.decisions import Round, names_in, numbers_of, written
from engine.languages.interpreter.interpreter import Interpreter
from engine.ops.base.building import graph_now


@dataclass(frozen=True, slots=True)
class SaidSides:
    """Two sides of which one runs. names: in the test, with what they are.

    node:  of the text: an `if`, a choice, or what is called.
    sides: the functions that `tf.cond` was given.
    """

    node: ast.AST
    names: Mapping[str, Any]
    sides: tuple[Any, Any] | None = None

    def note(self, interpreter: Interpreter, names: Mapping[str, Any], *, holds: bool) -> None:
        """One of them is taken. names: with their present values."""
        decisions = interpreter.decisions
        if not decisions.has_room:
            return
        if isinstance(self.node, ast.If):
            decisions.note(interpreter, self.node, holds=holds, names=names)
        elif isinstance(self.node, ast.IfExp):
            decisions.note_choice(interpreter, self.node, holds=holds, names=names)
        elif isinstance(self.node, ast.Call) and self.sides is not None:
            taken = self.sides[0 if holds else 1]
            side = _body(taken)
            text = "" if side is None else written(interpreter, side)
            called = f"{taken.name}()" if isinstance(taken, UserFunction) and side is None else text
            decisions.note_call(interpreter, self.node, names, holds=holds, side=called)


@dataclass(frozen=True, slots=True)
class Said:
    """A loop.

    test:    as it is written, "" where it has none.
    names:   in the test, or the item of a `for`, with what they are in a turn; carried: the names that the
             loop carries from turn to turn.
    """

    line: int
    test: str
    names: Mapping[str, Any]
    carried: Mapping[str, Any] = field(default_factory=dict)


class Rounds:
    """Takes note of the turns of one loop. now: what something of the trace is at this call."""

    def __init__(self, interpreter: Interpreter, said: Said, now: Callable[[Any], Any]) -> None:
        self.interpreter = interpreter
        self.said = said
        self.now = now
        self.loop = next(interpreter.decisions.loops)

    @property
    def place(self) -> int:
        """How many nodes the graph has now."""
        return self.interpreter.decisions.place_in(graph_now())

    def turn(self, number: int, at: int) -> None:
        """A turn begins. at: how many nodes the graph had before it was tested."""
        if not self.interpreter.decisions.looks:
            return
        carried = {name: one for name, one in self.said.carried.items() if name not in self.said.names}
        self._note(number, at, self.said.test, (self.said.names, carried), goes_on=True)

    def end(self, turns: int, at: int, *, is_tested: bool) -> None:
        """The loop ends, since its test does not hold, or for another reason."""
        if not self.interpreter.decisions.has_room:
            return
        test, names = (self.said.test, self.said.names) if is_tested else ("", {})
        self._note(turns, at, test, (names, {}), goes_on=False)

    def _note(
        self,
        number: int,
        at: int,
        test: str,
        names: tuple[Mapping[str, Any], Mapping[str, Any]],
        *,
        goes_on: bool,
    ) -> None:
        graph: Any = graph_now()
        facts, begins = (numbers_of(self.now(dict(one))) for one in names)
        turn = getattr(graph, "turn_number", 0)
        line, carried = self.said.line, tuple(self._carried(graph))
        made = Round(self.loop, number, goes_on, line, test, facts, begins, graph, at, turn, carried)
        self.interpreter.decisions.add(made)

    def _carried(self, graph: Any) -> Iterator[tuple[str, int, int]]:
        for name, value in self.now(dict(self.said.carried)).items():
            if isinstance(value, Tensor) and value.graph is graph:
                yield name, value.node.index, value.index


# -- functions that are given ----------------------------------------------------------------------


def said_cond(interpreter: Interpreter, true_fn: Any, false_fn: Any) -> SaidSides | None:
    """The call of `tf.cond` that the program is at; None where its text has none."""
    call = interpreter.call_here()
    test = None if call is None else _argument(call, 0, "pred")
    if call is None or test is None:
        return None
    return SaidSides(call, names_in(interpreter, test), (true_fn, false_fn))


def said_while(interpreter: Interpreter, test: Any, body: Any, values: Sequence[Any]) -> Said | None:
    """The call of `tf.while_loop` that the program is at, with these loop variables."""
    call, shown = interpreter.call_here(), _body(test)
    if call is None or shown is None:
        return None
    asked = dict(zip(test.signature.positional, values, strict=False))
    read = {one.id for one in ast.walk(shown) if isinstance(one, ast.Name)}
    own = body.signature.positional if isinstance(body, UserFunction) else ()
    return Said(
        call.lineno,
        written(interpreter, shown),
        {name: value for name, value in asked.items() if name in read},
        dict(zip(own, values, strict=False)),
    )


class GivenLoop:
    """A call of `tf.while_loop` whose turns run at once."""

    def __init__(self, interpreter: Interpreter, test: Any, body: Any) -> None:
        self.interpreter = interpreter
        self.functions = test, body
        self._rounds: Rounds | None = None
        self._at = 0

    def begin(self, values: Sequence[Any]) -> None:
        """The loop variables have these values, and are about to be tested."""
        if self._rounds is not None and not self.interpreter.decisions.looks:
            return
        said = said_while(self.interpreter, *self.functions, values)
        if said is None:
            return
        self._at = self.interpreter.decisions.place_in(graph_now())
        if self._rounds is None:
            self._rounds = Rounds(self.interpreter, said, lambda names: names)
        self._rounds.said = said

    def turn(self, number: int) -> None:
        """There is one more turn."""
        if self._rounds is not None:
            self._rounds.turn(number, self._at)

    def end(self, turns: int, *, is_tested: bool) -> None:
        """There is none."""
        if self._rounds is not None:
            self._rounds.end(turns, self._at, is_tested=is_tested)


def _argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return call.args[place] if len(call.args) > place else named.get(name)


def _body(function: Any) -> ast.expr | None:
    """The one expression that a function of the program gives; None where it does more."""
    if not isinstance(function, UserFunction):
        return None
    if isinstance(function.body, ast.expr):
        return function.body
    last = function.body[-1]
    return last.value if len(function.body) == 1 and isinstance(last, ast.Return) else None
