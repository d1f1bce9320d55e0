"""What the program's own `if` statements decided, said before the first operation that follows from it.

Told are those of which something that is told was run, and those that a number in it may come from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from engine.graph import Node
from engine.languages.interpreter.decisions import Decision
from engine.programs.lesson.formulas import number_text
from engine.programs.lesson.mathematics.notation import name_piece
from engine.programs.lesson.mathematics.page import Page
from engine.programs.lesson.mathematics.sentences import text_decisions as sentences
from engine.programs.lesson.sentence import Sentence
from engine.programs.lesson.words import Step

Placed = tuple[int, Step]  # before which node of the graph a step stands


class TextDecisions:
    """The decisions of one program, with the nodes of its graph that a lesson tells.

    told: the last node of each operation, in order.
    """

    def __init__(self, page: Page, source: str, told: Sequence[Node]) -> None:
        self.page = page
        self._told = [node for node in told if node.span is not None]
        self._reads = _names_read(source, {node.span.line for node in self._told if node.span})

    def steps(self) -> list[Placed]:
        """The steps with their places, in order; a decision that is made again right away is told once."""
        decisions = self.page.words.outcome.decisions
        found: dict[tuple[int, int, bool], Placed] = {}
        for decision in decisions:
            node = self._first(decision)
            if node is not None:
                step = self._step(decision, node)
                found.setdefault((node.index, decision.line, decision.holds), (node.index, step))
        return sorted(found.values(), key=lambda placed: placed[0])

    def _first(self, decision: Decision) -> Node | None:
        """The first told node that follows from a decision; None where none does."""
        is_own = decision.graph is self.page.words.outcome.graph
        after = [node for node in self._told if not is_own or node.index >= decision.at]
        inside = [node for node in after if _stands_in(node, decision.taken)]
        if inside:
            return inside[0]
        passed_over = decision.leaves and decision.passed is not None
        if not is_own or not (passed_over or decision.assigned & self._reads):
            return None
        return after[0] if after else None

    def _step(self, decision: Decision, node: Node) -> Step:
        return self.page.step(
            "forward",
            node.name,
            _sentence(decision),
            about="branch",
            nodes=[node.name],
        )


def _sentence(decision: Decision) -> Sentence:
    facts = [f"{name_piece(name).text} = {_written(value)}" for name, value in decision.facts]
    if decision.side:
        side = decision.side
        return sentences.side_sentence(decision.line, decision.test, facts, side, holds=decision.holds)
    return sentences.lines_sentence(
        decision.line,
        decision.test,
        facts,
        _what(decision),
        holds=decision.holds,
    )


def _what(decision: Decision) -> Sentence:
    """What follows from a decision."""
    if decision.taken is None:
        return sentences.passed_over(decision.passed)
    return sentences.decides(decision.taken[0]) if decision.asks else sentences.runs(decision.taken)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value)
    return number_text(float(value)) if isinstance(value, (int, float)) else f"“{value}”"


def _stands_in(node: Node, lines: tuple[int, int] | None) -> bool:
    return lines is not None and node.span is not None and lines[0] <= node.span.line <= lines[1]


def _names_read(source: str, lines: set[int]) -> set[str]:
    """The names that some lines of the text read."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return set(_read(tree, lines))


def _read(tree: ast.Module, lines: set[int]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.lineno in lines:
            yield node.id
