"""What every layer of Keras has: a name, variables that are made when it sees its first input, a call.

A layer is an object of a class that a program may inherit from: `build` makes its variables, `call`
computes, and calling the layer does the one once and then the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.callables import Native, UserFunction
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.keras.arguments import OF_A_LAYER, example_shape
from engine.languages.surfaces.keras.layering.parts import is_layer, layers_in
from engine.languages.surfaces.keras.layering.shapes import (
    build_for_several,
    build_layer,
    computation,
    inside_layer,
    shape_of_output,
    symbol_before,
    symbol_of,
    symbolic_call,
)
from engine.languages.surfaces.keras.layering.weights import (
    all_variables,
    count_numbers,
    frozen_variables,
    is_trainable,
    set_trainable,
    set_values,
    trainable_variables,
    values_of,
)
from engine.languages.surfaces.keras.masks import compute_mask, forget_masks, hand_on, mask_of
from engine.languages.surfaces.keras.saving.configs import from_config, get_config
from engine.languages.surfaces.keras.symbolic import symbols
from engine.languages.surfaces.keras.weights import add_weight, counted_name
from engine.languages.surfaces.tf2.functions.function import Function
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import FLOATS, Tensor


def layer_init(interpreter: Interpreter, self: UserObject, name: Any = None, **settings: Any) -> None:
    """The name, and no variables yet."""
    own = name or counted_name(interpreter, _spelled(settings.get("kind", self.kind.name)))
    self.fields.update(
        name=own,
        built=is_built_when_made(self),
        _weights=[],
        _input_shape=example_shape(settings.get("input_shape")),
    )


# Kinds of layers without `build()` in Keras: they are ready as soon as they are made.
READY = frozenset(
    {
        *("Activation", "ELU", "Identity", "LeakyReLU", "ReLU", "Softmax"),
        *("Dropout", "AlphaDropout", "GaussianDropout", "GaussianNoise"),
        *("SpatialDropout1D", "SpatialDropout2D", "Masking", "Reshape", "UnitNormalization"),
        *(f"{kind}Pooling{count}D" for kind in ("Max", "Average") for count in (1, 2, 3)),
        *(f"Global{kind}Pooling{count}D" for kind in ("Max", "Average") for count in (1, 2, 3)),
    }
)


def is_built_when_made(layer: UserObject) -> bool:
    """Whether a layer of the library needs no shape to be ready."""
    return layer.kind.origin == "library" and layer.kind.name in READY


def clear_session(interpreter: Interpreter) -> None:
    """Names of layers begin anew."""
    interpreter.workspace.layer_kinds.clear()


def _spelled(name: str) -> str:
    """`MaxPooling2D` as `max_pooling2d`, as Keras names its layers."""
    apart = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", re.sub(r"\W+", "", name))
    return re.sub("([a-z])([A-Z])", r"\1_\2", apart).lower()


def call_layer(interpreter: Interpreter, self: UserObject, *inputs: Any, **settings: Any) -> Any:
    """Make the variables at the first call, and compute."""
    if any(symbols([inputs, settings])):
        first = inputs[0] if inputs else settings.pop("inputs")
        return symbolic_call(interpreter, self, first, inputs[1:], settings)
    given = [_as_input(value) for value in inputs]
    if not interpreter.workspace.open_layers:
        _forget_losses(self)
        forget_masks(interpreter)
    with inside_layer(interpreter, self), _in_training(interpreter, self, settings):
        if given and isinstance(given[0], Tensor):
            build_layer(interpreter, self, given[0].shape or ())
        elif given:
            build_for_several(interpreter, self, given[0])
        settings = _with_mask(interpreter, self, given, settings)
        result = interpreter.call(computation(interpreter, self), given, settings)
    if isinstance(result, Tensor) and self.kind.find("compute_output_shape") is not MISSING:
        self.fields.setdefault("_output_shape", result.shape)
    _add_activity(interpreter, self, result)
    if given:
        hand_on(interpreter, self, given[0], result)
    return result


def _add_activity(interpreter: Interpreter, layer: UserObject, result: Any) -> None:
    """The loss for large outputs, the mean over the examples, where there is an `activity_regularizer`."""
    rule = layer.fields.get("activity_regularizer")
    if rule is not None and "_limits" in layer.fields:
        for one in result if isinstance(result, (list, tuple)) else [result]:
            add_loss(layer, interpreter.call(rule, [one], {}) / float(one.shape[0]))


@contextmanager
def _in_training(interpreter: Interpreter, layer: UserObject, settings: dict[str, Any]) -> Iterator[None]:
    """Whether it is training: what the call says, else what the layer around it was called with.

    A layer whose `call` has no such parameter hands it on to those that it calls.
    """
    workspace = interpreter.workspace
    outer, said = workspace.in_training, settings.pop("training", None)
    workspace.in_training = outer if said is None else said
    if workspace.in_training is not None and takes_training(layer):
        settings["training"] = workspace.in_training
    try:
        yield
    finally:
        workspace.in_training = outer


def takes_training(layer: UserObject) -> bool:
    """Whether its `call` has a parameter `training`."""
    function = _called(layer)
    if isinstance(function, UserFunction):
        return "training" in function.signature.names
    return isinstance(function, Native) and "training" in signature(function.function).parameters


def _called(layer: UserObject) -> Any:
    """Its `call`, without what decorates it."""
    function = layer.kind.find("call")
    while isinstance(function, (Function, Wrapped)):
        function = function.function
    return function


def _with_mask(
    interpreter: Interpreter, layer: UserObject, given: list[Any], settings: dict[str, Any]
) -> dict[str, Any]:
    """What a layer is called with, and the mask of its one input, where its `call` of the program's asks."""
    function = _called(layer)
    asks = isinstance(function, UserFunction) and "mask" in function.signature.names
    if not asks or len(given) != 1 or settings.get("mask") is not None:
        return settings
    return {**settings, "mask": mask_of(interpreter, given[0])}


