"""Where a tensor lies in memory: `x.data_ptr()`, `x.storage_offset()`, `x.untyped_storage()`.

The addresses are made up, the same in every run; which are equal, and how far apart two of one memory are, is
as in PyTorch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.languages.interpreter.attributes import members_of
from engine.languages.surfaces.torch.functions.shaping import places_of
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.storage import Storage
from engine.languages.surfaces.torch.tensor import Tensor
from engine.ops.base.tensors import Array

FIRST = 4096  # address
ALIGNED = 64  # bytes: where the memory of a tensor may begin


@torch_function("storage_offset", method="only")
def storage_offset(self: Tensor) -> int:
    """How many elements of its memory stand before its first one."""
    return int(places_of(self).ravel()[0]) if self.array.size else 0


@torch_function("data_ptr", method="only")
def data_ptr(self: Tensor) -> int:
    """The address of the first element, in bytes; 0 where there is none."""
    if not self.array.size:
        return 0
    offset: int = storage_offset(self) * int(self.dtype.itemsize)
    return _begins_at(self.storage) + offset


def _begins_at(storage: Storage) -> int:
    """The address of a memory; where an array of numpy shows it, too, as far into that array's own."""
    if storage.shared is None:
        return _address(storage, storage.form().nbytes)
    whole = _owner(storage.shared)
    return _address(whole, whole.nbytes) + _first_byte(storage.shared) - _first_byte(whole)


def _owner(array: Array) -> Array:
    """The array of whose memory this one shows a part, or itself."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _first_byte(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


def _address(memory: Storage | Array, size: int) -> int:
    """The address of a memory of so many bytes: after those that were asked for before, which are kept."""
    known: dict[int, tuple[Any, int]] = state().parts.setdefault("addresses", {})
    if id(memory) not in known:
        free = state().parts.get("next_address", FIRST)
        known[id(memory)] = memory, free
        state().parts["next_address"] = free + max(1, -(-size // ALIGNED)) * ALIGNED
    return known[id(memory)][1]


@dataclass(frozen=True, slots=True)
class UntypedStorage:
    """The memory of a tensor, as bytes."""

    memory: Storage
    itemsize: int

    def nbytes(self) -> int:
        """How many bytes it has."""
        return int(self.memory.form().size) * self.itemsize

    def data_ptr(self) -> int:
        """The address of its first byte."""
        return _begins_at(self.memory) if self.nbytes() else 0


MEMBERS = members_of(UntypedStorage, "UntypedStorage")
MEMBERS.method("nbytes", "size")(UntypedStorage.nbytes)
MEMBERS.method("data_ptr")(UntypedStorage.data_ptr)


@torch_function("untyped_storage", method="only")
def untyped_storage(self: Tensor) -> UntypedStorage:
    """The memory that this tensor shows, or a part of it."""
    return UntypedStorage(self.storage, int(self.dtype.itemsize))


torch_function("is_storage")(lambda obj: isinstance(obj, UntypedStorage))
