"""What kernels did once for all runs of a batch, to be executed for as many runs as there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from engine.execution.batching.execution_plan import ExecutionPlan, Leaves
from engine.execution.tracing.numpy_rules import new_recorder
from engine.execution.tracing.tracer import Tracer
from engine.ops.base.tensors import Array

NONE: Leaves = MappingProxyType({})


class Trace:
    """A recording in which `axes` batch axes stand in front of every run's own.

    leaves: the arrays that were given while recording.
    rows:   of a value by its number, which row it is of which other value.
    """

    def __init__(self, axes: int = 1) -> None:
        self.axes = axes
        self.recorder = new_recorder(axes)
        self.leaves: dict[Tracer, Array] = {}
        self.rows: dict[int, tuple[Tracer, int]] = {}

    def changing(self, array: Array) -> Tracer:
        """What stands for an array that whoever holds it fills anew before each execution."""
        return self._leaf(array, changing=True)

    def fixed(self, array: Array) -> Tracer:
        """What stands for an array that stays as it is."""
        return self._leaf(array, changing=False)

    def _leaf(self, array: Array, changing: bool) -> Tracer:
        leaf = self.recorder.value(array.shape[self.axes :], array.dtype, changing=changing)
        self.leaves[leaf] = array
        return leaf

    def row(self, of: Tracer, place: int) -> Tracer:
        """One of the arrays that lie together along the first batch axis; what they share is everyone's."""
        row = self.recorder.view(of, of.shape, "row", place)
        self.rows[row.number] = of, place
        return row

    def plan(
        self, wanted: Iterable[Tracer], leaves: Mapping[Tracer, Array] = NONE, **options: Any
    ) -> ExecutionPlan:
        """How to compute the wanted values; `leaves` may replace what was given while recording.

        The options are those of ExecutionPlan. Raises: Unbatchable beyond a limit.
        """
        steps = self.recorder.instructions
        return ExecutionPlan(steps, self.axes, list(wanted), {**self.leaves, **leaves}, **options)
