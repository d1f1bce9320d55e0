"""Batches: a function of one example as a function of many, along an axis of its arguments (vmap)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, as_function
from engine.languages.surfaces.jax.core.primitive import PRIMITIVES, Primitive, no_rule
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import trace_to_jaxpr
from engine.languages.surfaces.jax.core.values import Tracer, aval_of

Axis = int | None


class BatchTracer(Tracer):
    """One example: the batch, and the axis along which the examples lie."""

    __slots__ = ("axis", "value")

    def __init__(self, trace: BatchTrace, value: Any, axis: int) -> None:
        aval = aval_of(value)
        shape = aval.shape[:axis] + aval.shape[axis + 1 :]
        super().__init__(trace, Aval(shape, aval.dtype, aval.weak))
        self.value = value
        self.axis = axis

    def short(self) -> str:
        """How it prints."""
        from engine.languages.surfaces.jax.core.staging import shown_aval

        return f"VmapTracer(aval={shown_aval(self.aval)}, batched={shown_aval(aval_of(self.value))})"


class BatchTrace:
    """Carries batches through a function. size: examples in one; name: what the function calls the axis."""

    def __init__(self, parent: Any, size: int, name: Any = None) -> None:
        self.parent = parent
        self.size = size
        self.axis_name = name
        self.is_over = False

    def pair(self, value: Any) -> tuple[Any, Axis]:
        """The batch and its axis; the value itself where it is the same for all."""
        if isinstance(value, BatchTracer) and value.trace is self:
            return value.value, value.axis
        return value, None

    def tracer(self, value: Any, axis: Axis) -> Any:
        """One example of a batch."""
        return value if axis is None else BatchTracer(self, value, axis)

    def pairs(self, values: Sequence[Any]) -> tuple[list[Any], list[Axis]]:
        """The batches, and their axes."""
        found = [self.pair(value) for value in values]
        return [value for value, _ in found], [axis for _, axis in found]

    def process(self, primitive: Primitive, values: Sequence[Any], parameters: Any) -> Any:
        """Apply the rule of a primitive."""
        batches, axes = self.pairs(values)
        if all(axis is None for axis in axes):
            return self.parent.process(primitive, batches, parameters)
        if primitive.batch is None:
            raise no_rule("Batching rule", "批处理规则", primitive)
        with run_now().under(self.parent):
            outs, out_axes = primitive.batch(self.size, batches, axes, **parameters)
        if primitive.several:
            return [self.tracer(x, axis) for x, axis in zip(outs, out_axes, strict=True)]
        return self.tracer(outs, out_axes)

    def custom_jvp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with a rule of its own: both on batches."""
        return self._custom(rule, values, self.parent.custom_jvp)

    def custom_vjp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with a gradient of its own: its parts on batches."""
        return self._custom(rule, values, self.parent.custom_vjp)

    def _custom(self, rule: Any, values: Sequence[Any], outside: Callable[..., Any]) -> list[Any]:
        batches, axes = self.pairs(values)
        if all(axis is None for axis in axes):
            return list(outside(rule, batches))
        batched = rule.batched(self.size, axes)
        outs = outside(batched, batches)
        return [self.tracer(x, axis) for x, axis in zip(outs, batched.out_axes(), strict=True)]


def batched(
    function: Callable[..., Sequence[Any]], size: int, axes: Sequence[Axis], name: Any = None
) -> Callable[..., tuple[list[Any], list[Axis]]]:
    """A flat function on batches: it gives batches and the axis of each."""

    def call(*batches: Any) -> tuple[list[Any], list[Axis]]:
        run = run_now()
        trace = BatchTrace(run.trace, size, name)
        with run.under(trace):
            results = function(*(trace.tracer(x, axis) for x, axis in zip(batches, axes, strict=True)))
        trace.is_over = True
        return trace.pairs(results)

    return call


def batch_jaxpr(
    jaxpr: Jaxpr, size: int, axes: Sequence[Axis], at_front: bool | Sequence[bool] | None = None
) -> tuple[Jaxpr, list[Axis]]:
    """A jaxpr on batches, and the axes of its results.

    at_front: None leaves the axes as they come; else which results are batches along axis 0 in any case.
    """
    found: list[Axis] = []
    wanted = [at_front] * len(jaxpr.results) if at_front is None or isinstance(at_front, bool) else at_front

    def on_batches(*batches: Any) -> list[Any]:
        outs, out_axes = batched(as_function(jaxpr), size, axes)(*batches)
        results = []
        for out, axis, make in zip(outs, out_axes, wanted, strict=True):
            if make is None:
                found.append(axis)
                results.append(out)
            elif axis is None and not make:
                found.append(None)
                results.append(out)
            else:
                found.append(0)
                results.append(at_axis_0(out, axis, size))
        return results

    avals = [
        aval if axis is None else aval.with_shape((*aval.shape[:axis], size, *aval.shape[axis:]))
        for aval, axis in zip(jaxpr.in_avals, axes, strict=True)
    ]
    return trace_to_jaxpr(on_batches, avals), found


# -- moving axes -------------------------------------------------------------------------------------


def move_axis(x: Any, source: int, target: int) -> Any:
    """The axis at another place."""
    if source == target:
        return x
    order = [axis for axis in range(aval_of(x).ndim) if axis != source]
    order.insert(target, source)
    return PRIMITIVES["transpose"](x, permutation=tuple(order))


def broadcast_axis(x: Any, size: int, axis: int) -> Any:
    """The same for each example, along a new axis."""
    shape = list(aval_of(x).shape)
    shape.insert(axis, size)
    places = tuple(np.delete(np.arange(len(shape)), axis))
    return PRIMITIVES["broadcast_in_dim"](x, shape=tuple(shape), broadcast_dimensions=places)


def at_axis_0(x: Any, axis: Axis, size: int) -> Any:
    """The batch with its examples along the first axis."""
    return broadcast_axis(x, size, 0) if axis is None else move_axis(x, axis, 0)


def at_axis(x: Any, axis: Axis, size: int, target: int) -> Any:
    """The batch with its examples along this axis."""
    return broadcast_axis(x, size, target) if axis is None else move_axis(x, axis, target)


# -- rules of primitives -----------------------------------------------------------------------------


def _elementwise(
    primitive: Primitive, size: int, values: Sequence[Any], axes: Sequence[Axis], **parameters: Any
) -> tuple[Any, Axis]:
    return primitive(*values, **parameters), axes[0]


def elementwise(primitive: Primitive) -> None:
    """Of a batch as of one example."""
    primitive.batch = partial(_elementwise, primitive)


def _broadcasting(
    primitive: Primitive, size: int, values: Sequence[Any], axes: Sequence[Axis], **parameters: Any
) -> tuple[Any, Axis]:
    shape, axis = next(
        (aval_of(x).shape, axis) for x, axis in zip(values, axes, strict=True) if axis is not None
    )
    agree = all(
        aval_of(x).shape == shape and one == axis
        for x, one in zip(values, axes, strict=True)
        if aval_of(x).ndim
    )
    if agree:
        return primitive(*values, **parameters), axis
    fronts = [at_axis_0(x, one, 1) if aval_of(x).ndim else x for x, one in zip(values, axes, strict=True)]
    most = max(aval_of(x).ndim for x in fronts)
    aligned = [_as_deep(x, one, most) for x, one in zip(fronts, axes, strict=True)]
    return primitive(*aligned, **parameters), 0


def _as_deep(x: Any, axis: Axis, ndim: int) -> Any:
    """Numbers of a batch get axes of length one behind."""
    have = aval_of(x).ndim
    if axis is None or have == ndim:
        return x
    return PRIMITIVES["broadcast_in_dim"](
        x, shape=(*aval_of(x).shape, *([1] * (ndim - have))), broadcast_dimensions=tuple(range(have))
    )


def broadcasting(primitive: Primitive) -> None:
    """Of batches and numbers that are the same for all, element by element."""
    primitive.batch = partial(_broadcasting, primitive)


def _reducing(
    primitive: Primitive,
    size: int,
    values: Sequence[Any],
    axes_of: Sequence[Axis],
    axes: Any = (),
    **parameters: Any,
) -> tuple[Any, Axis]:
    (operand,), (axis,) = values, axes_of
    assert axis is not None
    moved = tuple(np.where(np.less(axes, axis), axes, np.add(axes, 1)))
    left = [i for i in range(aval_of(operand).ndim) if i not in moved]
    return primitive(operand, axes=moved, **parameters), left.index(axis)


def reducing(primitive: Primitive) -> None:
    """Of each example for itself."""
    primitive.batch = partial(_reducing, primitive)
