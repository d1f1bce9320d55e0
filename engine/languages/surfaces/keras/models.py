"""`tf.keras.Sequential` and `tf.keras.Model`: layers put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError, ValueRefused
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject, attribute_of, make_object
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.keras.fitting import training
from engine.languages.surfaces.keras.fitting.compiling import compile_
from engine.languages.surfaces.keras.fitting.held import metrics_of
from engine.languages.surfaces.keras.fitting.steps import compute_loss, reset_metrics
from engine.languages.surfaces.keras.functional import (
    layers_between,
    layers_by_depth,
    of_the_rank,
    run_between,
)
from engine.languages.surfaces.keras.layer import LAYER, called_on_any, layer_init, methods
from engine.languages.surfaces.keras.layering.parts import is_layer
from engine.languages.surfaces.keras.layering.shapes import build_layer, inside_layer, no_call, output_shape
from engine.languages.surfaces.keras.layers import INPUT, LAYERS
from engine.languages.surfaces.keras.layers.merging import merging_functions
from engine.languages.surfaces.keras.named import (
    ACTIVATIONS,
    INITIALIZERS,
    activation_named,
    normal_rule,
    serialized_activation,
    uniform_rule,
)
from engine.languages.surfaces.keras.older_names import PLACES, note
from engine.languages.surfaces.keras.parts import OF_A_SEQUENCE, PARTS, get_layer, layers_of
from engine.languages.surfaces.keras.saving import cloning, files
from engine.languages.surfaces.keras.saving.json_texts import (
    deserializer,
    from_json,
    register,
    serialized_layer,
    to_json,
)
from engine.languages.surfaces.keras.summary import summary
from engine.languages.surfaces.keras.symbolic import CALLS, Symbolic
from engine.languages.surfaces.keras.weights import counted_name


def _model_init(
    interpreter: Interpreter,
    self: UserObject,
    inputs: Any = None,
    outputs: Any = None,
    name: Any = None,
    input: Any = None,
    output: Any = None,
) -> None:
    """Of a class of the program's own a name alone; else the layers between the inputs and the outputs."""
    for old, value in {"input": input, "output": output}.items():
        if value is not None:
            note(interpreter, old, f"{old}s")
    inputs, outputs = input if inputs is None else inputs, output if outputs is None else outputs
    if inputs is None and outputs is None:
        layer_init(interpreter, self, name)
        return
    kind = self.kind.name if self.kind.origin == "program" else "Functional"
    layer_init(interpreter, self, name, kind=kind)
    calls = layers_between(inputs, outputs)
    layers = layers_by_depth(inputs, outputs)
    self.fields.update(_inputs=inputs, _outputs=outputs, _calls=calls, _layers=layers, built=True)


def _model_call(interpreter: Interpreter, self: UserObject, inputs: Any, training: Any = None) -> Any:
    """Through the layers between the inputs and the outputs."""
    if "_calls" not in self.fields:
        raise no_call(self)
    return run_between(interpreter, self, inputs)


def _reset_states(interpreter: Interpreter, self: UserObject) -> None:
    """Every stateful layer begins with zeros again."""
    for layer in layers_of(self):
        if layer.kind.find("reset_states") is not MISSING:
            interpreter.call(attribute_of(interpreter, layer, "reset_states"), [], {})


MODEL = UserClass(
    "Model",
    LAYER,
    dict(PARTS)
    | {"metrics_names": Wrapped("property", Native("metrics_names", training.metrics_names))}
    | {"loss": Wrapped("property", Native("loss", training.loss_of), Native("loss", training.set_loss))}
    | {"metrics": Wrapped("property", Native("metrics", metrics_of))}
    | {"call": called_on_any("Model", _model_call)}
    | methods(
        "Model",
        get_config=cloning.functional_config,
        get_layer=get_layer,
        __init__=_model_init,
        compile=compile_,
        fit=training.fit,
        evaluate=training.evaluate,
        predict=training.predict,
        train_on_batch=training.train_on_batch,
        test_on_batch=training.evaluate_on_batch,
        reset_metrics=reset_metrics,
        summary=summary,
        predict_on_batch=training.predict_on_batch,
        compute_loss=compute_loss,
        reset_states=_reset_states,
        to_json=to_json,
        save=files.save,
        save_weights=files.save_weights,
        load_weights=files.load_weights,
    ),
    origin="library",
)


def _init(interpreter: Interpreter, self: UserObject, layers: Any = None, name: Any = None) -> None:
    """The layers in order."""
    layer_init(interpreter, self, name)
    self.fields["_layers"] = []
    for layer in [] if layers is None else iterate(layers):
        _append(interpreter, self, layer)
    _count_inner_model(interpreter, self)


