"""How each run of a race ends, found from columns: as `Ending` finds it for one run, for all at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.ops.base.tensors import Array
from engine.programs.runs.ending import RUNAWAY, STILL, WORSE, bound_of, flat_below


class Endings:
    """What became of the runs, as far as their rows have come.

    ended:   the row with which each ended since a number was not finite or ran away; -1 of those that go on.
    broken:  whether it was not finite: the first such number among loss, gradients and variables decides.
    converged: the row since which gradients are zero and nothing moves; -1 while something does.
    bounds:  the size of number beyond which each has run away.
    """

    def __init__(self, runs: int) -> None:
        self.rows = 0
        self.ended = np.full(runs, -1)
        self.broken = np.zeros(runs, dtype=bool)
        self.converged = np.full(runs, -1)
        self.bounds = np.full(runs, RUNAWAY)
        self._steepest = np.zeros(runs)  # the first row's gradients
        self._losses: tuple[Array, Array] | None = None
        self._last: list[Array] = []

    def look(self, loss: Array, slopes: Sequence[Array], variables: Sequence[Array]) -> None:
        """Look at further rows: columns (rows, runs, *S)."""
        columns = [loss, *slopes, *variables]
        if not self.rows:
            self.bounds = bound_of(_largest([column[:1] for column in columns])[0])
            self._steepest = _largest([slope[:1] for slope in slopes])[0]
        lost = ~np.all([_within_bounds(column, self.bounds) for column in columns], axis=0) & (self.ended < 0)
        if lost.any():
            bounds = self.bounds[lost]
            row = np.argmax(~(_largest([c[:, lost] for c in columns]) <= bounds), axis=0)
            self.ended[lost] = self.rows + row
            for column in reversed(columns):
                size = _largest([column[row, lost][None]])[0]
                self.broken[lost] = np.where(size <= bounds, self.broken[lost], ~np.isfinite(size))
        self._see_convergence(loss, slopes, variables)
        first, last = (_largest([np.maximum(loss[[row]], 0)])[0] for row in (0, -1))
        self._losses = (self._losses[0] if self._losses else first, last)
        self._last = [column[-1].copy() for column in variables]
        self.rows += len(loss)

    @property
    def over(self) -> bool:
        """Whether every run has ended."""
        return bool((self.ended >= 0).all())

    def worse(self, run: int) -> bool:
        """Whether a run that took all its steps is far worse off than at the start."""
        first, last = self._losses or (np.zeros(len(self.ended)),) * 2
        return bool(last[run] > WORSE * (1 + abs(first[run])))

    def _see_convergence(self, loss: Array, slopes: Sequence[Array], variables: Sequence[Array]) -> None:
        """Note since when every gradient is zero and no variable moves; the last row decides most runs."""
        everyone = np.arange(len(self.ended))
        rows = len(slopes[0])
        last = [column[-1:] for column in (loss, *slopes)]
        quiet = everyone[self._flat(last[0], last[1:], everyone)[0]]
        if len(quiet):
            quiet = quiet[self._quiet(loss, slopes, variables, slice(rows - 1, rows), quiet)[0]]
        converged = np.full_like(self.converged, -1)
        if len(quiet):
            restless = ~self._quiet(loss, slopes, variables, slice(0, rows), quiet)
            moved = restless.any(axis=0)
            start = np.where(moved, rows - np.argmax(restless[::-1], axis=0), 0)
            since = np.maximum(0, self.rows + start - 1)
            before = self.converged[quiet]
            converged[quiet] = np.where(~moved & (before >= 0), before, since)
        self.converged = converged

    def _flat(self, loss: Array, slopes: Sequence[Array], runs: Array) -> Array:
        """For each row and each of these runs, whether all gradients are practically zero."""
        below = flat_below(self._steepest[runs], _largest([loss]), loss.dtype.name)
        return np.asarray(_largest(slopes) <= below)

    def _quiet(
        self,
        loss: Array,
        slopes: Sequence[Array],
        variables: Sequence[Array],
        rows: slice,
        runs: Array,
    ) -> Array:
        """For these rows and runs whether all gradients are zero and no variable has moved."""
        quiet = self._flat(loss[rows, runs], [slope[rows, runs] for slope in slopes], runs)
        for place, column in enumerate(variables):
            new = column[rows, runs]
            if rows.start:
                old = column[rows.start - 1 : rows.stop - 1, runs]
            else:
                first = self._last[place][runs][None] if self._last else new[:1]
                old = np.concatenate([first, new[:-1]])
            still = np.abs(new - old) <= STILL * np.maximum(1.0, np.abs(new))
            quiet = quiet & still.all(axis=tuple(range(2, still.ndim)))
        return np.asarray(quiet)


def _within_bounds(column: Array, bounds: Array) -> Array:
    """For each run whether all numbers of a column are within its bound; NaN is not."""
    axes = (0, *range(2, column.ndim))
    return np.asarray(
        (column.max(axis=axes, initial=-RUNAWAY) <= bounds)
        & (column.min(axis=axes, initial=RUNAWAY) >= -bounds)
    )


def _largest(columns: Sequence[Array]) -> Array:
    """The largest absolute value in each row of each run; NaN where there is one."""
    sizes = [np.abs(column).max(axis=tuple(range(2, column.ndim)), initial=0.0) for column in columns]
    return np.asarray(np.max(np.stack(sizes), axis=0) if len(sizes) > 1 else sizes[0])
