"""The graph of a JAX program: what is computed of known arrays becomes nodes of the engine's own ops.

Each primitive that has an op stands in `OPS`; the result of one that has none is a constant of the graph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from engine import ops
from engine.errors import GradlensError, LimitError
from engine.languages.surfaces.jax.api.calling import parameter_names, trees
from engine.languages.surfaces.jax.api.derivatives import gradient_call
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.values import Constant, JaxArray
from engine.languages.workspace import GradientCall, Workspace

MOST_NODES = 600  # of one program; what it computes later is not drawn
MOST_ELEMENTS = 100_000  # of an array that is a constant of the graph
MOST_CALLS = 50
MOST_FUNCTIONS = 20  # that are traced once more for their picture
DRAWN = {"float16", "bfloat16", "float32", "float64", "int32", "int64", "bool", "uint8", "int8"}

Op = Callable[..., Any]
PLAIN: dict[str, Op] = {
    "add": ops.add,
    "add_any": ops.add,
    "sub": ops.sub,
    "mul": ops.mul,
    "div": ops.divide,
    "pow": ops.power,
    "max": ops.maximum,
    "min": ops.minimum,
    "neg": ops.neg,
    "abs": ops.absolute,
    "sign": ops.sign,
    "square": ops.square,
    "rsqrt": ops.rsqrt,
    "logistic": ops.sigmoid,
    "stop_gradient": ops.stop_gradient,
    "copy": ops.identity,
    "copy_p": ops.identity,
    "eq": ops.equal,
    "ne": ops.not_equal,
    "gt": ops.greater,
    "ge": ops.greater_equal,
    "lt": ops.less,
    "le": ops.less_equal,
    "and": ops.logical_and,
    "or": ops.logical_or,
    "not": ops.logical_not,
    "erf": ops.erf,
    "erfc": ops.erfc,
    "floor": ops.floor,
    "ceil": ops.ceil,
    "is_finite": ops.is_finite,
}
PLAIN.update(
    {
        name: getattr(ops, name)
        for name in (
            *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
            *("exp", "expm1", "log", "log1p", "sqrt", "atan2", "lgamma", "digamma"),
        )
    }
)


def _reduced(op: Op) -> Op:
    return lambda x, axes, **_: op(x, axis=list(axes))


def _product(x: Any, y: Any, dimension_numbers: Any, **_: Any) -> Any:
    (left, right), (left_batch, right_batch) = dimension_numbers
    if left_batch or right_batch:
        return None
    if (len(x.shape), len(y.shape)) == (2, 2) and (tuple(left), tuple(right)) == ((1,), (0,)):
        return ops.matrix_product(x, y)
    return ops.tensordot(x, y, [list(left), list(right)])


def _broadcast(x: Any, shape: Sequence[int], broadcast_dimensions: Sequence[int], **_: Any) -> Any:
    lengths = [1] * len(shape)
    for axis, place in enumerate(broadcast_dimensions):
        lengths[int(place)] = x.shape[axis]
    spread = x if tuple(x.shape) == tuple(lengths) else ops.reshape(x, lengths)
    return ops.broadcast_to(spread, list(shape))


OPS: dict[str, Op] = {
    "integer_pow": lambda x, y: ops.square(x) if y == 2 else ops.power(x, np.asarray(y, x.dtype)),
    "reduce_sum": _reduced(ops.reduce_sum),
    "reduce_max": _reduced(ops.reduce_max),
    "reduce_min": _reduced(ops.reduce_min),
    "reduce_prod": _reduced(ops.reduce_prod),
    "dot_general": _product,
    "transpose": lambda x, permutation: ops.transpose(x, [int(axis) for axis in permutation]),
    "reshape": lambda x, new_sizes, **_: ops.reshape(x, list(new_sizes)),
    "squeeze": lambda x, dimensions: ops.squeeze(x, list(dimensions)),
    "expand_dims": lambda x, dimensions: ops.expand_dims(x, dimensions[0]),
    "broadcast_in_dim": _broadcast,
    "convert_element_type": lambda x, new_dtype, **_: ops.cast(x, np.dtype(new_dtype).name),
    "select_n": lambda which, off, on: ops.where(which, on, off) if which.dtype == "bool" else None,
    "concatenate": lambda *xs, dimension: ops.concat(list(xs), dimension),
}


class Drawing:
    """What a run of a program draws."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.graph: Any = workspace.graph
        self.is_backward = False

    @property
    def is_full(self) -> bool:
        """Whether no more is drawn."""
        return len(self.graph.nodes) > MOST_NODES

    def source(self, array: JaxArray, name: str = "Const") -> Any:
        """The tensor of the graph that shows an array: a constant, where nothing computed it there."""
        can_be = array.array.dtype.name in DRAWN and not array.kind and array.array.size <= MOST_ELEMENTS
        if array.tensor is None and can_be and not self.is_full:
            with self._phase():
                array.tensor = ops.constant(array.array, name=name)
        return array.tensor

    def record(
        self, primitive: Any, values: Sequence[Any], results: Sequence[Any], parameters: Mapping[str, Any]
    ) -> None:
        """Draw the node of a primitive that has just been computed."""
        op = PLAIN.get(primitive.name) or OPS.get(primitive.name)
        if op is None or self.is_full:
            return
        given = {} if primitive.name in PLAIN else parameters
        try:
            with self._phase():
                inputs = [self._input(value) for value in values]
                found = None if any(one is None for one in inputs) else op(*inputs, **given)
        except LimitError:
            raise
        except GradlensError:
            return  # an element type that the op does not take
        (result,) = results
        if found is not None and found.dtype == result.array.dtype.name and found.shape == result.array.shape:
            result.tensor = found

    def _input(self, value: Any) -> Any:
        if isinstance(value, JaxArray):
            return self.source(value)
        if isinstance(value, Constant) and value.array.dtype.name in DRAWN:
            return ops.constant(value.array)
        return None

    def _phase(self) -> Any:
        """Nodes that are made inside belong to a gradient, or to what is computed forward."""
        return self.graph.making("gradient" if self.is_backward else "forward")

    @contextmanager
    def backward(self) -> Iterator[None]:
        """What is computed inside belongs to a gradient."""
        before, self.is_backward = self.is_backward, True
        try:
            with nullcontext() if before else self.graph.name_scope("gradients"):
                yield
        finally:
            self.is_backward = before

    def begin(self, call: gradient_call) -> None:
        """A gradient is about to be computed."""

    def _keep_for_pictures(self, call: gradient_call) -> None:
        """The last call for each function that was differentiated outside of other transformations."""
        calls = run_now().pictures
        calls[:] = [one for one in calls if one.function is not call.function]
        calls.append(call)
        del calls[:-MOST_FUNCTIONS]

    def name_arguments(self, call: gradient_call, leaves: Sequence[Any]) -> None:
        """Give the arguments nodes of their names."""
        of_function = parameter_names(call.function)
        names = [
            name
            for place in call.places
            for name in _leaf_names(
                call.args[place], of_function[place] if place < len(of_function) else f"x{place}"
            )
        ]
        for leaf, name in zip(leaves, names, strict=False):
            if isinstance(leaf, JaxArray):
                self.source(leaf, name)

    def end(self, call: gradient_call, failed: bool) -> None:
        """Enter a gradient that has been computed of known arrays."""
        if not failed:
            self._keep_for_pictures(call)
        calls = self.workspace.gradient_calls
        if failed or not hasattr(call, "found") or len(calls) >= MOST_CALLS:
            return
        y, *_ = call.results
        if not isinstance(y, JaxArray) or y.tensor is None:
            return
        pairs = [
            (x.tensor, g)
            for x, g in zip(call.primals, call.found, strict=True)
            if isinstance(x, JaxArray) and x.tensor is not None and isinstance(g, JaxArray)
        ]
        with self.backward():
            gradients = tuple(self.source(gradient) for _, gradient in pairs)
        if pairs:
            calls.append(GradientCall((y.tensor,), tuple(x for x, _ in pairs), gradients, is_loss=True))


def _leaf_names(value: Any, name: str) -> list[str]:
    """For each leaf of an argument a name of its own."""
    parts = trees().parts(value)
    if parts is None:
        return [name]
    kind, keys, children = parts
    labels = keys if kind is dict else range(len(children))
    return [
        found
        for key, child in zip(labels, children, strict=True)
        for found in _leaf_names(child, f"{name}_{re.sub(r'[^A-Za-z0-9_]', '_', str(key))}")
    ]


def drawing() -> Drawing | None:
    """What draws now."""
    found: Drawing | None = run_now().recorder
    return found
