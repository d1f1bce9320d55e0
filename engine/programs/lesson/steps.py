"""All steps of a lesson in order.

Their values are those of one run from the variables' initial values, so that every step follows from
the steps before it. Plumbing has no step of its own (`engine/graph/essentials.py` says what that is).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import Any

from engine.execution.eager.graph import EagerGraph
from engine.graph import Tensor
from engine.graph.reachability import ancestors
from engine.languages.workspace import GradientCall
from engine.programs.lesson.by_rules import call_by_rules
from engine.programs.lesson.mathematics import FEW, MANY, mathematics_steps, unrolled_steps
from engine.programs.lesson.mathematics.control_flow.turns_of_a_tape import is_told_of_the_last_turn
from engine.programs.lesson.sentence import Sentence, both
from engine.programs.lesson.starts.first_pass import last_turn_of_lesson
from engine.programs.lesson.starts.other_start import begin_last_turn_at
from engine.programs.lesson.tensorflow import tensorflow_steps
from engine.programs.lesson.unrolled import CannotUnroll, Unrolled, unrolled
from engine.programs.lesson.words import Step, Words
from engine.programs.lesson.writing import (
    after_the_writes,
    eager_writes,
    last_turn,
    slopes_of,
    start_of,
    target_run,
    writes_variables,
)
from engine.programs.program.detect import TORCH
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome
from engine.programs.program.static_values import FreshRun, fresh_run
from engine.programs.program.target import has_complex

MAX_STEPS = 500
TRANSFORMING = "torch.func"  # whose derivatives are functions of their own
OWN_RULES = ("torch", "jax")  # dialects of frameworks that differentiate by rules of their own
MATHEMATICS, TENSORFLOW = LEVELS = ("mathematics", "tensorflow")


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is told step by step, and the value of every tensor in the run that it tells.

    level:  at which it is told; a run that cannot be followed through its loops is told node by node.
    reason: why it is not told at the level that was asked for.
    """

    level: str
    steps: list[Step] = field(default_factory=list)
    values: Values = field(default_factory=dict)
    reason: Sentence | None = None


def lesson_of(
    outcome: Outcome,
    level: str = "tensorflow",
    source: str = "",
    at: Mapping[str, Any] = MappingProxyType({}),
) -> Lesson:
    """The steps in order, or none where there is nothing to tell or too much of it.

    level:  `mathematics` or `tensorflow`.
    source: the program's text.
    at:     values of variables that were given with it.
    """
    if has_complex(outcome):
        return Lesson(level, reason=of_complex())
    call = call_to_tell(outcome)
    answered = {node.name for node in outcome.graph.nodes}
    if call is not None and outcome.dialect in OWN_RULES and level == MATHEMATICS:
        call = call_by_rules(call)
    ys = call.ys if call else tuple(y for y in (outcome.target,) if y is not None)
    if not ys:
        return Lesson(level, reason=of_nothing(outcome, source))
    if outcome.dialect == TORCH:
        begin_last_turn_at(outcome, at, ys, call)
    fresh = fresh_run(outcome, outcome.usual_feeds)
    is_short = all(tensor in fresh.values for tensor in (*ys, *slopes_of(call)))
    if isinstance(outcome.graph, EagerGraph):
        fresh = last_turn_of_lesson(outcome, ys, call, fresh, at) or fresh
    elif writes_variables(ys) or not is_short:
        fresh = target_run(outcome, ys, call) or fresh
    words = Words(outcome, ys, fresh.values)
    for told in _tellings(words, call, fresh, level, source, is_short=is_short):
        steps = list(islice(told.steps, MAX_STEPS + 1))
        if len(steps) <= MAX_STEPS:
            numbered = [{"index": index, **within(step, answered)} for index, step in enumerate(steps)]
            reason = told.reason or (None if numbered else of_nothing(outcome, source))
            return Lesson(told.level, numbered, fresh.values, reason)
    return Lesson(level)


def of_complex() -> Sentence:
    """Why there is no lesson where complex numbers are."""
    return both(
        "The program computes with complex numbers, which lessons do not derive; its graph shows every step.",
        "程序含有复数运算，课程不推导复数；每一步都可以在计算图中看到。",
    )


