"""Keras's symbolic tensors: what a layer will give, known by its shape alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.classes.objects import UserObject

CALLS = count()  # the order in which layers are called


@dataclass(frozen=True, slots=True, eq=False)
class Symbolic:
    """What a layer will give.

    layer:  where it comes from; of an input the InputLayer.
    inputs: the symbolic tensor that the layer was called on, or a list of them; None of an input.
    """

    shape: tuple[int | None, ...]
    layer: UserObject
    inputs: Any
    settings: Mapping[str, Any]
    order: int

    @property
    def sources(self) -> list[Symbolic]:
        """The symbolic tensors that the layer was called on."""
        return list(symbols(self.inputs))


TENSOR = members_of(Symbolic, "KerasTensor")
TENSOR.fact("shape")(lambda symbol: symbol.shape)
TENSOR.fact("dtype")(lambda symbol: symbol.layer.fields.get("_dtype", "float32"))
TENSOR.fact("name")(lambda symbol: symbol.layer.fields["name"])


def _shown(symbol: Symbolic) -> str:
    name = symbol.layer.fields["name"]
    return f"<KerasTensor shape={symbol.shape}, dtype=float32, sparse=False, ragged=False, name={name}>"


SHOWN[Symbolic] = (_shown, _shown)


def symbols(value: Any) -> Iterator[Symbolic]:
    """The symbolic tensors in an argument."""
    given = value.values() if isinstance(value, dict) else value
    for part in given if isinstance(value, (list, tuple, dict)) else [value]:
        if isinstance(part, Symbolic):
            yield part
