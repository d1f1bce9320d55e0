"""What every layer of Keras has: a name, variables that are made when it sees its first input, a call.

A layer is an object of a class that a program may inherit from: `build` makes its variables, `call`
computes, and calling the layer does the one once and then the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.callables import Native, UserFunction
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.keras.arguments import OF_A_LAYER, example_shape
from engine.languages.surfaces.keras.masks import compute_mask, forget_masks, hand_on, mask_of
from engine.languages.surfaces.keras.saving.configs import from_config, get_config
from engine.languages.surfaces.keras.symbolic import CALLS, Symbolic, mapped, symbols
from engine.languages.surfaces.keras.weights import KerasVariable, add_weight, counted_name, freeze
from engine.languages.surfaces.tf2.eager import EagerShape, array_of
from engine.languages.surfaces.tf2.functions.function import Function, concrete_of
from engine.languages.surfaces.tf2.functions.running import untraced
from engine.languages.surfaces.tf2.functions.signature import TensorSpec
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.tensors import FLOATS, Tensor
from engine.ops.sources import state


def layer_init(interpreter: Interpreter, self: UserObject, name: Any = None, **settings: Any) -> None:
    """The name, and no variables yet."""
    own = name or counted_name(interpreter, _spelled(settings.get("kind", self.kind.name)))
    self.fields.update(
        name=own, built=False, _weights=[], _input_shape=example_shape(settings.get("input_shape"))
    )


def clear_session(interpreter: Interpreter) -> None:
    """Names of layers begin anew."""
    interpreter.workspace.layer_kinds.clear()


def _spelled(name: str) -> str:
    """`MaxPooling2D` as `max_pooling2d`, as Keras names its layers."""
    apart = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", re.sub(r"\W+", "", name))
    return re.sub("([a-z])([A-Z])", r"\1_\2", apart).lower()


@contextmanager
def inside_layer(interpreter: Interpreter, layer: UserObject) -> Iterator[None]:
    """What is made here belongs to the layer: nodes stand in its scope, variables below its path."""
    open_layers = interpreter.workspace.open_layers
    open_layers.append(layer)
    try:
        with name_scope(f"{layer.fields['name']}/", ""):
            yield
    finally:
        open_layers.pop()


def call_layer(interpreter: Interpreter, self: UserObject, *inputs: Any, **settings: Any) -> Any:
    """Make the variables at the first call, and compute."""
    if any(symbols([inputs, settings])):
        first = inputs[0] if inputs else settings.pop("inputs")
        return _symbolic_call(interpreter, self, first, inputs[1:], settings)
    given = [_as_input(value) for value in inputs]
    if not interpreter.workspace.open_layers:
        _forget_losses(self)
        forget_masks(interpreter)
    with inside_layer(interpreter, self), _in_training(interpreter, self, settings):
        if given and isinstance(given[0], Tensor):
            build_layer(interpreter, self, given[0].shape or ())
        settings = _with_mask(interpreter, self, given, settings)
        result = interpreter.call(_computation(interpreter, self), given, settings)
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


def _symbolic_call(
    interpreter: Interpreter,
    layer: UserObject,
    inputs: Any,
    further: Sequence[Any],
    settings: Mapping[str, Any],
) -> Any:
    """A layer called on symbolic tensors: its variables are made, its outputs are known by their shapes."""
    if isinstance(inputs, (list, tuple)) and not all(any(symbols(one)) for one in inputs):
        raise _not_all_symbolic(layer)
    shape = _shape_of(inputs)
    if isinstance(inputs, Symbolic):
        with inside_layer(interpreter, layer):
            build_layer(interpreter, layer, shape)
    given = output_shape(interpreter, layer, inputs, further, settings)
    order = next(CALLS)

    def made(part: Any, path: tuple[Any, ...]) -> Any:
        if isinstance(part, dict):
            return {key: made(one, (*path, key)) for key, one in part.items()}
        if _are_several(part):
            return [made(one, (*path, place)) for place, one in enumerate(part)]
        return Symbolic(tuple(part), layer, inputs, dict(settings), order, tuple(further), path)

    layer.fields["_symbol"] = found = made(given, ())
    return found


def _not_all_symbolic(layer: UserObject) -> ProgramError:
    return ProgramError(
        f"The inputs of {layer.fields['name']} must all be symbolic, or all have values.",
        message_zh=f"层 {layer.fields['name']} 的输入必须都是符号张量，或都有数值。",
        code="wrong_arguments",
        kind="ValueError",
    )


def _shape_of(inputs: Any) -> Any:
    """The shape of a symbolic tensor, or of each of several."""
    return mapped(lambda one: one.shape, inputs)


def _are_several(shape: Any) -> bool:
    """Whether it is a list of shapes, not a shape."""
    return bool(shape) and isinstance(shape, (list, tuple)) and isinstance(shape[0], (list, tuple, dict))


NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})


def output_shape(
    interpreter: Interpreter,
    layer: UserObject,
    inputs: Any,
    further: Sequence[Any] = (),
    settings: Mapping[str, Any] = NO_SETTINGS,
) -> Any:
    """The shape of what a layer gives for symbolic tensors, or for an input of this shape.

    A layer that does not say so itself is traced, as a function of tensors is. Of several outputs it is a
    list of shapes, or shapes by name.
    """
    if layer.kind.find("compute_output_shape") is not MISSING:
        rule = attribute_of(interpreter, layer, "compute_output_shape")
        found = interpreter.call(rule, [_shape_of(inputs)], {})
    else:
        found = _traced_shape(interpreter, layer, inputs, further, settings)
    if not isinstance(found, dict):
        found = list(map(tuple, found)) if _are_several(found) else tuple(found)
    layer.fields["_output_shape"] = found
    return found


def _traced_shape(
    interpreter: Interpreter,
    layer: UserObject,
    inputs: Any,
    further: Sequence[Any],
    settings: Mapping[str, Any],
) -> Any:
    """Raises: ProgramError where the layer gives something else than tensors, or one of no known rank."""
    given = inputs if any(symbols(inputs)) else TensorSpec(tuple(inputs), "float32")
    args = [_specified(one) for one in (given, *further)]
    traced = Function(_computation(interpreter, layer))
    with inside_layer(interpreter, layer):
        keywords = {name: _specified(one) for name, one in settings.items()}
        return _shapes_in(layer, concrete_of(interpreter, traced, args, keywords).result)


def _specified(value: Any) -> Any:
    return mapped(lambda one: TensorSpec(tuple(one.shape), one.dtype), value)


def _shapes_in(layer: UserObject, result: Any) -> Any:
    if isinstance(result, (list, tuple)) and result:
        return [_shapes_in(layer, one) for one in result]
    if isinstance(result, dict) and result:
        return {key: _shapes_in(layer, one) for key, one in result.items()}
    if not isinstance(result, Tensor) or result.shape is None:
        raise ProgramError(
            f"What {layer.kind.name} gives for an input without a value is not known here.",
            hint="Let `call` return tensors, or write a class that inherits from tf.keras.Model.",
            message_zh=f"这里无法得知 {layer.kind.name} 对没有数值的输入给出什么。",
            hint_zh="请让 `call` 返回张量，或写一个继承 tf.keras.Model 的类。",
            code="refused_name",
        )
    return result.shape


def _computation(interpreter: Interpreter, self: UserObject) -> Any:
    if self.kind.find("call") is MISSING:
        raise no_call(self)
    return attribute_of(interpreter, self, "call")


def no_call(self: UserObject) -> ProgramError:
    """A layer that does not say what it computes."""
    return ProgramError(
        f"{self.kind.name} has no method `call`, which computes what the layer gives.",
        hint="Write def call(self, x): …",
        message_zh=f"{self.kind.name} 没有计算输出的 `call` 方法。",
        hint_zh="请写 def call(self, x): …",
        code="unknown_attribute",
    )


def _as_input(value: Any) -> Any:
    """A tensor, floats as float32, which Keras computes in; several of them as they are."""
    if isinstance(value, dict) or (
        isinstance(value, (list, tuple)) and any(isinstance(one, Tensor) for one in value)
    ):
        return value
    if isinstance(value, (list, tuple)) and any(isinstance(one, np.ndarray) and one.ndim for one in value):
        return [_as_input(one) for one in value]
    x = convert_to_tensor(value)
    return ops.cast(x, "float32") if x.dtype in FLOATS else x


def build_layer(interpreter: Interpreter, self: UserObject, shape: Any) -> None:
    """Its variables, unless they are there already."""
    if not self.fields["built"]:
        self.fields.update(built=True, _built_for=tuple(shape))
        with untraced(interpreter):
            interpreter.call(attribute_of(interpreter, self, "build"), [EagerShape(shape)], {})


def _layers_of(value: Any, seen: set[int]) -> Iterator[UserObject]:
    """A layer, and then the layers among its attributes; each once."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if is_layer(value):
        yield value
        parts: Any = [part for name, part in value.fields.items() if name not in ("_weights", "_losses")]
    else:
        parts = value.values() if isinstance(value, dict) else value
    for part in parts:
        if is_layer(part) or isinstance(part, (list, tuple, dict)):
            yield from _layers_of(part, seen)


