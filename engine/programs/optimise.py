"""The answer of `POST /runs`: a program's target optimised step by step, told as columns while it happens.

Row 0 is the start, row k the state after k updates; loss and gradients of a row are those at that state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engine.errors import GradlensError, LimitError, ProgramError, ValueRefused
from engine.execution.budget import Limits
from engine.execution.order import nodes_of
from engine.execution.plan import make_plan, written_by
from engine.graph import Node
from engine.ops.slices import IndexedSlices
from engine.ops.tensors import Array
from engine.programs.checkpoints import Checkpoints, nearest
from engine.programs.columns import Columns, stride
from engine.programs.curvature import MAX_NUMBERS, Bowl, bowl_of, rate_note
from engine.programs.degree import degree_of
from engine.programs.ending import Ending
from engine.programs.growing import setting
from engine.programs.interpreter.budget import Budget
from engine.programs.interpreter.diagnostics import Diagnostic
from engine.programs.items import value_json, within_room
from engine.programs.outcome import Outcome
from engine.programs.pace import Pace
from engine.programs.request import RunRequest
from engine.programs.result import grown_answer
from engine.programs.static_values import all_values
from engine.programs.stepping import BLOCK_S, LONG_BLOCK_S, Walk, walk_for
from engine.programs.training import rows_of, training_for

MAX_STEPS = 100_000
PLAIN_DESCENT = frozenset({"GradientDescent", "SGD"})  # whose steps the bound 2/L is about

State = Mapping[Node, Array]


def optimise_outcome(
    outcome: Outcome, run: RunRequest, limits: Limits, kept: Checkpoints | None = None
) -> dict[str, Any]:
    """The whole answer at once."""
    header, *chunks, footer = run_events(outcome, run, limits, pace=None, kept=kept)
    rows = chunks[0] if chunks else Columns().as_json()
    whole = {"program": header["program"], **rows, **footer}
    del whole["type"]
    return whole


def run_events(
    outcome: Outcome, run: RunRequest, limits: Limits, pace: Pace | None, kept: Checkpoints | None = None
) -> Iterator[dict[str, Any]]:
    """Grow the program by an optimizer, take the steps, and tell both while it happens.

    pace:   when rows are told; without one, all in one chunk at the end.
    kept:   where states are put on the way, for `replay_step`.
    Yields: a header with the program and the most rows that there can be, chunks of rows, and a footer that
            says how the run ended. Where chunks are cut is the clock's doing, the numbers in them are not;
            the last row of each is whole, so that one can go on from it.
    Raises: GradlensError where the program itself stops with a mistake, or the request does not fit it;
            what goes wrong after the first row is told in the footer.
    """
    _check_steps(run.steps)
    check_ran(outcome)
    training = training_for(outcome, run)
    yield {"type": "header", "program": grown_answer(outcome, all_values(outcome)), "rows": run.steps + 1}
    columns, ending, notes = Columns(), Ending(), list[Diagnostic]()
    try:
        walk = walk_for(outcome, training, run, Budget(limits))
        notes += _notes(walk)
        every = stride(walk.numbers, run.steps + 1)
        for block in walk.blocks(run.steps + 1, LONG_BLOCK_S if pace is None else BLOCK_S):
            if kept is not None:
                kept.see(block.begin, run.steps + 1)
            broken = ending.look(training, block)
            rows = block.rows if broken is None else broken + 1
            due = pace is not None and pace.due(rows)
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
                columns = Columns(columns.end)
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
    outcome: Outcome, run: RunRequest, step: int, limits: Limits, kept: bytes = b""
) -> dict[str, Any]:
    """The full value of every tensor at one step of a run: the answer of `GET /runs/{id}/steps/{k}`.

    kept:   checkpoints of the run, packed; the step is computed from the nearest.
    Raises: ValueRefused for a step that the run does not have; LimitError where it is too far to go.
    """
    check_ran(outcome)
    if step > run.steps:
        raise _no_such_step(step, run.steps)
    training = training_for(outcome, run)
    walk, ending = walk_for(outcome, training, run, Budget(limits)), Ending()
    begin = nearest(kept, step, outcome.graph)
    if begin is not None:
        ending.look(training, next(walk.blocks(1)))  # the end is judged by what the start was like
    for block in walk.blocks(step + 1, LONG_BLOCK_S, begin):
        broken = ending.look(training, block)
        if block.first <= step < block.first + block.rows and broken in (None, step - block.first):
            told = walk.row(block, step - block.first)
            if step == run.steps:  # no update follows it
                told = {
                    t: v
                    for t, v in told.items()
                    if t.node.phase != "update" or t.node.op.name == "VariableV2"
                }
            nodes = {tensor.name: value_json(value) for tensor, value in within_room(told).items()}
            return {"step": step, "nodes": nodes}
        if broken is not None:
            raise _no_such_step(step, block.first + broken)
    raise _no_such_step(step, run.steps)


# -- the bound on the learning rate --------------------------------------------------------------------


def _notes(walk: Walk) -> list[Diagnostic]:
    """The bound on the rate of plain gradient descent where the target is quadratic."""
    training = walk.training
    untouched = all(
        raw is ready for (raw, _), (ready, _) in zip(training.raw, training.processed, strict=True)
    )
    plain = training.optimizer.rule.name in PLAIN_DESCENT and not setting(training, "momentum")
    rate = setting(training, "learning_rate")
    if not (plain and untouched) or rate is None:
        return []
    bowl = _bowl(walk)
    return [rate_note(bowl, rate)] if bowl is not None else []


def _is_quadratic(walk: Walk) -> bool:
    """Whether the target is a polynomial of the second degree, the same at each step."""
    training = walk.training
    trained = {variable.node for variable in training.names}
    steps = [node for step in make_plan([training.train_op]).steps for node in nodes_of(step)]
    moving = {variable for node in steps for variable in written_by(node)} - trained
    return degree_of(training.loss, trained, moving, walk.feeds) <= 2


def _bowl(walk: Walk) -> Bowl | None:
    """The target as a quadratic one with a least value; None of another, or of one that moves by itself."""
    training, session = walk.training, walk.session
    pairs = [(g, v) for g, v in training.raw if g is not None]
    if any(isinstance(g, IndexedSlices) or None in v.shape for g, v in pairs):
        return None
    start = [session.variables[v.node] for _, v in pairs]
    if sum(array.size for array in start) > MAX_NUMBERS or not _is_quadratic(walk):
        return None
    cuts = np.cumsum([array.size for array in start])[:-1]

    def slope(point: Array) -> Array:
        parts = np.split(point, cuts)
        for (_, variable), part, old in zip(pairs, parts, start, strict=True):
            session.variables[variable.node] = part.reshape(old.shape).astype(old.dtype)
        found = session.run([rows_of(g) for g, _ in pairs], walk.feeds)
        return np.concatenate([np.ravel(g).astype(np.float64) for g in found])

    bowl = bowl_of(slope, np.concatenate([np.ravel(a).astype(np.float64) for a in start]))
    session.variables.update({v.node: old for (_, v), old in zip(pairs, start, strict=True)})
    walk.traces.clear()
    return bowl


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
    first = next(told for told in outcome.diagnostics if told.severity == "error")
    raise ProgramError(
        f"The program does not run: {first.message}",
        hint=first.hint,
        message_zh=f"程序无法运行：{first.message_zh}",
        hint_zh=first.hint_zh,
        code=first.code,
        where=first.span,
    )
