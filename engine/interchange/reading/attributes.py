"""A node's attributes as the engine holds them: types by name, shapes as tuples, tensors as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from engine.interchange.messages import DATA_TYPES, REFERENCES, AttrEntry
from engine.interchange.reading.notes import Note
from engine.interchange.reading.tensors import Unreadable, tensor_of
from engine.ops.base.tensors import Shape

NAMES = {"DT_FLOAT": "float32", "DT_DOUBLE": "float64", "DT_HALF": "float16"}  # the rest: in small letters
MOST_NOTES = 5
MOST_AXES = 254  # of a shape, as in TensorFlow

Read = tuple[dict[str, Any], tuple[str, ...], tuple[Shape, ...] | None]


@lru_cache(maxsize=256)
def type_name(number: int) -> str:
    """What TensorFlow calls a type; a variable's buffer as its elements."""
    plain = number - REFERENCES if number > REFERENCES else number
    found = next((name for name, one in DATA_TYPES.items() if one == plain), None)
    return f"type {number}" if found is None else NAMES.get(found, found[3:].lower())


class Attributes:
    """Reads the attributes of one graph's nodes; what cannot be read is noted, and described instead."""

    def __init__(self, limit_elements: int) -> None:
        self._limit_elements = limit_elements
        self._unreadable: list[tuple[str, Unreadable]] = []
        self._known: dict[tuple[bytes, ...], Read] = {}
        self._readers: Mapping[str, Callable[[Any], Any]] = {
            "type": lambda value: type_name(value.type),
            "shape": lambda value: shape_of(value.shape),
            "i": lambda value: value.i,
            "f": lambda value: shortest(value.f),
            "b": lambda value: value.b,
            "s": lambda value: text_of(value.s),
            "list": lambda value: self._listed(value.list),
            "func": lambda value: value.func.name,
            "placeholder": lambda value: value.placeholder,
            "tensor": lambda value: self._tensor(value.tensor),
        }
        self._items: Mapping[str, Callable[[Any], Any]] = {
            "s": text_of,
            "i": int,
            "f": shortest,
            "b": bool,
            "type": type_name,
            "shape": shape_of,
            "tensor": self._tensor,
            "func": lambda value: value.name,
        }

    def of(self, name: str, entries: tuple[bytes, ...]) -> Read:
        """The attributes of a node, what it is placed beside, and the shapes that the file knows.

        entries: as the file has them; most nodes of a graph have the same as some others.
        """
        if entries not in self._known:
            self._known[entries] = self._read(name, entries)
        return self._known[entries]

    def _read(self, name: str, entries: tuple[bytes, ...]) -> Read:
        attrs: dict[str, Any] = {}
        colocate: tuple[str, ...] = ()
        shapes: tuple[Shape, ...] | None = None
        for entry in map(AttrEntry.FromString, entries):
            key, value = entry.key, entry.value
            kind = value.WhichOneof("value")
            try:
                if key == "_output_shapes" and kind == "list":
                    shapes = tuple(map(shape_of, value.list.shape))
                elif key == "_class" and kind == "list":
                    colocate = tuple([text_of(one).removeprefix("loc:@") for one in value.list.s])
                else:
                    attrs[key] = self._readers[kind](value) if kind else None
            except Unreadable as reason:
                self._unreadable.append((name, reason))
                attrs[key] = str(reason)
        return attrs, colocate, shapes

    def _tensor(self, message: Any) -> Any:
        return tensor_of(
            message, type_name(message.dtype), shape_of(message.tensor_shape), self._limit_elements
        )

    def _listed(self, message: Any) -> tuple[Any, ...]:
        """A list holds values of one kind."""
        for field, values in message.ListFields():
            return tuple(map(self._items[field.name], values))
        return ()

    def notes(self) -> Iterator[Note]:
        """What could not be read, of the first few nodes."""
        for name, reason in self._unreadable[:MOST_NOTES]:
            yield reason.note(name)


def shape_of(message: Any) -> Shape:
    """A shape; None for an unknown rank, None for an unknown length. Raises: Unreadable for an absurd one."""
    if message.unknown_rank:
        return None
    sizes = [dim.size for dim in message.dim]
    if len(sizes) > MOST_AXES or any(size < -1 for size in sizes):
        raise Unreadable.shape(sizes)
    return tuple([None if size == -1 else size for size in sizes])


def text_of(data: bytes) -> str:
    """A text; bytes that are none are written as escapes."""
    return data.decode(errors="backslashreplace")


def shortest(number: float) -> float:
    """A float32 with its own shortest digits: 0.1, not 0.10000000149011612."""
    return float(str(np.float32(number)))
