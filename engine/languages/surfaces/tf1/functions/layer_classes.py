"""`tf.layers.Dense` and its kin: layers that are objects, whose variables are made at the first call."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter
from types import MappingProxyType
from typing import Any

from engine.graph import Node, Variable
from engine.graph.composites.batch_normalization import UPDATE_OPS
from engine.graph.composites.layers import LayerScope, count_layer
from engine.graph.variables.variable_scopes import REGULARIZATION_LOSSES, store_of
from engine.languages.interpreter.attributes import LOOKUPS, members_of
from engine.languages.interpreter.callables import Native, Signature
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.tf1.functions import normalizing  # noqa: F401  # for its table
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.ops.base.building import current_graph

# The classes, each with the function of `tf.layers` that does what a call of its objects does.
KINDS: Mapping[str, str] = {
    "AveragePooling2D": "average_pooling2d",
    "BatchNormalization": "batch_normalization",
    "Conv2D": "conv2d",
    "Dense": "dense",
    "Dropout": "dropout",
    "Flatten": "flatten",
    "MaxPooling2D": "max_pooling2d",
}
AT_EACH_CALL = ("inputs", "training")  # arguments of a call; the others are given once
OWN = ("name", "reuse", "_reuse")


@dataclass(slots=True, eq=False)
class Layer:
    """A layer of the program.

    function: what its calls do; settings: its arguments by name; place: where its variables stand.
    """

    name: str
    function: Native
    settings: dict[str, Any]
    place: LayerScope
    penalties: list[Any] = field(default_factory=list)
    updates: list[Node] = field(default_factory=list)

    @property
    def variables(self) -> dict[str, Variable]:
        """Its variables by their short names, in the order in which they were made."""
        if self.place.opened is None:
            return {}
        prefix = f"{self.place.opened.name}/"
        graph: Any = current_graph()
        made = store_of(graph).variables.items()
        return {name.removeprefix(prefix): one for name, one in made if name.startswith(prefix)}


LAYER = members_of(Layer, "Layer")
TYPE_NAMES[Layer] = lambda layer: "layer"


def _call(interpreter: Interpreter, layer: Layer, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """`layer(x)`: the nodes of one call, on the same variables each time."""
    graph: Any = current_graph()
    kept = [graph.collection(REGULARIZATION_LOSSES), graph.collection(UPDATE_OPS)]
    before = [len(one) for one in kept]
    _check(layer, args, keywords)
    first = [interpreter] if layer.function.takes_interpreter else []
    result = layer.function.function(*first, *args, **layer.settings, **keywords, name=layer.place)
    for found, collected, count in zip((layer.penalties, layer.updates), kept, before, strict=True):
        found.extend(collected[count:])
    return result


def _check(layer: Layer, args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Raises: ProgramError for an argument that a call does not take."""
    takes = [name for name in AT_EACH_CALL if name in layer.function.signature.every_name]
    Signature(tuple(takes[:1]), tuple(takes[1:]), frozenset(takes[:1])).bind(layer.name, args, keywords)


CALLABLES[Layer] = _call


@LAYER.method("apply", "__call__")
def apply(interpreter: Interpreter, layer: Layer, inputs: Any, **keywords: Any) -> Any:
    """The same as calling it."""
    return _call(interpreter, layer, [inputs], keywords)


LAYER.fact("name")(lambda layer: layer.name)
LAYER.fact("built")(lambda layer: layer.place.opened is not None)
LAYER.fact("weights", "variables")(lambda layer: list(layer.variables.values()))
LAYER.fact("trainable_weights", "trainable_variables")(
    lambda layer: [one for one in layer.variables.values() if one.trainable]
)
LAYER.fact("non_trainable_weights", "non_trainable_variables")(
    lambda layer: [one for one in layer.variables.values() if not one.trainable]
)
LAYER.fact("losses")(lambda layer: list(layer.penalties))
LAYER.fact("updates")(lambda layer: list(layer.updates))


def _own(layer: Layer, name: str) -> Any:
    """`layer.kernel` and `layer.units`: a variable of its own, or what it was made with."""
    if name in layer.variables:
        return layer.variables[name]
    if name in ("kernel", "bias") and layer.place.opened is not None:
        return None
    return layer.settings.get(name, MISSING)


LOOKUPS[Layer] = _own


def _enter(kind: str, word: str) -> None:
    function: Native = TF.members[f"layers.{word}"]
    parameters = tuple(
        parameter
        for name, parameter in inspect.signature(function.function).parameters.items()
        if name not in (*AT_EACH_CALL, *OWN, "interpreter")
    )
    defaults = MappingProxyType({one.name: one.default for one in parameters if one.default is not one.empty})

    def make(*args: Any, **keywords: Any) -> Layer:
        given = dict(zip([one.name for one in parameters], args, strict=False), **keywords)
        name, reuse = given.pop("name", None), given.pop("_reuse", None)
        graph: Any = current_graph()
        called = count_layer(graph, name, word)
        return Layer(called, function, {**defaults, **given}, LayerScope(name, reuse))

    named = Parameter("name", Parameter.POSITIONAL_OR_KEYWORD, default=None)
    again = Parameter("_reuse", Parameter.KEYWORD_ONLY, default=None)
    make.__signature__ = inspect.Signature([*parameters, named, again])  # type: ignore[attr-defined]
    make.__doc__ = f"A layer that does at each call what tf.layers.{word} does."
    TF.function(f"layers.{kind}", **function.arguments)(make)


for one_kind, its_function in KINDS.items():
    _enter(one_kind, its_function)
