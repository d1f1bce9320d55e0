"""What is asked of a program: its answer, its lesson, steps of an optimizer, and one of them in full."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from engine.errors import GradlensError
from engine.execution.budget import Limits
from engine.ops.base.tensors import Array, Tensor
from engine.programs.diagnosis.notes import add_notes
from engine.programs.frameworks import framework_picture
from engine.programs.lesson import default_level, lesson_of
from engine.programs.lesson.paths import paths_of
from engine.programs.lesson.starts.new_numbers import new_numbers
from engine.programs.program.numpy_warnings import without_warnings
from engine.programs.program.outcome import Outcome
from engine.programs.program.packing import outcome_of, pack_outcome
from engine.programs.program.progress import Report
from engine.programs.program.request import ProgramRequest, RunRequest
from engine.programs.program.result import answer, other_values
from engine.programs.program.running import add_defect, out_of_memory, run_request
from engine.programs.program.static_values import all_values
from engine.programs.program.target import add_default_gradients
from engine.programs.program.tracing import Trace, trace_run
from engine.programs.runs.optimise import optimise_outcome, replay_step, run_events
from engine.programs.training.checkpoints import Checkpoints
from engine.programs.training.scheduler import Scheduler

log = logging.getLogger(__name__)

DEFAULT_LIMITS = Limits()


def run_program(request: ProgramRequest, limits: Limits = DEFAULT_LIMITS) -> dict[str, Any]:
    """The answer of `POST /programs` without its id; the program's own mistakes stand in it."""
    return run_and_pack(request, limits)[0]


def run_and_pack(
    request: ProgramRequest, limits: Limits = DEFAULT_LIMITS, report: Report | None = None
) -> tuple[dict[str, Any], bytes]:
    """The same, and what the program left behind, packed for `ProgramRequest.ran`.

    report: called now and then with how far the program is.
    """
    printed: list[str] = []
    with without_warnings():
        try:
            return _run_and_pack(request, limits, report, printed)
        except MemoryError:  # what ran filled all there is: let go of it
            pass
        return answer(out_of_memory(request, limits, printed), {}), b""


def _run_and_pack(
    request: ProgramRequest, limits: Limits, report: Report | None, printed: list[str]
) -> tuple[dict[str, Any], bytes]:
    """The same; `printed` takes the lines that are there when memory runs out. Raises: MemoryError."""
    outcome = run_request(request, limits, report)
    printed += outcome.printed
    packed = pack_outcome(outcome)
    return answer(outcome, _values_and_notes(request, outcome)), packed


def _values_and_notes(request: ProgramRequest, outcome: Outcome) -> dict[Tensor, Array]:
    """Each tensor's value, notes added; after a mistake of ours, what the program did is answered still."""
    try:
        values = differentiate(request, outcome)
        add_notes(outcome, values)
        return values
    except (GradlensError, MemoryError):
        raise
    except Exception:
        log.exception("A program provoked a mistake of the engine after it had run.")
        add_defect(outcome)
        return {}


def differentiated(request: ProgramRequest, limits: Limits) -> tuple[Outcome, dict[Tensor, Array]]:
    """What a program left behind, differentiated where it did not do so itself; with every tensor's value."""
    outcome = outcome_of(request, limits)
    return outcome, differentiate(request, outcome)


def differentiate(request: ProgramRequest, outcome: Outcome) -> dict[Tensor, Array]:
    """Differentiate a program that has run, where it did not do so itself. Returns: each tensor's value."""
    if request.gradients and outcome.status == "ok":
        add_default_gradients(outcome, request.wrt)
    return all_values(outcome)


def tell_lesson(
    request: ProgramRequest, limits: Limits = DEFAULT_LIMITS, level: str | None = None
) -> dict[str, Any]:
    """`{"level", "steps": […], "values": {…}, "reason"}` of `GET /programs/{id}/lesson`.

    level: `mathematics` or `tensorflow`, or that of a framework whose program it is; None for mathematics
    where the program is mathematics itself. Where it has none, the level is `tensorflow`.
    """
    with without_warnings():
        outcome, known = differentiated(request, limits)
        picture = framework_picture(outcome, level, known)
        if picture is not None and picture.steps:
            steps = [{"index": index, **step} for index, step in enumerate(picture.steps)]
            return {"level": level, "steps": steps, "values": {}, "reason": None}
        lesson = lesson_of(outcome, level or default_level(outcome.dialect), request.source, request.at)
        values = other_values(outcome.graph, lesson.values, known)
        return {"level": lesson.level, "steps": lesson.steps, "values": values, "reason": lesson.reason}


def other_numbers(request: ProgramRequest, limits: Limits = DEFAULT_LIMITS, again: int = 0) -> dict[str, Any]:
    """`{"at", "alike"}` of `GET /programs/{id}/new-numbers`. again: how often they were asked for before."""
    with without_warnings():
        found = new_numbers(request, limits, again)
        return {"at": dict(found.at), "alike": found.alike}


def follow_paths(
    request: ProgramRequest, limits: Limits = DEFAULT_LIMITS, x: str | None = None
) -> dict[str, Any]:
    """The answer of `GET /programs/{id}/paths` without its program. x: the variable, None for the first."""
    with without_warnings():
        outcome, _ = differentiated(request, limits)
        return paths_of(outcome, request.source, x)


def optimise(
    request: ProgramRequest,
    run: RunRequest,
    limits: Limits = DEFAULT_LIMITS,
    kept: Checkpoints | None = None,
) -> dict[str, Any]:
    """The answer of `POST /runs` without its id; with `kept`, states on its way for `replay`."""
    with without_warnings():
        return optimise_outcome(outcome_of(request, limits), run, limits, kept)


def trace(request: ProgramRequest, run: RunRequest, limits: Limits = DEFAULT_LIMITS) -> Trace:
    """The same run as columns of numbers, for use in Python."""
    with without_warnings():
        return trace_run(outcome_of(request, limits), run, limits)


def optimise_events(
    request: ProgramRequest,
    run: RunRequest,
    limits: Limits = DEFAULT_LIMITS,
    kept: Checkpoints | None = None,
    scheduler: Scheduler | None = None,
) -> Iterator[dict[str, Any]]:
    """The same while it is computed: a header, chunks of rows, a footer; each as soon as it is known."""
    with without_warnings():
        yield from run_events(outcome_of(request, limits), run, limits, scheduler or Scheduler(), kept)


def replay(
    request: ProgramRequest,
    run: RunRequest,
    step: int,
    limits: Limits = DEFAULT_LIMITS,
    kept: bytes = b"",
) -> dict[str, Any]:
    """The answer of `GET /runs/{id}/steps/{k}`: every tensor's value at one step.

    kept: the run's checkpoints, packed; without them the step is computed from the start.
    """
    with without_warnings():
        return replay_step(outcome_of(request, limits), run, step, limits, kept)
