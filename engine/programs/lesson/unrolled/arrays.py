"""Arrays of tensors in a loop: each place stands for the tensor that was written there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.execution import Run
from engine.graph import Node, Tensor
from engine.ops.arrays.joining import pack

Slot = Callable[[], Tensor]  # makes the tensor of a place where it is read, so that it belongs to that turn

ARRAYS = frozenset(
    {
        "TensorArrayV3",
        "TensorArrayWriteV3",
        "TensorArrayScatterV3",
        "TensorArrayReadV3",
        "TensorArraySizeV3",
        "TensorArrayGatherV3",
    }
)


class Arrays:
    """What stands at each place of each array of a run. of: what the unrolled graph has for a tensor."""

    def __init__(self, of: Callable[[Tensor], Tensor], constant: Callable[[Any], Tensor]) -> None:
        self._of = of
        self._constant = constant
        self._places: dict[int, dict[int, Slot]] = {}

    def read(self, node: Node, trace: Run) -> Tensor | None:
        """What a node about an array gives in the unrolled graph; None for the order of events alone."""
        kind = node.op.name
        if kind == "TensorArraySizeV3":
            return self._constant(trace.values[node.outputs[0]])
        if kind == "TensorArrayV3":
            return None
        places = self._places.setdefault(id(trace.values[node.inputs[0]].item()), {})
        index = trace.values[node.inputs[1]]
        if kind == "TensorArrayReadV3":
            return places[int(index)]()
        if kind == "TensorArrayGatherV3":
            return self._gathered([places[int(i)]() for i in index], node, trace)
        value = self._of(node.inputs[2])
        if kind == "TensorArrayWriteV3":
            places[int(index)] = lambda: value
        else:
            places.update({int(place): _row(value, row) for row, place in enumerate(index)})
        return None

    def _gathered(self, tensors: list[Tensor], node: Node, trace: Run) -> Tensor:
        return pack(tensors) if tensors else self._constant(np.asarray(trace.values[node.outputs[0]]))


def _row(value: Tensor, row: int) -> Slot:
    return lambda: value[row]
