"""Tensors at many points: all at once where the graph can be computed so, else one point after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.differentiation import gradients
from engine.execution import Session
from engine.execution.batching import Batch, Unbatchable
from engine.execution.interpreter.buffers import variable_behind
from engine.graph import Node, Tensor, Variable
from engine.languages.interpreter.budget import Budget
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array
from engine.ops.common.casting import cast

Point = Mapping[Tensor, Array]
Points = Mapping[Tensor, Array]  # (points, *S) for each tensor, which may be a variable's ref


def dense_gradients(y: Tensor, variables: Sequence[Variable]) -> list[Tensor | None]:
    """As `gradients`, but whole where they come row by row, as from `tf.gather`, and of one type."""
    found = [g.densify() if isinstance(g, IndexedSlices) else g for g in gradients(y, variables)]
    widest = np.result_type(*{g.dtype for g in found if g is not None}, np.float16).name
    return [None if g is None else cast(g, widest) for g in found]


def at_points(
    fetches: Sequence[Tensor],
    start: Points,
    feeds: Mapping[Tensor, Any],
    variables: Mapping[Node, Array],
    meter: Budget,
) -> Callable[[Points], list[Array]]:
    """Fetches as a function of what differs from point to point.

    start: any points, as many as there will be; feeds, variables: what all points share.
    """

    def apart(points: Points) -> list[Array]:
        return one_by_one(fetches, _singly(points), feeds, variables, meter)

    try:
        batch = Batch(fetches, start, feeds=feeds, variables=variables)
    except Unbatchable:
        return apart

    def evaluate(points: Points) -> list[Array]:
        meter.spend(batch.elements)
        meter.check_clock()
        try:
            return batch(points)
        except Unbatchable:  # shapes differ from point to point
            return apart(points)

    return evaluate


def one_by_one(
    fetches: Sequence[Tensor],
    points: Iterable[Point],
    feeds: Mapping[Tensor, Any],
    variables: Mapping[Node, Array],
    meter: Budget,
) -> list[Array]:
    """One run of a session for each point."""
    session = Session(fetches[0].graph, meter=meter)
    rows = []
    for point in points:
        moved = {node: value for t, value in point.items() if (node := variable_behind(t)) is not None}
        given = {t: value for t, value in point.items() if variable_behind(t) is None}
        session.variables = {**variables, **moved}
        rows.append(session.run(list(fetches), {**feeds, **given}))
    return [np.array(column) for column in zip(*rows, strict=True)]


def _singly(points: Points) -> Iterable[Point]:
    count = len(next(iter(points.values())))
    return ({tensor: values[place] for tensor, values in points.items()} for place in range(count))
