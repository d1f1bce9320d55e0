"""Fetched tensors at many points at once: at a list of points, or over a grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.execution.batching.execution_plan import ExecutionPlan
from engine.execution.batching.nodes import Variables, plan_for, record
from engine.execution.batching.trace import Trace
from engine.execution.budget import Meter
from engine.execution.interpreter.buffers import variable_behind
from engine.execution.tracing.tracer import Tracer
from engine.graph import Tensor
from engine.ops.base.tensors import Array, array_dtype

BLOCK = 40_000  # numbers at once: few arrays of so many stay in the processor's nearer memory
Points = Mapping[Tensor, Array]


class Batch:
    """The fetches as a function of tensors whose values differ from run to run.

    Example: batch = Batch([loss, slope], {x: xs})   # xs of shape (runs, *S)
             losses, slopes = batch()                 # each of shape (runs, *S of the fetch)
             batch({x: others})                       # as many runs, other values
    """

    def __init__(
        self,
        fetches: Sequence[Tensor],
        points: Points,
        *,
        axes: int = 1,
        steady: Points | None = None,
        feeds: Mapping[Tensor, Any] | None = None,
        variables: Mapping[Any, Any] | None = None,
    ) -> None:
        """Record the computation at the first points.

        points:    tensors or variables' refs, with values whose first `axes` axes are the batch's.
        steady:    the same for values that never change; what depends on them alone is computed once. A
                   tensor in both has their sum.
        feeds, variables: what all runs share.
        Raises:    Unbatchable where the graph cannot be computed for all runs at once.
        """
        trace = Trace(axes)
        self._given = {
            t: trace.changing(np.asarray(value, dtype=array_dtype(t.dtype))) for t, value in points.items()
        }
        fixed = {t: trace.fixed(np.asarray(v, dtype=array_dtype(t.dtype))) for t, v in (steady or {}).items()}
        sums: dict[Tensor, Any] = {t: np.add(self._given[t], fixed[t]) for t in self._given if t in fixed}
        many = {**self._given, **fixed, **sums}
        states: dict[Any, Any] = dict(variables or {})
        states |= {v: m for t, m in many.items() if (v := variable_behind(t)) is not None}
        given: dict[Tensor, Any] = dict(feeds or {})
        given |= {t: m for t, m in many.items() if variable_behind(t) is None}
        found = record(trace, plan_for(fetches, given), fetches, given, Variables(states)).values
        self._trace, self._fetched = trace, [found[tensor] for tensor in fetches]
        self._plans: dict[Any, ExecutionPlan] = {}
        self.fill(points)

    @property
    def shapes(self) -> list[tuple[tuple[int, ...], np.dtype[Any]]]:
        """A run's shape and the element type of each fetch."""
        return [(np.shape(one), one.dtype) for one in self._fetched]

    @property
    def elements(self) -> int:
        """How many numbers one evaluation computes."""
        return self._plan.elements

    def __call__(self, points: Points | None = None) -> list[Array]:
        """The fetches at other points, or at the first ones."""
        if points is not None:
            self.fill(points)
        values = self.values()
        whole = np.broadcast_shapes(
            *(self._plan[leaf].shape[: self._trace.axes] for leaf in self._trace.leaves)
        )
        return [
            np.broadcast_to(value, (*whole, *np.shape(fetched))).copy()
            for value, fetched in zip(values, self._fetched, strict=True)
        ]

    def fill(self, points: Points) -> None:
        """Put other points in place; memory is made anew only where there are more or fewer of them."""
        arrays = [(self._given[tensor], np.asarray(value)) for tensor, value in points.items()]
        key = tuple(array.shape for _, array in arrays)
        if key not in self._plans:
            self._plans[key] = self._plan_for(points)
        self._plan = self._plans[key]
        for leaf, array in arrays:
            np.copyto(self._plan[leaf], array)

    def values(self) -> list[Array]:
        """Compute the fetches, in memory that the next computation will use again."""
        with np.errstate(all="ignore"):
            self._plan.execute()
        lead = (None,) * self._trace.axes
        plan = self._plan
        return [plan[one] if isinstance(one, Tracer) else np.asarray(one)[lead] for one in self._fetched]

    def _plan_for(self, points: Points) -> ExecutionPlan:
        leaves = {self._given[t]: np.array(value, dtype=array_dtype(t.dtype)) for t, value in points.items()}
        return self._trace.plan([one for one in self._fetched if isinstance(one, Tracer)], leaves)


class Grid:
    """The fetches at every point of a grid, block by block, each in the processor's nearest memory.

    Example: grid = Grid([loss], ({x: xs}, len(xs)), ({y: ys}, len(ys)))
             (losses,) = grid()                       # (rows, columns)
    """

    def __init__(
        self,
        fetches: Sequence[Tensor],
        down: tuple[Points, int],
        across: tuple[Points, int] = ({}, 1),
        *,
        feeds: Mapping[Tensor, Any] | None = None,
        variables: Mapping[Any, Any] | None = None,
    ) -> None:
        """Record the computation.

        down, across: what varies along the rows and along the columns, (rows, *S) and (columns, *S) for each
                      tensor, and how many rows and columns there are. A tensor in both has their sum.
        feeds, variables: what all points share.
        Raises:       Unbatchable where the graph cannot be computed for all points at once.
        """
        (downs, self.rows), (acrosses, self.columns) = down, across
        self._points = {
            t: np.asarray(value, dtype=array_dtype(t.dtype))[:, None] for t, value in downs.items()
        }
        steady = {t: np.asarray(value)[None] for t, value in acrosses.items()}
        blocks = -(-self.rows * self.columns * _largest((downs, acrosses)) // BLOCK)
        self._height = -(-self.rows // blocks)
        first = {t: value[: self._height] for t, value in self._points.items()}
        self._batch = Batch(fetches, first, axes=2, steady=steady, feeds=feeds, variables=variables)

    @property
    def elements(self) -> int:
        """How many numbers all blocks compute together."""
        return self._batch.elements * -(-self.rows // self._height)

    def __call__(self, meter: Meter | None = None) -> list[Array]:
        """For each fetch an array (rows, columns, *S)."""
        results = [np.empty((self.rows, self.columns, *own), dtype) for own, dtype in self._batch.shapes]
        for start in range(0, self.rows, self._height):
            part = slice(start, start + self._height)
            self._batch.fill({t: value[part] for t, value in self._points.items()})
            if meter is not None:
                meter.check_clock()
            for result, values in zip(results, self._batch.values(), strict=True):
                result[part] = values
        return results


def _largest(points: Sequence[Points]) -> int:
    """How many numbers the largest value of a run has."""
    return max((int(np.size(v[0])) for part in points for v in part.values()), default=1)
