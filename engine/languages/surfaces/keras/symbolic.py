"""Keras's symbolic tensors: what a layer will give, known by its shape alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.values import PYTHON_NAMES, TYPE_NAMES

CALLS = count()  # the order in which layers are called


@dataclass(frozen=True, slots=True, eq=False)
class Symbolic:
    """What a layer will give, or one part of it where it gives several tensors.

    layer:   where it comes from; of an input the InputLayer.
    inputs:  the symbolic tensor that the layer was called on, or a list of them; None of an input.
    further: the arguments after the first.
    order:   the call that it comes from; of several tensors from one call it is the same.
    path:    where it stands in what the layer gives: () is all of it.
    name:    an input's own, else counted: `keras_tensor`, then `keras_tensor_1`.
    """

    shape: tuple[int | None, ...]
    layer: UserObject
    inputs: Any
    settings: Mapping[str, Any]
    order: int
    further: tuple[Any, ...] = ()
    path: tuple[Any, ...] = ()
    name: str = "keras_tensor"

    @property
    def sources(self) -> list[Symbolic]:
        """The symbolic tensors that the layer was called on."""
        return list(symbols([self.inputs, self.further, self.settings]))

    @property
    def dtype(self) -> str:
        """Of an input as it was given, else float32, which layers compute in."""
        found: str = self.layer.fields.get("_dtype", "float32")
        return found


TENSOR = members_of(Symbolic, "KerasTensor")
TENSOR.fact("shape")(lambda symbol: symbol.shape)
TENSOR.fact("ndim")(lambda symbol: len(symbol.shape))
TENSOR.method("get_shape")(lambda symbol: symbol.shape)
TENSOR.fact("dtype")(lambda symbol: symbol.dtype)
TENSOR.fact("name")(lambda symbol: symbol.name)


def _shown(symbol: Symbolic) -> str:
    return (
        f"<KerasTensor shape={symbol.shape}, dtype={symbol.dtype}, sparse=False, ragged=False, "
        f"name={symbol.name}>"
    )


SHOWN[Symbolic] = (_shown, _shown)
TYPE_NAMES[Symbolic] = PYTHON_NAMES[Symbolic] = lambda symbol: "KerasTensor"


def symbols(value: Any) -> Iterator[Symbolic]:
    """The symbolic tensors in an argument, however deep in lists and dictionaries."""
    if isinstance(value, Symbolic):
        yield value
    elif isinstance(value, (list, tuple, Mapping)):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from symbols(part)


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """The same lists and dictionaries with something else in place of each symbolic tensor."""
    if isinstance(value, Symbolic):
        return function(value)
    if isinstance(value, (list, tuple)):
        found = [mapped(function, one) for one in value]
        return tuple(found) if isinstance(value, tuple) else found
    if isinstance(value, Mapping):
        return {key: mapped(function, one) for key, one in value.items()}
    return value


def part_of(result: Any, path: tuple[Any, ...]) -> Any:
    """What stands there in what a layer gives."""
    for step in path:
        result = result[step]
    return result
