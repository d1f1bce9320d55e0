"""The members of a race at the start line, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import LimitError
from engine.execution import Columns, Session
from engine.execution.batching import RaceLoop
from engine.execution.budget import Limits
from engine.graph import Node, Tensor
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.languages.interpreter.budget import Budget
from engine.languages.request_values import fed
from engine.languages.surfaces.tf1.session import usual_feeds
from engine.ops.base.tensors import Array
from engine.programs.program.outcome import Outcome
from engine.programs.races.groups import Initial, Team, stacked, teams_of
from engine.programs.races.judge import Judge
from engine.programs.races.members import Member
from engine.programs.races.telling import Fate, fate_of
from engine.programs.training.training import rows_of

WINDOW_NUMBERS = 500_000  # computed between two looks at the clock and at how members fare


class Field:
    """All members at the start line, and what becomes of them.

    Members stand in the batch team by team; `members` tells who stands where.
    """

    def __init__(
        self, outcome: Outcome, teams: Sequence[Team], initial: Initial, loop: RaceLoop, meter: Budget
    ) -> None:
        self.outcome, self.teams, self.initial, self.loop, self.meter = outcome, teams, initial, loop, meter
        self.loss: Tensor = teams[0].training.loss
        self.judge = Judge(loop.members)
        self.cut: LimitError | None = None
        self.gradients = _gradients(teams)
        self.trained = list(self.gradients)
        self.common = {self.loss, *self.gradients.values(), *loop.state}  # columns of everybody

    @classmethod
    def line_up(
        cls, outcome: Outcome, members: Sequence[Member], limits: Limits, spare: bool = False
    ) -> Field:
        """Build every train op, initialise, and record one step of all.

        spare:  record only what tells how a run ends.
        Raises: GradlensError where a member's request does not fit; Unbatchable.
        """
        meter = Budget(limits)
        teams = teams_of(outcome, members)
        feeds = fed(usual_feeds(outcome.workspace, outcome.names, outcome.graph))
        session = Session(outcome.graph, meter=meter, seed=outcome.workspace.seed)
        session.run([v.initializer for v in outcome.graph.collection(GLOBAL_VARIABLES)], feeds)
        initial = dict(session.variables)
        gradients = _gradients(teams)
        own = {node for team in teams for node in team.own}
        starts = [start for team in teams for start in team.starts]
        varied = {node for start in starts for node in start} - own
        state = {
            node: np.broadcast_to(stacked(node, starts, initial), (len(members), *initial[node].shape))
            for node in [*gradients, *(varied - set(gradients))]
        }
        shared = {node: value for node, value in initial.items() if node not in state and node not in own}
        loss = teams[0].training.loss
        common = [loss, *gradients.values()]
        ready = [tensor for team in teams for tensor in team.ready]
        loop = RaceLoop(
            [loss],
            gradients,
            [team.group(initial, common) for team in teams],
            state,
            feeds=feeds,
            shared=shared,
            keep=[*common, *ready, *gradients] if spare else None,
            seed=outcome.workspace.seed,
            limit=limits.alive_elements,
        )
        return cls(outcome, teams, initial, loop, meter)

    def members(self) -> Iterator[tuple[Team, int, int]]:
        """Each team with each of its members, and where that one stands in the batch."""
        at = 0
        for team in self.teams:
            for member in range(len(team.members)):
                yield team, member, at
                at += 1

    @property
    def loss_numbers(self) -> int:
        """How many numbers the losses of all members are, at one step."""
        return int(self.loop.columns(1)[self.loss].size)

    def columns(self, steps: int) -> Mapping[Any, Array]:
        """All rows until every member has ended or a budget is spent, judged."""
        columns = self.loop.columns(steps + 1)
        for rows in self._row_ranges(steps):
            self._take(columns, rows, columns.part(rows))
        return columns.part(slice(0, self.judge.rows))

    def windows(self, steps: int) -> Iterator[tuple[int, Mapping[Any, Array]]]:
        """The same a window at a time, with its first row: each stands where the one before it stood."""
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
        """Which rows come next, as long as any member runs and no budget is spent."""
        self.loop.expect(steps + 1)
        done = 0
        while done <= steps and not self.judge.over:
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
        self._judge(window)

    def outcome_of(self, at: int) -> tuple[str, int | None]:
        """How one member ended, and at which row where there is one."""
        if self.judge.ended[at] >= 0:
            return "non_finite" if self.judge.broken[at] else "diverged", int(self.judge.ended[at])
        if self.cut is not None:
            return "limit", self.judge.rows
        if self.judge.settled[at] >= 0:
            return "converged", int(self.judge.settled[at])
        return ("diverged" if self.judge.worse(at) else "ok"), None

    def fates(self, window: Mapping[Any, Array], first: int) -> dict[int, Fate]:
        """How the members ended that a number stopped at this row or later, by their place in the batch."""
        lost = [place for place in self.members() if self.judge.ended[place[2]] >= first]
        return {at: self._fate(team, member, at, window, first) for team, member, at in lost}

    def _fate(self, team: Team, member: int, at: int, window: Mapping[Any, Array], first: int) -> Fate:
        """How a member ended that a number stopped in this window, with the reason, as a run of its own."""
        row = int(self.judge.ended[at])
        session = self.session_of(team, member)
        state = {node: np.array(window[node][row - first, at]) for node in self.trained}
        own = {node: np.array(window[node][row - first, member]) for node in team.own if node in window}
        session.variables = {**session.variables, **state, **own}
        bound = float(self.judge.bounds[at])
        return fate_of(team.training, session, self.feeds_of(team, member), row, bound)

    def plain_fate(self, at: int) -> Fate:
        """How a member ended that no number stopped."""
        status, row = self.outcome_of(at)
        return Fate.plain(status, row, self.judge.rows, self.cut)

    def session_of(self, team: Team, member: int) -> Session:
        """A session that stands where a member starts."""
        session = Session(self.outcome.graph, meter=self.meter, seed=self.outcome.workspace.seed)
        session.variables = self.start_of(team, member)
        return session

    def start_of(self, team: Team, member: int) -> dict[Node, Array]:
        """Every variable at a member's start."""
        return {**self.initial, **team.starts[member]}

    def settings_of(self, team: Team, member: int) -> dict[Tensor, Array]:
        """The hyper-parameters of a member that are not those of its team."""
        return {tensor: column[member] for tensor, column in team.settings.items()}

    def feeds_of(self, team: Team, member: int) -> dict[Tensor, Array]:
        """What is fed at each step of a member."""
        outcome = self.outcome
        usual = fed(usual_feeds(outcome.workspace, outcome.names, outcome.graph))
        return {**usual, **self.settings_of(team, member)}

    def _judge(self, window: Mapping[Any, Array]) -> None:
        slopes = [window[tensor] for tensor in self.gradients.values()]
        with np.errstate(all="ignore"):
            ready = [column for node in self.trained if (column := self._ready(node, window)) is not None]
            self.judge.look(window[self.loss], [*slopes, *ready], [window[node] for node in self.trained])

    def _ready(self, node: Node, window: Mapping[Any, Array]) -> Array | None:
        """The size of a variable's processed gradient, of all members; None where nothing was done to it."""
        found = [
            [rows_of(g) for g, v in team.training.processed if v.node is node and g is not None]
            for team in self.teams
        ]
        if all(tensor in self.common for tensors in found for tensor in tensors):
            return None
        rows = len(window[self.loss])
        sizes = [
            _size(window[tensors[0]])
            if tensors and tensors[0] not in self.common
            else np.zeros((rows, len(team.members)))
            for tensors, team in zip(found, self.teams, strict=True)
        ]
        return np.concatenate(sizes, axis=1)


def _size(column: Array) -> Array:
    """The largest size of a number for each row and member."""
    return np.asarray(np.abs(column).reshape(*column.shape[:2], -1).max(axis=2, initial=0.0))


def _gradients(teams: Sequence[Team]) -> dict[Node, Tensor]:
    """For each trained variable its gradient, before anything is done to it."""
    found: dict[Node, Tensor] = {}
    for team in teams:
        for gradient, variable in team.training.raw:
            if gradient is not None:
                found.setdefault(variable.node, rows_of(gradient))
    return found
