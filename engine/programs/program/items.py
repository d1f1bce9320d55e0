"""A program's values as the API lists them: kind, tensor, value, and what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from engine.graph import Graph, Node, Tensor, Variable
from engine.interchange.values import (
    FEWER_BINS,
    FULL_UP_TO,
    HISTOGRAM_BINS,
    Outline,
    number_json,
    tensor_json,
    tensors_json,
)
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.values import Ignored, Module, concrete
from engine.languages.surfaces.torch.result import TensorItem
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array
from engine.ops.base.texts import is_texts, weight_of
from engine.optimizers import Optimizer

MAX_ITEMS = 1000  # listed of one container; `length` says how many there are
MAX_ITEMS_IN_ALL = 10_000  # listed of a container with all that it holds
MAX_ITEMS_IN_ANSWER = 50_000  # listed of all that a program's names hold
NUMBERS_PER_ITEM = 16  # of arrays and tensors, and as many times two characters of a text, count as one item
MAX_DEPTH = 8  # containers in containers
MAX_TEXT = 10_000
SHORT_TEXT = 200  # written in full all the same
MAX_NUMBERS = 200_000  # in the values of an answer's tensors; above, the larger ones are summarised
SMALL_TENSOR = 16  # elements of a tensor that is written in full all the same


@dataclass(frozen=True, slots=True)
class Summarised:
    """A tensor's value of which only a summary is written, so that the whole answer stays readable."""

    array: Array


@dataclass(frozen=True, slots=True)
class ObjectJson:
    """An object of a program as the API lists it, where the object itself stays in another process."""

    json: dict[str, Any]


Values = Mapping[Tensor, Array]
Shown = Mapping[Tensor, Array | Summarised]


def within_room(values: Values) -> Shown:
    """The values with the larger ones summarised, half by half, until all numbers together find room."""
    sizes = np.array([np.size(array) for array in values.values()])
    full_up_to = FULL_UP_TO
    while full_up_to > SMALL_TENSOR and sizes[sizes <= full_up_to].sum() > MAX_NUMBERS:
        full_up_to //= 2
    if full_up_to == FULL_UP_TO:
        return values
    return {
        tensor: array if np.size(array) <= full_up_to else Summarised(array)
        for tensor, array in values.items()
    }


def is_listed(value: Any) -> bool:
    """Whether a name bound to this value is one of the program's own results."""
    return not isinstance(value, (Module, Ignored))


def item_json(value: Any, values: Shown, depth: int = 0, room: int = MAX_ITEMS_IN_ALL) -> dict[str, Any]:
    """One value: `{"kind", …}` as in `bindings` and `result`; a container's items share its room."""
    if isinstance(value, Tensor):
        shown = values[value] if value in values else concrete(value)
        return {"kind": "tensor", "tensor": value.name, "value": value_json(fitting(shown, room))}
    if isinstance(value, TensorItem):
        return _torch_tensor(value, room)
    if isinstance(value, IndexedSlices):
        return {"kind": "indexed_slices", "tensor": value.name, "value": slices_json(value, values)}
    if isinstance(value, Variable):
        shown = fitting(values.get(value.ref), room)
        return {"kind": "variable", "tensor": value.name, "value": value_json(shown)}
    if isinstance(value, (list, tuple, set, frozenset, range)):
        return _sequence(value, values, depth, room)
    if isinstance(value, dict):
        return _dict(value, values, depth, room)
    if isinstance(value, ObjectJson):
        return value.json
    return _plain(value, room)


def _torch_tensor(item: TensorItem, room: int) -> dict[str, Any]:
    """A tensor of PyTorch, with what its autograd knows of it."""
    return {
        "kind": "tensor",
        "tensor": item.value.name,
        "value": value_json(fitting(item.array, room)),
        "requires_grad": item.requires_grad,
        "is_leaf": item.is_leaf,
        "grad": value_json(fitting(item.grad, room)),
        "grad_fn": item.grad_fn,
    }


def fitting(value: Array | Summarised | None, room: int) -> Array | Summarised | None:
    """A value, or a summary of it where the room is too small for its numbers."""
    if value is None or isinstance(value, Summarised):
        return value
    size = weight_of(value) if is_texts(value) else np.size(value)
    return value if size <= max(SMALL_TENSOR, NUMBERS_PER_ITEM * room) else Summarised(value)


