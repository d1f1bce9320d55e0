"""Fresh numbers for a program's variables, at which the wrong ways to answer come to other results.

Simple, short decimals are tried one set after the other; the first set is taken at which every wrong answer
of every question differs from the right one and from the others, else the one with the fewest that do not.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Any

import numpy as np

from engine.execution.budget import Limits
from engine.graph import Variable
from engine.graph.reachability import ancestors
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.ops.base.tensors import Array
from engine.programs.lesson.steps import MATHEMATICS, Lesson, lesson_of
from engine.programs.program.outcome import Outcome
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest
from engine.programs.program.static_values import fresh_run
from engine.programs.program.target import add_default_gradients, has_complex

SIMPLE = (2.0, 3.0, 0.5, -1.0, 1.5, -2.0, 4.0, 2.5, -0.5, 5.0, 0.2, -3.0, 1.2, 0.8, -1.5, 3.5)
ATTEMPTS = 8
MOST_NUMBERS = 16  # of one variable
DIGITS = 1e-3  # relative: numbers nearer than that look alike


@dataclass(frozen=True, slots=True)
class NewNumbers:
    """at: the numbers, as a program's request takes them; alike: answers that cannot be told apart there."""

    at: Mapping[str, Any]
    alike: int


def new_numbers(request: ProgramRequest, limits: Limits, again: int = 0) -> NewNumbers:
    """Other numbers for the variables that the target needs. again: how often they were asked for before."""
    outcome = _differentiated(request, limits)
    if has_complex(outcome):
        return NewNumbers({}, 0)
    present = _present(outcome)
    best: NewNumbers | None = None
    for at in _candidates(present, request, again):
        found = _tried(replace(request, at={**request.at, **at}, ran=b""), at, limits)
        if found is not None and (best is None or found.alike < best.alike):
            best = found
        if best is not None and best.alike == 0:
            break
    return best or NewNumbers({}, 0)


def _differentiated(request: ProgramRequest, limits: Limits) -> Outcome:
    outcome = outcome_of(request, limits)
    if request.gradients and outcome.status == "ok":
        add_default_gradients(outcome, request.wrt)
    return outcome


def _present(outcome: Outcome) -> dict[str, Array]:
    """By name, the values of the variables that the target needs."""
    if outcome.target is None:
        return {}
    needed = ancestors([outcome.target])
    values = fresh_run(outcome, outcome.usual_feeds).values
    found = {}
    for variable in outcome.graph.collection(GLOBAL_VARIABLES):
        value = values.get(variable.ref)
        name = _name(outcome, variable)
        if variable.node in needed and name and value is not None and _is_small(value):
            found[name] = value
    return found


def _name(outcome: Outcome, variable: Variable) -> str | None:
    return outcome.python_name(variable) or variable.node.name


def _is_small(value: Array) -> bool:
    return value.dtype.kind == "f" and value.size <= MOST_NUMBERS


def _candidates(
    present: Mapping[str, Array], request: ProgramRequest, again: int
) -> Iterator[dict[str, Any]]:
    """Sets of numbers, the same for the same program and the same time of asking."""
    if not present:
        return
    chance = Random(zlib.crc32(f"{request.source}{sorted(request.at)}{again}".encode()))
    for _ in range(ATTEMPTS):
        yield {name: _filled(value, chance) for name, value in present.items()}


def _filled(value: Array, chance: Random) -> Any:
    """Numbers in place of a variable's own, none of which it has now."""
    others = [number for number in SIMPLE if not np.any(np.isclose(value, number))] or SIMPLE
    few = value.size <= len(others)
    numbers = chance.sample(others, value.size) if few else chance.choices(others, k=value.size)
    return np.array(numbers).reshape(value.shape).tolist()


def _tried(request: ProgramRequest, at: Mapping[str, Any], limits: Limits) -> NewNumbers | None:
    """How many answers look alike there; None where the program does not come to numbers."""
    outcome = _differentiated(request, limits)
    if outcome.status != "ok":
        return None
    lesson = lesson_of(outcome, MATHEMATICS, request.source, request.at)
    values = [value for value in lesson.values.values() if value.dtype.kind == "f"]
    if not lesson.steps or not all(np.all(np.isfinite(value)) for value in values):
        return None
    return NewNumbers(at, _alike(lesson))


def _alike(lesson: Lesson) -> int:
    """Pairs of answers to one question that look alike; a gradient of 0 tells nothing, and counts as one."""
    count = 0
    for step in lesson.steps:
        question = step.get("question")
        if question and question["kind"] == "number" and question["choices"]:
            answers = [question["answer"], *(choice["value"] for choice in question["choices"])]
            count += sum(_look_alike(a, b) for a, b in combinations(answers, 2))
        if step["phase"] == "close" and not np.any(_numbers(step["output"]["value"])):
            count += 1
    return count


def _look_alike(a: Any, b: Any) -> bool:
    first, second = _numbers(a), _numbers(b)
    return first.shape == second.shape and bool(np.allclose(first, second, rtol=DIGITS, atol=1e-9))


def _numbers(value: Any) -> Array:
    data = value.get("data") if isinstance(value, dict) else value
    return np.asarray(np.nan if data is None else data, dtype="float64")