def layers_in(self: UserObject) -> Iterator[UserObject]:
    """A layer, and then those among its attributes; each once."""
    return _layers_of(self, set())


def is_layer(value: Any) -> bool:
    """Whether it is an object of a layer's class."""
    return isinstance(value, UserObject) and LAYER in value.kind.line()


def all_variables(self: UserObject) -> list[KerasVariable]:
    """The variables of a layer and of its parts."""
    return list(dict.fromkeys(one for layer in layers_in(self) for one in _own_variables(layer)))


def _own_variables(layer: UserObject) -> list[KerasVariable]:
    """Those that it made itself, in the order of `weights`: first what was made to be trained."""
    return sorted(layer.fields.get("_weights", ()), key=lambda one: not one.trainable)


def trainable_variables(self: UserObject) -> list[KerasVariable]:
    """Those that are trained: none of a layer, or of its parts, whose `trainable` is False."""
    frozen = set(frozen_variables(self))
    return [variable for variable in all_variables(self) if variable not in frozen]


def frozen_variables(self: UserObject) -> list[KerasVariable]:
    """The others."""
    stopped = {
        variable
        for layer in layers_in(self)
        if layer.fields.get("trainable", True) is False
        for variable in all_variables(layer)
    }
    return [one for one in all_variables(self) if not one.trainable or one.is_frozen or one in stopped]


