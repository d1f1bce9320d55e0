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
    if storage.value is None or storage.variable is not None or type(tensor) is not Tensor:
        return found
    if tensor.node is not None or tensor.requires:
        return found
    return state().graph.begun_here(found, max(tensor.turn, storage.turn))
