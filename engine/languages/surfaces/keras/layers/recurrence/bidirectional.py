"""`tf.keras.layers.Bidirectional`: a recurrent layer, and another like it that reads from the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine import ops
from engine.errors import ProgramError, quoted
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, make_object
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import call_layer, layer_init
from engine.languages.surfaces.keras.layering.parts import is_layer
from engine.languages.surfaces.keras.layering.shapes import build_layer, inside_layer
from engine.languages.surfaces.keras.layers.plain import layer_class

MERGES: Mapping[Any, Callable[[Any, Any], Any]] = {
    "concat": lambda forward, backward: ops.concat([forward, backward], -1),
    "sum": lambda forward, backward: forward + backward,
    "ave": lambda forward, backward: (forward + backward) / 2.0,
    "mul": lambda forward, backward: forward * backward,
    None: lambda forward, backward: [forward, backward],
}
ALONG = 1  # the axis of the turns


def _init(
    interpreter: Interpreter,
    self: UserObject,
    layer: Any,
    merge_mode: Any = "concat",
    backward_layer: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """The layer that reads forward, and one like it; how what both give is put together.

    Raises: ProgramError for what is no recurrent layer, or an unknown word.
    """
    if not is_layer(layer) or "_made_of" not in layer.fields:
        raise _no_recurrent_layer()
    if merge_mode is not None and (not isinstance(merge_mode, str) or merge_mode not in MERGES):
        raise ProgramError(
            f"`merge_mode` is 'concat', 'sum', 'mul', 'ave' or None, not {quoted(merge_mode)}.",
            message_zh="`merge_mode` 可以是 'concat'、'sum'、'mul'、'ave' 或 None，"
            f"不能是 {quoted(merge_mode)}。",
            code="bad_value",
        )
    layer_init(interpreter, self, name, input_shape=input_shape)
    settings = {**layer.fields["_made_of"], "name": layer.fields["name"]}
    first = make_object(interpreter, layer.kind, [], settings)
    settings["go_backwards"] = not layer.fields["go_backwards"]
    second = make_object(interpreter, layer.kind, [], settings) if backward_layer is None else backward_layer
    for one, word in ((first, "forward"), (second, "backward")):
        one.fields["name"] = f"{word}_{one.fields['name']}"
        one.fields["zero_output_for_mask"] = one.fields["return_sequences"]
    self.fields.update(forward_layer=first, backward_layer=second, merge_mode=merge_mode)
    self.fields["return_sequences"] = first.fields["return_sequences"]


def _no_recurrent_layer() -> ProgramError:
    return ProgramError(
        "Bidirectional takes a recurrent layer: SimpleRNN, GRU or LSTM.",
        hint="Write Bidirectional(tf.keras.layers.LSTM(32)).",
        message_zh="Bidirectional 需要一个循环层：SimpleRNN、GRU 或 LSTM。",
        hint_zh="请写 Bidirectional(tf.keras.layers.LSTM(32))。",
        code="bad_value",
    )


def _build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    self.fields["built"] = True
    for one in _both(self):
        with inside_layer(interpreter, one):
            build_layer(interpreter, one, input_shape)


def _both(self: UserObject) -> tuple[UserObject, UserObject]:
    return self.fields["forward_layer"], self.fields["backward_layer"]


def _call(
    interpreter: Interpreter, self: UserObject, inputs: Any, mask: Any = None, training: Any = None
) -> Any:
    """Both layers; what the second gives for each turn stands where that turn does."""
    first, second = _both(self)
    forward = _listed(call_layer(interpreter, first, inputs, mask=mask, training=training))
    backward = _listed(call_layer(interpreter, second, inputs, mask=mask, training=training))
    if second.fields["return_sequences"]:
        backward[0] = ops.reverse(backward[0], [ALONG])
    merged = MERGES[self.fields["merge_mode"]](forward[0], backward[0])
    if not first.fields["return_state"]:
        return merged
    return [*_listed(merged), *forward[1:], *backward[1:]]


def _listed(found: Any) -> list[Any]:
    return list(found) if isinstance(found, (list, tuple)) else [found]


def _shape(self: UserObject, input_shape: Any) -> Any:
    first, _ = _both(self)
    turns = (input_shape[ALONG],) if first.fields["return_sequences"] else ()
    mode = self.fields["merge_mode"]
    whole = (input_shape[0], *turns, first.fields["units"] * (2 if mode == "concat" else 1))
    merged = [whole, whole] if mode is None else [whole]
    states = [(input_shape[0], first.fields["units"])] * 2 * first.fields["_states"]
    found = [*merged, *states] if first.fields["return_state"] else merged
    return found if len(found) > 1 else whole


BIDIRECTIONAL: UserClass = layer_class("Bidirectional", _init, _call, _shape, _build)
