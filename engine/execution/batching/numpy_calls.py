"""What an instruction does to arrays that have batch axes in front."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.execution.tracing.tracer import Instruction, Lengths, Tracer
from engine.graph.kernels import MISMATCHES
from engine.ops.base.tensors import Array

OUT_BY_NAME = frozenset({np.maximum, np.minimum})  # numpy will not have their result's place without a name


class Unbatchable(Exception):
    """Something that has to be done run by run."""


def call_of(step: Instruction, axes: int) -> Callable[..., Any]:
    """The function of the arguments' arrays and then the results' arrays, which it fills."""
    if step.kind == "ufunc" and step.function in OUT_BY_NAME:
        return partial(_by_name, step.function)
    if step.kind in ("ufunc", "matmul"):
        ufunc: Callable[..., Any] = step.function
        return ufunc
    if step.kind == "reduce":
        return _reduction(step)
    if step.kind == "numpy":
        return partial(_fill, step.function)
    if step.kind == "draw":
        lead = (None,) * axes
        return partial(_fill, lambda: step.function()[lead])
    if step.kind == "join":
        return partial(_join, partial(step.function, axis=step.options["axis"]), _shapes(step), axes)
    if step.kind == "call":
        return _each_run(step, axes)
    if step.kind == "stack":
        return partial(_stack, axes, _traced(step))
    others: dict[str, Callable[..., Any]] = {"where": _choose, "cast": _cast, "repeat": _repeat}
    return others[step.kind]


def view_of(step: Instruction, array: Array, axes: int) -> Array:
    """The array as a view instruction shows it."""
    batch, how, what = array.shape[:axes], step.function, step.options["what"]
    own = len(step.arguments[0].shape)
    if how == "reshape":
        return array.reshape(*batch, *what)
    if how == "transpose":
        return array.transpose(*range(axes), *(n + axes for n in what))
    if how == "broadcast":
        return np.broadcast_to(widened(array, own, len(what), axes), (*batch, *what))
    if how == "flip":
        return np.flip(array, tuple(n + axes for n in what))
    if how == "row":
        return array[what : what + 1] if len(array) > 1 else array
    return array[(*(slice(None),) * axes, *what)]


def widened(array: Array, own: int, rank: int, axes: int) -> Array:
    """Axes of length 1 after the batch axes, so that runs meet runs and own axes meet own axes."""
    if own == rank:
        return array
    return array[(*(slice(None),) * axes, *(None,) * (rank - own))]


def _traced(step: Instruction) -> list[bool]:
    return [isinstance(item, Tracer) for item in step.arguments]


def _shapes(step: Instruction) -> list[Lengths | None]:
    """A run's shape of each argument that has batch axes."""
    return [item.shape if isinstance(item, Tracer) else None for item in step.arguments]


def _by_name(ufunc: np.ufunc, *arrays: Array) -> None:
    ufunc(*arrays[:-1], out=arrays[-1])


def _fill(function: Callable[..., Any], *arrays: Array) -> None:
    np.copyto(arrays[-1], function(*arrays[:-1]))


def _choose(condition: Array, x: Array, y: Array, out: Array) -> None:
    """`np.where` with a place for the result."""
    np.copyto(out, y)
    np.copyto(out, x, where=condition)


def _cast(array: Array, out: Array) -> None:
    np.copyto(out, array, casting="unsafe")


def _repeat(array: Array, out: Array) -> None:
    """The one row of an array in every row of another."""
    np.copyto(out, np.repeat(array, len(out) // len(array), axis=0))


def _reduction(step: Instruction) -> Callable[..., Any]:
    """The ufunc between the elements along a run's axes, counted from the end."""
    ufunc, options = step.function, step.options
    axes = tuple(n - step.arguments[0].ndim for n in options["axis"])

    def reduce(array: Array, out: Array) -> None:
        ufunc.reduce(array, axis=axes, dtype=options["dtype"], out=out, keepdims=options["keepdims"])

    return reduce


def _join(function: Callable[..., Any], shapes: Sequence[Lengths | None], axes: int, *arrays: Array) -> None:
    """Every run's arrays side by side; what all runs share is repeated for each."""
    given, out = arrays[:-1], arrays[-1]
    batch = out.shape[:axes]
    own = [
        np.broadcast_to(array, (*batch, *(array.shape if shape is None else shape)))
        for array, shape in zip(given, shapes, strict=True)
    ]
    np.copyto(out, function(own))


def _stack(axes: int, traced: Sequence[bool], *arrays: Array) -> None:
    """Arrays side by side along the first batch axis; what has no batch axes is every run's."""
    given, out = arrays[:-1], arrays[-1]
    start = 0
    whole = [array if own else array[(None,) * axes] for array, own in zip(given, traced, strict=True)]
    length = max(len(array) for array in whole)
    for array in whole:
        out[start : start + length] = array
        start += length


def _each_run(step: Instruction, axes: int) -> Callable[..., Any]:
    """The whole kernel for each run by itself, for what numpy cannot do for all of them in one call."""
    kernel, parameters, varies = step.function, step.options, _traced(step)
    shapes = [output.shape for output in step.outputs]

    def fill(*arrays: Array) -> None:
        outs = arrays[len(varies) :]
        batch = outs[0].shape[:axes]
        wide = [
            np.broadcast_to(array, (*batch, *array.shape[axes:])) if differs else array
            for array, differs in zip(arrays, varies, strict=False)
        ]
        for run in np.ndindex(*batch):
            own = [
                np.asarray(array[run]) if differs else array
                for array, differs in zip(wide, varies, strict=True)
            ]
            try:
                made = kernel(*own, **parameters)
            except MISMATCHES as error:
                raise Unbatchable("a kernel that does not take some run's values") from error
            made = made if isinstance(made, (list, tuple)) else (made,)
            for out, result, shape in zip(outs, made, shapes, strict=False):
                if np.shape(result) != shape:
                    raise Unbatchable("a shape that differs from run to run")
                out[run] = result

    return fill