def _count_inner_model(interpreter: Interpreter, self: UserObject) -> None:
    """Keras puts a model between inputs and outputs inside, whenever it has all shapes, and counts it."""
    if self.fields["_layers"] and "_shape" in self.fields:
        interpreter.workspace.layer_kinds["functional"] += 1


def add(interpreter: Interpreter, self: UserObject, layer: Any, rebuild: Any = True) -> None:
    """One more layer at the end; Keras calls those before it once more, and counts what they give."""
    if "_shape" in self.fields:
        interpreter.workspace.layer_kinds["keras_tensor"] += len(self.fields["_layers"])
    _append(interpreter, self, layer)
    _count_inner_model(interpreter, self)


def _append(interpreter: Interpreter, self: UserObject, layer: Any) -> None:
    """One more layer; where the shape of the input is given, its variables are made at once."""
    if isinstance(layer, Symbolic):
        layer = layer.layer
    if not is_layer(layer):
        raise ProgramError(
            "A Sequential model holds layers.",
            hint="Write tf.keras.layers.Dense(…).",
            message_zh="Sequential 模型由层组成。",
            hint_zh="请写 tf.keras.layers.Dense(…)。",
            code="bad_value",
        )
    known = layer.fields["_input_shape"]
    if known is not None and "_shape" not in self.fields:
        self.fields["_shape"] = self.fields["_first"] = (layer.fields.get("_batch"), *known)
        _begun(interpreter, self, layer, known)
    if layer.kind is INPUT:
        return
    self.fields["_layers"].append(layer)
    if "_shape" in self.fields:
        self.fields["_shape"] = shape = _built(interpreter, self, layer, self.fields["_shape"])
        before = self.fields["_outputs"]
        name = counted_name(interpreter, "keras_tensor")
        self.fields["_outputs"] = made = Symbolic(shape, layer, before, {}, next(CALLS), name=name)
        layer.fields["_symbol"] = made


def _begun(interpreter: Interpreter, self: UserObject, layer: UserObject, known: Any) -> None:
    """The symbolic input of a model whose first shape is known."""
    first = layer.fields.get("_symbol") if layer.kind is INPUT else None
    name = layer.fields["name"] if layer.kind is INPUT else None
    self.fields["_inputs"] = self.fields["_outputs"] = first or _input(
        interpreter, known, layer.fields.get("_batch"), name=name
    )


def pop(self: UserObject, rebuild: Any = True) -> UserObject:
    """Without its last layer. Raises: ProgramError where there is none."""
    if not self.fields["_layers"]:
        raise ProgramError(
            "There are no layers in the model.",
            message_zh="模型中没有层。",
            code="bad_value",
            kind="TypeError",
        )
    last: UserObject = self.fields["_layers"].pop()
    layers = self.fields["_layers"]
    if "_shape" in self.fields:
        self.fields["_shape"] = layers[-1].fields["_output_shape"] if layers else self.fields["_first"]
        self.fields["_outputs"] = self.fields["_outputs"].inputs
    return last


def _built(interpreter: Interpreter, self: UserObject, layer: UserObject, shape: Any) -> Any:
    """The shape that comes out of a layer, whose variables are there then."""
    self.fields["built"] = True
    with inside_layer(interpreter, self), inside_layer(interpreter, layer):
        build_layer(interpreter, layer, shape)
    return output_shape(interpreter, layer, shape)


def build(interpreter: Interpreter, self: UserObject, input_shape: Any = None) -> None:
    """All variables, for inputs of this shape; left alone, each layer makes its own as the values pass."""
    if self.fields["_layers"] and "_shape" not in self.fields:
        for kind in ("input_layer", "functional"):
            interpreter.workspace.layer_kinds[kind] += 1
    if None in input_shape:
        shape = input_shape
        for layer in self.fields["_layers"]:
            shape = _built(interpreter, self, layer, shape)


def _alone(inputs: Any) -> Any:
    """The one input. Raises: ValueRefused where there are several."""
    if not isinstance(inputs, (list, tuple, dict)):
        return inputs
    listed = list(inputs.values() if isinstance(inputs, dict) else inputs)
    if len(listed) != 1:
        raise ValueRefused(
            f"A Sequential model has one input, but {len(listed)} were given.",
            message_zh=f"Sequential 模型只有一个输入，但给了 {len(listed)} 个。",
            hint="Rows that belong together are one array: np.array(x).",
            hint_zh="同属一组的各行应是一个数组：np.array(x)。",
            code="wrong_arguments",
        )
    return listed[0]


def call(interpreter: Interpreter, self: UserObject, inputs: Any, training: Any = None) -> Any:
    """Through one layer after the other."""
    x = of_the_rank(self.fields.get("_first") or self.fields.get("_met_first"), _alone(inputs))
    self.fields.setdefault("_met_first", getattr(x, "shape", None))  # what Keras builds the model for
    for layer in self.fields["_layers"]:
        x = interpreter.call(layer, [x], {})
    return x