def items_in(shown: Any) -> int:
    """How many items a value's JSON has, large tensors and long texts for several."""
    if isinstance(shown, str):
        return len(shown) // (2 * NUMBERS_PER_ITEM)
    if isinstance(shown, dict):
        return 1 + sum(items_in(part) for part in shown.values() if isinstance(part, (dict, list, str)))
    if not isinstance(shown, list) or not shown:
        return 1
    if isinstance(shown[0], (int, float)):
        return 1 + len(shown) // NUMBERS_PER_ITEM
    return sum(items_in(part) for part in shown)


def value_json(value: Array | Summarised | Outline | None) -> dict[str, Any] | None:
    """A tensor's value, or null where it has none."""
    if isinstance(value, Outline):
        return value.json
    if isinstance(value, Summarised):
        return tensor_json(np.asarray(value.array), full_up_to=0, bins=FEWER_BINS)
    return None if value is None else tensor_json(np.asarray(value))


class ListedValues:
    """Values as JSON, each array written once however often an answer lists it: a run's is often a node's.

    Those that are added are written together, which is quicker than one by one.
    """

    def __init__(self, values: Iterable[Any] = ()) -> None:
        self._known: dict[tuple[int, bool], tuple[Any, Any]] = {}  # by identity, in full or not
        self.add(values)

    def add(self, values: Iterable[Any], room: int = FULL_UP_TO) -> None:
        """These will be listed, those of up to `room` elements in full."""
        arrays = {id(value): value for value in values if type(value) is np.ndarray and value.size <= room}
        for key in arrays.keys() & {key for key, _ in self._known}:
            del arrays[key]
        shown = tensors_json([*arrays.values()])
        self._known.update(
            ((key, True), (array, one)) for (key, array), one in zip(arrays.items(), shown, strict=True)
        )

    def json(self, value: Any, in_full: bool = True) -> dict[str, Any] | None:
        """A value as `value_json` writes it; a summary of it where it is not listed in full."""
        key = id(value), in_full
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = value, value_json(value if in_full else Summarised(value))
        shown: dict[str, Any] | None = found[1]
        return shown


def slices_json(slices: IndexedSlices, values: Shown) -> dict[str, Any]:
    """Rows of a gradient with their numbers, and the shape of the whole."""
    parts = {"values": slices.values, "indices": slices.indices, "dense_shape": slices.dense_shape}
    arrays = {name: None if part is None else values.get(part) for name, part in parts.items()}
    return {"kind": "indexed_slices", **{name: value_json(array) for name, array in arrays.items()}}


def _sequence(value: Any, values: Shown, depth: int, room: int) -> dict[str, Any]:
    kind = "tuple" if isinstance(value, tuple) else "list"
    listed = _listed(value, depth, room)
    items = [item_json(item, values, depth + 1, room // len(listed)) for item in listed]
    return {"kind": kind, "items": items, "length": len(value)}


def _dict(value: dict[Any, Any], values: Shown, depth: int, room: int) -> dict[str, Any]:
    listed = _listed(value.items(), depth, room)
    entries = [[_key(key), item_json(item, values, depth + 1, room // len(listed))] for key, item in listed]
    return {"kind": "dict", "entries": entries, "length": len(value)}


def _listed(items: Iterable[Any], depth: int, room: int) -> list[Any]:
    return list(islice(items, min(MAX_ITEMS, room))) if depth < MAX_DEPTH else []


def _key(key: Any) -> Any:
    if isinstance(key, str):
        return key[:MAX_TEXT]
    return key if isinstance(key, bool) else number_json(key) if _is_number(key) else to_repr(key)


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, np.generic)) and not isinstance(value, complex)


def _plain(value: Any, room: int) -> dict[str, Any]:
    if value is None:
        return {"kind": "none"}
    if isinstance(value, str):
        return {"kind": "text", "value": value[: min(MAX_TEXT, max(SHORT_TEXT, 2 * NUMBERS_PER_ITEM * room))]}
    if _is_number(value):
        return {"kind": "number", "value": number_json(value)}
    if isinstance(value, np.ndarray):
        bins = HISTOGRAM_BINS if room >= FULL_UP_TO else FEWER_BINS
        summary = tensor_json(value, min(FULL_UP_TO, NUMBERS_PER_ITEM * room), bins)
        return {"kind": "array", "value": summary}
    if isinstance(value, Node):
        return {"kind": "operation", "node": value.name}
    if isinstance(value, Optimizer):
        return {"kind": "optimizer", "value": value.name}
    if isinstance(value, (UserFunction, Native, BoundMethod)):
        return {"kind": "function", "value": value.name}
    return {"kind": "other", "value": "graph" if isinstance(value, Graph) else to_repr(value)[:MAX_TEXT]}
