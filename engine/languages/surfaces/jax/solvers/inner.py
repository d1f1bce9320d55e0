"""A function of the program inside a solver: traced once, then computed by numpy as often as it is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import move_axis
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, evaluate
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import trace_to_jaxpr
from engine.languages.surfaces.jax.core.values import JaxArray
from engine.languages.surfaces.jax.lax.shapes import stack_p
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem

Arrays = Callable[..., list[Any]]


def written(function: Callable[..., Sequence[Any]], avals: Sequence[Aval]) -> tuple[Jaxpr, list[Any]]:
    """A function of flat arguments as a jaxpr that takes first what it uses from outside; and that."""
    jaxpr = trace_to_jaxpr(function, avals)
    return jaxpr.with_constants_first(), list(jaxpr.values)


def on_arrays(jaxpr: Jaxpr) -> Arrays:
    """A jaxpr as a function of numpy's arrays. What it computes is not drawn: it is one step of many."""

    def call(*arrays: Any) -> list[Any]:
        run = run_now()
        run.budget.step()
        values = [JaxArray(array, aval.weak) for array, aval in zip(arrays, jaxpr.in_avals, strict=True)]
        recorder, run.recorder = run.recorder, None
        try:
            with run.under(run.evaluation):
                return [one.array for one in evaluate(jaxpr, values)]
        finally:
            run.recorder = recorder

    return call


def each_for_itself(primitive: Primitive) -> None:
    """Of a batch: each example is solved for itself."""

    def batch(size: int, values: Any, axes: Any, **parameters: Any) -> tuple[Any, Any]:
        fronts = [x if axis is None else move_axis(x, axis, 0) for x, axis in zip(values, axes, strict=True)]
        rows = []
        for index in range(size):
            own = [x if axis is None else getitem(x, index) for x, axis in zip(fronts, axes, strict=True)]
            rows.append(primitive(*own, **parameters))
        columns = [stack_p(*column, axis=0) for column in zip(*rows, strict=True)]
        return columns, [0] * len(columns)

    primitive.batch = batch


def norm(x: Any) -> Any:
    """The Euclidean norm, in the type of the array."""
    return np.sqrt(np.sum(x * x)).astype(x.dtype)
