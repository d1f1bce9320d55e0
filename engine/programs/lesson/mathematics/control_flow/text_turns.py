"""Loops that Python itself went through: their operations stand in the graph turn after turn.

Which operation belongs to which turn is read from the text, where that is certain: the loop is gone through
once, its body has no branch and no other loop, and each turn made the same operations in the same order.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array
from engine.programs.lesson.mathematics.control_flow.traced_turns import TracedLoop, TracedPath
from engine.programs.lesson.mathematics.operations import Operation
from engine.programs.lesson.mathematics.page import Page
from engine.programs.lesson.mathematics.sentences import turns as sentences
from engine.programs.lesson.words import Step

BRANCHING = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.While,
    ast.Try,
    ast.Break,
    ast.Continue,
    ast.Return,
    ast.comprehension,
)
Loop = ast.For | ast.While


@dataclass(frozen=True, slots=True)
class TextLoop:
    """One loop of the text. first, last: the lines of its body; condition: of a `while`, as it is written."""

    line: int
    first: int
    last: int
    condition: str
    turns: tuple[Mapping[Node, None], ...]


Path = tuple[tuple[TextLoop | TracedLoop, int], ...]  # outermost first, each with the number of the turn


class TextTurns:
    """The turns of a program's own loops, with a heading for each. Nothing is left out.

    traced: by node its turns of loops that a traced function decides; `TextDecisions` says when they begin.
    """

    def __init__(self, loops: Sequence[TextLoop], traced: Mapping[Node, TracedPath]) -> None:
        self._paths: dict[Node, Path] = {
            node: ((loop, number),)
            for loop in loops
            for number, turn in enumerate(loop.turns, 1)
            for node in turn
        }
        for node, path in traced.items():
            self._paths[node] = (*self._paths.get(node, ()), *path)

    def is_told(self, operation: Operation) -> bool:
        """Whether an operation has a step."""
        return True

    def block(self, operation: Operation) -> Hashable | None:
        """What an operation is left out with."""
        return None

    def heading(self, page: Page, before: Operation | None, operation: Operation) -> Iterator[Step]:
        """Where the way forward enters a turn."""
        for loop, number in self._entered(before, operation):
            if isinstance(loop, TracedLoop):
                continue
            sentence = (
                sentences.turn_sentence(number, loop.condition, (), ())
                if loop.condition
                else sentences.line_turn_sentence(number, len(loop.turns), loop.line)
            )
            yield _step(page, "forward", operation, [number], sentence)

    def entering(self, page: Page, before: Operation | None, operation: Operation) -> Step | None:
        """Where the way back enters a turn."""
        if not self._entered(before, operation):
            return None
        turns = self.turns_of(operation)
        return _step(page, "backward", operation, turns, sentences.back_only_sentence(turns[-1]))

    def rest_back(self, page: Page, block: Hashable, parts: Sequence[tuple[Tensor, Array]]) -> Step:
        """Nothing is left out."""
        raise NotImplementedError

    def turns_of(self, operation: Operation) -> list[int]:
        """The numbers of the turns that an operation stands in."""
        return [number for _, number in self._paths.get(operation.last, ())]

    def _entered(self, before: Operation | None, operation: Operation) -> Path:
        """The turns that an operation stands in and the one before it does not."""
        path = self._paths.get(operation.last, ())
        last = () if before is None else self._paths.get(before.last, ())
        alike = next((n for n, (a, b) in enumerate(zip(path, last, strict=False)) if a != b), len(last))
        return path[alike:]


def _step(page: Page, phase: str, operation: Operation, turns: list[int], sentence: dict[str, str]) -> Step:
    name = operation.last.name
    return page.step(phase, name, sentence, about="turn", nodes=[name], turns=turns)


# -- reading the text ----------------------------------------------------------------------------------


def text_loops(page: Page, source: str) -> list[TextLoop]:
    """The loops of the text of which it is certain which node belongs to which turn."""
    if page.words.outcome.dialect == "math":
        return []
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found = (_read(page, source, loop) for loop in _loops(tree))
    return [loop for loop in found if loop is not None and len(loop.turns) > 1]


def _loops(tree: ast.Module) -> Iterator[Loop]:
    """Loops that are gone through once, without a branch or another loop in them."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    inside = {id(part) for loop in ast.walk(tree) if isinstance(loop, Loop) for part in ast.walk(loop)}
    for scope, loop in _with_scopes(tree.body, None):
        uses = [call for call in calls if scope is not None and getattr(call.func, "id", "") == scope.name]
        is_once = scope is None or (len(uses) == 1 and id(uses[0]) not in inside)
        branches = any(isinstance(part, BRANCHING) for line in loop.body for part in ast.walk(line))
        if is_once and not branches and not loop.orelse:
            yield loop


def _with_scopes(
    body: Sequence[ast.stmt], scope: ast.FunctionDef | None
) -> Iterator[tuple[ast.FunctionDef | None, Loop]]:
    """Loops at the top level or in a function there, also below `with`."""
    for line in body:
        if isinstance(line, Loop):
            yield scope, line
        elif isinstance(line, ast.With):
            yield from _with_scopes(line.body, scope)
        elif isinstance(line, ast.FunctionDef) and scope is None and not line.decorator_list:
            yield from _with_scopes(line.body, line)


def _read(page: Page, source: str, loop: Loop) -> TextLoop | None:
    """A loop with its turns; None where they are not all alike."""
    first, last = loop.body[0].lineno, loop.body[-1].end_lineno or loop.body[-1].lineno
    if first == loop.lineno:
        return None
    starts = [line.lineno for line in loop.body]
    turns: list[dict[Node, None]] = []
    seen: set[object] = set()
    statement = -1
    for node in page.words.graph.nodes:
        if node.phase != "forward" or node.span is None or not first <= node.span.line <= last:
            continue
        here = sum(start <= node.span.line for start in starts)
        key = node.span, node.op.name, _base(node)
        if not turns or here < statement or key in seen:
            turns.append({})
            seen = set()
        turns[-1][node] = None
        seen.add(key)
        statement = here
    if not turns or len({tuple((n.span, n.op.name) for n in turn) for turn in turns}) > 1:
        return None
    condition = ast.get_source_segment(source, loop.test) or "" if isinstance(loop, ast.While) else ""
    return TextLoop(loop.lineno, first, last, condition, tuple(turns))


def _base(node: Node) -> str:
    """A node's own name without the number that keeps it apart from others."""
    return node.name.rpartition("/")[2].rstrip("0123456789").rstrip("_")
