"""`to_json` and `model_from_json`: a Sequential model's layers and their settings as a text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.saving.configs import no_config


def serialized_layer(interpreter: Interpreter, layer: UserObject) -> dict[str, Any]:
    """A layer's class, its settings, and the shape that its variables were made for."""
    config = interpreter.call(attribute_of(interpreter, layer, "get_config"), [], {})
    is_own = layer.kind.origin == "program"
    found = {
        "module": None if is_own else "keras" if "_layers" in layer.fields else "keras.layers",
        "class_name": layer.kind.name,
        "config": config,
        "registered_name": layer.kind.name if is_own else None,
    }
    shape = layer.fields.get("_built_for") if layer.fields.get("_weights") else None
    shape = layer.fields.get("_first", shape)
    return found if shape is None else found | {"build_config": {"input_shape": tuple(shape)}}


def to_json(interpreter: Interpreter, self: UserObject, **kwargs: Any) -> str:
    """The model without its weights, as JSON. Raises: ProgramError where a setting is no plain value."""
    if "_compiled" in self.fields:
        interpreter.note(
            "compile_config_left_out",
            "to_json() leaves out what compile() was given; Keras writes it as compile_config.",
            "to_json() 不包含 compile() 的参数；Keras 会写成 compile_config。",
        )
    whole = {**serialized_layer(interpreter, self), "compile_config": {}}
    indent = kwargs.get("indent")
    try:
        return json.dumps(whole, indent=indent if isinstance(indent, int) else None)
    except (TypeError, ValueError):
        raise ProgramError(
            "to_json() writes numbers, texts and lists; the settings of a layer hold something else.",
            hint="Let get_config() give plain values only.",
            message_zh="to_json() 只能写出数、文本和列表；某层的设置里有其他内容。",
            hint_zh="请让 get_config() 只给出普通的值。",
            code="type_mismatch",
            kind="TypeError",
        ) from None


def from_json(classes: Mapping[str, UserClass]) -> Callable[..., UserObject]:
    """`model_from_json`, by the classes that such a text may name at its top."""

    def model_from_json(interpreter: Interpreter, json_string: Any, custom_objects: Any = None) -> UserObject:
        """The model of such a text, with first values of its own. Raises: ProgramError for another text."""
        try:
            whole = json.loads(json_string)
        except (TypeError, ValueError, RecursionError):
            raise no_config() from None
        kind = classes.get(str(whole.get("class_name"))) if isinstance(whole, dict) else None
        if kind is None or not isinstance(whole.get("config"), dict):
            raise no_config()
        make = kind.find("from_config").function.function
        made: UserObject = make(interpreter, kind, whole["config"], custom_objects)
        return made

    return model_from_json


def deserializer(layers: Mapping[str, UserClass]) -> Callable[..., UserObject]:
    """`keras.layers.deserialize`, by the kinds of layers that there are."""

    def deserialize(interpreter: Interpreter, config: Any, custom_objects: Any = None) -> UserObject:
        known = {**layers, **(custom_objects if isinstance(custom_objects, dict) else {})}
        if not isinstance(config, dict) or config.get("class_name") not in known:
            raise no_config()
        own = known[config["class_name"]]
        rule = own.find("from_config").function
        made: UserObject = interpreter.call(rule, [own, config.get("config", {})], {})
        return made

    return deserialize


def register(*_: Any, **__: Any) -> Native:
    """`@register_keras_serializable()`: the class or function stays the same, and is known here anyway."""
    return Native("tf.keras.saving.register_keras_serializable()", lambda arg: arg, arguments={"arg": ANY})
