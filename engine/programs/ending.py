"""How a run ends: converged, diverged, no longer finite, or simply with its last step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from engine.errors import GradlensError, LimitError
from engine.execution import Run
from engine.graph import Node, Tensor, Variable
from engine.ops.tensors import Array
from engine.programs.interpreter.diagnostics import Diagnostic
from engine.programs.mishaps import SMALLER_RATE, first_mishap
from engine.programs.stepping import Block
from engine.programs.training import Training

Status = Literal["ok", "converged", "diverged", "non_finite", "limit", "error"]

RUNAWAY = 1e30  # a loss, a variable or a gradient beyond this has diverged
WORSE = 1e3  # times the first loss: ended, but diverging
FLAT = 1e-6  # a gradient below this is as good as zero …
STILL = 1e-6  # … where no variable moves by more than this, of itself or of 1


@dataclass(slots=True)
class Ending:
    """What became of a run, as far as its rows have come.

    stopped_at:  the step, and the node, the reason and what to try (`smaller_rate`) where there are any.
    settled:     the row since which gradients are zero and nothing moves; None while something does.
    """

    status: Status = "ok"
    stopped_at: dict[str, Any] | None = None
    diagnostic: Diagnostic | None = None
    settled: int | None = None
    _last: dict[Variable, Array] = field(default_factory=dict)
    _losses: tuple[float, float] | None = None  # the first and the latest

    def look(self, training: Training, block: Block) -> int | None:
        """The place in a block of the row that ends the run: a number is not finite or has run away."""
        watched = dict.fromkeys([*training.fetches, *(variable.ref for variable in training.names)])
        largest = {tensor: _largest(block.columns[tensor]) for tensor in watched}
        broken = np.flatnonzero(~(np.max(list(largest.values()), axis=0) <= RUNAWAY))
        if len(broken):
            return int(broken[0])
        losses = _greatest(block.columns[training.loss])
        self._losses = (self._losses[0] if self._losses else float(losses[0]), float(losses[-1]))
        slopes = [largest[tensor] for tensor in dict.fromkeys(training.fetches[1:])]
        self._settle(training, block, np.max(slopes, axis=0, initial=0.0) <= FLAT)
        return None

    def explain(self, training: Training, before: Mapping[Node, Array], trace: Run, step: int) -> None:
        """Say what ends the run with this row, given everything in it."""
        for name, tensor, value in _watched(training, before, trace):
            largest = float(np.max(np.abs(value), initial=0.0))
            if not np.isfinite(largest):
                self._stop_at_mishap(name, tensor, trace, step)
                return
            if largest > RUNAWAY:
                self._run_away(name, step)
                return

    def finish(self) -> None:
        """Judge a run that took all its steps."""
        if self.settled is not None:
            self.status, self.stopped_at = "converged", converged_at(self.settled)
            return
        first, last = self._losses or (0.0, 0.0)
        if last > WORSE * (1 + abs(first)):
            self.status = "diverged"

    def cut(self, error: LimitError, rows: int) -> None:
        """A budget ended the run."""
        self.status = "limit"
        told = {"reason": error.message, "reason_zh": error.message_zh}
        self.stopped_at = {"step": rows, "node": None, **told}

    def fail(self, error: GradlensError, rows: int) -> None:
        """The graph could not be run on: a mistake of the program that only this step brought to light."""
        self.status = "error"
        told = {"reason": error.message, "reason_zh": error.message_zh}
        hints = {"hint": error.hint, "hint_zh": error.hint_zh}
        self.stopped_at = {"step": rows, "node": error.node or None, **told, **hints}
        self.diagnostic = Diagnostic.of(error)

    def _stop_at_mishap(self, name: str, tensor: Tensor | None, trace: Run, step: int) -> None:
        self.status = "non_finite"
        if tensor is None:
            reason, reason_zh = "The update is no longer finite.", "更新不再是有限的数。"
            self.stopped_at = {"step": step, "node": name, "reason": reason, "reason_zh": reason_zh}
            return
        mishap = first_mishap(tensor, trace.values)
        node = mishap.node
        told = {"reason": mishap.reason, "reason_zh": mishap.reason_zh}
        hints = {"hint": f"Try {mishap.hint}", "hint_zh": f"可以试试：{mishap.hint_zh}"}
        mends = step > 0 and mishap.mended_by_smaller_rate
        self.stopped_at = {"step": step, "node": node.name, **told, **hints, "smaller_rate": mends}
        self.diagnostic = Diagnostic(
            "warning",
            "non_finite",
            f"Step {step} stopped at {node.name}. {mishap.reason}",
            f"第 {step} 步停在 {node.name}。{mishap.reason_zh}",
            **hints,
            span=node.span or (node.of.span if node.of else None),
        )

    def _run_away(self, name: str, step: int) -> None:
        self.status = "diverged"
        self.stopped_at = {
            "step": step,
            "node": name,
            "reason": "The values grow without end: the learning rate is too large.",
            "reason_zh": "数值不断增大：学习率太大。",
            "hint": f"Try {SMALLER_RATE[0]}",
            "hint_zh": f"可以试试：{SMALLER_RATE[1]}",
            "smaller_rate": step > 0,
        }

    def _settle(self, training: Training, block: Block, quiet: Array) -> None:
        """Note since when every gradient is zero (`quiet`, row by row) and no variable moves."""
        for variable in training.names:
            rows = _matrix(block.columns[variable.ref])
            last = self._last.get(variable, rows[:1])
            quiet &= _still(np.concatenate([last, rows[:-1]]), rows)
            self._last[variable] = rows[-1:]
        moving = np.flatnonzero(~quiet)
        if len(moving):
            self.settled = None
        if quiet[-1] and self.settled is None:
            since = moving[-1] + 1 if len(moving) else 0
            self.settled = max(0, block.first + int(since) - 1)


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


def _watched(
    training: Training, before: Mapping[Node, Array], trace: Run
) -> Iterator[tuple[str, Tensor | None, Array]]:
    """Loss, gradients and variables at one step; what is computed comes with its tensor."""
    for tensor in training.fetches:
        yield tensor.node.name, tensor, trace.values[tensor]
    for variable, name in training.names.items():
        yield name, None, before[variable.node]


def converged_at(step: int) -> dict[str, Any]:
    """Where a run settled, as `stopped_at` tells it."""
    return {
        "step": step,
        "node": None,
        "reason": "The gradient is zero and the variables no longer move.",
        "reason_zh": "梯度为零，变量不再变化。",
    }