SEQUENTIAL = UserClass(
    "Sequential",
    MODEL,
    {
        **methods("Sequential", __init__=_init, add=add, pop=pop, build=build),
        **methods("Sequential", get_config=cloning.sequential_config),
        "from_config": Wrapped(
            "classmethod", Native("Sequential.from_config", cloning.sequential_from(MappingProxyType(LAYERS)))
        ),
        "call": called_on_any("Sequential", call),
        **OF_A_SEQUENCE,
    },
    origin="library",
)


def _input(
    interpreter: Interpreter,
    shape: Any = None,
    batch_size: Any = None,
    dtype: Any = None,
    name: Any = None,
    batch_shape: Any = None,
) -> Symbolic:
    """Where a model begins: the shape of one example, or of a batch of them."""
    if shape is None and batch_shape is not None:
        batch_size, *shape = batch_shape
    _check_input(shape, batch_size)
    layer = make_object(interpreter, INPUT, [shape], {} if name is None else {"name": name})
    whole = (None if batch_size is None else int(batch_size), *layer.fields["_input_shape"])
    layer.fields.update(_output_shape=whole, built=True, _batch=whole[0])
    if dtype is not None:
        layer.fields["_dtype"] = dtype_name(dtype)
    own = counted_name(interpreter, "keras_tensor") if name is None else name
    layer.fields["_symbol"] = made = Symbolic(whole, layer, None, {}, next(CALLS), name=own)
    return made


def _check_input(shape: Any, batch_size: Any) -> None:
    """Raises: ValueRefused where no shape is given, or fewer examples than none."""
    if shape is None:
        raise ValueRefused(
            "You must pass a `shape` argument.",
            hint="Write tf.keras.Input(shape=(2,)): the shape of one example.",
            message_zh="必须给出 `shape` 参数。",
            hint_zh="请写 tf.keras.Input(shape=(2,))：一个样本的形状。",
            code="bad_value",
        )
    if batch_size is not None and batch_size < 0:
        raise ValueRefused(
            f"`batch_size` counts examples, so it cannot be {batch_size}.",
            message_zh=f"`batch_size` 是样本的个数，不能是 {batch_size}。",
            code="bad_value",
        )


def _activation(identifier: Any) -> Any:
    """An activation by its name, or as it is given."""
    return activation_named(identifier)


def _rule_maker(name: str) -> str:
    """`glorot_uniform` as `GlorotUniform`."""
    return "".join(part.capitalize() for part in name.split("_"))


def members() -> Mapping[str, Any]:
    """The names below `tf.` that layers and models stand under."""
    found: dict[str, Any] = {f"keras.layers.{name}": kind for name, kind in LAYERS.items()}
    found.update({f"keras.layers.{name}": call for name, call in merging_functions().items()})
    for place, names in PLACES.items():
        found.update(
            {
                f"keras.layers.{place}.{name}": found[f"keras.layers.{name}"]
                for name in names
                if f"keras.layers.{name}" in found
            }
        )
    found["keras.Input"] = found["keras.layers.Input"] = Native("tf.keras.Input", _input)
    for home in ("keras", "keras.models"):
        found.update({f"{home}.Model": MODEL, f"{home}.Sequential": SEQUENTIAL})
    functions: Mapping[str, Callable[..., Any]] = {
        "clone_model": cloning.clone_model,
        "load_model": files.load_model,
        "model_from_json": from_json(MappingProxyType({"Sequential": SEQUENTIAL})),
    }
    for name, function in functions.items():
        found[f"keras.models.{name}"] = Native(f"tf.keras.models.{name}", function)
    for home in ("keras.saving", "keras.utils"):
        path = f"{home}.register_keras_serializable"
        found[path] = Native(f"tf.{path}", register)
    found["keras.layers.serialize"] = Native("tf.keras.layers.serialize", serialized_layer)
    by_name = deserializer(MappingProxyType(LAYERS))
    found["keras.layers.deserialize"] = Native("tf.keras.layers.deserialize", by_name)
    found["keras.saving.load_model"] = found["keras.models.load_model"]
    for name, function in ACTIVATIONS.items():
        found[f"keras.activations.{name}"] = Native(f"tf.keras.activations.{name}", function)
    found["keras.activations.get"] = Native("tf.keras.activations.get", _activation)
    found["keras.activations.serialize"] = Native("tf.keras.activations.serialize", serialized_activation)
    found["random_normal_initializer"] = Native("tf.random_normal_initializer", normal_rule)
    found["random_uniform_initializer"] = Native("tf.random_uniform_initializer", uniform_rule)
    for name, make in INITIALIZERS.items():
        for spelled in (name, _rule_maker(name)):
            for home in ("keras.initializers", "initializers"):
                found[f"{home}.{spelled}"] = Native(f"tf.{home}.{spelled}", make)
    return found
