"""All runs of a race as one batch: their start, their rows, and how they ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import LimitError
from engine.execution import Columns, Session
from engine.execution.batching import RaceLoop
from engine.execution.budget import Limits
from engine.graph import Node, Tensor
from engine.languages.interpreter.budget import Budget
from engine.languages.request_values import fed
from engine.ops.base.tensors import Array
from engine.programs.program.outcome import Outcome
from engine.programs.races.endings import Endings
from engine.programs.races.groups import Initial, RunGroup, groups_of, stacked
from engine.programs.races.race_run import RaceRun
from engine.programs.races.run_answer import RunEnd, end_at_row
from engine.programs.training.training import rows_of

WINDOW_NUMBERS = 500_000  # computed between two looks at the clock and at what has ended


class RaceBatch:
    """All runs at their start, and what becomes of them.

    Runs stand in the batch group by group; `places` says which stands where.
    """

    def __init__(
        self, outcome: Outcome, groups: Sequence[RunGroup], initial: Initial, loop: RaceLoop, meter: Budget
    ) -> None:
        self.outcome, self.groups, self.initial, self.loop, self.meter = outcome, groups, initial, loop, meter
        self.loss: Tensor = groups[0].training.loss
        self.endings = Endings(loop.runs)
        self.cut: LimitError | None = None
        self.gradients = _gradients(groups)
        self.trained = list(self.gradients)
        self.common = {self.loss, *self.gradients.values(), *loop.state}  # columns of every run

    @classmethod
    def start(
        cls, outcome: Outcome, runs: Sequence[RaceRun], limits: Limits, spare: bool = False
    ) -> RaceBatch:
        """Build every train op, initialise, and record one step of all.

        spare:  record only what shows how a run ends.
        Raises: GradlensError where a run's request does not fit; Unbatchable.
        """
        meter = Budget(limits)
        groups = groups_of(outcome, runs)
        feeds = fed(outcome.usual_feeds)
        initial = dict(outcome.initialised_session(meter, feeds).variables)
        gradients = _gradients(groups)
        own = {node for group in groups for node in group.own}
        starts = [start for group in groups for start in group.starts]
        varied = {node for start in starts for node in start} - own
        state = {
            node: np.broadcast_to(stacked(node, starts, initial), (len(runs), *initial[node].shape))
            for node in [*gradients, *(varied - set(gradients))]
        }
        shared = {node: value for node, value in initial.items() if node not in state and node not in own}
        loss = groups[0].training.loss
        common = [loss, *gradients.values()]
        ready = [tensor for group in groups for tensor in group.ready]
        loop = RaceLoop(
            [loss],
            gradients,
            [group.batched(initial, common) for group in groups],
            state,
            feeds=feeds,
            shared=shared,
            keep=[*common, *ready, *gradients] if spare else None,
            seed=outcome.workspace.seed,
            limit=limits.batch_elements,
        )
        return cls(outcome, groups, initial, loop, meter)

    def places(self) -> Iterator[tuple[RunGroup, int, int]]:
        """Each group with the index of each of its runs, and where that one stands in the batch."""
        at = 0
        for group in self.groups:
            for index in range(len(group.runs)):
                yield group, index, at
                at += 1

    @property
    def loss_numbers(self) -> int:
        """How many numbers the losses of all runs are, at one step."""
        return int(self.loop.columns(1)[self.loss].size)

    def columns(self, steps: int) -> Mapping[Any, Array]:
        """All rows until every run has ended or a budget is spent."""
        columns = self.loop.columns(steps + 1)
        for rows in self._row_ranges(steps):
            self._take(columns, rows, columns.part(rows))
        return columns.part(slice(0, self.endings.rows))

    def windows(self, steps: int) -> Iterator[tuple[int, Mapping[Any, Array]]]:
        """The same one window at a time, with the number of its first row; all windows share one buffer."""
        columns = self.loop.columns(min(self._window, steps + 1))
        for rows in self._row_ranges(steps):
            here = slice(0, rows.stop - rows.start)
            window = columns.part(here)
            self._take(columns, here, window)
            yield rows.start, window

    @property
    def _window(self) -> int:
        """How many rows are computed between two looks at the clock."""
        return max(1, WINDOW_NUMBERS // max(1, self.loop.row_numbers))

    def _row_ranges(self, steps: int) -> Iterator[slice]:
        """The ranges of rows to compute, as long as any run goes on and no budget is spent."""
        self.loop.expect(steps + 1)
        done = 0
        while done <= steps and not self.endings.over:
            count = min(self._window, steps + 1 - done)
            try:
                self.meter.check_clock()
                self.meter.spend(count * self.loop.elements)
            except LimitError as error:
                if not done:
                    raise
                self.cut = error
                return
            yield slice(done, done + count)
            done += count

    def _take(self, columns: Columns, rows: slice, window: Mapping[Any, Array]) -> None:
        self.loop.fill(columns, rows)
        self._look(window)

    def outcome_of(self, at: int) -> tuple[str, int | None]:
        """The status of one run, and the row at which it ended, if there is one."""
        if self.endings.ended[at] >= 0:
            return "non_finite" if self.endings.broken[at] else "diverged", int(self.endings.ended[at])
        if self.cut is not None:
            return "limit", self.endings.rows
        if self.endings.converged[at] >= 0:
            return "converged", int(self.endings.converged[at])
        return ("diverged" if self.endings.worse(at) else "ok"), None

    def ends(self, window: Mapping[Any, Array], first: int) -> dict[int, RunEnd]:
        """How the runs ended that a number stopped at this row or later, by their place in the batch."""
        lost = [place for place in self.places() if self.endings.ended[place[2]] >= first]
        return {at: self._end(group, index, at, window, first) for group, index, at in lost}

    def _end(self, group: RunGroup, index: int, at: int, window: Mapping[Any, Array], first: int) -> RunEnd:
        """How a run ended that a number stopped in this window, with the reason it would have by itself."""
        row = int(self.endings.ended[at])
        session = self.session_of(group, index)
        state = {node: np.array(window[node][row - first, at]) for node in self.trained}
        own = {node: np.array(window[node][row - first, index]) for node in group.own if node in window}
        session.variables = {**session.variables, **state, **own}
        bound = float(self.endings.bounds[at])
        return end_at_row(group.training, session, self.feeds_of(group, index), row, bound)

    def plain_end(self, at: int) -> RunEnd:
        """How a run ended that no number stopped."""
        status, row = self.outcome_of(at)
        return RunEnd.plain(status, row, self.endings.rows, self.cut)

    def session_of(self, group: RunGroup, index: int) -> Session:
        """A session with the variables as a run starts."""
        session = Session(self.outcome.graph, meter=self.meter, seed=self.outcome.workspace.seed)
        session.variables = self.start_of(group, index)
        return session

    def start_of(self, group: RunGroup, index: int) -> dict[Node, Array]:
        """Every variable at the start of a run."""
        return {**self.initial, **group.starts[index]}

    def settings_of(self, group: RunGroup, index: int) -> dict[Tensor, Array]:
        """The hyper-parameters of a run that are not those of its group."""
        return {tensor: column[index] for tensor, column in group.settings.items()}

    def feeds_of(self, group: RunGroup, index: int) -> dict[Tensor, Array]:
        """What is fed at each step of a run."""
        return {**fed(self.outcome.usual_feeds), **self.settings_of(group, index)}

    def _look(self, window: Mapping[Any, Array]) -> None:
        slopes = [window[tensor] for tensor in self.gradients.values()]
        with np.errstate(all="ignore"):
            ready = [column for node in self.trained if (column := self._ready(node, window)) is not None]
            self.endings.look(window[self.loss], [*slopes, *ready], [window[node] for node in self.trained])

    def _ready(self, node: Node, window: Mapping[Any, Array]) -> Array | None:
        """The size of a variable's processed gradient, of all runs; None where nothing was done to it."""
        found = [
            [rows_of(g) for g, v in group.training.processed if v.node is node and g is not None]
            for group in self.groups
        ]
        if all(tensor in self.common for tensors in found for tensor in tensors):
            return None
        rows = len(window[self.loss])
        sizes = [
            _size(window[tensors[0]])
            if tensors and tensors[0] not in self.common
            else np.zeros((rows, len(group.runs)))
            for tensors, group in zip(found, self.groups, strict=True)
        ]
        return np.concatenate(sizes, axis=1)


def _size(column: Array) -> Array:
    """The largest absolute value for each row and run."""
    return np.asarray(np.abs(column).reshape(*column.shape[:2], -1).max(axis=2, initial=0.0))


def _gradients(groups: Sequence[RunGroup]) -> dict[Node, Tensor]:
    """For each trained variable its gradient, before anything is done to it."""
    found: dict[Node, Tensor] = {}
    for group in groups:
        for gradient, variable in group.training.raw:
            if gradient is not None:
                found.setdefault(variable.node, rows_of(gradient))
    return found
