"""A layer called on symbolic tensors: its variables are made, and what it gives is known by its shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.callables import UserFunction
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.keras.layering.parts import layers_in
from engine.languages.surfaces.keras.symbolic import CALLS, Symbolic, mapped, symbols
from engine.languages.surfaces.keras.weights import counted_name
from engine.languages.surfaces.tf2.eager import EagerShape
from engine.languages.surfaces.tf2.functions.function import Function, concrete_of
from engine.languages.surfaces.tf2.functions.running import untraced
from engine.languages.surfaces.tf2.functions.signature import TensorSpec
from engine.ops.base.building import name_scope
from engine.ops.base.tensors import Tensor
from engine.ops.sources.draws import SeedGenerator


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


def build_layer(interpreter: Interpreter, self: UserObject, shape: Any) -> None:
    """Its variables, unless they are there already."""
    if not self.fields["built"]:
        self.fields.update(built=True, _built_for=tuple(shape))
        _build(interpreter, self, EagerShape(shape))


def _build(interpreter: Interpreter, self: UserObject, shapes: Any) -> None:
    with untraced(interpreter):
        interpreter.call(attribute_of(interpreter, self, "build"), [shapes], {})


def build_for_several(interpreter: Interpreter, self: UserObject, inputs: Any) -> None:
    """The variables of a layer of the program's own that is called on a list or a dictionary of tensors.

    Its `build` is given their shapes in the same order, or under the same names.
    """
    if not self.fields["built"] and isinstance(self.kind.find("build"), UserFunction):
        self.fields.update(built=True)
        _build(interpreter, self, _shapes_of_each(inputs))


def _shapes_of_each(inputs: Any) -> Any:
    if isinstance(inputs, Mapping):
        return {key: _shapes_of_each(one) for key, one in inputs.items()}
    if isinstance(inputs, (list, tuple)):
        return [_shapes_of_each(one) for one in inputs]
    return tuple(inputs.shape or ()) if isinstance(inputs, (Symbolic, Tensor, np.ndarray)) else None


def computation(interpreter: Interpreter, self: UserObject) -> Any:
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


def symbolic_call(
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
    else:
        with inside_layer(interpreter, layer):
            build_for_several(interpreter, layer, inputs)
    given = output_shape(interpreter, layer, inputs, further, settings)
    order = next(CALLS)

    def made(part: Any, path: tuple[Any, ...]) -> Any:
        if isinstance(part, dict):
            return {key: made(one, (*path, key)) for key, one in part.items()}
        if _are_several(part):
            return [made(one, (*path, place)) for place, one in enumerate(part)]
        name = counted_name(interpreter, "keras_tensor")
        return Symbolic(tuple(part), layer, inputs, dict(settings), order, tuple(further), path, name)

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
    if _is_as_made(layer, inputs):
        found = _shape_of(layer.fields["_outputs"])
    elif layer.kind.find("compute_output_shape") is not MISSING:
        rule = attribute_of(interpreter, layer, "compute_output_shape")
        found = interpreter.call(rule, [_shape_of(inputs)], {})
    else:
        found = _traced_shape(interpreter, layer, inputs, further, settings)
    if not isinstance(found, dict):
        found = list(map(tuple, found)) if _are_several(found) else tuple(found)
    layer.fields["_output_shape"] = found
    return found


def _is_as_made(layer: UserObject, inputs: Any) -> bool:
    """Whether a model between inputs and outputs is called on one input of the shape that it was made for."""
    own = layer.fields.get("_inputs") if "_calls" in layer.fields else None
    return isinstance(own, Symbolic) and isinstance(inputs, Symbolic) and own.shape == inputs.shape


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
    traced = Function(computation(interpreter, layer))
    with inside_layer(interpreter, layer), _seeds_kept(layer):
        keywords = {name: _specified(one) for name, one in settings.items()}
        return _shapes_in(layer, concrete_of(interpreter, traced, args, keywords).result)


@contextmanager
def _seeds_kept(layer: UserObject) -> Iterator[None]:
    """What is drawn to find a shape moves no seed on: the next draw is that which would have come."""
    fields = [value for one in layers_in(layer) for value in one.fields.values()]
    sources = {id(value): value for value in fields if isinstance(value, SeedGenerator)}
    states = {key: source.state for key, source in sources.items()}
    try:
        yield
    finally:
        for key, source in sources.items():
            source.state = states[key]


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


def of_any_batch(self: UserObject, count: int | None = None) -> None:
    """The shapes that the layers have given hold for any number of examples, or for this one.

    Those of a model between inputs and outputs inside of it stay what they are on symbolic tensors, and so do
    those of a Sequential model that begins with an input.
    """
    inside = [one for one in layers_in(self) if one is not self]
    graphs = [one for one in inside if "_calls" in one.fields or "_first" in one.fields]
    known = {id(layer) for graph in graphs for layer in layers_in(graph)}
    for layer in (one for one in layers_in(self) if id(one) not in known):
        shape = layer.fields.get("_output_shape")
        if shape:
            layer.fields["_output_shape"] = _of_batch(shape, count)


def _of_batch(shape: Any, count: int | None) -> Any:
    if isinstance(shape, dict):
        return {key: _of_batch(one, count) for key, one in shape.items()}
    several = _are_several(shape)
    return [_of_batch(one, count) for one in shape] if several else (count, *tuple(shape)[1:])


def shape_of_output(self: UserObject) -> Any:
    """Raises: ProgramError where it has not been called yet."""
    if self.fields.get("_output_shape") is None:
        raise ProgramError(
            f"The layer {self.fields['name']} has never been called and thus has no defined output.",
            message_zh=f"层 {self.fields['name']} 还没有被调用过，因此形状未知。",
            code="unknown_attribute",
            kind="AttributeError",
        )
    return self.fields["_output_shape"]


def symbol_of(self: UserObject) -> Any:
    """The symbolic tensor that it gave last, or several. Raises: ProgramError where it was called on none."""
    if "_symbol" not in self.fields:
        raise ProgramError(
            f"The layer {self.fields['name']} has never been called and thus has no defined output.",
            message_zh=f"层 {self.fields['name']} 还没有在符号张量上调用过，因此没有确定的输出。",
            code="unknown_attribute",
            kind="AttributeError",
        )
    return self.fields["_symbol"]


def symbol_before(self: UserObject) -> Any:
    """What it was called on last; of an input itself."""
    found = next(symbols(symbol_of(self)))
    return found if found.inputs is None else found.inputs
