"""All steps of a lesson at level Mathematics, in order: a view of the same graph."""

from __future__ import annotations

from collections.abc import Iterator

from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.repeating_graph import now
from engine.graph import Tensor, Variable
from engine.languages.workspace import GradientCall
from engine.programs.lesson.learners_words import LearnersWords
from engine.programs.lesson.mathematics.again import again_steps, differentiated_before
from engine.programs.lesson.mathematics.backward.steps import backward_steps
from engine.programs.lesson.mathematics.backward.sweep import Sweep
from engine.programs.lesson.mathematics.blocks import Blocks
from engine.programs.lesson.mathematics.close import close_steps
from engine.programs.lesson.mathematics.control_flow.text_decisions import TextDecisions, told_decisions
from engine.programs.lesson.mathematics.control_flow.text_turns import TextTurns, text_loops
from engine.programs.lesson.mathematics.control_flow.traced_turns import (
    traced_loops,
    traced_names,
    traced_paths,
)
from engine.programs.lesson.mathematics.forward import forward_steps
from engine.programs.lesson.mathematics.page import Page
from engine.programs.lesson.mathematics.questions import of_ending
from engine.programs.lesson.mathematics.sentences.questions import ask_ending
from engine.programs.lesson.mathematics.turns import MANY, Turns
from engine.programs.lesson.mathematics.updates import process_steps, update_steps
from engine.programs.lesson.run_ending import run_ending
from engine.programs.lesson.trial import Trial
from engine.programs.lesson.unrolled import Unrolled
from engine.programs.lesson.unrolled.translated import Translated
from engine.programs.lesson.words import Step, Words
from engine.programs.program.static_values import FreshRun
from engine.programs.training.training import rows_of


def mathematics_steps(
    words: Words, call: GradientCall | None, fresh: FreshRun, source: str, short: str = ""
) -> Iterator[Step]:
    """Forward, backward, what the gradients say, and what the program makes of them.

    short: `lines` to tell lines that run again and again three times, `scopes` to leave out scopes.
    """
    words = LearnersWords(words.outcome, words.ys, words.values)
    loops = traced_loops(words.graph, told_decisions(words))
    page = Page.of(words, source, traced_names(words.graph, loops), differentiated_before(words))
    outline = _outline(page, source, short)
    decided = TextDecisions(page, source, [operation.last for operation in page.operations]).steps()
    yield from forward_steps(page, outline=outline, decided=decided)
    yield from again_steps(page)
    if call is None:
        return
    sweep = Sweep(words, call, fresh, page.operations, Trial(fresh), outline)
    yield from backward_steps(page, sweep, outline)
    closing = list(close_steps(page, sweep))  # which is tried before anything is updated
    page.names.call_gradients([*sweep.pairs(), *_taken_by_updates(words)])
    yield from process_steps(page)
    yield from update_steps(page, sweep)
    yield from _with_ending(words, fresh, closing)


def _taken_by_updates(words: Words) -> Iterator[tuple[Tensor, Tensor]]:
    """Each variable with its gradient as the program itself has taken it, of what the lesson is about."""
    ys = [now(y) for y in words.ys]
    for call in words.outcome.workspace.gradient_calls:
        if [now(y) for y in call.ys] == ys:
            for x, gradient in zip(call.xs, call.gradients, strict=True):
                if isinstance(x, Variable) and gradient is not None:
                    yield x.ref, now(rows_of(gradient))


def _outline(page: Page, source: str, short: str) -> Blocks | TextTurns | None:
    """The turns of the program's own loops; of many, or where it would be too long, what is left out."""
    if short == "scopes":
        return Blocks(page.operations, by_scope=True)
    loops = [] if short else text_loops(page, source)
    graph = page.words.graph
    traced = traced_loops(graph, told_decisions(page.words))
    most = max([len(loop.turns) for loop in loops] + [len(loop.rounds) for loop in traced], default=0)
    if short or most > MANY:
        return Blocks(page.operations, by_scope=False)
    return TextTurns(loops, traced_paths(graph, traced)) if loops or traced else None


def unrolled_steps(
    words: Words,
    call: GradientCall | None,
    fresh: FreshRun,
    source: str,
    run: Unrolled,
    most: int,
    later: FreshRun,
) -> Iterator[Step]:
    """The same of a graph with branches and loops: told of the run that was copied, in the graph's own names.

    words, call, fresh: of the program's own graph; most: how many turns of a loop are told.
    later: in which what follows the gradients is run, which writes variables.
    """
    turns = Turns(run, source, most)
    copy = LearnersWords(run.outcome, run.ys, run.fresh.values, run.paths)
    page = Page.of(copy, source, turns.names(), turns.beside(), turns.written())
    own = Translated(run, words, call)
    yield from map(own.step, forward_steps(page, turns, decided=_decided(page, source, run)))
    if call is None or run.call is None:
        return
    is_eager = isinstance(words.graph, EagerGraph)  # whose nodes run in order only in the copy
    is_long = bool(run.whole)
    trial = Trial(fresh, own.of, is_long=is_long)
    if is_eager or run.parts:
        trial = Trial(run.fresh, values_of=run.parts, is_long=is_long)
    sweep = Sweep(copy, run.call, run.fresh, page.operations, trial, turns, run.parts)
    yield from map(own.step, backward_steps(page, sweep, turns))
    closing = [own.step(step) for step in close_steps(page, sweep)]
    yield from _after(words, call, later, source)
    yield from _with_ending(words, later, closing)


def _decided(page: Page, source: str, run: Unrolled) -> list[tuple[int, Step]]:
    """What the program's own `if` decided, by the places of the graph that was copied."""
    copies = {run.origin[o.last].index: o for o in reversed(page.operations) if o.last in run.origin}
    told = [run.origin[operation.last] for operation in copies.values()]
    decisions = TextDecisions(page, source, sorted(told, key=lambda node: node.index))
    return [(copies[at].nodes[0].index, step) for at, step in decisions.steps()]


def _with_ending(words: Words, fresh: FreshRun, closing: list[Step]) -> list[Step]:
    """The closing steps; the last asks how the program's own optimizer goes on, where there is one."""
    ending = run_ending(words, fresh) if closing else None
    if ending is None:
        return closing
    question = of_ending(ask_ending(ending.optimizer), ending.endings)
    return [*closing[:-1], {**closing[-1], "question": question}]


def _after(words: Words, call: GradientCall, fresh: FreshRun, source: str) -> Iterator[Step]:
    """What the program makes of its gradients, told of its own graph."""
    page = Page.of(words, source)
    sweep = Sweep(words, call, fresh, (), Trial(fresh))
    page.names.call_gradients([*sweep.pairs(), *_taken_by_updates(words)])
    yield from process_steps(page)
    yield from update_steps(page, sweep)
