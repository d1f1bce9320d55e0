"""All steps of a lesson at level Mathematics, in order: a view of the same graph."""

from __future__ import annotations

from collections.abc import Iterator

from engine.languages.workspace import GradientCall
from engine.programs.lesson.mathematics.backward_steps import backward_steps
from engine.programs.lesson.mathematics.close import close_steps
from engine.programs.lesson.mathematics.forward import forward_steps
from engine.programs.lesson.mathematics.page import Page
from engine.programs.lesson.mathematics.sweep import Sweep
from engine.programs.lesson.mathematics.updates import process_steps, update_steps
from engine.programs.lesson.words import Step, Words
from engine.programs.program.static_values import FreshRun


def mathematics_steps(
    words: Words, call: GradientCall | None, fresh: FreshRun, source: str
) -> Iterator[Step]:
    """Forward, backward, what the gradients say, and what the program makes of them."""
    page = Page.of(words, source)
    yield from forward_steps(page)
    if call is None:
        return
    sweep = Sweep(words, call, fresh, page.operations)
    yield from backward_steps(page, sweep)
    closing = list(close_steps(page, sweep))  # which is tried before anything is updated
    page.names.call_gradients(sweep.pairs())
    yield from process_steps(page)
    yield from update_steps(page, sweep)
    yield from closing
