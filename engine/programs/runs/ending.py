"""How a run ends: converged, diverged, no longer finite, or simply with its last step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from engine.errors import GradlensError, LimitError
from engine.graph import Variable
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.ops.base.tensors import FLOATS, Array
from engine.programs.diagnosis.broken_rules import SMALLER_RATE
from engine.programs.diagnosis.divergence import why_it_grows
from engine.programs.diagnosis.non_finite import (
    NonFinite,
    Values,
    broken_start,
    broken_update,
    first_non_finite,
    is_finite,
)
from engine.programs.training.stepping import Block
from engine.programs.training.training import Training, update_of

Status = Literal["ok", "converged", "diverged", "non_finite", "limit", "error"]

RUNAWAY = 1e30  # times the largest number of the start, or 1: what is beyond this has diverged
WORSE = 1e3  # times the first loss: ended, but diverging
FLAT = 1e-6  # times the first gradient, or 1 where that is steeper: one below this is as good as zero …
STILL = 1e-6  # … where no variable moves by more than this, of itself or of 1
ROUNDING = {dtype: 4 * float(np.finfo(dtype).eps) for dtype in FLOATS}  # of a loss, times its size


@dataclass(slots=True)
class Ending:
    """What became of a run, as far as its rows have come.

    stopped_at:  the step, and the node, the reason and what to try (`smaller_rate`) where there are any.
    converged:   the row since which gradients are zero and nothing moves; None while something does.
    bound:       numbers beyond this have run away.
    """

    status: Status = "ok"
    stopped_at: dict[str, Any] | None = None
    diagnostic: Diagnostic | None = None
    converged: int | None = None
    bound: float | None = None
    _steepest: float = 0.0  # of the first row
    _last: dict[Variable, Array] = field(default_factory=dict)
    _losses: tuple[float, float] | None = None  # the first and the latest

    def look(self, training: Training, block: Block) -> int | None:
        """The place in a block of the row that ends the run: a number is not finite or has run away."""
        watched = dict.fromkeys([*training.fetches, *(variable.ref for variable in training.names)])
        largest = {tensor: _largest(block.columns[tensor]) for tensor in watched}
        rows = np.max(list(largest.values()), axis=0)
        slopes = [largest[tensor] for tensor in dict.fromkeys(training.fetches[1:])]
        steepest = np.max(slopes, axis=0, initial=0.0)
        if self.bound is None:
            self.bound, self._steepest = float(bound_of(rows[0])), float(steepest[0])
        broken = np.flatnonzero(~(rows <= self.bound))
        if len(broken):
            return int(broken[0])
        losses = _greatest(block.columns[training.loss])
        self._losses = (self._losses[0] if self._losses else float(losses[0]), float(losses[-1]))
        flat = flat_below(self._steepest, largest[training.loss], training.loss.dtype)
        self._see_convergence(training, block, steepest <= flat)
        return None

    def explain(self, training: Training, values: Values, step: int) -> None:
        """Say what ends the run with this row, given every value in it."""
        for variable, name in training.names.items():
            if not is_finite(values[variable.ref]):
                self._stop_at_variable(training, variable, name, values, step)
                return
        bound = self.bound or RUNAWAY
        for name, value in _watched(training, values):
            largest = float(np.max(np.abs(value), initial=0.0))
            if not np.isfinite(largest):
                self._stop_at_non_finite(training, values, step)
                return
            if step and largest > bound:
                self._run_away(training, name, values, step)
                return

    def finish(self) -> None:
        """Judge a run that took all its steps."""
        if self.converged is not None:
            self.status, self.stopped_at = "converged", converged_at(self.converged)
            return
        first, last = self._losses or (0.0, 0.0)
        if last > WORSE * (1 + abs(first)):
            self.status = "diverged"

    def cut(self, error: LimitError, rows: int) -> None:
        """A budget ended the run."""
        self.status = "limit"
        reasons = {"reason": error.message, "reason_zh": error.message_zh}
        hints = {
            "hint": "Go on from the last row, or take fewer steps.",
            "hint_zh": "从最后一行继续，或减少步数。",
        }
        self.stopped_at = {"step": rows, "node": None, **reasons, **hints}

    def fail(self, error: GradlensError, rows: int) -> None:
        """The graph could not be run on: a mistake of the program that only this step brought to light."""
        self.status = "error"
        reasons = {"reason": error.message, "reason_zh": error.message_zh}
        hints = {"hint": error.hint, "hint_zh": error.hint_zh}
        self.stopped_at = {"step": rows, "node": error.node or None, **reasons, **hints}
        self.diagnostic = Diagnostic.of(error)

    def _stop_at_non_finite(self, training: Training, values: Values, step: int) -> None:
        broken = next(tensor for tensor in training.fetches if not is_finite(values[tensor]))
        found = first_non_finite(broken, values, moved=step > 0)
        if found.size_only and step > 0:
            hint, hint_zh = why_it_grows(training, values)[2:]
            found = replace(found, hint=hint, hint_zh=hint_zh)
        self._stop(found, step)

    def _stop_at_variable(
        self, training: Training, variable: Variable, name: str, values: Values, step: int
    ) -> None:
        """The start of a variable, or what an update has made of it, is not finite."""
        value = np.asarray(values[variable.ref])
        bad = value[~np.isfinite(value)][0]
        node = update_of(training, variable) if step else None
        self._stop(
            broken_start(variable, name, bad) if node is None else broken_update(node, name, bad), step
        )

    def _stop(self, found: NonFinite, step: int) -> None:
        node = found.node
        self.status = "non_finite"
        self._stop_at(step, node.name, found.reason, found.reason_zh, found.hint, found.hint_zh)
        self.diagnostic = Diagnostic(
            "warning",
            "non_finite",
            f"Step {step} stopped at {node.name}. {found.reason}",
            f"第 {step} 步停在 {node.name}。{found.reason_zh}",
            found.hint,
            found.hint_zh,
            span=node.span or (node.of.span if node.of else None),
        )

    def _run_away(self, training: Training, name: str, values: Values, step: int) -> None:
        self.status = "diverged"
        self._stop_at(step, name, *why_it_grows(training, values))

    def _stop_at(self, step: int, node: str, reason: str, reason_zh: str, hint: str, hint_zh: str) -> None:
        why = {"reason": reason, "reason_zh": reason_zh, "hint": hint, "hint_zh": hint_zh}
        smaller = hint.startswith(f"Try {SMALLER_RATE}")
        self.stopped_at = {"step": step, "node": node, **why, "smaller_rate": smaller}

    def _see_convergence(self, training: Training, block: Block, quiet: Array) -> None:
        """Note since when every gradient is zero (`quiet`, row by row) and no variable moves."""
        for variable in training.names:
            rows = _matrix(block.columns[variable.ref])
            last = self._last.get(variable, rows[:1])
            quiet &= _still(np.concatenate([last, rows[:-1]]), rows)
            self._last[variable] = rows[-1:]
        moving = np.flatnonzero(~quiet)
        if len(moving):
            self.converged = None
        if quiet[-1] and self.converged is None:
            since = moving[-1] + 1 if len(moving) else 0
            self.converged = max(0, block.first + int(since) - 1)


def _still(old: Array, new: Array) -> Array:
    """For each row, whether nothing in it has moved."""
    still: Array = np.all(np.abs(new - old) <= STILL * np.maximum(1.0, np.abs(new)), axis=1)
    return still


def _matrix(column: Any) -> Array:
    """A column of numbers or arrays, one row a step."""
    array = np.asarray(column)
    return array.reshape(len(array), -1)


def _largest(column: Any) -> Array:
    """The largest size of a number at each step; arrays of different shapes one by one."""
    return _greatest([np.abs(row) for row in column] if _ragged(column) else np.abs(np.asarray(column)))


def _greatest(column: Any) -> Array:
    if _ragged(column):
        return np.array([np.max(row, initial=0.0) for row in column])
    greatest: Array = np.max(_matrix(column), axis=1, initial=0.0)
    return greatest


def _ragged(column: Any) -> bool:
    return isinstance(column, list) and isinstance(column[0], np.ndarray)


def _watched(training: Training, values: Values) -> Iterator[tuple[str, Array]]:
    """Loss, gradients and variables at one step."""
    for tensor in training.fetches:
        yield tensor.node.name, values[tensor]
    for variable, name in training.names.items():
        yield name, values[variable.ref]


def bound_of(largest: Any) -> Any:
    """Beyond what a run has run away whose first row holds numbers up to this size."""
    return RUNAWAY * np.where(np.isfinite(largest), np.maximum(1.0, largest), 1.0)


def flat_below(first: Any, loss: Any, dtype: str) -> Any:
    """Up to what size a gradient is as good as zero: of what it was at first, or beside the loss's rounding.

    first: the size of the gradient at the start; a target that is nearly flat everywhere has not converged.
    """
    rounding = ROUNDING[dtype] * np.abs(loss)
    return np.maximum(FLAT * np.minimum(1.0, first), np.minimum(FLAT, rounding))


def converged_at(step: int) -> dict[str, Any]:
    """Where a run converged, as in `stopped_at`."""
    return {
        "step": step,
        "node": None,
        "reason": "The gradient is as good as zero and the variables no longer move.",
        "reason_zh": "梯度几乎为零，变量不再变化。",
    }
