"""What the program's own control flow decided, said before the first operation that follows from it.

Told are those of which something that is told was run, and those that a number in it may come from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from engine.execution.eager.graph import EagerGraph
from engine.graph import Node
from engine.languages.interpreter.decisions import Decision, Round
from engine.programs.lesson.formulas import number_text
from engine.programs.lesson.mathematics.control_flow.traced_turns import TracedLoop, traced_loops
from engine.programs.lesson.mathematics.control_flow.turns_of_a_tape import (
    decided_in,
    is_told_of_the_last_turn,
)
from engine.programs.lesson.mathematics.notation import name_piece
from engine.programs.lesson.mathematics.page import Page
from engine.programs.lesson.mathematics.sentences import text_decisions as sentences
from engine.programs.lesson.mathematics.sentences import turns as of_turns
from engine.programs.lesson.sentence import Sentence
from engine.programs.lesson.words import Step, Words

Placed = tuple[int, Step]  # before which node of the graph a step stands


class TextDecisions:
    """The decisions of one program, with the nodes of its graph that a lesson tells.

    told: the last node of each operation, in order.
    """

    def __init__(self, page: Page, source: str, told: Sequence[Node]) -> None:
        self.page = page
        self._told = [node for node in told if node.span is not None]
        self._latest = -1  # node that a decision has led to
        self._reads = _names_read(source, {node.span.line for node in self._told if node.span})

    def steps(self) -> list[Placed]:
        """The steps with their places, in order; a decision that is made again right away is told once."""
        decisions = told_decisions(self.page.words)
        loops = {one.end.loop: one for one in traced_loops(self.page.words.outcome.graph, decisions)}
        found: dict[tuple[object, ...], Placed] = {}
        for decision in decisions:
            if isinstance(decision, Round):
                if decision.loop in loops:
                    self._note_round(found, decision, loops[decision.loop])
                continue
            node = self._first(decision)
            if node is not None:
                step = self._step(decision, node)
                found.setdefault((node.index, decision.line, decision.holds), (node.index, step))
        return sorted(found.values(), key=lambda placed: placed[0])

    # -- loops of a traced function ------------------------------------------------------------------------

    def _note_round(self, found: dict[tuple[object, ...], Placed], one: Round, loop: TracedLoop) -> None:
        """A turn begins of which something is told, or a loop ends that has such turns."""
        if one.goes_on:
            first, end = loop.stretch(one.number)
            node = next((node for node in self._told if first <= node.index < end), None)
            if node is not None:
                step = self._round_step(one, node, _turn(one, loop))
                found[one.loop, one.number] = node.index, step
        elif (one.loop, 1) in found or (not loop.rounds and one.test):
            node = next((node for node in self._told if node.index >= one.at), None)
            place = self.page.words.outcome.graph.nodes[-1].index + 1 if node is None else node.index
            if self._told:
                found[one.loop, 0] = place, self._round_step(one, node or self._told[-1], _end(one))

    def _round_step(self, one: Round, node: Node, sentence: Sentence) -> Step:
        turns = [one.number] if one.goes_on else []
        return self.page.step("forward", node.name, sentence, about="turn", nodes=[node.name], turns=turns)

    # -- an `if` -------------------------------------------------------------------------------------------

    def _first(self, decision: Decision) -> Node | None:
        """The first told node that follows from a decision; None where none does."""
        is_own = decision.graph is self.page.words.outcome.graph
        after = [node for node in self._told if not is_own or node.index >= decision.at]
        inside = [node for node in after if _stands_in(node, decision.taken)]
        if not inside and decision.turn > 1:  # whose nodes had been made in a turn before
            inside = [n for n in self._told if n.index > self._latest and _stands_in(n, decision.taken)]
        if inside:
            self._latest = inside[0].index
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


def told_decisions(words: Words) -> list[Decision | Round]:
    """What the program's own control flow decided in the turn of a tape that is told."""
    outcome, graph = words.outcome, words.outcome.graph
    ys = [] if outcome.target is None else [outcome.target]
    last = isinstance(graph, EagerGraph) and is_told_of_the_last_turn(outcome, graph, ys)
    return decided_in(outcome.decisions, last=last)


def _turn(one: Round, loop: TracedLoop) -> Sentence:
    """A turn begins."""
    facts, begins = _facts(one.facts), _facts(one.begins)
    if one.test:
        return of_turns.turn_sentence(one.number, one.test, facts, begins)
    return of_turns.item_turn_sentence(one.number, len(loop.rounds), one.line, facts, begins)


def _end(one: Round) -> Sentence:
    """A loop ends."""
    if one.test:
        return of_turns.ended_sentence(one.number, one.test, _facts(one.facts))
    return of_turns.line_ended_sentence(one.number, one.line)


def _facts(found: Sequence[tuple[str, object]]) -> list[str]:
    return [f"{name_piece(name).text} = {_written(value)}" for name, value in found]


def _sentence(decision: Decision) -> Sentence:
    facts = _facts(decision.facts)
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
