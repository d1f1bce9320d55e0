"""Operators and functions of Keras's symbolic tensors: `tf.exp(x) * 2` stands for layers that compute it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ShapeError
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, make_object
from engine.languages.interpreter.classes.special import OF_TYPES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.native_calls import INSTEAD
from engine.languages.surfaces.keras.layer import call_layer, layer_init
from engine.languages.surfaces.keras.layers.plain import layer_class
from engine.languages.surfaces.keras.symbolic import Symbolic, mapped, symbols
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Operators


def _init(interpreter: Interpreter, self: UserObject, operands: Any = None, name: Any = None) -> None:
    """operands: both sides, None in place of what is symbolic."""
    layer_init(interpreter, self, name)
    self.fields.update(_operands=operands, _is_operation=True)


def _filled(self: UserObject, given: Any) -> list[Any]:
    """Both sides: the inputs' values, and what the program wrote beside them."""
    values = iter(given if isinstance(given, list) else [given])
    return [next(values) if one is None else one for one in self.fields["_operands"]]


def _broadcast(self: UserObject, input_shape: Any) -> Any:
    """The shape of both sides together; a length that is not known yet counts as 1. Raises: ShapeError."""
    shapes = [tuple(one) for one in input_shape] if isinstance(input_shape, list) else [tuple(input_shape)]
    values = iter(shapes)
    sides = [next(values) if one is None else array_of(one).shape for one in self.fields["_operands"]]
    try:
        wide = np.broadcast_shapes(*([1 if n is None else n for n in side] for side in sides))
    except ValueError:
        left, right = map(written, sides)
        raise ShapeError(
            f"{self.kind.name} cannot work element by element on {left} and {right}.",
            message_zh=f"{self.kind.name} 无法对形状 {left} 与 {right} 逐元素计算。",
        ) from None
    unknown = {len(wide) - len(side) + place for side in sides for place, n in enumerate(side) if n is None}
    return tuple(None if axis in unknown and n == 1 else n for axis, n in enumerate(wide))


def _kind(name: str, function: Callable[[Any, Any], Any], *, elementwise: bool = True) -> UserClass:
    def call(self: UserObject, inputs: Any) -> Any:
        return function(*_filled(self, inputs))

    return layer_class(name, _init, call, _broadcast if elementwise else None)


KINDS: Mapping[type[ast.AST], UserClass] = MappingProxyType(
    {
        ast.Add: _kind("Add", lambda a, b: ops.add(a, b)),
        ast.Sub: _kind("Subtract", lambda a, b: ops.sub(a, b)),
        ast.Mult: _kind("Multiply", lambda a, b: ops.mul(a, b)),
        ast.Div: _kind("TrueDivide", lambda a, b: ops.convert_to_tensor(a) / b),
        ast.Pow: _kind("Power", lambda a, b: ops.convert_to_tensor(a) ** b),
        ast.MatMult: _kind("Matmul", lambda a, b: ops.convert_to_tensor(a) @ b, elementwise=False),
    }
)


OPERANDS = (Symbolic, Operators, np.ndarray, np.number, int, float)


def _operated(interpreter: Interpreter, kind: type[ast.AST], left: Any, right: Any) -> Any:
    """`left op right`, as a layer that is called on what is symbolic in it."""
    if kind not in KINDS or not all(isinstance(one, OPERANDS) for one in (left, right)):
        return NotImplemented
    sides: Sequence[Any] = (left, right)
    inputs = [one for one in sides if isinstance(one, Symbolic)]
    operands = [None if isinstance(one, Symbolic) else one for one in sides]
    layer = make_object(interpreter, KINDS[kind], [operands], {})
    return call_layer(interpreter, layer, inputs if len(inputs) > 1 else inputs[0])


OF_TYPES[Symbolic] = _operated


# -- functions ---------------------------------------------------------------------------------------

PURE = ("tf.keras.ops.", "tf.keras.activations.", "tf.keras.backend.", "tf.math.", "tf.nn.", "tf.linalg.")
WITHOUT_A_PLACE = "tf."  # tf.reshape and its kin
OF_KERAS = PURE[:2]  # what Keras 3 itself takes symbolic tensors in


def _applied(
    interpreter: Interpreter, native: Native, args: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    """A function of tensors called on symbolic ones, as a layer; NotImplemented for any other function."""
    name = native.name
    if not name.startswith(PURE) and (not name.startswith(WITHOUT_A_PLACE) or name.count(".") > 1):
        return NotImplemented
    if not name.startswith(OF_KERAS):
        interpreter.note(
            "keras_tensor",
            f"Keras 3 refuses {name} on what Input() gives; it is computed here as tf.keras 2 did.",
            f"Keras 3 不接受对 Input() 的结果使用 {name}；这里按 tf.keras 2 的方式计算。",
            "Write it with keras.ops, or in a Lambda layer.",
            "请改用 keras.ops，或写在 Lambda 层中。",
            key="functions of symbolic tensors",
        )
    layer = make_object(interpreter, _class_of(native), [list(args), dict(keywords)], {})
    inputs = list(symbols([args, keywords]))
    return call_layer(interpreter, layer, inputs if len(inputs) > 1 else inputs[0])


def _class_of(native: Native) -> UserClass:
    """A kind of layer that calls the function with its inputs' values in place of what is symbolic."""

    def init(
        interpreter: Interpreter, self: UserObject, args: Any, keywords: Any = None, name: Any = None
    ) -> None:
        layer_init(interpreter, self, name)
        self.fields.update(_arguments=(args, keywords), _is_operation=True)

    def call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
        values = iter(inputs if isinstance(inputs, list) else [inputs])
        args, keywords = mapped(lambda _: next(values), self.fields["_arguments"])
        return interpreter.call(native, args, keywords)

    words = native.name.rpartition(".")[2].split("_")
    return layer_class("".join(word.capitalize() for word in words), init, call)


INSTEAD[Symbolic] = _applied
