"""`clone_model`: a model of layers like those of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.errors import ProgramError, quoted
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of, make_object
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.keras.layering.parts import is_layer
from engine.languages.surfaces.keras.layering.shapes import build_layer
from engine.languages.surfaces.keras.saving.configs import arguments_of, get_config, no_config
from engine.languages.surfaces.keras.saving.json_texts import serialized_layer
from engine.languages.surfaces.keras.symbolic import Symbolic, mapped, part_of, symbols
from engine.languages.surfaces.unsupported import refuse_given


def copy_of(interpreter: Interpreter, layer: UserObject) -> UserObject:
    """A layer like this one, with variables of its own."""
    if "_layers" in layer.fields:
        return clone_model(interpreter, layer)
    config = interpreter.call(attribute_of(interpreter, layer, "get_config"), [], {})
    inner = {key: copy_of(interpreter, value) if is_layer(value) else value for key, value in config.items()}
    if layer.kind.origin == "program" and not _takes_config(layer):
        inner = {}
    made: UserObject = make_object(interpreter, layer.kind, [], arguments_of(layer.kind, inner))
    made.fields["name"] = layer.fields["name"]
    return made


def _takes_config(layer: UserObject) -> bool:
    """Whether the program's class says itself what its objects are made of."""
    own = layer.kind.find("get_config")
    return own is not MISSING and not isinstance(own, Native)


def clone_model(
    interpreter: Interpreter,
    model: Any,
    input_tensors: Any = None,
    clone_function: Any = None,
) -> UserObject:
    """A model of layers like those of another, with first values of its own."""
    if not isinstance(model, UserObject) or "_layers" not in model.fields:
        raise ProgramError(
            "clone_model() takes a Sequential model, or one between inputs and outputs.",
            message_zh="clone_model() 需要 Sequential 模型，或由 inputs 和 outputs 构成的模型。",
            hint="Make another object of the class instead.",
            hint_zh="请改为再创建一个该类的对象。",
            code="bad_value",
            kind="ValueError",
        )

    refuse_given(
        "clone_model()",
        {"input_tensors": input_tensors},
        "Call the clone on them.",
        "请用它们调用克隆的模型。",
    )

    def copied(layer: UserObject) -> UserObject:
        if clone_function is not None and layer.kind.name != "InputLayer":
            made: UserObject = interpreter.call(clone_function, [layer], {})
            return made
        return copy_of(interpreter, layer)

    if "_calls" in model.fields:
        return _between(interpreter, model, {id(one): copied(one) for one in model.fields["_layers"]})
    layers = [copied(layer) for layer in model.fields["_layers"]]
    if "_first" in model.fields:
        first = next(symbols(model.fields["_inputs"]))
        layers.insert(0, _input_like(interpreter, first))
    cloned: UserObject = make_object(interpreter, model.kind, [layers], {"name": model.fields["name"]})
    build_alike(interpreter, cloned, model)
    return cloned


def build_alike(interpreter: Interpreter, made: UserObject, model: UserObject) -> None:
    """The variables of a model whose first input said how large they are, for inputs of the same shape."""
    shape = model.fields.get("_built_for")
    if shape and not made.fields["built"] and all(one is None or isinstance(one, int) for one in shape):
        build_layer(interpreter, made, (None, *shape[1:]))


def _input_like(interpreter: Interpreter, symbol: Symbolic) -> UserObject:
    """An input layer of the same name and shape."""
    layer = symbol.layer
    shape, name = symbol.shape, layer.fields["name"]
    made: UserObject = make_object(interpreter, layer.kind, [tuple(shape[1:])], {"name": name})
    made.fields.update(_output_shape=shape, built=True, _batch=shape[0])
    if "_dtype" in layer.fields:
        made.fields["_dtype"] = layer.fields["_dtype"]
    made.fields["_symbol"] = Symbolic(shape, made, None, {}, symbol.order, name=symbol.name)
    return made


def _between(interpreter: Interpreter, model: UserObject, copies: Mapping[int, UserObject]) -> UserObject:
    """The calls between inputs and outputs, once more on the copies."""
    ends = list(symbols(model.fields["_inputs"]))
    known: dict[int, Any] = {id(end): _input_like(interpreter, end).fields["_symbol"] for end in ends}
    done: dict[int, Any] = {}

    def again(value: Any) -> Any:
        return mapped(lambda one: known[id(one)], value)

    for one in model.fields["_calls"]:
        if id(one) in known:
            continue
        if one.order not in done:
            given = [again(argument) for argument in (one.inputs, *one.further)]
            done[one.order] = interpreter.call(copies[id(one.layer)], given, again(one.settings))
        known[id(one)] = part_of(done[one.order], one.path)
    given = [again(model.fields["_inputs"]), again(model.fields["_outputs"])]
    made: UserObject = make_object(interpreter, model.kind, given, {"name": model.fields["name"]})
    return made


# -- configurations of models ------------------------------------------------------------------------


def sequential_config(interpreter: Interpreter, self: UserObject) -> dict[str, Any]:
    """The class and the configuration of each layer, the input among them."""
    layers = list(self.fields["_layers"])
    if "_first" in self.fields:
        layers.insert(0, next(symbols(self.fields["_inputs"])).layer)
    found = {
        **get_config(interpreter, self),
        "layers": [serialized_layer(interpreter, one) for one in layers],
    }
    return found | {"build_input_shape": self.fields["_first"]} if "_first" in self.fields else found


def functional_config(interpreter: Interpreter, self: UserObject) -> dict[str, Any]:
    """Of a class of the program's own its name. Raises: ProgramError for any other model."""
    if "_calls" not in self.fields:
        return get_config(interpreter, self)
    raise ProgramError(
        "The configuration of a model between inputs and outputs is not written out here.",
        hint="Write tf.keras.models.clone_model(model) for another model like it.",
        message_zh="这里不输出由 inputs 和 outputs 构成的模型的配置。",
        hint_zh="要得到同样的模型，请写 tf.keras.models.clone_model(model)。",
        code="refused_name",
    )


def sequential_from(layers: Mapping[str, UserClass]) -> Callable[..., UserObject]:
    """`Sequential.from_config`, by the kinds of layers that there are."""

    def from_config(
        interpreter: Interpreter, kind: UserClass, config: Any, custom_objects: Any = None
    ) -> UserObject:
        given = arguments_of(kind, config)
        known = {**layers, **(custom_objects if isinstance(custom_objects, dict) else {})}
        made = []
        listed = given.get("layers", [])
        for one in listed if isinstance(listed, (list, tuple)) else [listed]:
            if not isinstance(one, dict) or not {"class_name", "config"} <= one.keys():
                raise no_config()
            if one["class_name"] not in known:
                raise _unknown_class(one["class_name"])
            own = known[one["class_name"]]
            made.append(make_object(interpreter, own, [], arguments_of(own, one["config"])))
        found: UserObject = make_object(interpreter, kind, [made], {"name": given.get("name")})
        return found

    return from_config


def _unknown_class(name: str) -> ProgramError:
    return ProgramError(
        f"There is no layer of the class {quoted(name)}.",
        hint="Give a class of the program's own in custom_objects={'Name': Name}.",
        message_zh=f"没有类 {quoted(name)} 的层。",
        hint_zh="程序自己的类请写在 custom_objects={'Name': Name} 中。",
        code="bad_value",
        kind="TypeError",
    )
