"""All steps of a lesson in order.

Their values are those of one run from the variables' initial values, so that every step follows from
the steps before it. Plumbing has no step of its own (`engine/graph/essentials.py` says what that is).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, islice

from engine.languages.workspace import GradientCall
from engine.programs.lesson.backward import BackwardPass
from engine.programs.lesson.forward import forward_steps
from engine.programs.lesson.updates import process_steps, update_steps
from engine.programs.lesson.words import Step, Words
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome
from engine.programs.program.static_values import fresh_run

MAX_STEPS = 500


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is told step by step, and the value of every tensor in the run that it tells."""

    steps: list[Step] = field(default_factory=list)
    values: Values = field(default_factory=dict)


def lesson_of(outcome: Outcome) -> Lesson:
    """The steps in order, or none where there is nothing to tell or too much of it."""
    call = _call_to_tell(outcome)
    ys = call.ys if call else tuple(y for y in (outcome.target,) if y is not None)
    if not ys:
        return Lesson()
    fresh = fresh_run(outcome, outcome.usual_feeds)
    words = Words(outcome, ys, fresh.values)
    backward = BackwardPass(words, call, fresh).steps() if call else ()
    parts = forward_steps(words), backward, process_steps(words), update_steps(words, fresh)
    steps = list(islice(chain.from_iterable(parts), MAX_STEPS + 1))
    if len(steps) > MAX_STEPS:
        return Lesson()
    return Lesson([{"index": index, **step} for index, step in enumerate(steps)], fresh.values)


def _call_to_tell(outcome: Outcome) -> GradientCall | None:
    """The gradient call that the target comes from."""
    calls = [call for call in outcome.workspace.gradient_calls if call.ys[0].graph is outcome.graph]
    return next((call for call in reversed(calls) if outcome.target in call.ys), None)
