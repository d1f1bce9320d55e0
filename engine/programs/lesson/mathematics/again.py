"""A gradient that is differentiated again: what it is the gradient of, and its formula."""

from __future__ import annotations

from collections.abc import Iterator

from engine.graph import Node, Tensor, Variable
from engine.graph.reachability import ancestors
from engine.languages.workspace import GradientCall
from engine.programs.lesson.learners_words import earlier_calls
from engine.programs.lesson.mathematics.notation import Piece
from engine.programs.lesson.mathematics.page import Page
from engine.programs.lesson.mathematics.sentences.steps import again_sentence
from engine.programs.lesson.words import Step, Words

ORDERS = {1: ("first", "一"), 2: ("second", "二"), 3: ("third", "三"), 4: ("fourth", "四")}


def differentiated_before(words: Words) -> set[Node]:
    """What the first of the ys was computed by, which the gradient alone may no longer need."""
    calls = earlier_calls(words)
    return ancestors(calls[0].ys) - words.forward if calls else set()


def again_steps(page: Page) -> Iterator[Step]:
    """One step that says which gradient is differentiated here, where one is."""
    calls = earlier_calls(page.words)
    if not calls or len(calls) > max(ORDERS) - 1:
        return
    slope = page.words.ys[0]
    y, xs = calls[0].ys[0], [_x_of(call, calls, page.words) for call in calls]
    if any(x is None for x in xs):
        return
    order, name = len(calls), page.names.of(slope)
    by = [x for x in xs if x is not None]
    left = _left(page, y, by)
    symbolic = _symbolic(page, y, by)
    formula = None if symbolic is None else Piece(symbolic)
    sentence = again_sentence(
        Piece(left).text,
        name.text,
        "" if formula is None else formula.text,
        page.names.of(y).text,
        ORDERS[order + 1],
    )
    yield page.step(
        "forward",
        slope.node.name,
        sentence,
        about="gradient",
        nodes=[slope.node.name],
        rule=left if formula is None else f"{left} = {formula.latex}",
    )


def _x_of(call: GradientCall, calls: list[GradientCall], words: Words) -> Tensor | None:
    """By what this call differentiated, as far as the next one goes on with it."""
    later = calls.index(call) + 1
    ys = calls[later].ys if later < len(calls) else words.ys
    for x, gradient in zip(call.xs, call.gradients, strict=True):
        if len(ys) == 1 and gradient is ys[0]:
            return x.ref if isinstance(x, Variable) else words.resolved(x)
    return None


def _left(page: Page, y: Tensor, xs: list[Tensor]) -> str:
    r"""`\partial y/\partial x`, `\partial^{2} y/\partial x^{2}`."""
    name, count = page.names.of(y).inside(5), len(xs)
    if count == 1:
        return rf"\partial {name}/{page.names.below(xs[0])}"
    if len(set(xs)) == 1:
        return rf"\partial^{{{count}}} {name}/{page.names.below(xs[0])}^{{{count}}}"
    return rf"\partial^{{{count}}} {name}/" + r"\,".join(page.names.below(x) for x in reversed(xs))


def _symbolic(page: Page, y: Tensor, xs: list[Tensor]) -> str | None:
    names = {page.words.label(x): x for x in xs}
    if len(names) != 1 or not all(name.isidentifier() for name in names):
        return None
    from engine.programs.lesson.symbolic import Symbols  # loads SymPy, which only this needs

    ((name, x),) = names.items()
    return Symbols(y, {name: x}, page.words.values).derivative(name, len(xs))
