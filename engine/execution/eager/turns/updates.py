"""An optimizer's update as a generated function, shared by all variables, turns and programs of its kind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine.execution.backends.numpy_calls.text import Part
from engine.execution.straight_run import exact_part, exact_recorder
from engine.execution.tracing.fuse import ELEMENT_BY_ELEMENT
from engine.execution.tracing.recorder import Recorder
from engine.execution.tracing.tracer import Tracer
from engine.execution.tracing.walk import REFUSED, Held, Lowered
from engine.graph import Node
from engine.graph.kernels import parameters_of
from engine.ops.base.definition import OpDef

UPDATES_KEPT = 256
MOST_ELEMENTS = (
    4096  # of larger variables the intermediate results are better written into memory that is there
)
LENGTHS = (2, 3, 5, 7)  # of the axes of arrays that stand for all others

Argument = tuple[str, Any, Any]  # "known", type, number; or "array", type, number of axes


def shared_update(recorder: Recorder, node: Node, arguments: Sequence[Held]) -> Sequence[Tracer] | None:
    """The results of an update as a call of a function; None where its kernel has to be followed here."""
    shape = np.shape(arguments[0])
    if not node.op.name.startswith("Apply") or len(shape) > len(LENGTHS):
        return None
    tracers = [one for one in arguments if isinstance(one, Tracer)]
    fits = all(one.shape in ((), shape) and one.core == one.shape for one in tracers)
    if not tracers or not fits or np.prod(shape, dtype=np.int64) > MOST_ELEMENTS:
        return None
    given = tuple([_kind_of(one) for one in arguments])
    if None in given:
        return None
    part = part_of(node.op, tuple(parameters_of(node).items()), given)
    if part is None:
        return None
    kinds = [(np.shape(arguments[place]), arguments[place].dtype) for place in node.op.writes]
    return recorder.call(part, tracers, kinds, {})


def _kind_of(argument: Held) -> Argument | None:
    """What of an argument decides the function: of a known one its number."""
    if isinstance(argument, Tracer):
        return "array", argument.dtype, len(argument.shape)
    return ("known", argument.dtype, argument.item()) if np.ndim(argument) == 0 else None


@lru_cache(maxsize=UPDATES_KEPT)
def part_of(op: OpDef, parameters: tuple[tuple[str, Any], ...], given: tuple[Argument, ...]) -> Part | None:
    """The function of the arguments that are not known, for arrays of any lengths with as many axes."""
    recorder = exact_recorder()
    arguments: list[Held] = []
    for how, dtype, what in given:
        is_known = how == "known"
        arguments.append(np.array(what, dtype=dtype) if is_known else recorder.value(LENGTHS[:what], dtype))
    try:
        with np.errstate(all="ignore"):
            found = op.kernel(*arguments, **dict(parameters))
    except REFUSED:
        return None
    fetches = _typed(recorder, found if isinstance(found, tuple) else (found,), arguments, op.writes)
    steps = recorder.instructions
    if fetches is None or any(step.kind not in ELEMENT_BY_ELEMENT for step in steps):
        return None
    return Part(exact_part(Lowered(steps, [one for one in arguments if isinstance(one, Tracer)], fetches)))


def _typed(
    recorder: Recorder, found: Sequence[Held], arguments: Sequence[Held], writes: Sequence[int]
) -> list[Tracer] | None:
    """The results in the types of the variables that they go to; None where one has another shape."""
    results = []
    for result, place in zip(found, writes, strict=True):
        before = arguments[place]
        if (
            not isinstance(result, Tracer)
            or np.shape(result) != np.shape(before)
            or result.core != result.shape
        ):
            return None
        results.append(recorder.cast(result, before.dtype))
    return results
