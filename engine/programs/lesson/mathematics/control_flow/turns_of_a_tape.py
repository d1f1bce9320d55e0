"""Programs that open a tape again and again: of which turn a lesson is told, and what was decided in it.

A graph that is computed at once has one node for what each turn computes. A lesson is told of the first turn,
from the variables' initial values; of the last one, where the turns did not all go the same way or had other
examples or rates, or where variables had been written before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from engine.execution.eager.graph import EagerGraph
from engine.graph import Tensor
from engine.languages.interpreter.decisions import Decision, Round
from engine.programs.lesson.writing import writes_before
from engine.programs.program.outcome import Outcome


def is_told_of_the_last_turn(outcome: Outcome, graph: EagerGraph, ys: Sequence[Tensor]) -> bool:
    """Whether the values of the last turn are told, not those that follow from the initial values."""
    return bool(writes_before(graph, ys)) or are_turns_unlike(outcome)


def are_turns_unlike(outcome: Outcome) -> bool:
    """Whether a program that runs at once has turns that differ, of which the last one is told."""
    is_eager = isinstance(outcome.graph, EagerGraph)
    return is_eager and (outcome.begins_otherwise or _turns_differ(outcome.decisions))


def _turns_differ(decisions: Sequence[Decision | Round]) -> bool:
    """Whether an `if` or a loop of one line was decided otherwise in one turn than in another."""
    ways: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for one in decisions:
        if isinstance(one, Decision):
            ways[one.line][one.turn].append(one.holds)
        elif not one.goes_on:
            ways[one.line][one.turn].append(one.number)
    return any(len(set(map(tuple, turns.values()))) > 1 for turns in ways.values())


def decided_in(decisions: Sequence[Decision | Round], *, last: bool) -> list[Decision | Round]:
    """What was decided in the first turn that decided on a line, or in the last one."""
    chosen: dict[int, int] = {}
    for one in decisions:
        if last or one.line not in chosen:
            chosen[one.line] = one.turn
    return [one for one in decisions if one.turn == chosen[one.line]]
