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
from engine.programs.program.numpy_warnings import undisturbed
from engine.programs.program.outcome import Outcome
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest, RunRequest
from engine.programs.races.batch import Field
from engine.programs.races.race_run import Member, members_of
from engine.programs.races.rate_notes import bound_notes
from engine.programs.races.run_answer import Fate, told_columns
from engine.programs.runs.optimise import check_ran, optimise_outcome

MAX_MEMBERS = 100  # of a race that is told row by row
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
    def members(self) -> tuple[Member, ...]:
        """The runs with their numbers."""
        return members_of(self.runs, self.first)


@undisturbed()
def run_race(request: ProgramRequest, race: RaceRequest, limits: Limits) -> dict[str, Any]:
    """The answer of `POST /races` without its id: `{"runs": [{"optimizer", "start", "columns", …}]}`.

    Raises: GradlensError where the program stops with a mistake, or the race does not fit it or a budget.
    """
    _check_size(race)
    outcome = outcome_of(request, limits)
    check_ran(outcome)
    try:
        told = race_on(outcome, race, limits)
    except Unbatchable:
        told = list(one_by_one(request, race, limits))
    return {"steps": race.steps, "runs": told}


def race_on(outcome: Outcome, race: RaceRequest, limits: Limits) -> list[dict[str, Any]]:
    """The runs of a race on a program that has run; its graph grows by a train op for each kind of optimizer.

    Raises: Unbatchable where the program has to be run member by member.
    """
    loss_alone = race.record == "loss"
    field = Field.line_up(outcome, race.members, limits, spare=loss_alone)
    _check_numbers(field, race)
    notes = bound_notes(field)
    fates: dict[int, Fate] = {}
    if loss_alone:
        columns = _losses(field, race.steps, fates)
    else:
        columns = field.columns(race.steps)
        fates.update(field.fates(columns, 0))
    told: dict[int, dict[str, Any]] = {}
    for team, member, at in field.members():
        fate = fates.get(at) or field.plain_fate(at)
        told[team.members[member].number] = {
            **_asked(team.members[member].run),
            "columns": told_columns(team, member, at, field, columns, fate.rows),
            "status": fate.status,
            "stopped_at": fate.stopped_at,
            "diagnostics": [*notes.get(at, []), *fate.diagnostics],
        }
    return [told[number] for number in sorted(told)]


def _losses(field: Field, steps: int, fates: dict[int, Fate]) -> Mapping[Any, Array]:
    """The column of the loss; the others are never there as a whole."""
    kept = []
    for first, window in field.windows(steps):
        fates.update(field.fates(window, first))
        kept.append(window[field.loss].copy())
    return {field.loss: np.concatenate(kept)}


def one_by_one(request: ProgramRequest, race: RaceRequest, limits: Limits) -> Iterator[dict[str, Any]]:
    """Each member by a run of its own, where members cannot be computed together."""
    deadline = time.monotonic() + limits.wall_s
    for member in race.members:
        left = replace(limits, wall_s=max(0.001, deadline - time.monotonic()))
        run = replace(member.run, steps=race.steps, record="variables")
        whole = member.asks(optimise_outcome, outcome_of(request, left), run, left)
        ending = {key: whole[key] for key in ("status", "stopped_at", "diagnostics")}
        columns = {
            key: whole[key] for key in COLUMNS if race.record == "variables" or key in ("steps", "loss")
        }
        yield {**_asked(member.run), "columns": columns, **ending}


COLUMNS = ("steps", "loss", "variables", "gradients", "processed", "slots", "shared")


def _asked(run: RunRequest) -> dict[str, Any]:
    """What a member asked for, as it is told beside its columns."""
    return {
        "optimizer": dict(run.optimizer) if run.optimizer else None,
        "schedule": dict(run.schedule) if run.schedule else None,
        "process": [dict(step) for step in run.process],
        "start": dict(run.start),
    }


# -- what is too much ----------------------------------------------------------------------------------


def _check_size(race: RaceRequest) -> None:
    if not 1 <= len(race.runs) <= MAX_MEMBERS:
        raise ValueRefused(
            f"A race has 1 to {MAX_MEMBERS} runs, not {len(race.runs)}.",
            message_zh=f"一场比较可有 1 到 {MAX_MEMBERS} 次运行，不能是 {len(race.runs)}。",
            code="too_many_runs",
        )
    if (race.steps + 1) * len(race.runs) > MAX_NUMBERS:  # the loss alone
        raise _too_large((race.steps + 1) * len(race.runs))


def _check_numbers(field: Field, race: RaceRequest) -> None:
    row = field.loop.row_numbers if race.record == "variables" else field.loss_numbers
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
