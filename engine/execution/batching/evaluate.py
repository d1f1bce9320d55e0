"""Fetched tensors at many points at once: at a list of points, or over a grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.execution.batching.many import Many
from engine.execution.batching.nodes import Variables, record
from engine.execution.batching.tape import Tape
from engine.execution.plan import variable_behind
from engine.graph import Tensor
from engine.ops.tensors import Array

BLOCK = 4096  # members at once: their arrays stay in the processor's nearest memory
Points = Mapping[Tensor, Array]


class Batch:
    """The fetches as a function of tensors whose values differ from member to member.

    Example: batch = Batch([loss, slope], {x: xs})   # xs of shape (members, *S)
             losses, slopes = batch()                 # each of shape (members, *S of the fetch)
             batch({x: others})                       # as many members, other values
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
        steady:    the same for values that never change; what depends on them alone is computed once.
        feeds, variables: what all members share.
        Raises:    Unbatchable where the graph cannot be computed for all members at once.
        """
        tape = Tape(axes)
        self._given = {t: tape.changing(np.asarray(value, dtype=t.dtype)) for t, value in points.items()}
        fixed = {t: tape.fixed(np.asarray(v, dtype=t.dtype)) for t, v in (steady or {}).items()}
        many = {**self._given, **fixed}
        states: dict[Any, Any] = dict(variables or {})
        states |= {v: m for t, m in many.items() if (v := variable_behind(t)) is not None}
        given: dict[Tensor, Any] = dict(feeds or {})
        given |= {t: m for t, m in many.items() if variable_behind(t) is None}
        found = record(tape, fetches, given, Variables(states)).values
        self._tape, self._fetched = tape, [found[tensor] for tensor in fetches]
        self._bind(points)

    def __call__(self, points: Points | None = None) -> list[Array]:
        """The fetches at other points, or at the first ones."""
        if points is not None:
            self.fill(points)
        values = self.values()
        whole = np.broadcast_shapes(
            *(self._bound[leaf].shape[: self._tape.axes] for leaf in self._tape.leaves)
        )
        return [
            np.broadcast_to(value, (*whole, *np.shape(fetched))).copy()
            for value, fetched in zip(values, self._fetched, strict=True)
        ]

    def fill(self, points: Points) -> None:
        """Put other points in place; memory is made anew only where there are more or fewer of them."""
        arrays = {self._given[tensor]: np.asarray(value) for tensor, value in points.items()}
        if any(self._bound[leaf].shape != array.shape for leaf, array in arrays.items()):
            self._bind(points)
        for leaf, array in arrays.items():
            np.copyto(self._bound[leaf], array)

    def values(self) -> list[Array]:
        """Compute the fetches, in memory that the next computation will use again."""
        with np.errstate(all="ignore"):
            self._bound.replay()
        return [self._bound[one] if isinstance(one, Many) else np.asarray(one) for one in self._fetched]

    def _bind(self, points: Points) -> None:
        leaves = {self._given[t]: np.array(value, dtype=t.dtype) for t, value in points.items()}
        self._bound = self._tape.bind([one for one in self._fetched if isinstance(one, Many)], leaves)


def over_grid(
    fetches: Sequence[Tensor],
    down: tuple[Points, int],
    across: tuple[Points, int] = ({}, 1),
    *,
    feeds: Mapping[Tensor, Any] | None = None,
    variables: Mapping[Any, Any] | None = None,
) -> list[Array]:
    """The fetches at every point of a grid, block by block.

    down, across: what varies along the rows and along the columns, (rows, *S) and (columns, *S) for each
                  tensor, and how many rows and columns there are.
    Returns:      for each fetch an array (rows, columns, *S).
    Raises:       Unbatchable where the graph cannot be computed for all points at once.
    """
    (downs, rows), (acrosses, columns) = down, across
    height = max(1, min(rows, BLOCK // columns))
    steady = {t: np.asarray(value)[None] for t, value in acrosses.items()}
    results: list[Array] = []
    batch: Batch | None = None
    for start in range(0, rows, height):
        part = slice(start, min(start + height, rows))
        points = {t: np.asarray(value)[part, None] for t, value in downs.items()}
        if batch is None:
            batch = Batch(fetches, points, axes=2, steady=steady, feeds=feeds, variables=variables)
        else:
            batch.fill(points)
        for place, value in enumerate(batch.values()):
            if not start:
                own = np.shape(value)[2:] if np.ndim(value) >= 2 else np.shape(value)
                results.append(np.empty((rows, columns, *own), dtype=np.asarray(value).dtype))
            results[place][part] = value
    return results