def of_any_batch(self: UserObject, count: int | None = None) -> None:
    """The shapes that the layers have given hold for any number of examples, or for this one."""
    for layer in layers_in(self):
        shape = layer.fields.get("_output_shape")
        if shape:
            layer.fields["_output_shape"] = _of_batch(shape, count)


def _of_batch(shape: Any, count: int | None) -> Any:
    if isinstance(shape, dict):
        return {key: _of_batch(one, count) for key, one in shape.items()}
    several = _are_several(shape)
    return [_of_batch(one, count) for one in shape] if several else (count, *tuple(shape)[1:])


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


def _count(self: UserObject) -> int:
    return sum(prod(variable.array.shape) for variable in all_variables(self))


def values_of(self: UserObject) -> list[Any]:
    """Copies of what all variables hold, in their order."""
    return [variable.array.copy() for variable in all_variables(self)]


def set_values(self: UserObject, weights: Any) -> None:
    """Give all variables new values, in their order. Raises: ProgramError where these do not fit."""
    variables = all_variables(self)
    values = [np.asarray(array_of(one)) for one in weights]
    if [one.shape for one in values] != [one.array.shape for one in variables]:
        raise ProgramError(
            f"{self.fields['name']} has weights of the shapes {[one.array.shape for one in variables]}, "
            f"but was given {[one.shape for one in values]}.",
            message_zh=f"层 {self.fields['name']} 的权重形状是 {[one.array.shape for one in variables]}，"
            f"但给出的是 {[one.shape for one in values]}。",
            code="shape_mismatch",
            kind="ValueError",
        )
    for variable, value in zip(variables, values, strict=True):
        state.assign(variable.ref, convert_to_tensor(value.astype(variable.dtype)))


