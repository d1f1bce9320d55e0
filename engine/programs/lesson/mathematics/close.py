"""The closing steps: what a gradient says, tried on the spot with a small change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.graph import Node, Tensor
from engine.graph.reachability import between, in_order
from engine.ops.base.tensors import Array
from engine.programs.lesson import misconceptions
from engine.programs.lesson.mathematics.backward.derivatives import OWN_RULE
from engine.programs.lesson.mathematics.backward.sweep import Sweep
from engine.programs.lesson.mathematics.notation import Piece, as_text, is_written
from engine.programs.lesson.mathematics.page import Page, equation, told, touched_kink
from engine.programs.lesson.mathematics.questions import of_direction, of_none
from engine.programs.lesson.mathematics.sentences import questions as ask
from engine.programs.lesson.mathematics.sentences import steps as sentences
from engine.programs.lesson.mathematics.sentences.wording import in_words
from engine.programs.lesson.words import Step
from engine.programs.training.training import rows_of

CHANGE = 0.01  # what a number is raised by; of numbers above 10 a hundredth of their size
CLOSER = 10  # times: what the slope is by a smaller change
MOST_TRIED = 12  # variables


def close_steps(page: Page, sweep: Sweep) -> Iterator[Step]:
    """For each x that was asked for: its gradient, and what a small change of x does."""
    for number, (x, gradient) in enumerate(zip(sweep.xs, sweep.call.gradients, strict=True)):
        if gradient is None:
            reasons = sweep.call.reasons
            yield _none_step(page, sweep, x, reasons[number] if reasons else None)
        else:
            yield _close_step(page, sweep, x, gradient, is_tried=number < MOST_TRIED)


def _none_step(page: Page, sweep: Sweep, x: Tensor, reason: tuple[str, str] | None) -> Step:
    y, wrong = Piece(page.names.target).text, misconceptions.of_none(x.dtype)
    name, blocked = page.names.of(x).text, _blocked(page, x)
    return page.step(
        "close",
        x.node.name,
        sentences.written_none_sentence(y, name)
        if reason is None and blocked is None and any(_leads_to_y(page, v) for v in sweep.values_of(x))
        else sentences.none_sentence(y, name, reason, blocked),
        of=x.node.name,
        rule=page.names.gradient(x),
        output={"tensor": x.name, "value": None},
        misconceptions=wrong,
        question=of_none(ask.ask_gradient(as_text(page.names.gradient(x))), wrong),
    )


def _blocked(page: Page, x: Tensor) -> str | None:
    """The operation on the way from x that passes nothing back; None where there is no way."""
    path = in_order(between(x.graph, [x.node], [y.node for y in page.words.ys]))
    stopping = (
        node
        for node in path
        if node is not x.node
        and not is_written(node)
        and (node.op.gradient_rule is None or (node.op.adjoints and set(node.op.adjoints) == {"0"}))
    )
    found = next(stopping, None)
    return None if found is None else page.names.formula(found.outputs[0]).text


def _leads_to_y(page: Page, x: Tensor) -> bool:
    """Whether the target is computed from x."""
    return x.graph is page.words.graph and x.node in page.words.forward


def _close_step(page: Page, sweep: Sweep, x: Tensor, gradient: Any, *, is_tried: bool) -> Step:
    left, value = page.names.gradient(x), sweep.value_of(gradient)
    trial = tried(page, sweep, x, value) if is_tried else None
    y = Piece(page.names.target).text
    sentence = sentences.close_sentence(
        as_text(left),
        _measured(page, sweep),
        page.names.of(x).text,
        value,
        trial,
        is_written=x in sweep.parts,
    )
    return page.step(
        "close",
        x.node.name,
        sentence,
        of=x.node.name,
        nodes=[],
        rule=left,
        result=equation(left, value),
        output=told(rows_of(gradient).name, value),
        tried=trial,
        question=of_direction(ask.ask_direction(_moved(page, x, value, trial), y), _slope(value, trial)),
    )


def _measured(page: Page, sweep: Sweep) -> tuple[str, str]:
    """What the change is measured of: y, so many times y, or the sum of its numbers."""
    name = Piece(page.names.target).text
    if len(sweep.starts) != 1:
        return name, name
    ((y, start),) = sweep.starts.items()
    value, weight = page.value(y), page.value(start)
    if value is None or weight is None:
        return name, name
    is_plain = bool(np.all(weight == 1))
    if value.size == 1:
        return (name, name) if is_plain else (f"{in_words(weight)} · {name}",) * 2
    if is_plain:
        return f"the sum of {name}", f"{name} 各数的和"
    return f"the weighted sum of {name}", f"{name} 各数的加权和"


def _moved(page: Page, x: Tensor, value: Array | None, trial: dict[str, Any] | None) -> str:
    """The number that is raised."""
    name = page.names.of(x).text
    places = [] if trial is None else trial["element"]
    return f"{name}[{', '.join(map(str, places))}]" if places else name


def _slope(value: Array | None, trial: dict[str, Any] | None) -> Array | None:
    """The gradient by the number that is raised."""
    if value is None or trial is None:
        return value
    return np.asarray(value[tuple(trial["element"])])


def tried(page: Page, sweep: Sweep, x: Tensor, gradient: Array | None) -> dict[str, Any] | None:
    """`{"element", "step", "predicted", "measured", …}`: y run again with one number of x raised.

    None where it cannot be run again, or would draw other random numbers.
    """
    value = page.value(x)
    if value is None or gradient is None or not value.size or value.shape != gradient.shape:
        return None
    if not sweep.starts:  # it is not known what the gradient is of
        return None
    forward = sweep.trial.forward(sweep.starts)
    if not np.all(np.isfinite(gradient)) or any(node.op.draws for node in forward):
        return None
    place = np.unravel_index(int(np.argmax(np.abs(gradient))), gradient.shape)
    step = CHANGE if abs(value[place]) <= 10 else 10.0 ** np.floor(np.log10(abs(value[place]))) / 100
    raised = np.array(value)
    raised[place] += step
    closer = value + (raised - value) / CLOSER
    weights = {y: sweep.words.values.get(start) for y, start in sweep.starts.items()}
    before, after, between = (sweep.trial.run(x, one, weights) for one in (value, raised, closer))
    if before is None or after is None or between is None or not np.isfinite(after - before):
        return None
    return {
        "element": [int(n) for n in place],
        "step": float(step),
        "predicted": float(gradient[place]) * float(step),
        "measured": after - before,
        "closer": (between - before) * CLOSER,
        "own": any(_is_own(node) for node in forward),
        "kink": any(touched_kink(page, node) is not None for node in page.words.forward),
    }


def _is_own(node: Node) -> bool:
    """Whether the program says what passes back: it stops a gradient, or gives a rule for it."""
    return node.op.name in ("StopGradient", "PreventGradient") or OWN_RULE in node.attrs