def of_nothing(outcome: Outcome, source: str) -> Sentence | None:
    """Why nothing is told: the program has stopped, or differentiates in a way that is not told."""
    if outcome.status != "ok":
        return both(
            "The program stops at a mistake before there is anything to tell; what it computed until then is "
            "in its graph.",
            "程序在出错处停止，之前没有可以逐步讲解的内容；已经算出的部分可以在计算图中看到。",
        )
    if outcome.dialect == TORCH and TRANSFORMING in source:
        return both(
            "Derivatives by torch.func are not told step by step; the graph shows every step. What backward()"
            " or torch.autograd.grad differentiates has a lesson.",
            "torch.func 求的导数没有逐步讲解，每一步都可以在计算图中看到；"
            "用 backward() 或 torch.autograd.grad 求的导数有讲解。",
        )
    return None


def within(step: Step, answered: set[str]) -> Step:
    """A step that names nodes of the program's answer alone, as those that compute it."""
    nodes = step.get("nodes")
    return step if nodes is None else {**step, "nodes": [node for node in nodes if node in answered]}


@dataclass(frozen=True, slots=True)
class Telling:
    """One way to tell a lesson. reason: why at this level, where another one was asked for."""

    level: str
    steps: Iterator[Step]
    reason: Sentence | None = None


def _tellings(
    words: Words, call: GradientCall | None, fresh: FreshRun, level: str, source: str, *, is_short: bool
) -> Iterator[Telling]:
    """The ways to tell it, the fullest first: of the next one, where that has too many steps.

    is_short: whether the program runs within the time of a view.
    """
    if level == MATHEMATICS and not has_loops_or_branches(words.ys) and not writes_variables(words.ys):
        yield Telling(level, mathematics_steps(words, call, fresh, source))
        for short in ("lines", "scopes"):
            fresh = _start(words, is_short=is_short)  # the session may have gone on
            yield Telling(level, mathematics_steps(words, call, fresh, source, short))
        return
    reason = None
    if level == MATHEMATICS:
        try:
            run = _unrolled(words, call, fresh, is_short=is_short)
        except CannotUnroll as error:
            reason = error.reason
        else:
            for most in (MANY, FEW):
                later = _start(words, is_short=is_short)  # whose session goes on meanwhile
                yield Telling(level, unrolled_steps(words, call, fresh, source, run, most, later))
            return
    steps = tensorflow_steps(words, call, fresh, _start(words, is_short=is_short))
    yield Telling(TENSORFLOW, steps, reason)


def _unrolled(words: Words, call: GradientCall | None, fresh: FreshRun, *, is_short: bool) -> Unrolled:
    """The run that is told turn by turn; loops with too many turns as a whole.

    Raises: CannotUnroll where neither can be.
    """
    first, second = (False, True) if is_short else (True, False)
    try:
        return unrolled(words.outcome, words.ys, call, fresh, whole=first)
    except CannotUnroll as error:
        try:
            return unrolled(words.outcome, words.ys, call, fresh, whole=second)
        except CannotUnroll:
            raise error from None


def _start(words: Words, *, is_short: bool) -> FreshRun:
    """A run whose session may go on to the first update."""
    outcome, graph = words.outcome, words.graph
    if isinstance(graph, EagerGraph):
        if eager_writes(graph, words.ys):
            return after_the_writes(outcome, graph, words.ys)
        if is_told_of_the_last_turn(outcome, graph, words.ys):
            return last_turn(outcome, graph, words.ys)
    elif writes_variables(words.ys) or not is_short:
        return start_of(words.outcome)
    return fresh_run(words.outcome, words.outcome.usual_feeds)


def has_loops_or_branches(ys: Sequence[Tensor]) -> bool:
    """Whether what is told went one of several ways."""
    return any(node.op.name in ("Merge", "RefMerge") for node in ancestors(ys))


def default_level(dialect: str) -> str:
    """The level of who has not chosen: mathematics is told as mathematics."""
    return MATHEMATICS if dialect == "math" else TENSORFLOW


def call_to_tell(outcome: Outcome) -> GradientCall | None:
    """The gradient call that the target comes from."""
    calls = [call for call in outcome.workspace.gradient_calls if call.ys[0].graph is outcome.graph]
    return next((call for call in reversed(calls) if outcome.target in call.ys), None)
