"""The answer of `POST /races`: many optimizations of one program, computed as one batch."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.errors import LimitError, ValueRefused
from engine.execution.batching import Unbatchable
from engine.execution.budget import Limits
from engine.ops.base.tensors import Array
from engine.programs.program.numpy_warnings import without_warnings
from engine.programs.program.outcome import Outcome
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest, RunRequest
from engine.programs.races.batch import RaceBatch
from engine.programs.races.race_run import RaceRun, race_runs
from engine.programs.races.rate_notes import bound_notes
from engine.programs.races.run_answer import RunEnd, columns_json
from engine.programs.runs.optimise import check_ran, optimise_outcome

MAX_RUNS = 100  # of a race that is answered row by row
MAX_NUMBERS = 2_000_000  # in all columns of a race


@dataclass(frozen=True, slots=True)
class RaceRequest:
    """Runs of one program (fields as in `POST /races`); each has the same number of steps.

    record: `variables` for every column of a run but those of nodes, `loss` for the loss alone.
    first:  the number of the first of these runs, where they are a part of a race.
    """

    runs: tuple[RunRequest, ...]
    steps: int
    record: str = "variables"
    first: int = 0

    @property
    def numbered(self) -> tuple[RaceRun, ...]:
        """The runs with their numbers."""
        return race_runs(self.runs, self.first)


@without_warnings()
def run_race(request: ProgramRequest, race: RaceRequest, limits: Limits) -> dict[str, Any]:
    """The answer of `POST /races` without its id: `{"runs": [{"optimizer", "start", "columns", …}]}`.

    Raises: GradlensError where the program stops with a mistake, or the race does not fit it or a budget.
    """
    _check_size(race)
    outcome = outcome_of(request, limits)
    check_ran(outcome)
    try:
        runs = race_on(outcome, race, limits)
    except Unbatchable:
        runs = list(one_by_one(request, race, limits))
    return {"steps": race.steps, "runs": runs}


def race_on(outcome: Outcome, race: RaceRequest, limits: Limits) -> list[dict[str, Any]]:
    """The runs of a race on a program that has run; its graph grows by a train op for each kind of optimizer.

    Raises: Unbatchable where the program has to be run once for each of them.
    """
    loss_alone = race.record == "loss"
    batch = RaceBatch.start(outcome, race.numbered, limits, spare=loss_alone)
    _check_numbers(batch, race)
    notes = bound_notes(batch)
    ends: dict[int, RunEnd] = {}
    if loss_alone:
        columns = _losses(batch, race.steps, ends)
    else:
        columns = batch.columns(race.steps)
        ends.update(batch.ends(columns, 0))
    answers: dict[int, dict[str, Any]] = {}
    for group, index, at in batch.places():
        run, end = group.runs[index], ends.get(at) or batch.plain_end(at)
        answers[run.number] = {
            **_asked(run.request),
            "columns": columns_json(group, index, at, batch, columns, end.rows),
            "status": end.status,
            "stopped_at": end.stopped_at,
            "diagnostics": [*notes.get(at, []), *end.diagnostics],
        }
    return [answers[number] for number in sorted(answers)]


def _losses(batch: RaceBatch, steps: int, ends: dict[int, RunEnd]) -> Mapping[Any, Array]:
    """The column of the loss alone: the others are never held as a whole."""
    kept = []
    for first, window in batch.windows(steps):
        ends.update(batch.ends(window, first))
        kept.append(window[batch.loss].copy())
    return {batch.loss: np.concatenate(kept)}


def one_by_one(request: ProgramRequest, race: RaceRequest, limits: Limits) -> Iterator[dict[str, Any]]:
    """Each run by itself, where runs cannot be computed together."""
    deadline = time.monotonic() + limits.wall_s
    for numbered in race.numbered:
        left = replace(limits, wall_s=max(0.001, deadline - time.monotonic()))
        run = replace(numbered.request, steps=race.steps, record="variables")
        whole = numbered.asks(optimise_outcome, outcome_of(request, left), run, left)
        ending = {key: whole[key] for key in ("status", "stopped_at", "diagnostics")}
        columns = {
            key: whole[key] for key in COLUMNS if race.record == "variables" or key in ("steps", "loss")
        }
        yield {**_asked(numbered.request), "columns": columns, **ending}


COLUMNS = ("steps", "loss", "variables", "gradients", "processed", "slots", "shared")


def _asked(run: RunRequest) -> dict[str, Any]:
    """What a run was asked to do, as it stands beside its columns."""
    return {
        "optimizer": dict(run.optimizer) if run.optimizer else None,
        "schedule": dict(run.schedule) if run.schedule else None,
        "process": [dict(step) for step in run.process],
        "start": dict(run.start),
    }


# -- what is too much ----------------------------------------------------------------------------------


def _check_size(race: RaceRequest) -> None:
    if not 1 <= len(race.runs) <= MAX_RUNS:
        raise ValueRefused(
            f"A race has 1 to {MAX_RUNS} runs, not {len(race.runs)}.",
            message_zh=f"一场比较可有 1 到 {MAX_RUNS} 次运行，不能是 {len(race.runs)}。",
            code="too_many_runs",
        )
    if (race.steps + 1) * len(race.runs) > MAX_NUMBERS:  # the loss alone
        raise _too_large((race.steps + 1) * len(race.runs))


def _check_numbers(batch: RaceBatch, race: RaceRequest) -> None:
    row = batch.loop.row_numbers if race.record == "variables" else batch.loss_numbers
    if row * (race.steps + 1) > MAX_NUMBERS:
        raise _too_large(row * (race.steps + 1), *(LOSS_ALONE if race.record == "variables" else ()))


LOSS_ALONE = (', or record only the loss: "record": "loss"', '，或只记录损失："record": "loss"')


def _too_large(numbers: int, less: str = "", less_zh: str = "") -> LimitError:
    return LimitError(
        f"The columns of this race would hold {numbers:,} numbers; the limit is {MAX_NUMBERS:,}.",
        message_zh=f"这场比较的各列共有 {numbers:,} 个数；上限是 {MAX_NUMBERS:,}。",
        hint=f"Take fewer steps or runs{less}.",
        hint_zh=f"请减少步数或运行次数{less_zh}。",
        code="race_limit",
    )
