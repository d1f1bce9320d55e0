"""`tf.keras.layers`: layers of several inputs, and the functions of the same names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from engine import ops
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, make_object
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layers.plain import layer_class


def _init(interpreter: Interpreter, self: UserObject, name: Any = None) -> None:
    layer_init(interpreter, self, name)


def _merged(name: str, combine: Callable[[Sequence[Any]], Any]) -> UserClass:
    """A layer that works element by element on its inputs."""

    def call(self: UserObject, inputs: Any) -> Any:
        return combine(list(inputs))

    def shape(self: UserObject, input_shape: Any) -> Any:
        known = [[1 if length is None else length for length in one] for one in input_shape]
        wide = np.broadcast_shapes(*map(tuple, known))
        return (input_shape[0][0], *wide[1:])

    return layer_class(name, _init, call, shape)


def _pairwise(function: Callable[[Any, Any], Any]) -> Callable[[Sequence[Any]], Any]:
    return lambda values: reduce(function, values)


def _average(values: Sequence[Any]) -> Any:
    return reduce(ops.add, values) / float(len(values))


def _concatenate_init(interpreter: Interpreter, self: UserObject, axis: Any = -1, name: Any = None) -> None:
    layer_init(interpreter, self, name)
    self.fields["axis"] = axis


def _concatenate_call(self: UserObject, inputs: Any) -> Any:
    values = list(inputs)
    return ops.concat(values, self.fields["axis"] % len(values[0].shape))


def _concatenated(self: UserObject, input_shape: Any) -> Any:
    axis = self.fields["axis"] % len(input_shape[0])
    lengths = [shape[axis] for shape in input_shape]
    first = list(input_shape[0])
    first[axis] = None if None in lengths else sum(lengths)
    return tuple(first)


def _dot_init(
    interpreter: Interpreter, self: UserObject, axes: Any, normalize: Any = False, name: Any = None
) -> None:
    layer_init(interpreter, self, name)
    self.fields.update(axes=axes, normalize=bool(normalize))


def _dot_call(self: UserObject, inputs: Any) -> Any:
    """The product along one axis of each; of vectors a column."""
    left, right = inputs
    axes = self.fields["axes"]
    first, second = axes if isinstance(axes, (list, tuple)) else (axes, axes)
    if self.fields["normalize"]:
        left, right = ops.l2_normalize(left, first), ops.l2_normalize(right, second)
    if len(left.shape) == len(right.shape) == 2:
        return ops.reduce_sum(left * right, 1, keepdims=True)
    return ops.matrix_product(left, right, transpose_a=first == 1, transpose_b=second == 2)


def _dot_shape(self: UserObject, input_shape: Any) -> Any:
    left, right = (list(shape) for shape in input_shape)
    axes = self.fields["axes"]
    first, second = axes if isinstance(axes, (list, tuple)) else (axes, axes)
    del left[first], right[second], right[0]
    return (*left, *right) if len(left) + len(right) > 1 else (*left, 1)


MERGING = {
    "Add": _merged("Add", _pairwise(ops.add)),
    "Subtract": _merged("Subtract", _pairwise(ops.sub)),
    "Multiply": _merged("Multiply", _pairwise(ops.mul)),
    "Average": _merged("Average", _average),
    "Maximum": _merged("Maximum", _pairwise(ops.maximum)),
    "Minimum": _merged("Minimum", _pairwise(ops.minimum)),
    "Concatenate": layer_class("Concatenate", _concatenate_init, _concatenate_call, _concatenated),
    "Dot": layer_class("Dot", _dot_init, _dot_call, _dot_shape),
}


def merging_functions() -> dict[str, Native]:
    """`tf.keras.layers.add([a, b])` and its kin: the layer made and called at once."""

    def function(kind: UserClass) -> Callable[..., Any]:
        def call(interpreter: Interpreter, inputs: Any, *args: Any, **settings: Any) -> Any:
            return interpreter.call(make_object(interpreter, kind, list(args), settings), [inputs], {})

        return call

    return {
        name.lower(): Native(f"tf.keras.layers.{name.lower()}", function(kind))
        for name, kind in MERGING.items()
    }
