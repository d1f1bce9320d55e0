"""All paths from a variable to the target, and what naive recursion does: of `GET /programs/{id}/paths`."""

from __future__ import annotations

from typing import Any

from engine.errors import ValueRefused, quoted
from engine.graph import Tensor
from engine.languages.workspace import GradientCall
from engine.programs.lesson.learners_words import LearnersWords
from engine.programs.lesson.mathematics.backward.sweep import Sweep
from engine.programs.lesson.mathematics.page import Page
from engine.programs.lesson.mathematics.paths import Paths
from engine.programs.lesson.mathematics.turns import Turns
from engine.programs.lesson.sentence import Sentence, both
from engine.programs.lesson.starts.first_pass import last_turn_of_lesson
from engine.programs.lesson.steps import call_to_tell, has_loops_or_branches, of_complex
from engine.programs.lesson.trial import Trial
from engine.programs.lesson.unrolled import CannotUnroll, unrolled
from engine.programs.lesson.unrolled.translated import Translated
from engine.programs.lesson.words import Words
from engine.programs.program.outcome import Outcome
from engine.programs.program.result import gradient_name
from engine.programs.program.static_values import fresh_run
from engine.programs.program.target import has_complex

NOTHING: dict[str, Any] = {
    "y": None,
    "x": None,
    "count": 0,
    "paths": [],
    "gradient": None,
    "naive": None,
    "visits": None,
}


def paths_of(outcome: Outcome, source: str, name: str | None) -> dict[str, Any]:
    """The paths to the variable of this name, by default to the first that was asked for.

    `reason` says why there are none to show.
    Raises: ValueRefused where no gradient by that name was asked for.
    """
    call = call_to_tell(outcome)
    if call is None:
        return {**NOTHING, "reason": _nothing()}
    if has_complex(outcome):
        return {**NOTHING, "reason": of_complex()}
    place = _place(outcome, call, name)
    fresh = fresh_run(outcome, outcome.usual_feeds)
    fresh = last_turn_of_lesson(outcome, call.ys, call, fresh, outcome.workspace.at) or fresh
    words = Words(outcome, call.ys, fresh.values)
    own: Translated | None = None
    if has_loops_or_branches(call.ys):
        try:
            run = unrolled(outcome, call.ys, call, fresh)
        except CannotUnroll as error:
            return {**NOTHING, "reason": error.reason}
        assert run.call is not None  # as there is one of the program
        own, turns = Translated(run, words, call), Turns(run, source)
        copy = LearnersWords(run.outcome, run.ys, run.fresh.values, run.paths)
        page = Page.of(copy, source, turns.names(), firm=turns.written())
        sweep = Sweep(page.words, run.call, run.fresh, page.operations, Trial(fresh, own.of), parts=run.parts)
    else:
        page = Page.of(LearnersWords(outcome, call.ys, fresh.values), source)
        sweep = Sweep(page.words, call, fresh, page.operations, Trial(fresh))
    return _told(page, sweep, sweep.xs[place], own)


def _told(page: Page, sweep: Sweep, x: Tensor, own: Translated | None) -> dict[str, Any]:
    paths = Paths(page, sweep, x)
    heads = {"y": page.names.target, "x": page.names.of(x).latex}
    if not paths.is_of_numbers:
        return {**NOTHING, **heads, "count": paths.count, "reason": _arrays()}
    told = paths.told()
    if own is not None:
        for path in told["paths"]:
            path["quantities"] = own.values(path["quantities"])
    return {**heads, **told, "reason": None}


def _place(outcome: Outcome, call: GradientCall, name: str | None) -> int:
    """Which of the xs is meant."""
    if name is None:
        return 0
    names = [gradient_name(outcome, x) for x in call.xs]
    if name not in names:
        raise ValueRefused(
            f"There is no gradient by {quoted(name)} to follow.",
            hint=f"Ask for one of {', '.join(names)}.",
            message_zh=f"没有对 {quoted(name)} 的梯度可以跟踪。",
            hint_zh=f"请选择其中之一：{'、'.join(names)}。",
            code="unknown_variable",
        )
    return names.index(name)


def _nothing() -> Sentence:
    return both(
        "The program differentiates nothing, so there is no path to follow.",
        "程序没有求导，所以没有路径可以跟踪。",
    )


def _arrays() -> Sentence:
    return both(
        "Some quantities on the way are arrays; paths are shown for single numbers.",
        "途中有些量是数组；只对单个数显示路径。",
    )