def _has_tensors(value: Any) -> bool:
    """Whether a tensor stands in a list, however deep."""
    if isinstance(value, (list, tuple)):
        return any(map(_has_tensors, value))
    return isinstance(value, Tensor)


def _as_input(value: Any) -> Any:
    """A tensor, floats as float32, which Keras computes in; several of them as they are."""
    if isinstance(value, dict) or (isinstance(value, (list, tuple)) and _has_tensors(value)):
        return value
    if isinstance(value, (list, tuple)) and any(isinstance(one, np.ndarray) and one.ndim for one in value):
        return [_as_input(one) for one in value]
    x = convert_to_tensor(value)
    return ops.cast(x, "float32") if x.dtype in FLOATS else x


def add_loss(self: UserObject, loss: Any) -> None:
    """One more loss, or several, that `call` has computed, beside that of the labels; until the next call."""
    self.fields.setdefault("_losses", []).extend(loss if isinstance(loss, (list, tuple)) else [loss])


def _forget_losses(self: UserObject) -> None:
    for layer in layers_in(self):
        layer.fields["_losses"] = []


def losses_of(interpreter: Interpreter, self: UserObject) -> list[Any]:
    """What the layers have added, then the penalties on trained variables as they are now."""
    added = [loss for layer in layers_in(self) for loss in layer.fields.get("_losses", ())]
    rules = [(one.regularizer, one) for one in trainable_variables(self) if one.regularizer is not None]
    return added + [interpreter.call(rule, [variable], {}) for rule, variable in rules]


def _fact(function: Callable[..., Any]) -> Wrapped:
    return Wrapped("property", Native(function.__name__, function))


def methods(kind: str, **functions: Callable[..., Any]) -> dict[str, Any]:
    """Functions of ours as the methods of a class, which see objects of such classes only."""
    return {
        name: Native(f"{kind}.{name}", function, arguments=OF_A_LAYER)
        if name == "__init__"
        else Native(f"{kind}.{name}", _guarded(function))
        for name, function in functions.items()
    }


def called_on_any(kind: str, function: Callable[..., Any]) -> Native:
    """The method `call` of a model, which takes one input, several, or several by name."""
    return Native(f"{kind}.call", _guarded(function), arguments={"inputs": ANY})


def _guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function. Raises: ProgramError where `self` is no layer, or one that was not initialised."""

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        own = next((one for one in arguments[:2] if not isinstance(one, Interpreter)), None)
        if not isinstance(own, UserObject) or not is_layer(own):
            raise ProgramError(
                "A method of a layer is called on a layer: layer(x).",
                message_zh="层的方法要在层上调用：layer(x)。",
                code="wrong_arguments",
            )
        if "_weights" not in own.fields:
            raise _not_initialised(own)
        return function(*arguments, **keywords)

    return call


def _not_initialised(layer: UserObject) -> ProgramError:
    return ProgramError(
        f"{layer.kind.name}.__init__ has not called super().__init__().",
        hint="Make it the first line of __init__.",
        message_zh=f"{layer.kind.name}.__init__ 没有调用 super().__init__()。",
        hint_zh="请把它写在 __init__ 的第一行。",
        code="not_initialised",
    )


def _shown(self: UserObject) -> str:
    """A layer as Keras prints it: its class, its name, and whether its variables are there."""
    kind = "Functional" if self.kind.name == "Model" and "_calls" in self.fields else self.kind.name
    built = self.fields["built"] or self.kind.find("build") is LAYER.members["build"]
    return f"<{kind} name={self.fields['name']}, built={bool(built)}>"


LAYER = UserClass(
    "Layer",
    None,
    {
        **methods("Layer", __init__=layer_init, __call__=call_layer, add_weight=add_weight),
        **methods(
            "Layer",
            build=lambda self, input_shape: self.fields.update(built=True),
            count_params=count_numbers,
            get_weights=values_of,
        ),
        **methods("Layer", set_weights=set_values, add_variable=add_weight, add_loss=add_loss),
        **methods("Layer", get_config=get_config, compute_mask=compute_mask, __repr__=_shown),
        "from_config": Wrapped(
            "classmethod", Native("Layer.from_config", from_config, arguments={"kind": ANY})
        ),
        "losses": _fact(losses_of),
        "trainable": Wrapped(
            "property", Native("trainable", is_trainable), setter=Native("trainable", set_trainable)
        ),
        "output_shape": _fact(shape_of_output),
        "output": _fact(symbol_of),
        "input": _fact(symbol_before),
        **dict.fromkeys(("variables", "weights"), _fact(all_variables)),
        **dict.fromkeys(("trainable_variables", "trainable_weights"), _fact(trainable_variables)),
        **dict.fromkeys(("non_trainable_variables", "non_trainable_weights"), _fact(frozen_variables)),
    },
    origin="library",
)
