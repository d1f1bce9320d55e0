"""The parts of a model of Keras: its layers, its inputs and outputs, and their shapes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError, quoted
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import Wrapped
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.surfaces.keras.layering.parts import is_layer
from engine.languages.surfaces.keras.symbolic import Symbolic, symbols


def layers_of(self: UserObject) -> list[UserObject]:
    """Of a functional model all layers, inputs and operations; of a class of one's own what it holds."""
    if "_layers" in self.fields:
        return list(self.fields["_layers"])
    found: list[Any] = []
    for value in self.fields.values():
        parts = value if isinstance(value, (list, tuple)) else [value]
        found += [part for part in parts if is_layer(part)]
    return found


def without_operations(self: UserObject) -> list[UserObject]:
    """The layers alone: `x * 2` and `ops.relu(x)` stand between them, but are none."""
    return [layer for layer in layers_of(self) if not layer.fields.get("_is_operation")]


def get_layer(self: UserObject, name: Any = None, index: Any = None) -> UserObject:
    """A layer by its name or its place. Raises: ProgramError where there is none."""
    layers = without_operations(self)
    if isinstance(index, int) and -len(layers) <= index < len(layers):
        return layers[index]
    found = [layer for layer in layers if name is not None and layer.fields["name"] == name]
    if found:
        return found[0]
    wanted = quoted(name if name is not None else index)
    listed = [layer.fields["name"] for layer in layers]
    said = f"No such layer: {name}. Existing layers are: {listed}."
    if name is None:
        said = f"Was asked to retrieve layer at index {index} but model only has {len(layers)} layers."
    raise ProgramError(
        said,
        message_zh=f"没有层 {wanted}。已有的层：{', '.join(listed)}。",
        code="unknown_attribute",
        kind="ValueError",
    )


def _ends(self: UserObject, which: str) -> list[Symbolic]:
    """Raises: ProgramError for a model that is no graph of layers."""
    if which not in self.fields:
        word = which.strip("_")
        raise ProgramError(
            f"{self.kind.name} has no {word} of its own: only tf.keras.Model(inputs, outputs) has.",
            message_zh=f"{self.kind.name} 没有自己的 {word}：只有 tf.keras.Model(inputs, outputs) 才有。",
            code="unknown_attribute",
        )
    return list(symbols(self.fields[which]))


def _shapes(self: UserObject, which: str) -> list[Any]:
    return [one.shape for one in _ends(self, which)]


def _output_names(self: UserObject) -> list[str]:
    return [one.layer.fields["name"] for one in _ends(self, "_outputs")]


def _alone(found: list[Any]) -> Any:
    return found[0] if len(found) == 1 else found


def _fact(name: str, function: Any) -> Wrapped:
    return Wrapped("property", Native(name, function))


PARTS: Mapping[str, Any] = MappingProxyType(
    {
        "layers": _fact("layers", without_operations),
        "output_names": _fact("output_names", _output_names),
        "inputs": _fact("inputs", lambda self: _ends(self, "_inputs")),
        "outputs": _fact("outputs", lambda self: _ends(self, "_outputs")),
        "input": _fact("input", lambda self: _alone(_ends(self, "_inputs"))),
        "output": _fact("output", lambda self: _alone(_ends(self, "_outputs"))),
        "input_shape": _fact(
            "input_shape", lambda self: _alone([one.shape for one in _ends(self, "_inputs")])
        ),
        "output_shape": _fact(
            "output_shape", lambda self: _alone([one.shape for one in _ends(self, "_outputs")])
        ),
    }
)


def _last_shape(self: UserObject, what: str, what_zh: str, kind: str) -> Any:
    """What comes out of the last layer. Raises: ProgramError where the shape of the input is not known."""
    layers = self.fields["_layers"]
    if not layers or layers[-1].fields.get("_output_shape") is None:
        raise ProgramError(
            f"Sequential model '{self.fields['name']}' has no defined {what} yet.",
            message_zh=f"Sequential 模型 '{self.fields['name']}' 还没有确定的{what_zh}。",
            code="unknown_attribute",
            kind=kind,
        )
    return layers[-1].fields["_output_shape"]


def _shape_of_sequence(self: UserObject) -> Any:
    return _last_shape(self, "outputs", "输出", "ValueError")


def _first_shape(self: UserObject) -> Any:
    """The shape of the input, of a batch as it was where the model was built by one."""
    batch = _last_shape(self, "input shape", "输入形状", "AttributeError")[0]
    first = self.fields["_layers"][0].fields
    shape = self.fields.get("_built_for") or first.get("_built_for")
    return (batch, *(shape[1:] if shape else first.get("_input_shape") or ()))


OF_A_SEQUENCE: Mapping[str, Any] = MappingProxyType(
    {
        "output_shape": _fact("output_shape", _shape_of_sequence),
        "input_shape": _fact("input_shape", _first_shape),
    }
)
