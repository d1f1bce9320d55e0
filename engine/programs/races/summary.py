"""The ends of any number of runs: what a sweep keeps of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from engine.execution.batching import Unbatchable
from engine.execution.budget import Limits
from engine.graph import Node
from engine.ops.base.tensors import Array
from engine.programs.program.numpy_warnings import without_warnings
from engine.programs.program.outcome import Outcome
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest
from engine.programs.races.batch import RaceBatch
from engine.programs.races.race import RaceRequest, one_by_one
from engine.programs.runs.optimise import check_ran

FEW = 16  # numbers of a variable that are kept; of a larger one there are none


@dataclass(frozen=True, slots=True)
class Summary:
    """What a sweep keeps of one run: how it ended, its last and its lowest loss, where it stood at last.

    status:    as of a run.
    loss:      of a target of several numbers their sum, which is what the gradients are of.
    variables: those of few numbers.
    """

    status: str
    stopped_at: int | None
    loss: float
    lowest_loss: float
    lowest_at: int
    variables: Mapping[str, Array]


@without_warnings()
def summarise_race(request: ProgramRequest, race: RaceRequest, limits: Limits) -> list[Summary]:
    """The ends of the runs; no more than a window of their rows is ever kept. Raises: as `run_race`."""
    outcome = outcome_of(request, limits)
    check_ran(outcome)
    try:
        return summarise_on(outcome, race, limits)
    except Unbatchable:
        return [_summary_of(run) for run in one_by_one(request, race, limits)]


def summarise_on(outcome: Outcome, race: RaceRequest, limits: Limits) -> list[Summary]:
    """The same for a program that has run. Raises: Unbatchable, GradlensError."""
    batch = RaceBatch.start(outcome, race.numbered, limits, spare=True)
    ends = Ends.of(len(race.runs))
    for first, window in batch.windows(race.steps):
        ends.see(batch, first, window)
    summaries: dict[int, Summary] = {}
    for group, index, at in batch.places():
        named = group.training.names.items()
        variables = {name: ends.places[v.node][at] for v, name in named if v.node in ends.places}
        summaries[group.runs[index].number] = Summary(
            *batch.outcome_of(at),
            loss=float(ends.loss[at]),
            lowest_loss=float(ends.lowest[at]),
            lowest_at=int(ends.lowest_at[at]),
            variables=variables,
        )
    return [summaries[number] for number in sorted(summaries)]


@dataclass(slots=True)
class Ends:
    """The last row of each run so far, and the row where its loss was lowest."""

    loss: Array
    lowest: Array
    lowest_at: Array
    places: dict[Node, Array] = field(default_factory=dict)

    @classmethod
    def of(cls, runs: int) -> Ends:
        """The ends before the first row."""
        return cls(np.full(runs, np.nan), np.full(runs, np.inf), np.zeros(runs, dtype=int))

    def see(self, batch: RaceBatch, first: int, window: Mapping[Any, Array]) -> None:
        """Take in further rows; a run that has ended has none any more."""
        ended, loss = batch.endings.ended, window[batch.loss]
        loss = loss.sum(axis=tuple(range(2, loss.ndim))) if loss.ndim > 2 else loss
        rows = first + np.arange(len(loss))[:, None]
        shown = np.where(((ended < 0) | (rows <= ended)) & np.isfinite(loss), loss, np.inf)
        here = shown.min(axis=0)
        self.lowest_at = np.where(here < self.lowest, first + shown.argmin(axis=0), self.lowest_at)
        self.lowest = np.minimum(here, self.lowest)
        running = np.flatnonzero((ended < 0) | (ended >= first))
        last = np.where(ended[running] < 0, len(loss) - 1, ended[running] - first)
        self.loss[running] = loss[last, running]
        for node in batch.trained:
            column = window[node]
            if prod(column.shape[2:]) > FEW:
                continue
            self.places.setdefault(node, np.array(column[-1]))[running] = column[last, running]


def _summary_of(run: Mapping[str, Any]) -> Summary:
    losses = np.array([np.sum(np.asarray(value, dtype=float)) for value in run["columns"]["loss"]])
    finite = np.where(np.isfinite(losses), losses, np.inf)
    stop = run["stopped_at"]["step"] if run["stopped_at"] else None
    ends = {name: np.asarray(column[-1], dtype=float) for name, column in run["columns"]["variables"].items()}
    variables = {name: end for name, end in ends.items() if end.size <= FEW}
    lowest = int(finite.argmin())
    return Summary(run["status"], stop, float(losses[-1]), float(finite[lowest]), lowest, variables)
