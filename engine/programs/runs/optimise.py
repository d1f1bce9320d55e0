"""The answer of `POST /runs`: a program's target optimised step by step, sent as columns while it happens.

Row 0 is the start, row k the state after k updates; loss and gradients of a row are those at that state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.errors import GradlensError, LimitError, ProgramError, ValueRefused
from engine.execution.budget import Limits
from engine.graph import Node
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.languages.request_values import fed
from engine.ops.base.tensors import Array
from engine.programs.diagnosis.curvature import quadratic_of, rate_note
from engine.programs.diagnosis.rate_bound import plain_rate, quadratic_slope
from engine.programs.program.items import value_json, within_room
from engine.programs.program.outcome import Outcome
from engine.programs.program.request import RunRequest
from engine.programs.program.result import grown_answer
from engine.programs.program.static_values import all_values
from engine.programs.runs.columns import RunTable, every_of
from engine.programs.runs.ending import Ending
from engine.programs.training.checkpoints import Checkpoints, nearest
from engine.programs.training.scheduler import Scheduler
from engine.programs.training.stepping import BLOCK_S, LONG_BLOCK_S, Walk, walk_for
from engine.programs.training.training import Training, rows_of, training_for

MAX_STEPS = 100_000

State = Mapping[Node, Array]


def optimise_outcome(
    outcome: Outcome, run: RunRequest, limits: Limits, checkpoints: Checkpoints | None = None
) -> dict[str, Any]:
    """The whole answer at once."""
    header, *chunks, footer = run_events(outcome, run, limits, scheduler=None, checkpoints=checkpoints)
    rows = chunks[0] if chunks else RunTable().as_json()
    whole = {"program": header["program"], "feeds": header["feeds"], **rows, **footer}
    del whole["type"]
    return whole


def run_events(
    outcome: Outcome,
    run: RunRequest,
    limits: Limits,
    scheduler: Scheduler | None,
    checkpoints: Checkpoints | None = None,
) -> Iterator[dict[str, Any]]:
    """Grow the program by an optimizer, take the steps, and yield both while it happens.

    scheduler: when rows are sent; without one, all in one chunk at the end.
    checkpoints: where states are put on the way, for `replay_step`.
    Yields: a header with the program and the most rows that there can be, chunks of rows, and a footer that
            says how the run ended. Where chunks are cut is the clock's doing, the numbers in them are not;
            the last row of each is whole, so that one can go on from it.
    Raises: GradlensError where the program itself stops with a mistake, or the request does not fit it;
            what goes wrong after the first row stands in the footer.
    """
    _check_steps(run.steps)
    check_ran(outcome)
    training = training_for(outcome, run)
    program = grown_answer(outcome, {**all_values(outcome), **training.feeds})
    yield {
        "type": "header",
        "program": program,
        "feeds": _feeds_json(outcome, training),
        "rows": run.steps + 1,
    }
    columns, ending, notes = RunTable(), Ending(), list[Diagnostic]()
    try:
        walk = walk_for(outcome, training, run, Budget(limits))
        notes += _notes(walk)
        every = every_of(walk, run.steps + 1)
        for block in walk.blocks(run.steps + 1, LONG_BLOCK_S if scheduler is None else BLOCK_S):
            if checkpoints is not None:
                checkpoints.see(block.begin, run.steps + 1)
            broken = ending.look(training, block)
            rows = block.rows if broken is None else broken + 1
            due = scheduler is not None and scheduler.due(rows)
            ends = broken is not None or block.first + rows == run.steps + 1
            columns.add_rows(training, block, rows, every, keep_last=due or ends)
            if run.record == "all":
                columns.add_nodes(walk, block, rows, run.steps + 1)
            if broken is not None:
                ending.explain(training, walk.row(block, broken), block.first + broken)
                break
            if due:
                with walk.meter.paused():
                    yield {"type": "chunk", **columns.as_json()}
                columns = RunTable(columns.end)
        else:
            ending.finish()
    except LimitError as error:
        ending.cut(error, columns.end)
    except GradlensError as error:
        if columns.end == 0:
            raise
        ending.fail(error, columns.end)
    if columns.loss:
        yield {"type": "chunk", **columns.as_json()}
    notes += [ending.diagnostic] if ending.diagnostic else []
    yield {
        "type": "footer",
        "status": ending.status,
        "stopped_at": ending.stopped_at,
        "diagnostics": [note.as_json() for note in notes],
    }


def replay_step(
    outcome: Outcome, run: RunRequest, step: int, limits: Limits, saved: bytes = b""
) -> dict[str, Any]:
    """The full value of every tensor at one step of a run: the answer of `GET /runs/{id}/steps/{k}`.

    saved:  checkpoints of the run as bytes; the step is computed from the nearest.
    Raises: ValueRefused for a step that the run does not have; LimitError where it is too far to go.
    """
    check_ran(outcome)
    if step > run.steps:
        raise _no_such_step(step, run.steps)
    training = training_for(outcome, run)
    walk, ending = walk_for(outcome, training, run, Budget(limits)), Ending()
    begin = nearest(saved, step, outcome.graph)
    if begin is not None:
        ending.look(training, next(walk.blocks(1)))  # the end is judged by what the start was like
    for block in walk.blocks(step + 1, LONG_BLOCK_S, begin):
        broken = ending.look(training, block)
        if block.first <= step < block.first + block.rows and broken in (None, step - block.first):
            values = walk.row(block, step - block.first)
            if step == run.steps:  # no update follows it
                values = {
                    t: v
                    for t, v in values.items()
                    if t.node.phase != "update" or t.node.op.name == "VariableV2"
                }
            nodes = {tensor.name: value_json(value) for tensor, value in within_room(values).items()}
            return {"step": step, "nodes": nodes, "pairs": _pairs_json(training)}
        if broken is not None:
            raise _no_such_step(step, block.first + broken)
    raise _no_such_step(step, run.steps)


def _pairs_json(training: Training) -> dict[str, Any]:
    """Which tensors hold each variable, its gradient before and after processing, and its slots."""
    return {
        training.names[variable]: {
            "variable": variable.ref.name,
            "gradient": None if raw is None else rows_of(raw).name,
            "processed": None if ready is None else rows_of(ready).name,
            "slots": {
                slot: state.ref.name for slot, state in training.optimizer.shown_slots(variable).items()
            },
        }
        for (raw, variable), (ready, _) in zip(training.raw, training.processed, strict=True)
    }


def _feeds_json(outcome: Outcome, training: Training) -> list[dict[str, Any]]:
    """What each step is fed with: placeholders, and hyper-parameters that the request replaces."""
    feeds = {**fed(outcome.usual_feeds), **training.feeds}
    return [{"tensor": tensor.name, "value": value_json(value)} for tensor, value in feeds.items()]


# -- the bound on the learning rate --------------------------------------------------------------------


def _notes(walk: Walk) -> list[Diagnostic]:
    """The bound on the rate of plain gradient descent where the target is quadratic."""
    rate = plain_rate(walk.training)
    slope = None if rate is None else quadratic_slope(walk.training, walk.session, walk.feeds)
    if rate is None or slope is None:
        return []
    quadratic = quadratic_of(slope, slope.start)
    walk.traces.clear()
    return [] if quadratic is None else [rate_note(quadratic, rate)]


# -- what does not fit -------------------------------------------------------------------------------


def _check_steps(steps: int) -> None:
    if not 0 <= steps <= MAX_STEPS:
        raise ValueRefused(
            f"A run takes 0 to {MAX_STEPS:,} steps, not {steps:,}.",
            message_zh=f"一次运行可取 0 到 {MAX_STEPS:,} 步，不能是 {steps:,}。",
            code="too_many_steps",
        )


def _no_such_step(step: int, last: int) -> GradlensError:
    return ValueRefused(
        f"The run has no step {step:,}; its last is {last:,}.",
        message_zh=f"这次运行没有第 {step:,} 步；最后一步是第 {last:,} 步。",
        hint=f"Ask for a step from 0 to {last:,}.",
        hint_zh=f"请选择 0 到 {last:,} 之间的一步。",
        code="unknown_step",
    )


def check_ran(outcome: Outcome) -> None:
    """Raise the first mistake of a program that did not run to its end."""
    if outcome.status == "ok":
        return
    first = next(one for one in outcome.diagnostics if one.severity == "error")
    raise ProgramError(
        f"The program does not run: {first.message}",
        hint=first.hint,
        message_zh=f"程序无法运行：{first.message_zh}",
        hint_zh=first.hint_zh,
        code=first.code,
        where=first.span,
    )
