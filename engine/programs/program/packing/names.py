"""What a program's names are bound to, as it is packed: functions and objects as an answer lists them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.graph import Node, Tensor, Variable
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.surfaces.torch.result import TensorItem
from engine.ops.base.slices import IndexedSlices
from engine.optimizers import Optimizer
from engine.programs.program.items import MAX_DEPTH, ObjectJson, item_json
from engine.programs.program.packing.small_file import NotPackable

MOST_ITEMS = 20_000
AN_OBJECT = 200  # items that an object's JSON may have
AS_IT_IS = (Tensor, Node, Variable, TensorItem, IndexedSlices, Optimizer, np.ndarray, np.generic, range)
UNCHANGED = (*AS_IT_IS, str, int, float, complex, type(None))


class NamePacker:
    """What names are bound to, as it is packed: up to `MOST_ITEMS`, shared ones counted each time."""

    def __init__(self) -> None:
        self._room = MOST_ITEMS

    def packable(self, value: Any, depth: int = 0) -> Any:
        """Tensors and numbers as they are, an object as an answer lists it. Raises: NotPackable."""
        if isinstance(value, UNCHANGED):
            return value
        if type(value) in (list, tuple, set, frozenset):
            self._go_into(value, depth)
            return type(value)(self.packable(item, depth + 1) for item in value)
        if type(value) is dict:
            self._go_into(value, depth)
            return {
                self.packable(key, depth + 1): self.packable(item, depth + 1) for key, item in value.items()
            }
        if isinstance(value, Record):
            self._go_into(value, depth)
            kind = RecordKind(value.kind.name, value.kind.fields)
            return Record(kind, [self.packable(item, depth + 1) for item in value])
        if isinstance(value, (list, tuple, set, frozenset, dict)):
            raise NotPackable(type(value).__name__)
        self._take(AN_OBJECT)
        return ObjectJson(item_json(value, {}))

    def _go_into(self, container: Any, depth: int) -> None:
        if depth >= MAX_DEPTH:
            raise NotPackable("too many lists in lists")
        self._take(len(container))

    def _take(self, items: int) -> None:
        self._room -= items
        if self._room < 0:
            raise NotPackable("too many items")
