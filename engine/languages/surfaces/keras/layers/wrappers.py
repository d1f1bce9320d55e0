"""`tf.keras.layers.TimeDistributed`: one layer on every turn of a sequence."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.errors import ProgramError
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import call_layer, layer_init
from engine.languages.surfaces.keras.layering.parts import is_layer
from engine.languages.surfaces.keras.layering.shapes import build_layer, inside_layer, output_shape
from engine.languages.surfaces.keras.layers.plain import layer_class


def _init(
    interpreter: Interpreter, self: UserObject, layer: Any, input_shape: Any = None, name: Any = None
) -> None:
    """Raises: ProgramError for what is no layer."""
    if not is_layer(layer):
        raise ProgramError(
            "TimeDistributed takes a layer.",
            hint="Write TimeDistributed(tf.keras.layers.Dense(8)).",
            message_zh="TimeDistributed 需要一个层。",
            hint_zh="请写 TimeDistributed(tf.keras.layers.Dense(8))。",
            code="bad_value",
        )
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields["layer"] = layer


def _build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    self.fields["built"] = True
    inner = self.fields["layer"]
    with inside_layer(interpreter, inner):
        build_layer(interpreter, inner, (input_shape[0], *input_shape[2:]))


def _call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    """All turns of all examples side by side through the layer, and apart again."""
    build_layer(interpreter, self, inputs.shape)
    examples, turns, *rest = inputs.shape
    made = call_layer(interpreter, self.fields["layer"], ops.reshape(inputs, (examples * turns, *rest)))
    return ops.reshape(made, (examples, turns, *made.shape[1:]))


def _shape(interpreter: Interpreter, self: UserObject, input_shape: Any) -> Any:
    inner = output_shape(interpreter, self.fields["layer"], (input_shape[0], *input_shape[2:]))
    return (input_shape[0], input_shape[1], *inner[1:])


WRAPPERS = {"TimeDistributed": layer_class("TimeDistributed", _init, _call, _shape, _build)}
