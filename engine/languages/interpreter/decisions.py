"""What a program's own control flow decided while it ran, and the values that decided it.

Which side of an `if` was taken; of a loop that tensors decide on, as `tf.function` traces it, each turn.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import GradlensError
from engine.graph import Graph
from engine.languages.interpreter.values import concrete
from engine.ops.base.building import graph_now

if TYPE_CHECKING:
    from engine.languages.interpreter.interpreter import Interpreter

MOST = 300  # at the beginning of a run, and in the last turn of its tape
LOOKED_AT = 2  # turns
NOT_ASKED = 10**9  # more nodes than any graph has
LONGEST = 60  # characters of a test
LEAVING = (ast.Return, ast.Break, ast.Continue)


@dataclass(frozen=True, slots=True)
class Decision:
    """One time that an `if` was decided.

    line:     of the `if`; test: as it is written.
    facts:    names in the test, and their numbers.
    graph:    the graph at that time, with so many nodes in it.
    taken:    the first and the last line of what was run, None where nothing was.
    passed:   the same of what was not run.
    asks:     whether what was run is an `if` of its own, as an `elif` is.
    side:     of `a if test else b` the text of what was taken, "" of a statement.
    assigned: the names that either side assigns; leaves: whether what was not run would have left the block.
    turn:     of a graph that is computed at once, how often a tape had been opened anew.
    """

    line: int
    test: str
    holds: bool
    facts: tuple[tuple[str, Any], ...]
    graph: Graph | None
    at: int
    taken: tuple[int, int] | None
    passed: tuple[int, int] | None
    asks: bool = False
    side: str = ""
    assigned: frozenset[str] = frozenset()
    leaves: bool = False
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """One time that a loop was decided: it takes another turn, or it ends.

    loop:   the same of all rounds of one loop.
    number: of the turn, from 1; at the end how many there were.
    line:   of the loop; test: as it is written, "" where it was not asked, as in a `for`.
    facts:  names in the test, and their numbers; begins: the same of what the turn begins with.
    graph:  the graph at that time, with so many nodes in it; turn: as of an `if`.
    carried: what the loop's names are then, each by its node and output.
    """

    loop: int
    number: int
    goes_on: bool
    line: int
    test: str
    facts: tuple[tuple[str, Any], ...]
    begins: tuple[tuple[str, Any], ...]
    graph: Graph | None
    at: int
    turn: int = 0
    carried: tuple[tuple[str, int, int], ...] = ()


class Decisions:
    """Takes note of what is decided: the first `MOST` times, and as often in the last turn of a tape.

    Later than at first the graph is not looked at, since that would have it written down.
    """

    def __init__(self) -> None:
        self._first: list[Decision | Round] = []
        self._last: list[Decision | Round] = []
        self._turn = 0
        self._texts: dict[tuple[ast.AST, bool], dict[str, Any]] = {}
        self._names: dict[ast.expr, tuple[str, ...]] = {}  # of tests
        self.loops = count()

    @property
    def found(self) -> list[Decision | Round]:
        """All that was noted, in order."""
        return [*self._first, *self._last]

    @property
    def is_beginning(self) -> bool:
        """Whether these are the first."""
        return len(self._first) < MOST

    @property
    def looks(self) -> bool:
        """Whether the graph is looked at: in the first turns of a tape, which make its nodes."""
        return self.is_beginning and _turn_of(graph_now()) <= LOOKED_AT

    @property
    def has_room(self) -> bool:
        """Whether another one is noted."""
        if self.is_beginning:
            return True
        turn = _turn_of(graph_now())
        if turn != self._turn:
            self._turn, self._last = turn, []
        return len(self._last) < MOST

    def add(self, made: Decision | Round) -> None:
        """One more, where there is room."""
        (self._first if self.is_beginning else self._last).append(made)

    def note(
        self, interpreter: Interpreter, node: ast.If, *, holds: bool, names: Mapping[str, Any] | None = None
    ) -> None:
        """An `if` was decided. names: in its test, with their values, where they are not those of now."""
        if self.has_room:
            self._keep(interpreter, node, node.test, names, holds, lambda: _of_statement(node, holds=holds))

    def note_choice(
        self,
        interpreter: Interpreter,
        node: ast.IfExp,
        *,
        holds: bool,
        names: Mapping[str, Any] | None = None,
    ) -> None:
        """An `a if test else b` was decided."""
        if not self.has_room:
            return
        taken = node.body if holds else node.orelse

        def of_text() -> dict[str, Any]:
            return {"taken": _lines([taken]), "passed": None, "side": interpreter.source.segment(taken)}

        self._keep(interpreter, node, node.test, names, holds, of_text)

    def note_call(
        self, interpreter: Interpreter, node: ast.Call, names: Mapping[str, Any], *, holds: bool, side: str
    ) -> None:
        """A call with a condition was decided, as of `tf.cond`. side: the text of what was taken."""
        if self.has_room:
            test = node.args[0] if node.args else node
            found = {"taken": _lines([node]), "passed": None, "side": side}
            self._keep(interpreter, node, test, names, holds, lambda: found)

    def _keep(
        self,
        interpreter: Interpreter,
        node: ast.If | ast.IfExp | ast.Call,
        test: ast.expr,
        names: Mapping[str, Any] | None,
        holds: bool,
        of_text: Callable[[], dict[str, Any]],
    ) -> None:
        """of_text: gives what follows from the text alone, which is looked at once."""
        key = node, holds
        graph: Any = graph_now()
        if key not in self._texts:
            self._texts[key] = {"test": written(interpreter, test), **of_text()}
            self._names[test] = names_of(test)
        self.add(
            Decision(
                line=node.lineno,
                holds=holds,
                facts=numbers_of(bound(interpreter, self._names[test]) if names is None else names),
                graph=graph,
                at=self.place_in(graph),
                turn=_turn_of(graph),
                **self._texts[key],
            )
        )

    def place_in(self, graph: Any) -> int:
        """How many nodes a graph has; later than at first that is not asked."""
        return (0 if graph is None else len(graph.nodes)) if self.looks else NOT_ASKED


def _turn_of(graph: Any) -> int:
    return getattr(graph, "turn_number", 0)


def _of_statement(node: ast.If, *, holds: bool) -> dict[str, Any]:
    """What follows from an `if` as it is written."""
    taken, passed = (node.body, node.orelse) if holds else (node.orelse, node.body)
    parts = [part for line in (*taken, *passed) for part in ast.walk(line)]
    stored = (part for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    return {
        "taken": _lines(taken),
        "passed": _lines(passed),
        "asks": len(taken) == 1 and isinstance(taken[0], ast.If),
        "assigned": frozenset(part.id for part in stored),
        "leaves": any(isinstance(part, LEAVING) for line in passed for part in ast.walk(line)),
    }


def _lines(statements: Sequence[ast.stmt | ast.expr]) -> tuple[int, int] | None:
    if not statements:
        return None
    return statements[0].lineno, statements[-1].end_lineno or statements[-1].lineno


def written(interpreter: Interpreter, test: ast.expr) -> str:
    """A test as it stands in the text, "" where it is long."""
    text = interpreter.source.segment(test)
    return text if len(text) <= LONGEST and "\n" not in text else ""


def names_in(interpreter: Interpreter, test: ast.expr) -> dict[str, Any]:
    """The names of a test, and what they are bound to."""
    return bound(interpreter, names_of(test))


def names_of(test: ast.expr) -> tuple[str, ...]:
    """The names of a test as it is written."""
    return tuple(part.id for part in ast.walk(test) if isinstance(part, ast.Name))


def bound(interpreter: Interpreter, names: Iterable[str]) -> dict[str, Any]:
    """What names are bound to; of those that are."""
    found = {}
    for name in names:
        try:
            found[name] = interpreter.read(name)
        except GradlensError:
            continue
    return found


def numbers_of(names: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Those that stand for a single number or a text."""
    plain = [(name, _plain(value)) for name, value in names.items()]
    return tuple((name, value) for name, value in plain if value is not None)


def _plain(value: Any) -> Any:
    if isinstance(value, (bool, int, float, str)):
        return value
    array = value if isinstance(value, (np.ndarray, np.generic)) else concrete(value)
    known = None if array is None else np.asarray(array)
    return known.item() if known is not None and known.size == 1 and known.dtype.kind in "fiub" else None
