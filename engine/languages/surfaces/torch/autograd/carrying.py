"""What one turn of a training loop leaves for the next: the state of a recurrent network, a running mean."""

from __future__ import annotations

from typing import Any

from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor


def operand_of(tensor: Tensor) -> Any:
    """What an op of the graph is given.

    Where an earlier turn of this loop has left a tensor that no gradient goes through, its numbers begin
    here: the nodes that made it run again in this turn, and what went on from them would be new each time.
    """
    found, storage = tensor.operand, tensor.storage
    if storage.value is None or not _is_carried(tensor):
        return found
    return state().graph.begun_here(found, max(tensor.turn, storage.turn))


def memory_of(tensor: Tensor) -> Any:
    """The same of the memory of a view, all of it: a part of it is about to be exchanged."""
    storage = tensor.storage
    found = storage.read()
    return state().graph.begun_here(found, storage.turn) if _is_carried(tensor) else found


def _is_carried(tensor: Tensor) -> bool:
    """Whether no gradient goes through a tensor, and it is no variable."""
    plain = type(tensor) is Tensor and tensor.storage.variable is None
    return plain and tensor.node is None and not tensor.requires
