"""What a program's own `if` decided while it ran: which side was taken, and the values that decided it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import GradlensError
from engine.graph import Graph
from engine.languages.interpreter.values import concrete
from engine.ops.base.building import graph_now

if TYPE_CHECKING:
    from engine.languages.interpreter.interpreter import Interpreter

MOST = 300  # of a run
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


class Decisions:
    """Takes note of what is decided, up to `MOST` times."""

    def __init__(self) -> None:
        self.found: list[Decision] = []

    def note(self, interpreter: Interpreter, node: ast.If, *, holds: bool) -> None:
        """An `if` was decided."""
        if len(self.found) >= MOST:
            return
        taken, passed = (node.body, node.orelse) if holds else (node.orelse, node.body)
        parts = [part for line in (*taken, *passed) for part in ast.walk(line)]
        self._keep(
            interpreter,
            node,
            holds=holds,
            taken=_lines(taken),
            passed=_lines(passed),
            asks=len(taken) == 1 and isinstance(taken[0], ast.If),
            assigned=frozenset(
                part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            ),
            leaves=any(isinstance(part, LEAVING) for line in passed for part in ast.walk(line)),
        )

    def note_choice(self, interpreter: Interpreter, node: ast.IfExp, *, holds: bool) -> None:
        """An `a if test else b` was decided."""
        if len(self.found) < MOST:
            taken = node.body if holds else node.orelse
            side = interpreter.source.segment(taken)
            lines = taken.lineno, taken.end_lineno or taken.lineno
            self._keep(interpreter, node, holds=holds, taken=lines, passed=None, side=side)

    def _keep(self, interpreter: Interpreter, node: ast.If | ast.IfExp, **more: Any) -> None:
        graph: Any = graph_now()
        test = interpreter.source.segment(node.test)
        self.found.append(
            Decision(
                line=node.lineno,
                test=test if len(test) <= LONGEST and "\n" not in test else "",
                facts=tuple(_facts(interpreter, node.test)),
                graph=graph,
                at=0 if graph is None else len(graph.nodes),
                **more,
            )
        )


def _lines(statements: Sequence[ast.stmt]) -> tuple[int, int] | None:
    if not statements:
        return None
    return statements[0].lineno, statements[-1].end_lineno or statements[-1].lineno


def _facts(interpreter: Interpreter, test: ast.expr) -> list[tuple[str, Any]]:
    """The names of a test that stand for a single number or a text."""
    names = [part.id for part in ast.walk(test) if isinstance(part, ast.Name)]
    found = [(name, _plain(interpreter, name)) for name in dict.fromkeys(names)]
    return [(name, value) for name, value in found if value is not None]


def _plain(interpreter: Interpreter, name: str) -> Any:
    try:
        value = interpreter.read(name)
    except GradlensError:
        return None
    if isinstance(value, (bool, int, float, str)):
        return value
    array = value if isinstance(value, (np.ndarray, np.generic)) else concrete(value)
    known = None if array is None else np.asarray(array)
    return known.item() if known is not None and known.size == 1 and known.dtype.kind in "fiub" else None