def _shape_of_output(self: UserObject) -> Any:
    """Raises: ProgramError where it has not been called yet."""
    if self.fields.get("_output_shape") is None:
        raise ProgramError(
            f"The layer {self.fields['name']} has never been called and thus has no defined output.",
            message_zh=f"层 {self.fields['name']} 还没有被调用过，因此形状未知。",
            code="unknown_attribute",
            kind="AttributeError",
        )
    return self.fields["_output_shape"]


def _symbol_of(self: UserObject) -> Any:
    """The symbolic tensor that it gave last, or several. Raises: ProgramError where it was called on none."""
    if "_symbol" not in self.fields:
        raise ProgramError(
            f"The layer {self.fields['name']} has never been called and thus has no defined output.",
            message_zh=f"层 {self.fields['name']} 还没有在符号张量上调用过，因此没有确定的输出。",
            code="unknown_attribute",
            kind="AttributeError",
        )
    return self.fields["_symbol"]


def _symbol_before(self: UserObject) -> Any:
    """What it was called on last; of an input itself."""
    found = next(symbols(_symbol_of(self)))
    return found if found.inputs is None else found.inputs


def _is_trainable(self: UserObject) -> Any:
    return self.fields.get("trainable", True)


def _set_trainable(self: UserObject, value: Any) -> None:
    """Of a layer and of all its parts, wherever else these are used; nothing where it says so already."""
    value = bool(value)
    if _is_trainable(self) is value:
        return
    self.fields["trainable"] = value
    for variable in self.fields.get("_weights", ()):
        freeze(variable, value)
    for part in _parts_of(self.fields):
        _set_trainable(part, value)


def _parts_of(fields: Mapping[str, Any]) -> Iterator[UserObject]:
    """The layers among the attributes of a layer, without those that they have in turn."""
    seen: set[int] = set()
    waiting = [part for name, part in fields.items() if name not in ("_weights", "_losses")]
    while waiting:
        part = waiting.pop(0)
        if id(part) in seen:
            continue
        seen.add(id(part))
        if is_layer(part):
            yield part
        elif isinstance(part, (list, tuple, dict)):
            waiting += part.values() if isinstance(part, dict) else part


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


LAYER = UserClass(
    "Layer",
    None,
    {
        **methods("Layer", __init__=layer_init, __call__=call_layer, add_weight=add_weight),
        **methods("Layer", build=lambda self, input_shape: None, count_params=_count, get_weights=values_of),
        **methods("Layer", set_weights=set_values, add_variable=add_weight, add_loss=add_loss),
        **methods("Layer", get_config=get_config, compute_mask=compute_mask),
        "from_config": Wrapped(
            "classmethod", Native("Layer.from_config", from_config, arguments={"kind": ANY})
        ),
        "losses": _fact(losses_of),
        "trainable": Wrapped(
            "property", Native("trainable", _is_trainable), setter=Native("trainable", _set_trainable)
        ),
        "output_shape": _fact(_shape_of_output),
        "output": _fact(_symbol_of),
        "input": _fact(_symbol_before),
        **dict.fromkeys(("variables", "weights"), _fact(all_variables)),
        **dict.fromkeys(("trainable_variables", "trainable_weights"), _fact(trainable_variables)),
        **dict.fromkeys(("non_trainable_variables", "non_trainable_weights"), _fact(frozen_variables)),
    },
    origin="library",
)
